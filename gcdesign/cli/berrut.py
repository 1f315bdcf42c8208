"""``gcdesign berrut``: encode inputs, decode results, bound errors, and see it at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gcdesign.cli.options import (
    FILE,
    force_option,
    json_option,
    output_option,
    quiet_option,
    seed_option,
    worker_list,
)
from gcdesign.cli.page import PageGroup

if TYPE_CHECKING:
    from gcdesign.codes.computing import BerrutCode

NODES = ["chebyshev-1", "chebyshev-2", "equispaced"]

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

parts_option = click.option(
    "--parts", type=int, required=True, metavar="K", help="Number of inputs K."
)
workers_option = click.option(
    "--workers", type=int, required=True, metavar="N", help="Number of workers N."
)
degree_option = click.option(
    "--degree",
    type=int,
    default=0,
    show_default=True,
    metavar="D",
    help="Degree d of Floater and Hormann's interpolants; 0 is Berrut's.",
)
part_nodes_option = click.option(
    "--part-nodes",
    type=click.Choice(NODES),
    default="chebyshev-1",
    show_default=True,
    help="Where the inputs stand on the line.",
)
worker_nodes_option = click.option(
    "--worker-nodes",
    type=click.Choice(NODES),
    default="chebyshev-2",
    show_default=True,
    help="Where the workers stand.",
)
curvature_option = click.option(
    "--curvature", type=float, metavar="X", help="‖h″‖ of h = f(u(·)), if known."
)
slope_option = click.option(
    "--slope",
    type=float,
    metavar="X",
    help="‖h′‖, if known; Berrut's bound needs it for odd numbers of results.",
)
tolerance_option = click.option(
    "--tolerance", type=float, metavar="X", help="The error that is small enough."
)


def code_options(command: Decorated) -> Decorated:
    """Add the options that say which code it is, but for the number of parts."""
    for option in (worker_nodes_option, part_nodes_option, degree_option, workers_option):
        command = option(command)
    return command


def norm_options(command: Decorated) -> Decorated:
    """Add the options that say what is known of the function, and what is wanted."""
    for option in (tolerance_option, slope_option, curvature_option):
        command = option(command)
    return command


@click.group(
    cls=PageGroup,
    name="berrut",
    see_also=("curve", "decode"),
)
def command() -> None:
    r"""Compute any function of K inputs with N workers, some of them silent.

    Berrut approximated coded computing: inputs are encoded, each worker
    applies the function to what it got, and whatever comes back is decoded
    to approximations of the function of every input. There is no threshold.

    \b
    Examples:
      gcdesign berrut encode data.npy --workers 20 -o coded.npz
      gcdesign berrut decode results.npz --parts 4 --workers 20 -o values.npy
      gcdesign berrut bound --parts 4 --workers 20
      gcdesign berrut demo --parts 4 --workers 20 --function sin
    """


@command.command(
    name="encode",
    see_also=("berrut decode", "berrut bound"),
)
@click.argument("data", type=FILE, metavar="DATA")
@code_options
@output_option("what the workers get (.npz, .npy or .csv)", dash=False)
@force_option
@json_option
@quiet_option
def encode(
    data: Path,
    workers: int,
    degree: int,
    part_nodes: str,
    worker_nodes: str,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Encode K inputs for N workers.

    DATA is a .npy, .npz or .csv file whose one array has the inputs along
    its first axis. A .npz file gets one member for each worker, worker-0,
    worker-1, …; other files get one array with the workers along its
    first axis.

    \b
    Example:
      gcdesign berrut encode data.npy --workers 20 -o coded.npz
    """
    from gcdesign.cli.berrut_page import encode_json, print_encoded
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.codes.computing import BerrutCode
    from gcdesign.designs.formats.array_files import array_bytes, read_array
    from gcdesign.errors import InputError

    if output is None:
        raise click.UsageError("-o FILE is missing; it says where the coded inputs go")
    inputs = read_array(data)
    if inputs.ndim == 0:
        raise InputError(f"{data}: a single number; expected inputs along the first axis")
    code = BerrutCode(len(inputs), workers, degree, part_nodes, worker_nodes)  # type: ignore[arg-type]
    coded = code.encode(inputs)
    suffix = output.suffix.lower()
    arrays = {f"worker-{w}": coded[w] for w in range(workers)} if suffix == ".npz" else {"": coded}
    written = array_bytes(arrays, suffix)
    write_output(output, written, force=force)
    if as_json:
        print_json(encode_json(code, coded, output, written))
        return
    print_encoded(code, coded)
    notice(f"{workers} coded inputs written to {output}", quiet=quiet)


