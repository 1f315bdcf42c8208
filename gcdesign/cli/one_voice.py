"""Commands that are all processes of an MPI job at once: the first of them speaks for all."""

from __future__ import annotations

import os
from typing import Any

import click
from click.exceptions import Exit

from gcdesign.cli.page import Page
from gcdesign.errors import GcdesignError

RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID")
"""Variables by which launchers say which process this is."""


def is_follower() -> bool:
    """Whether the launcher says that this is not the first process of its job."""
    return any(os.environ.get(name, "0") != "0" for name in RANKS)


class OneVoice(Page):
    """A command whose errors, which all processes find alike, are told by the first alone."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Parse the arguments."""
        try:
            return super().make_context(*arguments, **settings)
        except click.ClickException:
            if is_follower():
                raise Exit(GcdesignError.exit_code) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, GcdesignError) as error:
            if is_follower():
                code = error.exit_code if isinstance(error, GcdesignError) else 2
                raise Exit(code) from None
            raise
