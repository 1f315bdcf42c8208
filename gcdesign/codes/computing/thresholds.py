"""How many workers codes with a threshold need: counts, exact in whole numbers."""

from __future__ import annotations

from gcdesign.codes.counts import check_count


def recovery_threshold(parts: int, degree: int, *, privacy: int = 0) -> int:
    """Return how many results Lagrange coded computing needs, (K + T − 1)·deg f + 1.

    Parameters
    ----------
    parts
        Number of inputs K.
    degree
        Degree of f, 0 or more.
    privacy
        Number T of colluding workers that learn nothing of the inputs.

    Raises
    ------
    InputError
        If a number is out of range.

    Notes
    -----
    Source: Yu, Li, Raviv, Kalan, Soltanolkotabi, Avestimehr, Lagrange Coded Computing, 2019.

    Examples
    --------
    >>> recovery_threshold(4, 1), recovery_threshold(5, 2, privacy=2)
    (4, 13)
    """
    check_count("parts", parts)
    check_count("degree", degree, least=0)
    check_count("privacy", privacy, least=0)
    return (parts + privacy - 1) * degree + 1


def workers_needed(
    parts: int, degree: int, *, stragglers: int = 0, adversaries: int = 0, privacy: int = 0
) -> int:
    """Return the least N = (K + T − 1)·deg f + S + 2A + 1: a lie costs twice what silence costs.

    Examples
    --------
    >>> workers_needed(5, 2, stragglers=3, adversaries=1, privacy=2)
    18
    """
    check_count("stragglers", stragglers, least=0)
    check_count("adversaries", adversaries, least=0)
    return recovery_threshold(parts, degree, privacy=privacy) + stragglers + 2 * adversaries


def repetition_threshold(parts: int, workers: int) -> int:
    """Return how many results of repeated parts hold every part, whichever they are.

    With the K parts dealt out in turn, each has ⌊N/K⌋ holders or one more, and N − ⌊N/K⌋ + 1
    results miss none. For N = K, no code, all are needed.

    Examples
    --------
    >>> repetition_threshold(4, 11), repetition_threshold(4, 4)
    (10, 4)
    """
    check_count("parts", parts)
    check_count("workers", workers, least=parts)
    return workers - workers // parts + 1
