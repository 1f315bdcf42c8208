"""Attack an encoding matrix of your own: random 0/1, real weights, and one that is too large.

Every answer is an interval [lower, upper] with a status: "exact" when its ends meet, else
"bracket". The attack that proves one end is checked here with numpy and plain sets, sharing no
code with gcdesign. Lines start with ✓ or ✗; the exit code is 1 if a check failed.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

import gcdesign

SEED = 7
TIME_LIMIT = 2.0
"""Seconds for a search; what is known by then is handed back as a bracket."""


def error_by_least_squares(matrix: NDArray[np.float64], silenced: tuple[int, ...]) -> float:
    """Return min_v ‖E_Fᵀ v − 1‖² for the workers that are not silenced."""
    alive = np.delete(matrix, silenced, axis=0)
    ones = np.ones(matrix.shape[1])
    weights = np.linalg.lstsq(alive.T, ones, rcond=None)[0]
    return float(np.sum((alive.T @ weights - ones) ** 2))


def lost_parts(matrix: NDArray[np.float64], silenced: tuple[int, ...]) -> int:
    """Return the number of parts that silenced workers alone hold."""
    alive = set(range(len(matrix))) - set(silenced)
    return sum(not any(matrix[w, part] for w in alive) for part in range(matrix.shape[1]))


def tell(what: str, result: gcdesign.AttackResult) -> None:
    """Print an answer with its status: the value if it is exact, else the bracket."""
    if result.status == "exact":
        within = f" up to {result.tolerance:.0e}" if result.tolerance else ""
        print(f"  {what} = {float(result.value):.6g}, exact{within} ({result.proof})")
        return
    print(
        f"  {what} between {float(result.lower):.6g} and {float(result.upper):.6g}, bracket "
        f"(upper end: {result.proof}; stopped: {result.stopped})"
    )


def attack(title: str, matrix: NDArray[np.float64], stragglers: int, eta: int) -> bool:
    """Attack one matrix with both questions, check the attacks, and return whether all held."""
    code = gcdesign.GradientCode.from_matrix(matrix)
    settings = gcdesign.Settings(time_limit=TIME_LIMIT, seed=SEED)
    print(f"{title}: {code.workers} workers, {code.parts} parts")

    worst = gcdesign.worst_case_error(code, stragglers, settings=settings)
    tell(f"err_{stragglers}", worst)
    reached = error_by_least_squares(matrix, worst.workers)
    slack = 1e-6 * code.parts
    lower, upper = float(worst.lower), float(worst.upper)
    right = len(worst.workers) == stragglers and abs(reached - lower) <= slack
    right &= lower <= upper + slack
    print(f"{'✓' if right else '✗'} the {stragglers} workers of the attack cause {reached:.6g}")

    fewest = gcdesign.threshold(code.placement, eta, settings)
    tell(f"S*({eta})", fewest)
    lost = lost_parts(matrix, fewest.workers)
    fits = lost >= eta and len(fewest.workers) == fewest.upper
    print(f"{'✓' if fits else '✗'} silencing {len(fewest.workers)} workers loses {lost} parts")
    return right and fits


def main() -> int:
    """Attack three matrices and return the exit code."""
    rng = np.random.default_rng(SEED)
    small = (rng.random((16, 16)) < 0.25).astype(float)
    weighted = small * rng.normal(1.0, 0.3, small.shape)
    large = (rng.random((60, 60)) < 0.1).astype(float)
    held = [
        attack("random 0/1 matrix", small, 5, 3),
        attack("the same with real weights", weighted, 5, 3),
        attack("a larger one, too many sets to try all", large, 20, 10),
    ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
