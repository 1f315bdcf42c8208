"""The learning experiments of Jahani-Nezhad, Maddah-Ali 2020, with other data."""

from __future__ import annotations

from dataclasses import dataclass

from gcdesign.codes.times import LoadTime, ShiftedExponential
from gcdesign.errors import InputError
from gcdesign.papers.experiment import Settings, Watch
from gcdesign.papers.results import Claim, ExperimentResult, Panel, Series, verdict
from gcdesign.training import (
    Drawn,
    Evaluation,
    GivenWorkers,
    GradientDescent,
    Plan,
    RandomWorkers,
    Rate,
    Slowed,
    make_scheme,
    simulate,
)
from gcdesign.training.clock import loads_of
from gcdesign.training.data import parse_data, split
from gcdesign.training.problems import Batches, LeNet, Network, Problem, Softmax

PAPER = "Jahani-Nezhad, Maddah-Ali 2020"

CASES = ((3, 1), (5, 2))
"""N and S of the paper."""

SCHEMES = {
    "berrut": "Berrut, raw labels",
    "berrut:labels=clipped": "Berrut, clipped labels",
    "cyclic": "repetition (cyclic gradient code)",
    "naive": "uncoded, all are waited for",
    "ignore-stragglers": "uncoded, S are ignored",
}
FAMILIES = {
    "berrut": "berrut",
    "berrut:labels=clipped": "berrut clipped",
    "cyclic": "cyclic",
    "naive": "uncoded",
    "ignore-stragglers": "ignore",
}
EVALUATIONS = 30
REACHED = 0.98
"""Part of the uncoded run's best accuracy that counts as reached."""

DATA = (
    "The data are scikit-learn's 1,797 images of 8 × 8 pixels, a fifth of them held out, in place "
    "of MNIST, Fashion-MNIST and CIFAR-10. `gcdesign simulate --data mnist:images=FILE,labels=FILE "
    "--scheme berrut` learns from files of MNIST's format."
)
REPETITION = (
    "Repetition stands for a cyclic gradient code: S + 1 parts on each worker, exact for any S "
    "stragglers, as fractional repetition has it where S + 1 divides N."
)
IGNORED = (
    "Ignoring S workers without any code takes as little time as Berrut's code. Where the slow "
    "workers change from step to step, that hears of all data in the end, and the errors of "
    "Berrut's decodings even out; with `--set same=1` neither is so."
)


@dataclass(frozen=True)
class Learnt:
    """One run: its evaluations, the load of a worker, and the seconds of a step."""

    evaluations: tuple[Evaluation, ...]
    load: float
    seconds: float

    @property
    def accuracies(self) -> tuple[float, ...]:
        """The share of right answers on held-out samples."""
        return tuple(e.metrics["accuracy"] for e in self.evaluations)

    def reaches(self, accuracy: float) -> float | None:
        """Return the seconds until an accuracy is reached; None if it is not."""
        times = [e.seconds for e in self.evaluations if e.metrics["accuracy"] >= accuracy]
        return times[0] if times else None


def run_learning(settings: Settings, seed: int, watch: Watch) -> ExperimentResult:
    """Learn with every scheme, for both pairs of N and S.

    Raises
    ------
    InputError
        If a setting makes no sense, or scikit-learn is missing.
    """
    problem = _problem(settings, seed)
    panels, claims = [], []
    stopped = None
    for number, (workers, stragglers) in enumerate(CASES):
        found: dict[str, Learnt] = {}
        for place, name in enumerate(SCHEMES):
            done = (number + place / len(SCHEMES)) / len(CASES)
            if watch(f"N = {workers}, {SCHEMES[name]}", done):
                stopped = f"before N = {workers}, {SCHEMES[name]}"
                break
            found[name] = _learn(problem, name, workers, stragglers, settings, seed)
        if found:
            panels.append(_panel(found, workers, stragglers))
        if stopped:
            break
        claims += _claims(found, workers, stragglers)
    return ExperimentResult(tuple(panels), tuple(claims), (DATA, REPETITION, IGNORED), stopped)


