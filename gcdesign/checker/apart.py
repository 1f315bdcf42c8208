"""Proofs that some parts and some workers of a symmetric design cannot be apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from gcdesign.checker.case import Case
from gcdesign.checker.reading import Json, distinct, items, members, whole
from gcdesign.checker.values import Rules, State
from gcdesign.checker.verdicts import CertificateError, Refused

Element = tuple[int, tuple[int, ...], int]
"""A worker, some of its parts in increasing order, and one of these."""

Move = tuple[int, ...]
"""Where each part goes."""


def apart(case: Case) -> int:
    """Refute every way in which η parts and u workers could be without incidence."""
    proof = case.members("u", "larger_parts", "larger_workers", "tree")
    code, t = case.code, case.asked
    v, k, shared = _symmetric(case)
    u = whole(proof["u"], f"{case.place}.u", least=1, most=v)
    case.require(t >= 1, "η is 0", "u")
    bounds = (("larger_parts", t + 1, v - u + 1, t == v), ("larger_workers", t, v - u, u == v))
    for name, most, least, needless in bounds:
        if needless and proof[name] is None:
            continue
        earlier = case.lemma("threshold", same=("placement",), member=name)
        assert earlier.lower is not None
        enough = earlier.asked <= most and earlier.lower >= least
        case.require(enough, f"it does not show that S*({most}) is at least {least}", name)
    holders = [[w for w in range(v) if code.holders[p] >> w & 1] for p in range(v)]
    neighbours = [[v + p for p in block] for block in code.blocks] + holders
    rules = Rules(neighbours, k, shared, (u, t), case.budget)
    try:
        _Refutation(case, rules).root(proof["tree"])
    except CertificateError as error:
        raise Refused(f"{case.place}.tree{error.place}", error.reason) from None
    return v - u + 1


def _symmetric(case: Case) -> tuple[int, int, int]:
    """Return v, k and λ of the placement."""
    code = case.code
    v, k = code.workers, code.loads[0] if code.workers else 0
    case.require(
        code.parts == v and set(code.loads) | set(code.replications) == {k},
        "the placement is no symmetric design: loads or replications differ",
    )
    case.budget.spend(v * v)
    shared = {
        (one & other).bit_count() for i, one in enumerate(code.masks) for other in code.masks[:i]
    }
    case.require(
        len(shared) == 1 and 0 < min(shared) < k,
        "the placement is no symmetric design: workers do not share equally many parts",
    )
    return v, k, shared.pop()


@dataclass(frozen=True)
class Named:
    """What is decided on the way to a node below a flag.

    Attributes
    ----------
    state
        The state there.
    part
        The part of T that the named workers hold.
    workers
        The named workers.
    inside
        The parts named to be in T.
    longest, second
        M and, once it is known, M₂.
    """

    state: State
    part: int
    workers: tuple[int, ...]
    inside: frozenset[int]
    longest: int
    second: int | None = None

    @property
    def shape(self) -> tuple[int, int] | None:
        """M and M₂, if both are known."""
        return None if self.second is None else (self.longest, self.second)


class _Refutation:
    """The way through the tree of one proof."""

    def __init__(self, case: Case, rules: Rules) -> None:
        self.case, self.rules, self.v = case, rules, rules.v
        self.blocks = [tuple(sorted(block)) for block in case.code.blocks]
        self.worker_of = {block: w for w, block in enumerate(self.blocks)}

    def root(self, tree: Json) -> None:
        """Check the whole tree."""
        state = self.rules.start()
        if isinstance(tree, list):
            self.steps(tree, state, None, "")
            return
        members(tree, "", needed=("group", "flags"))
        if self.rules.shared != 1:
            raise Refused(".flags", "they are for λ = 1")
        if state is None:
            return
        group = self.group(tree["group"], ".group", lambda move: True)
        entries = {}
        for i, value in enumerate(items(tree["flags"], ".flags")):
            place = f".flags[{i}]"
            worker, inside, part, below = items(value, place, length=4)
            element = self.element(worker, inside, place, part)
            entries[element] = (place, below)
        self.covered(entries, self.all_flags(state), group, lambda e: self.flagged(state, e))
        for element, (place, below) in entries.items():
            self.below(self.flagged(state, element), below, f"{place}[3]")

    def element(self, worker: Json, inside: Json, place: str, part: Json) -> Element:
        """Read a worker with parts of it, one of them marked."""
        w = whole(worker, f"{place}[0]", most=self.v - 1)
        parts = tuple(sorted(distinct(inside, f"{place}[1]", below=self.v)))
        marked = whole(part, place, most=self.v - 1)
        if not set(parts) <= set(self.blocks[w]) or marked not in parts:
            raise Refused(
                place, "these are not parts of the worker, with the marked one among them"
            )
        return w, parts, marked

    def all_flags(self, state: State) -> Iterator[Element]:
        """Yield all flags whose count the worker can have at all."""
        for w, block in enumerate(self.blocks):
            for count in range(1, self.rules.k + 1):
                if not state[w] >> count & 1:
                    continue
                for parts in combinations(block, count):
                    for part in parts:
                        yield w, parts, part

    def flagged(self, state: State, element: Element) -> Named | None:
        """Return the node of a flag, None if its state is refuted."""
        w, parts, part = element
        limit = [(other, (2 << len(parts)) - 1) for other in range(self.v)]
        after = self.rules.restricted(state, [*limit, *self.fixed(w, parts)])
        if after is None:
            return None
        return Named(after, part, (w,), frozenset(parts), len(parts))

    def fixed(self, worker: int, parts: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield the changes that fix T on a worker."""
        yield worker, 1 << len(parts)
        for p in self.blocks[worker]:
            yield self.v + p, 1 if p in parts else ~1

    def below(self, node: Named | None, tree: Json, place: str) -> None:
        """Check a tree below a flag."""
        todo = [(node, tree, place)]
        while todo:
            node, tree, place = todo.pop()
            if isinstance(tree, list):
                state, shape = (None, None) if node is None else (node.state, node.shape)
                self.steps(tree, state, shape, place)
            elif node is not None:
                todo += self.next(node, tree, place)

    def next(self, node: Named, tree: Json, place: str) -> list[tuple[Named | None, Json, str]]:
        """Check the choice of one more worker through the marked part; return what is below."""
        members(tree, place, needed=("group", "next"))
        named = set(node.workers)

        def keeps(move: Move) -> bool:
            return (
                move[node.part] == node.part
                and {self.image(w, move) for w in named} == named
                and {move[p] for p in node.inside} == node.inside
            )

        group = self.group(tree["group"], f"{place}.group", keeps)
        entries = {}
        for i, value in enumerate(items(tree["next"], f"{place}.next")):
            at = f"{place}.next[{i}]"
            worker, inside, rest = items(value, at, length=3)
            element = self.element(worker, inside, at, node.part)
            if element[0] in named:
                raise Refused(f"{at}[0]", f"worker {element[0]} is named already")
            entries[element] = (at, rest)
        self.covered(entries, self.all_next(node), group, lambda e: self.chosen(node, e))
        return [(self.chosen(node, e), rest, f"{at}[2]") for e, (at, rest) in entries.items()]

    def left(self, node: Named) -> list[int]:
        """Return the workers that hold the marked part and are not named."""
        return [w for w in self.rules.neighbours[self.v + node.part] if w not in node.workers]

    def all_next(self, node: Named) -> Iterator[Element]:
        """Yield all choices that agree with the state."""
        for w in self.left(node):
            values = [(p, node.state[self.v + p]) for p in self.blocks[w]]
            known = [p for p, value in values if value == 1]
            open_ = [p for p, value in values if value & 1 and value != 1]
            for more in range(len(open_) + 1):
                if not node.state[w] >> (len(known) + more) & 1:
                    continue
                for chosen in combinations(open_, more):
                    yield w, tuple(sorted([*known, *chosen])), node.part

    def chosen(self, node: Named, element: Element) -> Named | None:
        """Return the node after such a choice, None if its state is refuted."""
        w, parts, part = element
        count = len(parts)
        others = [(other, (2 << count) - 1) for other in self.left(node) if other != w]
        second = count if node.second is None else node.second
        after = self.rules.restricted(
            node.state, [*others, *self.fixed(w, parts)], shape=(node.longest, second)
        )
        if after is None:
            return None
        workers, inside = (*node.workers, w), node.inside | set(parts)
        return Named(after, part, workers, inside, node.longest, second)

    def covered(
        self,
        entries: Iterable[Element],
        elements: Iterable[Element],
        group: list[Move],
        state: Callable[[Element], Named | None],
    ) -> None:
        """Check that each element is an image of an entry, or refuted."""
        seen: set[Element] = set()
        for entry in entries:
            self.add_orbit(entry, group, seen)
        for element in elements:
            if element in seen:
                continue
            if state(element) is not None:
                w, parts, _ = element
                raise Refused("", f"nothing covers worker {w} with {list(parts)} of its parts")
            self.add_orbit(element, group, seen)

    def add_orbit(self, element: Element, group: list[Move], seen: set[Element]) -> None:
        """Add all images of an element."""
        if element in seen:
            return
        seen.add(element)
        todo = [element]
        while todo:
            w, parts, part = todo.pop()
            self.case.budget.spend(len(group) * self.rules.k)
            for move in group:
                image = (
                    self.image(w, move),
                    tuple(sorted([move[p] for p in parts])),
                    move[part],
                )
                if image not in seen:
                    seen.add(image)
                    todo.append(image)

    def image(self, worker: int, move: Move) -> int:
        """Return where an automorphism carries a worker."""
        return self.worker_of[tuple(sorted([move[p] for p in self.blocks[worker]]))]

    def group(self, value: Json, place: str, keeps: Callable[[Move], bool]) -> list[Move]:
        """Read automorphisms that keep what must be kept."""
        found = []
        for i, entry in enumerate(items(value, place)):
            move = distinct(entry, f"{place}[{i}]", below=self.v, length=self.v)
            self.case.budget.spend(self.v * self.rules.k)
            for block in self.blocks:
                if tuple(sorted([move[p] for p in block])) not in self.worker_of:
                    raise Refused(f"{place}[{i}]", "it is no automorphism")
            if not keeps(move):
                raise Refused(f"{place}[{i}]", "it does not keep what is named")
            found.append(move)
        return found

    def steps(
        self, codes: list[Json], state: State | None, shape: tuple[int, int] | None, place: str
    ) -> None:
        """Check a list of steps: two-way branches in the order of the search."""
        todo: list[tuple[State | None, int, int]] = [(state, 0, -1)]
        for at, value in enumerate(codes):
            here = f"{place}[{at}]"
            code = whole(value, here, least=-1, most=6 * self.v - 1)
            if not todo:
                raise Refused(here, "the tree has ended before")
            before, member, within = todo.pop()
            after = self.changed(before, member, within, shape)
            if code == -1:
                if after is not None:
                    raise Refused(here, "this case is not refuted")
                continue
            member, kind = divmod(code, 3)
            if kind == 1 and self.changed(after, member, 1, shape) is not None:
                raise Refused(here, "0 is not refuted")
            if kind == 2 and self.changed(after, member, ~1, shape) is not None:
                raise Refused(here, "values other than 0 are not refuted")
            if kind != 2:
                todo.append((after, member, ~1))
            if kind != 1:
                todo.append((after, member, 1))
        if todo:
            raise Refused(place, "the tree ends too early")

    def changed(
        self, state: State | None, member: int, within: int, shape: tuple[int, int] | None
    ) -> State | None:
        """Return a state after one change."""
        if state is None or within == -1:
            return state
        return self.rules.restricted(state, [(member, within)], shape=shape)
