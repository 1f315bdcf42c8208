"""Closing the bracket of S*(η) by search: a tree on paper, a compiled search, a solver."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gcdesign.adversary.bounds import PlacementFacts
from gcdesign.adversary.evidence import Proof, search_proof
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.adversary.thresholds.overlaps import Overlaps
from gcdesign.adversary.thresholds.part_bounds import most_pairs
from gcdesign.codes import Placement

TREE_NODES = 4000
"""Most nodes of the search that keeps its tree."""

TREE_WORK = 1_500_000
"""Most nodes times K² of that search: it costs some tenths of a second."""

SEARCH_INCIDENCES = 200_000
"""Largest placement that the compiled search takes on."""

SEARCH_WORK = 20_000_000_000
"""Visits of incidences after which the compiled search gives way to the solver."""

RECORD_NODES = 200_000
"""Most nodes of a compiled search that is written down."""

RECORD_WORK = 40_000_000
"""Most nodes times incidences of that search: it takes a minute to check."""

SOLVER_INCIDENCES = 300_000
"""Largest placement that is given to the solver."""


@dataclass(frozen=True)
class Bracket:
    """A bracket of S*(η) and what proves its lower end.

    Attributes
    ----------
    lower
        The proved lower end.
    attack
        Reaches the upper end.
    proof, evidence
        What proves the lower end, in words and as plain data.
    stopped
        Which limit ended the last search, if one did.
    """

    lower: int
    attack: PartAttack
    proof: str
    evidence: Proof
    stopped: str | None = None

    @property
    def upper(self) -> int:
        """The number of workers of the attack."""
        return len(self.attack.workers)

    @property
    def open(self) -> bool:
        """Whether the ends differ."""
        return self.lower < self.upper


@dataclass(frozen=True)
class Question:
    """One S*(η): the placement, its numbers, η ≥ 1, and the watch."""

    placement: Placement
    facts: PlacementFacts
    overlaps: Overlaps | None
    eta: int
    watch: Watch


def finish(question: Question, bracket: Bracket) -> Bracket:
    """Close the bracket by the first search that can, within the watch's limits.

    A small search that keeps its tree comes first, then annealing and the compiled search,
    then CP-SAT for what they leave open.
    """
    for step in STEPS:
        if bracket.open and not question.watch.stopped():
            bracket = step(question, bracket)
            question.watch.report(f"η={question.eta}", bracket.lower, bracket.upper)
    if bracket.open and question.watch.stopped():
        return replace(bracket, stopped=question.watch.stopped())
    return bracket


def by_tree(question: Question, bracket: Bracket) -> Bracket:
    """Prove the attack best by a tree of cases, or find better ones."""
    from gcdesign.adversary.thresholds.trees import prove_by_cases

    placement, eta, watch = question.placement, question.eta, question.watch
    nodes = min(TREE_NODES, TREE_WORK // placement.parts**2)
    while bracket.open and nodes > 0 and not watch.stopped():
        left = nodes if watch.nodes_left is None else min(nodes, watch.nodes_left)
        found = prove_by_cases(placement, eta, bracket.upper, nodes=left, watch=watch)
        watch.count(min(left, found.nodes))
        if found.proof is not None:
            bracket = replace(bracket, lower=bracket.upper, proof="cases", evidence=found.proof)
        elif found.parts is not None:
            attack = PartAttack.on(placement, np.array(found.parts, dtype=np.int64))
            bracket = replace(bracket, attack=attack)
        else:
            break
        nodes -= found.nodes
    return bracket


def by_search(question: Question, bracket: Bracket) -> Bracket:
    """Anneal the attack, then refute one number of workers after the other.

    Where proofs are asked for, the last of these searches is made again and written down.
    """
    placement, eta, watch = question.placement, question.eta, question.watch
    incidences = placement.design.incidences
    if incidences > SEARCH_INCIDENCES:
        return replace(bracket, stopped=f"{incidences} incidences are too many for the search")
    from gcdesign.adversary.thresholds.annealing import anneal
    from gcdesign.adversary.thresholds.branching import search_threshold
    from gcdesign.adversary.thresholds.orbits import cases_up_to_symmetry

    attack = anneal(placement, bracket.attack, target=bracket.lower, watch=watch)
    watch.report(f"η={eta}: annealing", bracket.lower, len(attack.workers))
    answer = search_threshold(
        placement,
        eta,
        lower=bracket.lower,
        start=attack,
        watch=watch,
        pairs=_pairs(question),
        roots=cases_up_to_symmetry(placement, eta),
        nodes=SEARCH_WORK // max(1, incidences),
    )
    bracket = replace(bracket, attack=answer.attack or attack)
    if answer.lower > bracket.lower:
        written = _written_down(question, answer.lower) if watch.settings.proofs else None
        evidence = written or search_proof("branching", nodes=answer.nodes)
        name = "cases" if written else "search"
        bracket = replace(bracket, lower=answer.lower, proof=name, evidence=evidence)
    return replace(bracket, stopped="the search's limit of nodes" if bracket.open else None)


def _written_down(question: Question, lower: int) -> Proof | None:
    """Search once more, on paper, for what was proved by search; None if that is too long."""
    from gcdesign.adversary.thresholds.recording import record_cases

    nodes = min(RECORD_NODES, RECORD_WORK // question.placement.design.incidences)
    return record_cases(
        question.placement,
        question.eta,
        lower,
        nodes=nodes,
        pairs=_pairs(question),
        watch=question.watch,
    ).proof


def _pairs(question: Question) -> list[int] | None:
    """Return the most pairs of n parts for all n, where counting them says more than copies do."""
    table = [most_pairs(question.facts, n, question.overlaps) for n in range(question.eta + 1)]
    return None if None in table else [int(pairs or 0) for pairs in table]


def by_solver(question: Question, bracket: Bracket) -> Bracket:
    """Give what is left to CP-SAT."""
    incidences = question.placement.design.incidences
    if incidences > SOLVER_INCIDENCES:
        return replace(
            bracket, stopped=f"{incidences} incidences are too many for the integer program"
        )
    from gcdesign.adversary.thresholds.solver import solve_threshold

    answer = solve_threshold(
        question.placement,
        question.facts,
        question.eta,
        lower=bracket.lower,
        start=bracket.attack,
        watch=question.watch,
    )
    if answer.lower > bracket.lower:
        bracket = replace(
            bracket,
            lower=answer.lower,
            proof=answer.solver,
            evidence=search_proof(answer.solver),
        )
    if answer.attack and len(answer.attack.workers) < bracket.upper:
        bracket = replace(bracket, attack=answer.attack)
    return replace(bracket, stopped="the solver's own limit" if bracket.open else None)


STEPS = (by_tree, by_search, by_solver)
"""The searches, cheapest first."""
