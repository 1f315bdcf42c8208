"""``gcdesign attack``: the questions to an adversary."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from gcdesign.cli.options import (
    FILE,
    count_or_all,
    design_argument,
    executor_option,
    force_option,
    json_option,
    memory_limit_option,
    method_option,
    node_limit_option,
    quiet_option,
    rational,
    resume_option,
    seed_option,
    threads_option,
    time_limit_option,
)
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.adversary import AttackResult, Settings
    from gcdesign.cli.source import Source

LIMIT_REACHED = 3


@click.command(
    cls=Page,
    name="attack",
    see_also=("verify", "decode", "curve", "report"),
)
@design_argument
@click.option(
    "--eta",
    type=int,
    metavar="N",
    help="S*(N): the fewest workers whose silence loses N parts altogether.",
)
@click.option(
    "--stragglers",
    type=count_or_all,
    metavar="N|all",
    help="err_N: the worst squared decoding error for N stragglers.",
)
@click.option(
    "--error",
    type=rational,
    metavar="X",
    help="The least number of stragglers whose worst error is at least X.",
)
@click.option(
    "--byzantine",
    type=int,
    metavar="N",
    help="The most parts whose majority vote N lying workers corrupt.",
)
@click.option("--profile", is_flag=True, help="All η = 0…K (or all S = 0…N with --stragglers all).")
@method_option
@click.option(
    "--decoder",
    type=click.Choice(["optimal", "one-step"]),
    help="Decoder whose error is attacked (default: optimal).",
)
@time_limit_option
@node_limit_option
@memory_limit_option
@threads_option
@executor_option
@resume_option
@seed_option
@click.option(
    "--certificate",
    type=FILE,
    metavar="FILE",
    help="Write the proofs to FILE, for gcdesign verify.",
)
@force_option
@json_option
@quiet_option
def command(
    design: str | None,
    eta: int | None,
    stragglers: int | str | None,
    error: Fraction | None,
    byzantine: int | None,
    profile: bool,
    decoder: str | None,
    as_json: bool,
    resume: Path | None,
    certificate: Path | None,
    force: bool,
    **limits: Any,
) -> int:
    r"""Find the worst stragglers of DESIGN and prove how bad they are.

    Two thresholds that are not the same: --eta counts parts that are lost
    altogether, held by silent workers only; --error asks when an optimal
    decoder is off by that much, which can take fewer stragglers. --byzantine
    is about workers that answer, but lie.

    \b
    Examples:
      gcdesign attack --eta 3
      gcdesign attack pg:q=5 --stragglers 10
      gcdesign attack pg:q=3 --error 3
      gcdesign attack ag:q=3 --profile
      gcdesign attack ag:q=5 --byzantine 4
      gcdesign attack pg:q=7 --eta 10 --resume run.jsonl
      gcdesign attack pg:q=5 --profile --certificate proof.json
    """
    given = {"eta": eta, "stragglers": stragglers, "error": error, "byzantine": byzantine}
    question = _question(given, profile, decoder)
    _check_files(question, resume, certificate, force=force)
    from gcdesign.cli.attack_page import print_page, print_profile, profile_json, result_json
    from gcdesign.cli.output import print_json, refuse_target
    from gcdesign.cli.progress import searching
    from gcdesign.cli.source import open_source

    source = open_source(design)
    if certificate is not None:
        refuse_target(certificate, force=force)  # before the search, not after
    with searching(journal=resume, proofs=certificate is not None, **limits) as settings:
        asked = given[question]
        results = _ask(source, question, asked, decoder or "optimal", settings)
    whole_profile = asked in (None, "all")
    try:  # first, as the reader of the page may be gone early; the page comes in any case
        if certificate is not None:
            from gcdesign.adversary.certificates import write_certificate

            # Of a code with complex weights only S*(η) is answered, and that of its placement.
            subject = source.code.placement if source.code.is_complex else source.code
            write_certificate(certificate, subject, results, force=force)
    finally:
        if as_json:
            print_json((profile_json if whole_profile else _first(result_json))(source, results))
        else:
            (print_profile if whole_profile else _first(print_page))(source, results)
    return LIMIT_REACHED if any(result.stopped for result in results) else 0


def _check_files(
    question: str, resume: Path | None, certificate: Path | None, *, force: bool
) -> None:
    """Refuse what no file can be for, standard output, and ``--force`` with nothing to replace."""
    for name, file in (("resume", resume), ("certificate", certificate)):
        if question == "byzantine" and file is not None:
            raise click.UsageError(f"--{name} {file} has no part in --byzantine: leave it out")
    if certificate is None and force:
        raise click.UsageError("--force replaces the file of --certificate, and there is none")
    if str(certificate) == "-":
        raise click.UsageError("--certificate - is standard output, and the page goes there")


def _first(show: Any) -> Any:
    """Adapt a function on one result to a sequence of one."""
    return lambda source, results: show(source, results[0])


def _question(given: dict[str, Any], profile: bool, decoder: str | None) -> str:
    """Return which of the questions is asked; refuse none, several and contradictions."""
    asked = [name for name, value in given.items() if value is not None]
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} ask two questions; give one of them")
    if profile and asked and given[asked[0]] != "all":
        raise click.UsageError(
            f"--profile answers for all values: leave --{asked[0]} {given[asked[0]]} out, or use "
            "--stragglers all"
        )
    if not asked and not profile:
        raise click.UsageError(
            "nothing is asked: give --eta N, --stragglers N, --error X, --byzantine N, or --profile"
        )
    question = asked[0] if asked else "eta"
    if question == "eta" and decoder is not None:
        raise click.UsageError(f"--decoder {decoder} has no part in --eta: it decodes nothing")
    if question == "byzantine" and decoder is not None:
        raise click.UsageError(f"--decoder {decoder} has no part in --byzantine: it is a vote")
    return question


def _ask(
    source: Source, question: str, asked: Any, decoder_name: str, settings: Settings
) -> tuple[AttackResult, ...]:
    from gcdesign import adversary

    code = source.code
    decoder = cast(Literal["optimal", "one-step"], decoder_name)
    if question == "eta" and asked is None:
        return adversary.threshold_profile(code.placement, settings)
    if question == "eta":
        return (adversary.threshold(code.placement, asked, settings),)
    if question == "byzantine":
        return (adversary.byzantine(code.placement, asked, settings),)
    if asked == "all":
        return adversary.worst_case_error_profile(code, decoder=decoder, settings=settings)
    if question == "stragglers":
        return (adversary.worst_case_error(code, asked, decoder=decoder, settings=settings),)
    return (adversary.error_threshold(code, asked, decoder=decoder, settings=settings),)
