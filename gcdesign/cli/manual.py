"""Man pages, written from the same declarations as the pages on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gcdesign.cli.page import Paged, PageGroup, Rows

MANUAL = "gcdesign manual"
Node = tuple[tuple[str, ...], Paged]


def pages(root: PageGroup) -> Iterator[Node]:
    """Yield the words after ``gcdesign`` and the command, for every page of the manual.

    The families under ``build`` have no pages: one page and `gcdesign families` describe them.
    """
    yield (), root
    yield from _below(root, ())


def _below(group: PageGroup, words: tuple[str, ...]) -> Iterator[Node]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert isinstance(command, Paged)
        yield (*words, name), command
        if isinstance(command, PageGroup) and command.subcommands_are_pages:
            yield from _below(command, (*words, name))


def man_page(words: tuple[str, ...], command: Paged, *, version: str) -> str:
    """Return the man page of a command, in the macros of ``man``.

    Parameters
    ----------
    words
        What is typed after ``gcdesign``.
    command
        The command.
    version
        The version of the program.
    """
    name = "-".join(("gcdesign", *words))
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    summary, _, description = (command.help or "").partition("\n\n")
    lines = [
        f'.TH {name.upper()} 1 "" "gcdesign {version}" "{MANUAL}"',
        '.SH "NAME"',
        f"{escaped(name)} \\- {escaped(_as_part(_one_line(summary)))}",
        '.SH "SYNOPSIS"',
        f".B {escaped(' '.join(('gcdesign', *words)))}",
        escaped(" ".join(command.collect_usage_pieces(context))),
        '.SH "DESCRIPTION"',
        *_paragraphs(description or summary),
        *_section("ARGUMENTS", command.argument_rows(context)),
        *_section("OPTIONS", _options(context, command)),
    ]
    if isinstance(command, PageGroup):
        for title, named in command.lines(context).items():
            lines += _section(title.upper(), list(named.items()))
    lines += ['.SH "EXAMPLES"', ".EX", *map(escaped, command.examples), ".EE"]
    for title, rows in command.sections().items():
        lines += _section(title.upper().replace("EXIT CODES", "EXIT STATUS"), rows)
    others = [f".BR gcdesign\\-{escaped(one.replace(' ', '-'))} (1)" for one in command.see_also]
    lines += ['.SH "SEE ALSO"', *(f"{line} ," for line in others[:-1]), *others[-1:]]
    return "\n".join(line for line in lines if line) + "\n"


def escaped(text: str) -> str:
    r"""Return a text that the macros show as it is.

    Examples
    --------
    >>> print(escaped(".gcdesign-last.json"))
    \&.gcdesign\-last.json
    """
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\`")
    return f"\\&{safe}" if safe.startswith((".", "\\(aq")) else safe


def _options(context: click.Context, command: Paged) -> Rows:
    options = (one for one in command.get_params(context) if isinstance(one, click.Option))
    records = (option.get_help_record(context) for option in options)
    return [record for record in records if record is not None]


def _section(title: str, rows: Rows) -> list[str]:
    if not rows:
        return []
    entries = [f".TP\n.B {escaped(name)}\n{escaped(_one_line(text))}" for name, text in rows]
    return [f'.SH "{title}"', *entries]


def _paragraphs(text: str) -> list[str]:
    """Return paragraphs; one that is to keep its lines is set as an example is."""
    lines: list[str] = []
    for part in filter(str.strip, text.split("\n\n")):
        lines += [".PP"] if lines else []
        kept = part.removeprefix("\b\n")
        if kept == part:
            lines.append(escaped(_one_line(part)))
        else:
            lines += [".EX", *map(escaped, kept.splitlines()), ".EE"]
    return lines


def _as_part(sentence: str) -> str:
    """Return a sentence as the part of one that stands after the name of a page."""
    return f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
