"""``gcdesign completion``: the script that teaches a shell the commands, options and names."""

from __future__ import annotations

import os
from pathlib import PurePath

import click

from gcdesign.cli.page import Page

SHELLS = ("bash", "zsh", "fish")
START_FILES = {
    "bash": "~/.bashrc",
    "zsh": "~/.zshrc",
    "fish": "~/.config/fish/completions/gcdesign.fish",
}


@click.command(
    cls=Page,
    name="completion",
    files={
        "~/.bashrc": "what bash reads when it starts",
        "~/.zshrc": "what zsh reads when it starts",
        "~/.config/fish/completions/gcdesign.fish": "what fish reads",
    },
    environment={"SHELL": "the shell, if none is named"},
    see_also=("doctor",),
)
@click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[SHELL]")
def command(shell: str | None) -> int:
    r"""Print the script that completes commands, options and names.

    For bash, zsh and fish; without one, for the shell in $SHELL. Append
    what is printed to the file that your shell reads when it starts, or
    evaluate it there.

    \b
    Examples:
      gcdesign completion bash >> ~/.bashrc
      eval "$(gcdesign completion zsh)"
      gcdesign completion fish > ~/.config/fish/completions/gcdesign.fish
    """
    from click.shell_completion import get_completion_class

    from gcdesign.cli.main import cli
    from gcdesign.errors import InputError

    name = shell or PurePath(os.environ.get("SHELL", "")).name
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        raise InputError(f"no script for the shell {name!r}; expected one of: {', '.join(SHELLS)}")
    click.echo(f"# gcdesign completion for {name}; belongs into {START_FILES[name]}")
    source = kind(cli, {}, "gcdesign", "_GCDESIGN_COMPLETE")
    click.echo(source.source_template % source.source_vars())
    return 0
