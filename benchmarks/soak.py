"""Soak of the exact adversary: random placements against brute force, certificates, mutations.

``python benchmarks/soak.py --placements 3000 --seed 0 --jobs 2`` stops at the first
disagreement with exit code 1 and prints what repeats it. N and K are at most 14, or what
``--largest`` says, so that the truth is known by trying all sets: 2^14 sets of parts for S*(η),
and 2^14 sets of workers, in whole numbers and fractions, for err_S.

Of each placement it asks for S*(η) for all η and for err_S for all S with both decoders, by
method ``exact``, with or without proofs, by one quicker method, and for a value or two alone.
Each search for S*(η) is tried by itself too, from the worst bracket there is, as bounds and
attacks leave them little to do on small placements. The certificate of all results is checked;
then one number in it is changed, many times over. With its digests kept it must be refused;
with digests made anew each claim that is not refused must be true.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from soak_cases import LARGEST, Case, case_of
from soak_truth import ERRORS, MOST_PARTS, MOST_WORKERS, Errors, as_blocks, thresholds

from gcdesign.adversary import (
    AttackResult,
    Settings,
    error_threshold,
    threshold,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.certificates import certificate, digest
from gcdesign.checker import CertificateError, Finding, check
from gcdesign.codes import GradientCode
from gcdesign.designs import BlockDesign

Decoder = Literal["optimal", "one-step"]
DECODERS: tuple[Decoder, ...] = ("optimal", "one-step")
Json = Any
Path = tuple[str | int, ...]

MUTATIONS = 6
"""Numbers changed in each certificate, one at a time."""

PROGRESS_SECONDS = 10.0

BATCH = 5
"""Placements that a process takes on at a time."""


class DisagreementError(Exception):
    """Something is not as brute force says."""


def expect(holds: bool, what: str) -> None:
    """Stop with a disagreement if something does not hold."""
    if not holds:
        raise DisagreementError(what)


@dataclass
class Soak:
    """One placement on its way through all checks, and counts of what was done."""

    case: Case
    rng: np.random.Generator
    errors_too: bool = True
    engines_too: bool = True
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.blocks = as_blocks(self.case.blocks)
        self.parts, self.workers = self.case.parts, len(self.blocks)
        design = BlockDesign.from_blocks(self.case.blocks, points=self.parts)
        self.code = GradientCode.from_design(design)
        self.least = thresholds(self.blocks, self.parts)
        self.results: list[AttackResult] = []

    def run(self) -> Counter[str]:
        """Check everything."""
        self.counts["placements"] += 1
        self.counts[f"kind {self.case.kind}"] += 1
        self.thresholds()
        if self.engines_too:
            self.engines()
        if self.errors_too:
            for decoder in DECODERS:
                self.errors(decoder)
        self.certificates()
        return self.counts

    def settings(self, method: Literal["exact", "greedy", "bounds"] = "exact") -> Settings:
        """Return settings that are random where the answer must not depend on them."""
        proofs = bool(self.rng.integers(2)) and method == "exact"
        return Settings(method, threads=1, seed=int(self.rng.integers(1000)), proofs=proofs)

    def quicker(self) -> Settings:
        """Return settings that may leave a bracket."""
        return self.settings("greedy" if self.rng.integers(2) else "bounds")

    def take(self, results: Sequence[AttackResult]) -> None:
        """Keep results for the certificate."""
        self.results += results
        self.counts["results"] += len(results)

    # --- S*(η) --------------------------------------------------------------------------------

    def thresholds(self) -> None:
        """Ask for all η, and for one alone."""
        placement, eta = self.code.placement, int(self.rng.integers(self.parts + 1))
        for settings in (self.settings(), self.quicker()):
            profile = threshold_profile(placement, settings)
            expect([r.asked for r in profile] == list(range(self.parts + 1)), "values of η")
            alone = threshold(placement, eta, settings)
            for result in (*profile, alone):
                self.threshold_holds(result)
            self.take((*profile, alone))

    def threshold_holds(self, result: AttackResult) -> None:
        """Compare a bracket and its attack with the truth."""
        eta = int(result.asked)
        method, what = result.settings["method"], f"S*({eta}) is {self.least[eta]}"
        told = f"{what}; {method}: [{result.lower}, {result.upper}] by {result.proof}"
        expect(result.lower <= self.least[eta] <= result.upper, told)
        exact = result.lower == result.upper
        expect(exact or method != "exact", told)
        expect(result.status == ("exact" if exact else "bracket") and not result.stopped, told)
        self.attack_holds(result.parts, result.workers, eta)
        expect(len(result.workers) == result.upper, f"{told}: the attack {result.workers}")

    def attack_holds(self, parts: Sequence[int], workers: Sequence[int], eta: int) -> None:
        """Check that the workers are those that hold the parts."""
        holders = [w for w, block in enumerate(self.blocks) if not set(block).isdisjoint(parts)]
        told = f"η = {eta}: parts {parts}, workers {workers}"
        expect(len(set(parts)) == len(parts) == eta and list(workers) == holders, told)

    def engines(self) -> None:
        """Try each search for S*(η) by itself, from a bracket that says nothing."""
        from gcdesign.adversary.bounds import placement_facts
        from gcdesign.adversary.running.settings import Watch
        from gcdesign.adversary.thresholds.finish import STEPS, Bracket, Question
        from gcdesign.adversary.thresholds.greedy import PartAttack
        from gcdesign.adversary.thresholds.overlaps import overlaps_of

        if not self.parts:
            return
        placement, eta = self.code.placement, int(self.rng.integers(1, self.parts + 1))
        facts = placement_facts(placement)
        for step in STEPS:
            watch = Watch(self.settings())
            overlaps = overlaps_of(placement, facts.shared)
            question = Question(placement, facts, overlaps, eta, watch)
            first = PartAttack.on(placement, self.rng.permutation(self.parts)[:eta])
            found = step(question, Bracket(0, first, "nothing", {"by": "nothing"}))
            name = step.__name__
            told = f"{name}: S*({eta}) is {self.least[eta]}; [{found.lower}, {found.upper}]"
            expect(found.lower <= self.least[eta] <= found.upper, told)
            self.attack_holds(sorted(found.attack.parts), found.attack.workers, eta)
            self.counts[f"{name} {'left open' if found.open else 'closed'}"] += 1

    # --- err_S --------------------------------------------------------------------------------

    def errors(self, decoder: Decoder) -> None:
        """Ask for all S, for one alone, and for the least S of an error that is reached."""
        truth, stragglers = ERRORS[decoder](self.blocks, self.parts), self.some_size()
        for settings in (self.settings(), self.quicker()):
            profile = worst_case_error_profile(self.code, decoder=decoder, settings=settings)
            expect([r.asked for r in profile] == list(range(self.workers + 1)), "values of S")
            alone = worst_case_error(self.code, stragglers, decoder=decoder, settings=settings)
            for result in (*profile, alone):
                self.error_holds(result, truth)
            asked = truth.worst[self.some_size()] + Fraction(int(self.rng.integers(-1, 1)), 97)
            asked = min(max(asked, Fraction(0)), Fraction(self.parts))  # it takes 0 to K
            first = self.first_holds(asked, truth, decoder, settings)
            self.take((*profile, alone, first))

    def some_size(self) -> int:
        """Return a number of stragglers."""
        return int(self.rng.integers(self.workers + 1))

    def error_holds(self, result: AttackResult, truth: Errors) -> None:
        """Compare a bracket, its attack and the least harmful set with the truth."""
        stragglers = int(result.asked)
        method, worst = result.settings["method"], truth.worst[stragglers]
        told = (
            f"err_{stragglers} ({result.decoder}) is {worst}; "
            f"{method}: [{result.lower}, {result.upper}] by {result.proof}"
        )
        expect(result.lower <= worst <= result.upper, told)
        self.counts["errors known up to a tolerance"] += result.tolerance != 0
        expect(result.lower == result.upper or method != "exact", told)
        expect(len(set(result.workers)) == stragglers and not result.stopped, told)
        expect(truth.reached(result.workers) == result.lower, f"{told}: {result.workers}")
        if result.least is not None:
            least, own = truth.least[stragglers], result.least
            told = f"least err_{stragglers} ({result.decoder}) is {least}; {method}: {own}"
            expect(own.value == least == truth.reached(own.workers), told)

    def first_holds(
        self, asked: Fraction, truth: Errors, decoder: Decoder, settings: Settings
    ) -> AttackResult:
        """Compare the least number of stragglers for an error with the truth."""
        result = error_threshold(self.code, asked, decoder=decoder, settings=settings)
        first = next(s for s, error in enumerate(truth.worst) if error >= asked)
        told = (
            f"min S : err_S ≥ {asked} ({decoder}) is {first}; "
            f"{settings.method}: [{result.lower}, {result.upper}] by {result.proof}"
        )
        expect(result.lower <= first <= result.upper, told)
        expect(result.lower == result.upper or settings.method != "exact", told)
        expect(truth.reached(result.workers) >= asked, f"{told}: {result.workers}")
        expect(len(set(result.workers)) == result.upper, f"{told}: {result.workers}")
        return result

    # --- certificates -------------------------------------------------------------------------

    def certificates(self) -> None:
        """Check the certificate of all results that carry proofs, and changes of it."""
        carried = [result for result in self.results if result.evidence]
        self.counts["results without evidence"] += len(self.results) - len(carried)
        document = json.loads(json.dumps(certificate(self.code, carried)))
        report = check(document, limit=None)
        expect(report.status != "refused", f"certificate refused: {report.problems}")
        self.no_lemma_repeats(document["claims"])
        for finding in report.findings:
            self.counts[f"claims {finding.status} ({finding.by or 'nothing to show'})"] += 1
            self.counts[f"claims {finding.status}"] += 1
        judged = judge_claims(document, report.findings)
        expect(judged == len(report.findings), "some claims of the certificate were not judged")
        for _ in range(MUTATIONS if carried else 0):
            self.mutation(document)

    @staticmethod
    def no_lemma_repeats(claims: Json) -> None:
        """Check that no lemma is what an earlier claim with the same proof says already."""
        said: list[Json] = []
        for number, claim in enumerate(claims):
            kept = {name: value for name, value in claim.items() if name != "lemma"}
            repeats = "lemma" in claim and any(kept.items() <= other.items() for other in said)
            expect(not repeats, f"claims[{number}] repeats an earlier claim")
            said.append(kept)

    def mutation(self, document: Json) -> None:
        """Change one number."""
        changed, told = mutated(document, self.rng)
        expect(verdict(changed) is None, f"the digests do not show {told}")
        changed["digests"] = {name: digest(changed[name]) for name in changed["digests"]}
        findings = verdict(changed)
        if findings is None:
            self.counts["mutations refused"] += 1
            return
        try:
            judge_claims(changed, findings)
        except DisagreementError as wrong:
            raise DisagreementError(f"after {told}: {wrong}") from None
        self.counts["mutations that leave true claims"] += 1


def verdict(document: Json) -> tuple[Finding, ...] | None:
    """Return what the checker finds, None if it refuses the document as a whole or in part."""
    try:
        report = check(document, limit=None)
    except CertificateError:
        return None
    return None if report.status == "refused" else report.findings


def judge_claims(document: Json, findings: Sequence[Finding]) -> int:
    """Hold every claim that was not refused against the truth; return how many were judged.

    What rests on search by the program is held to the end that its attack reaches: a changed
    claim may say anything about the other one.
    """
    judged = 0
    for claim, finding in zip(document["claims"], findings, strict=True):
        placement = document["placements"][claim["placement"]]
        blocks, parts = as_blocks(placement["blocks"]), placement["parts"]
        most = MOST_PARTS if finding.question == "threshold" else MOST_WORKERS
        if finding.status == "refused" or max(parts, len(blocks)) > most:
            continue
        value = true_value(finding, blocks, parts)
        attacked = "lower" if finding.question == "error" else "upper"
        for end, told in (("lower", finding.lower), ("upper", finding.upper)):
            if told is None or (finding.status == "search" and end != attacked):
                continue
            holds = told <= value if end == "lower" else value <= told
            expect(holds, f"{finding.place} ({finding.by}): {finding.text}, but it is {value}")
        judged += 1
    return judged


def true_value(finding: Finding, blocks: tuple[tuple[int, ...], ...], parts: int) -> Fraction:
    """Return the truth about what a claim is about."""
    if finding.question == "threshold":
        return Fraction(thresholds(blocks, parts)[int(finding.asked)])
    worst = ERRORS[finding.decoder or ""](blocks, parts).worst
    if finding.question == "error":
        return worst[int(finding.asked)]
    return Fraction(next(s for s, error in enumerate(worst) if error >= finding.asked))


def mutated(document: Json, rng: np.random.Generator) -> tuple[Json, str]:
    """Return a copy with one number changed, and what was changed.

    First the member is drawn, so that long proofs do not take all changes.
    """
    changed = json.loads(json.dumps(document))
    member = "claims" if rng.random() < 0.8 else "placements"
    path: Path = (member, int(rng.integers(len(changed[member]))))
    above, value = changed[member], changed[member][path[-1]]
    while isinstance(value, dict | list):
        names = list(value) if isinstance(value, dict) else range(len(value))
        names = [name for name in names if any(True for _ in numbers(value[name]))]
        if not names:  # a claim without a number left to change: take any other
            return mutated(document, rng)
        name = names[rng.integers(len(names))]
        above, value, path = value, value[name], (*path, name)
    new = other_number(value, rng)
    above[path[-1]] = new
    return changed, f"{'.'.join(map(str, path))} = {value} was changed to {new}"


def numbers(value: Json) -> Iterator[int | str]:
    """Yield all numbers in a value: whole, or fractions as text."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers(inner)
    elif is_number(value):
        yield value