@command.command(
    name="decode",
    see_also=("berrut encode", "berrut bound"),
)
@click.argument("results", nargs=-1, required=True, metavar="RESULTS...")
@parts_option
@code_options
@click.option(
    "--returned",
    type=worker_list,
    metavar="W,W,…",
    help="The workers that returned: all others in the files are not looked at.",
)
@click.option("--leave-out", is_flag=True, help="Leave out results with NaN or infinity.")
@click.option(
    "--liars",
    type=int,
    metavar="A",
    help="Look for at most A wrong results, and leave out those that are suspected.",
)
@norm_options
@output_option("the decoded values (.npy, .npz or .csv)", dash=False)
@force_option
@json_option
@quiet_option
def decode(
    results: tuple[str, ...],
    parts: int,
    workers: int,
    degree: int,
    part_nodes: str,
    worker_nodes: str,
    returned: tuple[int, ...] | None,
    leave_out: bool,
    liars: int | None,
    curvature: float | None,
    slope: float | None,
    tolerance: float | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Decode what workers returned, and say what it is worth.

    RESULTS is a .npz file with members worker-3 or 3, one for each worker
    that returned; a .npy or .csv file with the workers along its first
    axis, all of them or those of --returned; or files of single workers,
    3=three.npy 5=five.npy.

    With --liars, results that do not fit to those beside them are left out;
    it is no proof who lied.

    The bound holds for given --curvature and --slope; without, they are
    estimated from the results, and it is an estimate.

    \b
    Examples:
      gcdesign berrut decode results.npz --parts 4 --workers 20 -o values.npy
      gcdesign berrut decode 0=a.npy 7=b.npy 9=c.npy --parts 4 --workers 20
    """
    from gcdesign.cli.berrut_page import decode_json, print_decoded, results_from
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.codes.computing import BerrutCode, decoding_quality, find_outliers
    from gcdesign.designs.formats.array_files import array_bytes

    code = BerrutCode(parts, workers, degree, part_nodes, worker_nodes)  # type: ignore[arg-type]
    found = results_from(results, workers=workers, returned=returned)
    received = code.receive(found, invalid="leave-out" if leave_out else "refuse")
    outliers = None
    if liars is not None:
        outliers = find_outliers(code, received, at_most=liars, curvature=curvature)
        received = received.without(outliers.suspects)
    values = code.decode(received)
    quality = decoding_quality(
        code, received, curvature=curvature, slope=slope, tolerance=tolerance
    )
    written = None
    if output is not None:
        written = array_bytes({"values": values}, output.suffix.lower())
        write_output(output, written, force=force)
    if as_json:
        print_json(decode_json(code, received, values, quality, outliers, output, written))
        return
    print_decoded(code, received, values, quality, outliers, shown=output is None)
    if output is not None:
        notice(f"{parts} decoded values written to {output}", quiet=quiet)


@command.command(
    name="bound",
    see_also=("berrut demo", "berrut decode"),
)
@parts_option
@code_options
@click.option("--returned", type=worker_list, metavar="W,W,…", help="The workers that returned.")
@norm_options
@json_option
@quiet_option
def bound(
    parts: int,
    workers: int,
    degree: int,
    part_nodes: str,
    worker_nodes: str,
    returned: tuple[int, ...] | None,
    curvature: float | None,
    slope: float | None,
    tolerance: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Bound the error: error ≤ A ‖h′‖ + B ‖h″‖, with h the function along the curve.

    Prints A and B for every number of stragglers, whoever they are: of all
    sets where these are few, and by the paper's formula. With --returned,
    those of one set, with its Lebesgue constant.

    \b
    Examples:
      gcdesign berrut bound --parts 4 --workers 20 --curvature 2 --slope 1
      gcdesign berrut bound --parts 4 --workers 20 --returned 0,3,7,12,19
    """
    from gcdesign.cli.berrut_page import bound_json, bound_rows, print_bounds, print_quality
    from gcdesign.cli.output import print_json
    from gcdesign.codes.computing import BerrutCode, decoding_quality
    from gcdesign.codes.computing.bounds import check_norms
    from gcdesign.errors import InputError

    check_norms(curvature=curvature, slope=slope, tolerance=tolerance)
    if curvature is None and (slope, tolerance) != (None, None):
        raise InputError("--slope and --tolerance say nothing without --curvature; give it too")
    code = BerrutCode(parts, workers, degree, part_nodes, worker_nodes)  # type: ignore[arg-type]
    quality = None
    if returned is not None:
        quality = decoding_quality(
            code, returned, curvature=curvature, slope=slope, tolerance=tolerance
        )
    rows = [] if quality else bound_rows(code, curvature, slope)
    if as_json:
        print_json(bound_json(code, quality, rows, curvature, slope, tolerance))
    elif quality is not None:
        print_quality(code, quality)
    else:
        print_bounds(code, rows, curvature, slope, tolerance)


@command.command(
    name="demo",
    see_also=("berrut bound", "curve"),
)
@click.option(
    "--parts", type=int, default=4, show_default=True, metavar="K", help="Number of inputs K."
)
@click.option(
    "--workers", type=int, default=20, show_default=True, metavar="N", help="Number of workers N."
)
@degree_option
@part_nodes_option
@worker_nodes_option
@click.option(
    "--stragglers",
    type=int,
    default=3,
    show_default=True,
    metavar="S",
    help="Workers that are silent, S.",
)
@click.option(
    "--function",
    default="sin",
    show_default=True,
    metavar="NAME",
    help="What is computed: sin, exp, tanh, square, gram, …; a wrong name lists them all.",
)
@click.option(
    "--size", type=int, default=10, show_default=True, metavar="N", help="Numbers in an input."
)
@click.option(
    "--dtype",
    type=click.Choice(["float32", "float64"]),
    default="float64",
    show_default=True,
    help="Type of inputs and results.",
)
@click.option(
    "--trials",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    metavar="N",
    help="Random sets of stragglers that are tried, where all are more.",
)
@seed_option
@json_option
@quiet_option
def demo(
    parts: int,
    workers: int,
    degree: int,
    part_nodes: str,
    worker_nodes: str,
    stragglers: int,
    function: str,
    size: int,
    dtype: str,
    trials: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    r"""Compute a function of random inputs with silent workers, by several codes.

    Shows the relative errors of Berrut's code beside Floater and Hormann's,
    Lagrange coding, repetition and no code, all with the same inputs. For a
    polynomial, Lagrange coding over the reals is shown as K grows, too.

    \b
    Example:
      gcdesign berrut demo --parts 4 --workers 20 --stragglers 3 --function square
    """
    from gcdesign.cli.berrut_page import collapse_rows, demo_json, print_demo
    from gcdesign.cli.output import print_json
    from gcdesign.codes.computing import BerrutCode, computation, computation_errors, sample_inputs
    from gcdesign.codes.computing.errors import comparable

    chosen = computation(function)
    code = BerrutCode(parts, workers, degree, part_nodes, worker_nodes)  # type: ignore[arg-type]
    inputs = sample_inputs(parts, size, seed=seed, dtype=dtype, square=function == "gram")
    found = [
        computation_errors(
            each,
            chosen,
            inputs,
            stragglers=[stragglers if each.workers == workers else min(stragglers, parts - 1)],
            trials=trials,
            seed=seed,
        )
        for each in comparable(code, chosen)
    ]
    collapsing = collapse_rows(chosen, dtype, seed)
    if as_json:
        print_json(demo_json(chosen, found, collapsing, size, dtype, trials, seed))
    else:
        print_demo(chosen, found, collapsing, dtype)


for _sub in command.commands.values():  # click wants the character that keeps lines as they are
    _sub.help = (_sub.help or "").replace("\\b\n", "\b\n")


def named_code(text: str) -> BerrutCode:
    """Return the code of a text such as ``parts=4,workers=20`` or ``parts=4,workers=20,degree=1``.

    Raises
    ------
    InputError
        If the text is none.

    Examples
    --------
    >>> named_code("parts=4,workers=20").workers
    20
    """
    from gcdesign.codes.computing import BerrutCode
    from gcdesign.errors import InputError

    values: dict[str, int] = {}
    for piece in text.split(","):
        key, equals, value = piece.partition("=")
        known = key in ("parts", "workers", "degree") and key not in values
        if not (known and equals and value.strip().isdecimal() and len(value) < 10):
            raise InputError(
                f"{piece!r} in {text!r}; expected parts=4,workers=20, and degree=1 if wanted"
            )
        values[key] = int(value)
    if not {"parts", "workers"} <= values.keys():
        raise InputError(f"{text!r}; expected parts=4,workers=20, and degree=1 if wanted")
    return BerrutCode(values["parts"], values["workers"], values.get("degree", 0))
