"""S*(η) of symmetric designs, and of what they complete, by the profile of the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gcdesign.adversary.bounds import placement_facts
from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.symmetric.completion import Completion
from gcdesign.adversary.symmetric.profile import Proved, SymmetricProfile, profile_of
from gcdesign.adversary.thresholds.greedy import PartAttack, greedy_parts
from gcdesign.adversary.thresholds.overlaps import overlaps_of
from gcdesign.adversary.thresholds.part_bounds import best_lower, threshold_bounds, whole

SMALL = 31
"""Designs of so few parts are left to the searches for any placement, which are as quick."""


def is_worth_it(completion: Completion) -> bool:
    """Whether the design is large enough for a search of its own."""
    return completion.design.v > SMALL


def profile_through(
    completion: Completion,
    etas: Sequence[int],
    known: Mapping[int, PartAttack],
    *,
    watch: Watch,
) -> SymmetricProfile:
    """Return the profile of the design, closed where these η of the placement need it.

    Parameters
    ----------
    completion
        The placement inside its design.
    etas
        The η asked for.
    known
        Attacks on the placement, by η.
    watch
        Limits, executor and journal.

    Examples
    --------
    >>> from gcdesign.adversary.symmetric.completion import completion_of
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.codes import Placement, structure_of
    >>> from gcdesign.designs import affine_geometry
    >>> affine = Placement(affine_geometry(3))
    >>> inside = completion_of(affine, structure_of(affine), (1, 1))
    >>> profile = profile_through(inside, [4], {}, watch=Watch(Settings()))
    >>> inside.proved(profile, 4).value
    10
    """
    design = completion.design
    facts = placement_facts(design.placement)
    overlaps = overlaps_of(design.placement, facts.shared)
    bounds = [best_lower(threshold_bounds(facts, t, overlaps)) for t in range(design.v + 1)]
    lower = [Proved(whole(bound), bound.name, bound.evidence) for bound in bounds]
    order = greedy_parts(design.placement, design.v)
    attacks = [PartAttack.on(design.placement, order[:t]) for t in range(design.v + 1)]
    for eta, attack in known.items():
        lifted = completion.lifted(attack)
        if len(lifted.workers) < len(attacks[completion.eta(eta)].workers):
            attacks[completion.eta(eta)] = lifted
    wanted = sorted({completion.eta(eta) for eta in etas})
    if len(wanted) > design.v // 2:
        wanted = list(np.arange(design.v + 1).tolist())
    return profile_of(design, lower, attacks, wanted=wanted, watch=watch)
