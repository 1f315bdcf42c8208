"""Case trees over workers: in every leaf the error is at most what is claimed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from gcdesign.checker.case import Case
from gcdesign.checker.decoding import MAX_SETS, bordered, eliminated, worst_completion
from gcdesign.checker.multiplier import check_size, error_is_bounded, read_multiplier
from gcdesign.checker.reading import Json, items, members, number, shown, whole
from gcdesign.checker.verdicts import Refused, TooMuch
from gcdesign.checker.walking import walk


@dataclass(frozen=True)
class Known:
    """What is known at a node: the workers that are silent and those that survive, as bits."""

    silent: int
    alive: int


Children = list[tuple[Json, Known, str]]


def worst_in_every_case(case: Case, tree: Json, bound: Fraction) -> None:
    """Check along a tree of cases that no S silent workers cost more than a bound.

    Raises
    ------
    Refused
        At the first node that is not as it must be.
    """
    walk(case, tree, Known(0, 0), Branching(case, bound).visit)


@dataclass(frozen=True)
class Branching:
    """What stays the same on the way through the tree.

    Attributes
    ----------
    case
        The proof.
    bound
        The error that it is to show.
    """

    case: Case
    bound: Fraction

    def visit(self, value: Json, known: Known) -> Children:
        """Check a node and return its children."""
        case = self.case
        case.budget.spend(case.code.workers)
        if isinstance(value, list):
            return self.split(value, known)
        decided = known.silent | known.alive
        undecided = [w for w in range(case.code.workers) if not decided >> w & 1]
        missing = case.asked - known.silent.bit_count()
        if type(value) is int and value == 0:
            if 0 <= missing <= len(undecided):
                raise Refused("", "there are sets of silent workers in this case")
        elif value == "exhaustion":
            self.exhaust(known, undecided, missing)
        elif isinstance(value, dict):
            self.bounded(value, known, undecided, missing)
        else:
            expected = "expected 0, 'exhaustion', a list or an object"
            raise Refused("", f"{shown(value)}; {expected}")
        return []

    def split(self, value: list[Json], known: Known) -> Children:
        """Split by whether a worker is silent."""
        first, gone, there = items(value, "", length=3)
        worker = whole(first, "[0]", most=self.case.code.workers - 1)
        if (known.silent | known.alive) >> worker & 1:
            raise Refused("[0]", f"worker {worker} is decided already")
        return [
            (there, Known(known.silent, known.alive | 1 << worker), "[2]"),
            (gone, Known(known.silent | 1 << worker, known.alive), "[1]"),
        ]

    def exhaust(self, known: Known, undecided: list[int], missing: int) -> None:
        """Try every set that is left."""
        case = self.case
        if not 0 <= missing <= len(undecided):
            return
        if comb(len(undecided), missing) > MAX_SETS:
            raise TooMuch(f"there are over {MAX_SETS} sets of silent workers in one case")
        alive = [w for w in range(case.code.workers) if known.alive >> w & 1]
        rows, before = bordered(case.code, [*alive, *undecided], case.budget), 1
        for _ in alive:
            rows, before = eliminated(rows, before, case.budget)
        worst = worst_completion(rows, before, missing, case.budget, enough=self.bound)
        if worst > self.bound:
            raise Refused("", "a set of silent workers costs more")

    def bounded(
        self, value: dict[str, Json], known: Known, undecided: list[int], missing: int
    ) -> None:
        """Bound the error of all sets that are left by a multiplier."""
        case = self.case
        members(value, "", needed=("scale", "diagonal", "off_diagonal", "penalty"))
        found = read_multiplier(value, "", len(undecided), case.budget)
        check_size(case.code)
        penalty = number(value["penalty"], ".penalty")
        times, n = penalty.denominator, case.code.workers
        index = {worker: i for i, worker in enumerate(undecided)}
        small = found.form(missing)
        form = []
        for worker in range(n):
            row = [0] * (worker + 1)
            if worker in index:
                own = small[index[worker]]
                for other in undecided[: index[worker] + 1]:
                    row[other] = times * own[index[other]]
            elif known.alive >> worker & 1:
                row[worker] = -penalty.numerator * found.scale
            form.append(row)
        scale = found.scale * times
        if not error_is_bounded(case.code, form, scale, self.bound, case.budget):
            raise Refused("", "its matrix is not positive semidefinite")
