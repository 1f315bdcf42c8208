"""The entry point: a command group that imports a command only when it is asked for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from gcdesign.cli.page import LIMIT, PageGroup
from gcdesign.cli.streams import abandon, is_terminal, prepare, say
from gcdesign.errors import GcdesignError

GROUPS = {
    "Designs": {
        "build": "Build a design and write it to a file.",
        "design": "Say whether a design with given v, k, λ exists, and build it.",
        "catalogue": "List all parameters up to a limit, and which designs exist.",
        "families": "List the families that can be built, with parameters and sources.",
        "transform": "Make a new design: dual, residual, union and others.",
        "info": "Show a design's parameters, structure and closed forms.",
        "check": "Prove from the blocks that a design is a t-design.",
        "group": "Show a design's automorphism group, orbits, dualities.",
        "isomorphic": "Say whether two designs are isomorphic, and show the map.",
        "resolve": "Put the blocks into parallel classes, or prove that it is impossible.",
        "sets": "Find largest arcs, smallest transversals and blocking sets.",
        "extend": "Extend a design by a point, or complete it to a symmetric design.",
        "array": "Make an orthogonal or covering array, and bound its size.",
        "draw": "Draw a design: incidence matrix or bipartite graph.",
        "export": "Write a design, or its integer program, in another format.",
    },
    "Codes and their worst case": {
        "attack": "Find the worst stragglers and prove how bad they are.",
        "verify": "Check a certificate: every claim, and its proof.",
        "decode": "Decode when given workers are silent.",
        "curve": "Draw worst-case or expected error against stragglers.",
        "formula": "Print a family's closed forms for symbolic q, m, S.",
        "recommend": "List the codes that fit, the best first, and say why.",
        "report": "Write all that is known of a code as one page of HTML.",
        "ldgm": "Ask about LDGM codes: density evolution, best degrees, simulation.",
        "berrut": "Compute any function with silent workers: encode, decode, bound.",
    },
    "Training": {
        "simulate": "Train with a code while workers are slow, on a simulated clock.",
        "train": "Train with a code on real workers, under MPI.",
        "trace": "Show recorded times of workers, or fit laws to them.",
        "reproduce": "Run a paper's experiment, and say what differs.",
    },
    "This program": {
        "doctor": "Say what is installed, and whether the engines work here.",
        "completion": "Print the script that completes commands in your shell.",
    },
}
"""The commands by task, in the order of the work, each with its line of help."""

COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}

INTERRUPTED = 130
READER_GONE = 141
"""What a shell reports for a program whose output pipe was closed."""

LONGEST_LINE = 1000
"""An error line is cut in the middle beyond this: what it quotes may be of any length."""


class LazyGroup(PageGroup):
    """A group that knows its commands' names and help, and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"gcdesign.cli.{cmd_name}").command
        return command

    def lines(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        """Return the commands by task, without importing them."""
        return GROUPS


@click.group(
    cls=LazyGroup,
    exits={1: "a check's answer is no", 3: LIMIT},
    see_also=("build", "attack", "curve", "families"),
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="gcdesign", message="gcdesign %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    r"""Block designs as gradient codes: build a placement, attack it, decode it, draw it.

    A DESIGN is a file, - for standard input, or a name in place: pg:q=5,
    pg:q=3,dim=3, ag:q=3, dual-ag:q=4, frc:workers=9,stragglers=2,
    uncoded:workers=31. Without one, the design last built in this directory
    is used.

    \b
    Examples:
      gcdesign build pg --q 5
      gcdesign attack --eta 3
    """
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if unwanted or not is_terminal(sys.stdout):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; every expected error is one line on standard error."""
    prepare()
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    # OpenBLAS' idle threads otherwise spin for tens of milliseconds after every small product,
    # which costs more than the product itself. 2^4 cycles: they go to sleep at once.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    try:
        code = cli.main(args=arguments, prog_name="gcdesign", standalone_mode=False)
        sys.stdout.flush()
    except GcdesignError as error:
        return _fail(str(error), error.exit_code)
    except click.ClickException as error:
        return _fail(_usage_message(error), 2)
    except (KeyboardInterrupt, click.Abort):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough, the end is near
        return _fail("interrupted; nothing was half written", INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # click exits where a pipe is broken
        abandon(sys.stdout)
        return READER_GONE
    except MemoryError:
        return _fail("out of memory; take something smaller", 3)
    except OSError as error:
        abandon(sys.stdout)
        named = error.filename is not None
        what = f"{error.filename}: cannot be used" if named else "standard output cannot be written"
        return _fail(f"{what}: {error.strerror or error}", 2)
    return code if isinstance(code, int) else 0


def _usage_message(error: click.ClickException) -> str:
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        message = f"{message.rstrip('.')}; see {error.ctx.command_path} --help"
    return message


def _fail(message: str, code: int) -> int:
    line = "".join(
        character if character.isprintable() else ascii(character)[1:-1]
        for character in " ".join(message.split())
    )
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} … {line[-LONGEST_LINE // 2 :]}"
    say(line)
    return code
