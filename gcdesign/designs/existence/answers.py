"""The three answers to "is there a design with these parameters?", never mixed up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.registry import build
from gcdesign.designs.verify import verify as verify_design
from gcdesign.errors import GcdesignError, LimitError


class RecipeError(GcdesignError):
    """A recipe whose outcome is not the design that it promises: a bug, and no answer."""

    exit_code = 3


@dataclass(frozen=True)
class Exists:
    """There is such a design.

    Attributes
    ----------
    wanted
        The parameters.
    reason
        Which source knows the design, in a sentence.
    recipe
        How it is built: a name in place, as a tree. None if existence is known by a theorem or a
        publication whose construction is not part of gcdesign; the reason then says which.
    """

    status: ClassVar[str] = "exists"
    wanted: Bibd
    reason: str
    recipe: Provenance | None

    def build(self, *, verify: bool = True) -> BlockDesign:
        """Build the design and, unless told otherwise, prove it from its blocks.

        Raises
        ------
        LimitError
            If there is no recipe, or the design is too large.
        RecipeError
            If the blocks are not the design: a bug in a construction.
        """
        if self.recipe is None:
            raise LimitError(f"{self.wanted} is known to exist, but not built here: {self.reason}")
        w = self.wanted
        check_size(Size(w.v, w.b, w.b * w.k), name=f"a {w} design")  # before its parts are built
        design = build(self.recipe)
        if verify:
            found = verify_design(design)
            if (design.v, found.block_size, found.lambda_) != tuple(self.wanted):
                raise RecipeError(
                    f"{self.recipe.spec:.200} gives v={design.v}, k={found.block_size}, "
                    f"λ={found.lambda_}, not {self.wanted}; please report this"
                )
        return design


@dataclass(frozen=True)
class Impossible:
    """There is no such design.

    Attributes
    ----------
    wanted
        The parameters.
    reason
        The theorem with its numbers, in a sentence.
    theorem
        Its short name: ``"divisibility"``, ``"Fisher"``, ``"Bruck–Ryser–Chowla"``, …
    """

    status: ClassVar[str] = "impossible"
    wanted: Bibd
    reason: str
    theorem: str


@dataclass(frozen=True)
class Unknown:
    """Whether there is such a design is not known here; it may be known elsewhere.

    Attributes
    ----------
    wanted
        The parameters.
    reason
        What was tried, in a sentence.
    tried
        Names of the sources that were asked.
    """

    status: ClassVar[str] = "unknown"
    wanted: Bibd
    reason: str
    tried: tuple[str, ...]


Answer = Exists | Impossible | Unknown
