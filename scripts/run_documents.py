"""Run the examples of documents, and hold what they print against what the documents show.

``python scripts/run_documents.py docs/tutorial.md`` runs pages as the tests run all of them. The
blocks of a page run from top to bottom, in one empty folder:

- ``python``: in one namespace for the page; with prompts it is a doctest. Lines of comment
  directly below a statement that prints are what it prints, however they are broken.
- ``sh``, in `GUIDES` only: in one bash for the page, which stops at a command that fails. Other
  pages show commands that take long, or need files of the reader's.
- ``text`` and ``json``, in guides: what the block before has printed. A line of ``…`` stands for
  any lines, and ``…`` between words, or before a colon, for any word; seconds and numbers of
  threads may differ.

A comment before a block says more: ``<!-- ci: skip -->`` leaves it out, ``<!-- ci: needs gap -->``
leaves it out where there is no program gap, and ``<!-- file: NAME -->`` makes a file of it.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GUIDES = ("docs/tutorial.md", "docs/howto/*.md", "docs/background/*.md")
"""Pages to be followed from top to bottom: all of their blocks are run."""

PATIENCE = 300.0
"""Seconds after which the commands of a block count as hung."""

BLOCK = re.compile(r"^(?:<!-- ([^\n]*?) -->\n+)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGING = re.compile(r'\b\d+\.\d\d s\b|"seconds": [\d.e-]+|"threads": \d+')
PROGRESS = re.compile(r"^gcdesign: .* after \d+ s\n", re.MULTILINE)
ELLIPSIS = "…"
LONE = re.compile(rf"(?<!\S){ELLIPSIS}(?![^\s:])")
END = "(end of block)"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, where it is, what the comment before it says."""

    language: str
    text: str
    line: int
    mark: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, if it is one."""
        return self.mark.removeprefix("file: ") if self.mark.startswith("file: ") else None

    def left_out(self, path: str | None) -> bool:
        """Return whether the block is not to be run, with programs in these folders."""
        kind, _, program = self.mark.removeprefix("ci: ").partition(" ")
        return kind == "skip" or (kind == "needs" and shutil.which(program, path=path) is None)


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(match[2], match[3], text.count("\n", 0, match.start(3)) + 1, match[1] or "")
        for match in BLOCK.finditer(text)
    ]


def is_guide(page: Path) -> bool:
    """Return whether a page is to be followed from top to bottom."""
    return any(page.resolve() in ROOT.glob(pattern) for pattern in GUIDES)


def steady(text: str) -> str:
    """Return a text without what changes from run to run, or when a table gets one more row."""
    return re.sub(r"(?<=\S) {2,}", "  ", CHANGING.sub("(changes)", PROGRESS.sub("", text)))


def shows(expected: str, printed: str) -> bool:
    """Return whether a page shows what was printed."""
    parts = (
        "(?:.*\n)*?" if line.strip() == ELLIPSIS else r"\S+".join(map(re.escape, LONE.split(line)))
        for line in steady(expected).splitlines(keepends=True)
    )
    return re.fullmatch("".join(parts), steady(printed)) is not None


class Shell:
    """One bash, in a folder, that runs block after block and keeps its state."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            ["bash", "--norc", "-e"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def run(self, text: str) -> tuple[str, bool]:
        """Run a block; return what it printed, and whether all of its commands succeeded."""
        with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as script:
            script.write(text)
            script.flush()
            timer = threading.Timer(PATIENCE, self.process.kill)
            timer.start()
            printed = "".join(self._answer(script.name))
            timer.cancel()
        return printed.removesuffix(f"\n{END}\n"), printed.endswith(f"\n{END}\n")

    def _answer(self, script: str) -> Iterator[str]:
        """Yield what a script prints, line by line, up to the mark of its end if that comes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f". {shlex.quote(script)} </dev/null; echo; echo '{END}'\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            yield line
            if line == f"{END}\n":
                return

    def close(self) -> None:
        """End the shell."""
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()


class Page:
    """A page that is being run: what is wrong with it, and whether a command ended it."""

    def __init__(self, path: Path, shell: Shell | None, folder: Path, programs: str | None) -> None:
        self.path = path
        self.shell = shell
        self.folder = folder
        self.programs = programs
        self.namespace: dict[str, Any] = {"__name__": path.stem}
        self.complaints: list[str] = []
        self.executed = 0
        self.ended = False

    def run(self, found: list[Block]) -> None:
        """Run blocks in their order, up to a command that fails."""
        printed: str | None = None
        for block in found:
            if block.file is not None:
                (self.folder / block.file).write_text(block.text, encoding="utf-8")
            elif block.language in ("sh", "python"):
                printed = self._executed(block)
                if self.ended:
                    return
            elif block.language in ("text", "json") and printed is not None:
                self._compare(block.line, block.text, printed)
                printed = None

    def _executed(self, block: Block) -> str | None:
        """Run one block, if it is to be run; return what it printed if the page shows that."""
        if block.left_out(self.programs) or (block.language == "sh" and self.shell is None):
            return None
        self.executed += 1
        if block.language == "python":
            printed = self._python(block)
            return printed if self.shell else None
        assert self.shell is not None
        printed, succeeded = self.shell.run(block.text)
        self.ended = not succeeded
        if self.ended:
            self._complain(block.line, f"a command failed, after it printed\n{printed}")
        return printed

    def _python(self, block: Block) -> str:
        """Run Python statement by statement; return all that it printed."""
        if ">>>" in block.text:
            return self._doctest(block)
        pieces = []
        for statement in ast.parse(block.text).body:
            ast.increment_lineno(statement, block.line - 1)
            code = compile(ast.Module([statement], []), str(self.path), "exec")
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(code, self.namespace)
            pieces.append(output.getvalue())
            end = statement.end_lineno or statement.lineno
            told = list(comments(block.text.splitlines()[end - block.line + 1 :]))
            if pieces[-1] and told:
                self._compare(end + 1, " ".join(told), " ".join(pieces[-1].split()))
        return "".join(pieces)

    def _doctest(self, block: Block) -> str:
        """Run a block with prompts."""
        parser, output = doctest.DocTestParser(), io.StringIO()
        name = f"{self.path.name}, line {block.line}"
        test = parser.get_doctest(block.text, self.namespace, name, str(self.path), block.line)
        if doctest.DocTestRunner().run(test, out=output.write, clear_globs=False).failed:
            self._complain(block.line, output.getvalue())
        self.namespace.update(test.globs)
        return output.getvalue()

    def _compare(self, line: int, expected: str, printed: str) -> None:
        """Complain about a text that is not what was printed."""
        if not shows(expected, printed):
            self._complain(line, f"the page shows\n{expected}\nbut this was printed\n{printed}")

    def _complain(self, line: int, what: str) -> None:
        self.complaints.append(f"{self.path.name}, line {line}: {what}")


def comments(lines: list[str]) -> Iterator[str]:
    """Yield the text of the comments that some lines begin with, words evenly spaced."""
    for line in lines:
        if not line.startswith("#"):
            return
        yield " ".join(line[1:].split())


def stand_ins(folder: Path) -> None:
    """Write the programs ``gcdesign`` and ``python`` that pages call: those that run this."""
    for name, options in (("gcdesign", " -m gcdesign"), ("python", "")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{options} "$@"\n')
        program.chmod(0o755)


def run_page(path: Path, environment: Mapping[str, str]) -> Page:
    """Run a page in an empty folder, and return what came of it."""
    import gcdesign

    here = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as programs:
        stand_ins(Path(programs))
        places = f"{programs}{os.pathsep}{environment.get('PATH', os.defpath)}"
        package = str(Path(gcdesign.__file__).parents[1])
        settings = {**environment, "PATH": places, "PYTHONPATH": package, "PYTHONUTF8": "1"}
        shell = Shell(Path(scratch), settings) if is_guide(path) else None
        page = Page(path, shell, Path(scratch), places)
        os.chdir(scratch)
        try:
            page.run(blocks(path.read_text("utf-8")))
        finally:
            os.chdir(here)  # the scratch folder is about to go
            if shell is not None:
                shell.close()
    return page


def main(names: list[str]) -> int:
    """Run pages; return 1 if something is wrong with one of them."""
    wrong = False
    for name in names:
        page = run_page(Path(name).resolve(), os.environ)
        print("\n".join([*page.complaints, f"{name}: {page.executed} blocks"]))
        wrong |= bool(page.complaints)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
