"""Figure 5 of Tandon et al.: the time of a step while some workers are delayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gcdesign.codes.times import Exponential, LoadTime
from gcdesign.papers.experiment import Settings, Watch
from gcdesign.papers.results import Claim, ExperimentResult, Panel, Series, verdict
from gcdesign.papers.tandon import (
    FAMILIES,
    listed,
    mean_wait,
    nearest_alpha,
    partial_schemes,
    positive,
    schemes_for,
    whole,
)
from gcdesign.training import (
    Drawn,
    Nesterov,
    Plan,
    RandomWorkers,
    Rate,
    Scheme,
    Slowed,
    StragglerModel,
    make_scheme,
    simulate,
)
from gcdesign.training.data import gaussian_mixture
from gcdesign.training.data.generators import Variant
from gcdesign.training.partial import PartiallyCoded
from gcdesign.training.problems import Data, Logistic

STRAGGLERS = (1, 2)
VARIANTS: tuple[Variant, Variant] = ("printed", "published")
POINTS = 9
"""Delays, evenly spread, and as many factors."""

FLAT = 1e-9
"""Relative difference up to which two times or two models count as equal."""

MODELS = 1e-8
"""Relative distance of models that the project asks for."""


@dataclass(frozen=True)
class _Sizes:
    workers: int
    steps: int
    model: StragglerModel
    delay: float
    factor: float
    alpha: float
    seed: int


@dataclass(frozen=True)
class _Curve:
    """The mean times of one scheme over delays or factors."""

    name: str
    label: str
    scheme: Scheme
    stragglers: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    margin: tuple[float, ...]


def run(settings: Settings, seed: int, watch: Watch) -> ExperimentResult:
    """Compare the mean times of a step over delays and slowness, and train once."""
    sizes = _Sizes(
        whole(settings, "workers", least=3, most=500),
        whole(settings, "steps"),
        _times(settings),
        positive(settings, "delay"),
        positive(settings, "factor"),
        positive(settings, "alpha"),
        seed,
    )
    delays = np.linspace(0.0, sizes.delay, POINTS).tolist()
    factors = np.linspace(1.0, max(1.0, sizes.factor), POINTS).tolist()
    late, slow, stopped = [], [], None
    for number, stragglers in enumerate(STRAGGLERS):
        if watch(f"time per step, S = {stragglers}", number / 4):
            stopped = "ended as asked, before all numbers of stragglers"
            break
        late += _curves(sizes, stragglers, delays, kind="delay")
        slow += _curves(sizes, stragglers, factors, kind="factor")
    panels = [
        _panel(curves, stragglers, f"{what} of S = {stragglers} random workers", x)
        for curves, what, x in (
            (late, "delay", "delay in seconds"),
            (slow, "slowness", "times slower"),
        )
        for stragglers in STRAGGLERS
    ]
    claims = [*_time_claims(late, slow)]
    if stopped is None and not watch("training", 0.5):
        claims += [_model_claim(settings, sizes), *_generator_claims(settings, seed)]
    return ExperimentResult(
        tuple(panel for panel in panels if panel.series),
        tuple(claims),
        (
            "The machines' times are a model: work/N seconds for the Nth part of the data, and an "
            "exponential time on top. The delays and the α of the figure are not known.",
            "A fixed delay comes before the first message, so that partial schemes wait for it; "
            "they are made for workers that are α times slower, the lower panels.",
        ),
        stopped=stopped,
    )


def _times(settings: Settings) -> Drawn:
    """Return the law of a load of 1: the Nth part of the work, and a random time."""
    part = positive(settings, "work") / whole(settings, "workers", least=3)
    jitter = Exponential(1 / positive(settings, "jitter"))
    return Drawn(LoadTime(jitter, work=part, scaled=False))


def _curves(sizes: _Sizes, stragglers: int, values: list[float], *, kind: str) -> list[_Curve]:
    alpha = nearest_alpha(sizes.workers, stragglers, sizes.alpha)
    schemes = schemes_for(sizes.workers, stragglers, seed=sizes.seed) | partial_schemes(
        sizes.workers, stragglers, alpha=alpha, seed=sizes.seed
    )
    who = RandomWorkers(stragglers)
    found = []
    for name, scheme in schemes.items():
        models = [
            Slowed(sizes.model, who, delay=value)
            if kind == "delay"
            else Slowed(sizes.model, who, factor=value)
            for value in values
        ]
        waits = [mean_wait(scheme, model, steps=sizes.steps, seed=sizes.seed) for model in models]
        label = f"{name}, α = {alpha:.3g}" if name.startswith("partial") else name
        means, margins = zip(*waits, strict=True)
        found.append(_Curve(name, label, scheme, stragglers, tuple(values), means, margins))
    return found


def _panel(curves: list[_Curve], stragglers: int, title: str, x_label: str) -> Panel:
    series = tuple(
        Series(
            curve.label,
            curve.x,
            curve.y,
            tuple(y - m for y, m in zip(curve.y, curve.margin, strict=True)),
            tuple(y + m for y, m in zip(curve.y, curve.margin, strict=True)),
            family=FAMILIES.get(curve.name, curve.name),
        )
        for curve in curves
        if curve.stragglers == stragglers
    )
    return Panel(title, x_label, "mean seconds per step", series)


def _time_claims(late: list[_Curve], slow: list[_Curve]) -> list[Claim]:
    if not late:
        return []
    full = [c for c in late if c.name in ("cyclic", "frc")]
    naive = [c for c in late if c.name == "naive"]
    growth = max(max(c.y[1:]) / min(c.y[1:]) - 1 for c in full)
    slopes = [(c.y[-1] - c.y[-2]) / (c.x[-1] - c.x[-2]) for c in naive]
    gains = [n.y[-1] / c.y[-1] for c in full for n in naive if n.stragglers == c.stragglers]
    return [
        Claim(
            "time per step of coded runs",
            "does not grow with the stragglers' delay",
            f"from the first delay on it changes by {growth:.1%} at most",
            verdict(growth < 0.01),
            "the S delayed workers are never waited for; a delay of 0 leaves them among the others",
        ),
        Claim(
            "time per step of the naive run",
            "grows with the delay",
            f"by {listed(slopes)} seconds for each second of delay (S = 1, 2)",
            verdict(min(slopes) > 0.9),
        ),
        Claim(
            "coded against naive",
            "faster once stragglers are delayed for long",
            f"at the longest delay naive takes {listed([min(gains), max(gains)])} times as long",
            verdict(min(gains) > 1),
            f"the lines cross at delays of {_crossings(full, naive)}; the paper gives no number",
        ),
        _partial_claim(slow),
        _load_claim(slow),
    ]


def _crossings(full: list[_Curve], naive: list[_Curve]) -> str:
    found = []
    for curve in full:
        other = next(c for c in naive if c.stragglers == curve.stragglers)
        difference = np.array(other.y) - np.array(curve.y)
        above = np.flatnonzero(difference > 0)
        if not len(above) or above[0] == 0:
            where = "any" if len(above) else "none here"
        else:
            high = int(above[0])
            steps = difference[high - 1] / (difference[high - 1] - difference[high])
            where = f"{curve.x[high - 1] + steps * (curve.x[high] - curve.x[high - 1]):.3g} s"
        found.append(f"{where} ({curve.name}, S = {curve.stragglers})")
    return ", ".join(found)


def _partial_claim(slow: list[_Curve]) -> Claim:
    """Compare partial and full schemes where stragglers are slow, not silent."""
    best = []
    for curve in slow:
        if curve.name == "partial cyclic":
            full = next(c for c in slow if c.name == "cyclic" and c.stragglers == curve.stragglers)
            ahead = [x for x, y, z in zip(curve.x, curve.y, full.y, strict=True) if y < z]
            best.append(max(ahead, default=0.0))
    return Claim(
        "partial schemes",
        "made for stragglers at most α times slower; they replicate less",
        f"faster than cyclic up to slowness {listed(best)} (S = 1, 2)",
        verdict(min(best) >= 1),
    )


def _load_claim(slow: list[_Curve]) -> Claim:
    """Hold the load of partial schemes against the formula, in fractions."""
    partial = [c.scheme.scheme for c in slow if isinstance(c.scheme, PartiallyCoded)]
    equal = sum(
        p.load_fraction == p.alpha * (p.stragglers + 1) / (p.workers * (p.stragglers + p.alpha))
        for p in partial
    )
    return Claim(
        "load of partial schemes",
        "α(S+1)/(N(S+α)) of the data for each worker, against (S+1)/N",
        f"equal for {equal} of {len(partial)} schemes, in fractions: "
        + ", ".join(f"{p.load_fraction} against {p.full_straggler_fraction}" for p in partial),
        verdict(equal == len(partial)),
    )


def _model_claim(settings: Settings, sizes: _Sizes) -> Claim:
    """Train with real gradients, coded and naive, and compare the models."""
    samples, features = whole(settings, "samples", most=10**6), whole(settings, "features")
    data = gaussian_mixture(samples, features, seed=sizes.seed)
    problem = Logistic(data, l2=1 / samples)
    steps = whole(settings, "training_steps", most=10**5)
    model = Slowed(sizes.model, RandomWorkers(2), delay=sizes.delay)
    models = {}
    for name in ("naive", "cyclic"):
        scheme = make_scheme(name, workers=sizes.workers, stragglers=2, seed=sizes.seed)
        found = simulate(
            problem, scheme, Nesterov(Rate(RATE)), model, plan=Plan(steps, 0), seed=sizes.seed
        )
        models[name] = found.parameters
    away = float(np.linalg.norm(models["cyclic"] - models["naive"]))
    away /= max(float(np.linalg.norm(models["naive"])), 1e-300)
    return Claim(
        "model of a coded run",
        "that of full gradient descent, since codes recover the full gradient",
        f"at a relative distance of {away:.1e} from the naive run's after {steps} steps "
        f"(d = {samples}, p = {features})",
        verdict(away <= MODELS),
    )


RATE = 0.5
"""Step size of the training run."""


def _generator_claims(settings: Settings, seed: int) -> list[Claim]:
    """Hold the paper's generator against that of its code."""
    features = whole(settings, "features")
    samples = min(20_000, whole(settings, "samples"))
    agree, spread = [], []
    for variant in VARIANTS:
        data = gaussian_mixture(samples, features, seed=seed, variant=variant)
        agree.append(_direction(data, features, seed))
        spread.append(float(np.var(data.features)))
    return [
        Claim(
            "labels of the artificial data",
            "κ = 1/(exp(2x·β*) + 1)",
            f"correlation of y with x·β* is {agree[0]:.2f} as printed, and {agree[1]:.2f} in the "
            "published code, which has 1/(1 + exp(−x·β*))",
            verdict(agree[0] * agree[1] > 0),
            "either sign gives the same problem, with −β* in place of β*; the steepness differs",
        ),
        Claim(
            "covariance of the artificial data",
            "the identity",
            f"variance {spread[0]:.3g} as printed; {spread[1]:.3g} in the published code, which "
            f"has 100/p",
            verdict(abs(spread[0] - spread[1]) < 0.05 * spread[0]),
            "they are equal for p = 100 but for the spread of the means",
        ),
    ]


def _direction(data: Data, features: int, seed: int) -> float:
    """Return the correlation of the labels with x·β*; β* is the generator's first draw."""
    beta = np.random.default_rng(seed).choice([-1.0, 1.0], features)
    return float(np.corrcoef(data.features @ beta, data.targets)[0, 1])
