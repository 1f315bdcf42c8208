"""Which code for these machines? From recorded times to a choice, and a check of the choice.

A trace of ten machines that are slow in spells is fitted, codes are compared under the fitted
model, and the best is trained with the recorded times themselves. Each statement is checked; the
script ends with exit code 1 if one does not hold.
"""

from __future__ import annotations

import sys

import numpy as np

from gcdesign.codes.times import LoadTime
from gcdesign.training import (
    Drawn,
    Nesterov,
    OnOff,
    Plan,
    Rate,
    Replay,
    Slowed,
    Trace,
    make_scheme,
    simulate,
    waiting_times,
)
from gcdesign.training.data import gaussian_mixture
from gcdesign.training.problems import Logistic
from gcdesign.training.traces.fitting import fit_trace

WORKERS, STEPS = 10, 1000
CODES = (("naive", 0), ("cyclic", 1), ("cyclic", 2), ("frc", 1), ("frc", 4))


def recorded() -> Trace:
    """Stand in for a recording: ``gcdesign trace record`` makes one from real machines."""
    rng = np.random.default_rng(1)
    slow = OnOff(0.02, 0.1).draw(rng, WORKERS, STEPS, None)[0]
    times = (0.05 + rng.exponential(0.02, (STEPS, WORKERS))) * np.where(slow, 12.0, 1.0)
    return Trace(times, np.ones(WORKERS))


def main() -> int:
    """Fit, compare, train; return the exit code."""
    trace = recorded()
    fit = fit_trace(trace)
    assert fit.persistence is not None
    assert fit.others is not None
    chain, factor = fit.persistence.chain, fit.persistence.factor
    print(f"fitted: {chain.written}, {factor:.1f} times slower, and {fit.others.law.written}")
    model = Slowed(Drawn(LoadTime(fit.others.law)), chain, factor=factor)

    print("\nmean and 99th percentile of the seconds of a step, model against recording")
    means = {}
    for name, stragglers in CODES:
        scheme = make_scheme(name, workers=WORKERS, stragglers=stragglers)
        wished = waiting_times(scheme, model, steps=100_000)
        found = waiting_times(scheme, Replay(trace), steps=STEPS)
        means[name, stragglers] = found.mean
        print(
            f"  {scheme.label:32} {wished.mean:.3f} {wished.quantiles([0.99])[0]:.3f}   "
            f"{found.mean:.3f} {found.quantiles([0.99])[0]:.3f}"
        )
    name, stragglers = min(means, key=lambda code: means[code])

    problem = Logistic(gaussian_mixture(2000, 20, seed=3), l2=1e-3)
    runs = {}
    for code in (("naive", 0), (name, stragglers)):
        scheme = make_scheme(code[0], workers=WORKERS, stragglers=code[1])
        runs[code] = simulate(problem, scheme, Nesterov(Rate(0.3)), Replay(trace), plan=Plan(100))
    plain, best = runs["naive", 0], runs[name, stragglers]
    away = float(np.abs(best.parameters - plain.parameters).max())
    times = [float(run.history.clock[-1]) for run in (plain, best)]
    print(f"\n100 steps of training: naive {times[0]:.1f} s, {best.scheme} {times[1]:.1f} s")

    statements = {
        "the chain of slow spells was found": abs(chain.leave - 0.1) < 0.02,
        "the chosen code waits less than half as long": 2 * times[1] < times[0],
        "both end with the same model": away < 1e-9,
    }
    for statement, holds in statements.items():
        print(f"  {'✓' if holds else '✗'} {statement}")
    return 0 if all(statements.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