def _problem(settings: Settings, seed: int) -> Problem:
    hidden, batch = int(settings["hidden"]), float(settings["batch"])
    if hidden < 0:
        raise InputError(f"hidden={hidden}; expected 0 or more")
    learn, test = split(parse_data("sklearn:name=digits", seed=seed), share=0.2, seed=seed)
    batches = Batches(batch, seed)
    if settings["lenet"] not in (0, 1):
        raise InputError(f"lenet={settings['lenet']:g}; expected 0 or 1")
    if settings["lenet"]:
        return LeNet(learn, test, batches=batches, seed=seed)
    if hidden:
        return Network(learn, test, batches=batches, hidden=hidden, seed=seed)
    return Softmax(learn, test, batches=batches)


def _times(settings: Settings, stragglers: int) -> Slowed:
    mean = float(settings["mean"])
    if not mean > 0:
        raise InputError(f"mean={mean:g}; expected more than 0")
    if settings["same"] not in (0, 1):
        raise InputError(f"same={settings['same']:g}; expected 0 or 1")
    law = ShiftedExponential(float(settings["shift"]), 1 / mean)
    same = GivenWorkers(tuple(range(stragglers)))
    who = same if settings["same"] else RandomWorkers(stragglers)
    return Slowed(Drawn(LoadTime(law)), who, delay=float(settings["delay"]))


def _learn(
    problem: Problem, name: str, workers: int, stragglers: int, settings: Settings, seed: int
) -> Learnt:
    steps = int(settings["steps"])
    if steps < 1:
        raise InputError(f"steps={steps}; expected 1 or more")
    scheme = make_scheme(name, workers=workers, stragglers=stragglers, seed=seed)
    result = simulate(
        problem,
        scheme,
        GradientDescent(Rate(float(settings["rate"]))),
        _times(settings, stragglers),
        plan=Plan(steps, evaluate_every=max(1, steps // EVALUATIONS)),
        seed=seed,
    )
    history = result.history
    return Learnt(history.evaluations, float(loads_of(scheme).max()), float(history.seconds.mean()))


def _panel(found: dict[str, Learnt], workers: int, stragglers: int) -> Panel:
    series = tuple(
        Series(
            SCHEMES[name],
            tuple(e.seconds for e in learnt.evaluations),
            learnt.accuracies,
            family=FAMILIES[name],
        )
        for name, learnt in found.items()
    )
    title = f"N = {workers} workers, S = {stragglers} late in each step"
    return Panel(title, "simulated seconds", "accuracy on held-out digits", series)


def _claims(found: dict[str, Learnt], workers: int, stragglers: int) -> list[Claim]:
    """Return what the paper states beside what the runs did."""
    berrut, repeated, uncoded = found["berrut"], found["cyclic"], found["naive"]
    ignored = found["ignore-stragglers"]
    where = f"N = {workers}, S = {stragglers}"
    target = REACHED * max(uncoded.accuracies)
    times = [learnt.reaches(target) for learnt in (berrut, repeated)]
    shown = ["never" if time is None else f"after {time:.0f} s" for time in times]
    ours, theirs = times
    sooner = ours is not None and (theirs is None or ours < theirs)
    gap = max(uncoded.accuracies) - max(berrut.accuracies)
    return [
        Claim(
            f"samples of a worker, {where}",
            f"one coded sample where repetition computes {stragglers + 1}",
            f"{berrut.load:g} against {repeated.load:g}",
            verdict(berrut.load < repeated.load),
            f"{berrut.seconds:.2f} s a step against {repeated.seconds:.2f} s",
        ),
        Claim(
            f"rate of convergence, {where}",
            "outperforms repetition",
            f"accuracy {target:.3f} {shown[0]} against {shown[1]}",
            verdict(sooner),
            f"{REACHED:.0%} of the best accuracy of the uncoded run",
        ),
        Claim(
            f"against ignoring S workers, {where}",
            "not compared",
            f"best accuracy {max(berrut.accuracies):.3f} against {max(ignored.accuracies):.3f}",
            "not stated",
            f"{berrut.seconds:.2f} s a step and {ignored.seconds:.2f} s",
        ),
        Claim(
            f"accuracy that is reached, {where}",
            "no number at hand",
            f"{max(berrut.accuracies):.3f} against {max(uncoded.accuracies):.3f} without code",
            "not stated",
            f"{gap:.3f} is the price of decoding approximately, in {len(berrut.accuracies)} looks",
        ),
    ]
