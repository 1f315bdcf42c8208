"""err_S, the worst squared decoding error for S stragglers, and its inverse question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gcdesign.adversary.asked import check_code, check_error, check_stragglers
from gcdesign.adversary.results import AttackResult, Value
from gcdesign.adversary.running.journal import journal_for
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.worst_error.error_search import Search
from gcdesign.adversary.worst_error.error_state import State
from gcdesign.adversary.worst_error.judge import Decoder
from gcdesign.codes import GradientCode


def worst_case_error(
    code: GradientCode,
    stragglers: int,
    *,
    decoder: Decoder = "optimal",
    settings: Settings | None = None,
) -> AttackResult:
    """Return err_S = max over sets of S stragglers of the squared decoding error.

    Closed form where the code's structure has one. Else a local search and the bounds, and where
    they do not meet every set is tried if there are few, or a branch and bound on semidefinite
    relaxations goes on until the attack is proved to be the worst.

    Parameters
    ----------
    code
        The gradient code.
    stragglers
        Number of stragglers S, 0 ≤ S ≤ N.
    decoder
        ``"optimal"`` decoding, or ``"one-step"`` with the weight K/(fL), for 0/1 codes.
    settings
        Method, limits and seed; by default exact and unlimited.

    Raises
    ------
    InputError
        If S or the decoder is out of its domain.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, err_S(E); the error is squared.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> result = worst_case_error(GradientCode.from_design(affine_geometry(3)), 5)
    >>> result.value, result.least.value
    (Fraction(6, 5), Fraction(0, 1))
    """
    settings = settings or Settings()
    check_stragglers(code, stragglers)
    with journal_for(settings, code, "error", asked=stragglers, decoder=decoder) as journal:
        search = Search(code, decoder, Watch(settings, journal))
        return search.result(search.solve(stragglers))


def worst_case_error_profile(
    code: GradientCode, *, decoder: Decoder = "optimal", settings: Settings | None = None
) -> tuple[AttackResult, ...]:
    """Return err_S for all S = 0 … N, each as `worst_case_error` does; one limit for all.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> profile = worst_case_error_profile(GradientCode.from_design(projective_geometry(2)))
    >>> [str(result.value) for result in profile]
    ['0', '1/4', '4/7', '1', '8/5', '5/2', '4', '7']
    """
    settings = settings or Settings()
    check_code(code)
    with journal_for(settings, code, "error", decoder=decoder) as journal:
        search = Search(code, decoder, Watch(settings, journal), for_all_sizes=True)
        search.search_all_sizes()
        states = [search.solve(stragglers) for stragglers in range(code.workers + 1)]
        if decoder == "optimal":
            search.make_monotone(states)
        return tuple(search.result(state) for state in states)


def error_threshold(
    code: GradientCode,
    error: Value,
    *,
    decoder: Decoder = "optimal",
    settings: Settings | None = None,
) -> AttackResult:
    """Return the least S with err_S ≥ the error asked for.

    Not to be mixed up with S*(η) of `gcdesign.adversary.threshold`, which counts
    parts that are lost altogether and can be larger than the error threshold for η.

    Parameters
    ----------
    code, decoder, settings
        As in `worst_case_error`.
    error
        The squared error, 0 ≤ error ≤ K; pass a Fraction to have it compared exactly.

    Raises
    ------
    InputError
        If the error or the decoder is out of its domain.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> error_threshold(GradientCode.from_design(projective_geometry(3)), 3).value
    8
    """
    settings = settings or Settings()
    check_error(code, error)
    with journal_for(settings, code, "error-threshold", asked=error, decoder=decoder) as journal:
        search = Search(code, decoder, Watch(settings, journal), for_all_sizes=True)
        if decoder == "optimal" and code.structure is None:
            return _bisected(search, code, error)
        return _walked(search, code, error)


def _walked(search: Search, code: GradientCode, error: Value) -> AttackResult:
    """Walk S upwards: the worst error need not grow with S, or each is known at once."""
    last: State | None = None
    closed, stopped = False, None
    for stragglers in range(code.workers + 1):
        state = search.solve(stragglers)
        closed = closed or state.greatest >= error
        if not closed:
            last = state
        elif search.reaches(state, error):
            return _threshold(search, error, state, last, stopped)
        else:
            stopped = stopped or state.stopped or search.blurred
    raise AssertionError("silencing every worker has error K")  # excluded by the range check


def _bisected(search: Search, code: GradientCode, error: Value) -> AttackResult:
    """Close in on S from both sides: the worst error never falls as S grows.

    Bounds without search exclude the smaller S, quick attacks reach the error for larger ones.
    Then the S just below the least that was reached is solved, which mostly excludes all others.
    """
    below = search.excluded_by_bounds(error)
    witness = search.quick(code.workers)
    low, high = -1 if below is None else below.stragglers, code.workers
    while high - low > 1:
        state = search.quick((low + high) // 2)
        if search.reaches(state, error):
            witness, high = state, state.stragglers
        else:
            low = state.stragglers
    low, open_, stopped = -1 if below is None else below.stragglers, high, None
    while open_ - low > 1:
        middle = open_ - 1 if stopped is None else (low + open_) // 2
        state = search.solve(middle, against=error)
        if search.reaches(state, error):
            witness, open_, stopped = state, middle, None
        elif state.greatest < error:
            below, low = state, middle
        else:
            open_, stopped = middle, state.stopped or search.blurred
    return _threshold(search, error, witness, below, stopped)


def _threshold(
    search: Search, error: Value, witness: State, below: State | None, stopped: str | None
) -> AttackResult:
    """Return the answer: a state that reaches the error, and the last that is proved not to."""
    lower = 0
    evidence: Mapping[str, Any] = {"by": "nothing"}
    proof = "silencing nobody is enough"
    if below is not None:
        lower, evidence = below.stragglers + 1, search.lemma(below)
        bounded = below.proof.endswith(" bound")
        name = f"err_{below.stragglers}"
        proof = f"{below.proof} on {name}" if bounded else f"{name} ({below.proof})"
    return replace(
        search.result(witness),
        question="error-threshold",
        asked=error,
        lower=lower,
        upper=witness.stragglers,
        proof=proof,
        least=None,
        tolerance=0.0,
        stopped=stopped if lower < witness.stragglers else None,
        evidence=evidence,
        notice=None,
    )
