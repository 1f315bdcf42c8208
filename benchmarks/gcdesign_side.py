"""gcdesign's side of the benchmarks of designs, see ``designs.py``."""

from __future__ import annotations

from typing import Any

import numpy as np
from forking import serve

from gcdesign import designs
from gcdesign.designs import BlockDesign, exists, parse_spec, verify
from gcdesign.designs.hadamard import hadamard_matrix
from gcdesign.designs.orthogonal import orthogonal_array
from gcdesign.designs.squares import orthogonal_latin_squares
from gcdesign.designs.steiner.random_triples import random_triple_system
from gcdesign.designs.symmetry import automorphism_group, isomorphism
from gcdesign.designs.tools import find_resolution


def build(name: str) -> BlockDesign:
    """Return the design with a name in place."""
    return designs.build(parse_spec(name))


def proved(name: str) -> BlockDesign:
    """Return the 2-design with a name in place, after it was proved from its blocks."""
    design = build(name)
    if not verify(design).holds:
        raise RuntimeError(f"{name} is no 2-design")
    return design


def bare(name: str) -> BlockDesign:
    """Return the blocks of a design and nothing else that is known of it."""
    design = build(name)
    return BlockDesign.from_arrays(design.v, design.indptr, design.indices)


def existence(v: int, k: int, index: int) -> str:
    """Return whether a design exists, in one word."""
    return exists(v, k, index).status


def resolvable(points: int, seed: int) -> str:
    """Return whether a random triple system has a resolution, in one word."""
    return find_resolution(random_triple_system(points, seed=seed)).status


def describe(found: Any) -> Any:
    """Return what can be compared with the answers of other programs."""
    if isinstance(found, BlockDesign):
        return [found.v, found.b, np.unique(found.block_sizes).tolist()]
    if isinstance(found, np.ndarray):  # a Hadamard matrix of order n
        n = len(found)
        return [n, np.array_equal(found.astype(np.int64) @ found.T, n * np.eye(n, dtype=int))]
    return found


NAMES = {
    "build": build,
    "proved": proved,
    "bare": bare,
    "bibd": designs.bibd,
    "blocks_of": BlockDesign.from_blocks,
    "complement": designs.complement,
    "dual": designs.dual,
    "verify": verify,
    "pair_count_range": designs.pair_count_range,
    "existence": existence,
    "hadamard_matrix": hadamard_matrix,
    "orthogonal_array": orthogonal_array,
    "orthogonal_latin_squares": orthogonal_latin_squares,
    "automorphism_group": automorphism_group,
    "isomorphism": isomorphism,
    "resolvable": resolvable,
}

if __name__ == "__main__":
    serve(NAMES, describe)