def is_number(value: Json) -> bool:
    """Whether a value is a number of a certificate."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole or (isinstance(value, str) and "/" in value)


def other_number(value: int | str, rng: np.random.Generator) -> int | str:
    """Return another number, mostly one nearby."""
    exact = Fraction(value)
    steps = [Fraction(step) for step in (1, -1, 2, -2, int(rng.integers(16)))]
    choices = [exact + steps[0], exact + steps[1], exact + steps[2], exact + steps[3], steps[4]]
    choices += [exact * Fraction(96, 97), exact + Fraction(1, 7)] if isinstance(value, str) else []
    choices = [choice for choice in choices if choice != exact]
    new = choices[rng.integers(len(choices))]
    return new.numerator if new.denominator == 1 else str(new)


# --- many placements ------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What is done to each placement."""

    seed: int
    errors_too: bool = True
    engines_too: bool = True
    largest: int = LARGEST

    @property
    def options(self) -> str:
        """The options that say the same."""
        errors = "" if self.errors_too else " --no-errors"
        engines = "" if self.engines_too else " --no-engines"
        return f" --largest {self.largest}{errors}{engines}"


def soak(plan: Plan, number: int) -> Counter[str]:
    """Check one placement.

    Raises
    ------
    DisagreementError
        With what repeats it.
    """
    case = case_of(plan.seed, number, largest=plan.largest)
    rng = np.random.default_rng([plan.seed, number, 1])
    try:
        return Soak(case, rng, plan.errors_too, plan.engines_too).run()
    except Exception as error:
        reason = str(error) if isinstance(error, DisagreementError) else repr(error)
        repeat = f"--seed {plan.seed} --first {number} --placements 1{plan.options}"
        raise DisagreementError(
            f"placement {number} of seed {plan.seed}: {reason}\n"
            f"  placement: {case.text}\n  repeat:    python benchmarks/soak.py {repeat}"
        ) from error


def soak_batch(plan: Plan, numbers: Sequence[int]) -> Counter[str]:
    """Check some placements, in a process of its own."""
    return sum((soak(plan, number) for number in numbers), Counter())


def soak_all(plan: Plan, first: int, placements: int, jobs: int) -> Counter[str]:
    """Check all placements; tell of the progress on standard error."""
    numbers = range(first, first + placements)
    batches = [numbers[at : at + BATCH] for at in range(0, placements, BATCH)]
    total: Counter[str] = Counter()
    shown = time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        todo: set[Future[Counter[str]]] = {pool.submit(soak_batch, plan, b) for b in batches}
        try:
            while todo:
                done, todo = wait(todo, return_when=FIRST_COMPLETED)
                for future in done:
                    total += future.result()
                if time.monotonic() - shown > PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(f"{total['placements']} of {placements}", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    return total


def main() -> int:
    """Read the options, run, print a summary; return 1 if something disagrees."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--placements", type=int, default=3000, help="how many (default: 3000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument(
        "--largest",
        type=int,
        default=LARGEST,
        help=f"most workers and parts: 7 to {MOST_WORKERS}, or {MOST_PARTS} with --no-errors",
    )
    parser.add_argument("--no-errors", action="store_true", help="S*(η) only")
    parser.add_argument("--no-engines", action="store_true", help="no searches by themselves")
    options = parser.parse_args()
    if not 7 <= options.largest <= (MOST_PARTS if options.no_errors else MOST_WORKERS):
        parser.error(f"--largest {options.largest} is too small, or too many sets to try")
    for name in ("OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    plan = Plan(options.seed, not options.no_errors, not options.no_engines, options.largest)
    start = time.monotonic()
    try:
        total = soak_all(plan, options.first, options.placements, options.jobs)
    except DisagreementError as wrong:
        print(f"DISAGREEMENT\n{wrong}")
        return 1
    for name in sorted(total):
        print(f"{total[name]:9,}  {name}")
    print(f"no disagreement, {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
