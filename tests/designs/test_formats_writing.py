"""Files are written whole or not at all, and never replaced unasked."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gcdesign.designs.formats import write_file
from gcdesign.errors import OutputError


def refusal(path: Path, data: bytes = b"new", *, force: bool = False) -> str:
    """Return the one-line message with which writing a file fails."""
    with pytest.raises(OutputError) as caught:
        write_file(path, data, force=force)
    message = str(caught.value)
    assert message.startswith("cannot write ")
    assert "\n" not in message
    return message


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_new_file_honours_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_file(tmp_path / "x", b"data")
    finally:
        os.umask(old)
    assert (tmp_path / "x").read_bytes() == b"data"
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640
    assert names(tmp_path) == ["x"]


def test_existing_file_is_kept_without_force(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    message = refusal(path)
    assert str(path) in message
    assert "--force" in message
    assert "-o" in message
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("force", [False, True])
def test_identical_content_counts_as_written(tmp_path: Path, force: bool) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"same")
    os.utime(path, (1, 1))
    write_file(path, b"same", force=force)
    assert path.stat().st_mtime == 1


def test_force_replaces_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o604)
    inode = path.stat().st_ino
    write_file(path, b"new", force=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert path.stat().st_ino != inode  # replaced, never opened for writing
    assert names(tmp_path) == ["x"]


def test_force_creates_what_is_not_there(tmp_path: Path) -> None:
    write_file(tmp_path / "x", b"new", force=True)
    assert (tmp_path / "x").read_bytes() == b"new"


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "x", tmp_path / "link"
    link.symlink_to(target)
    write_file(link, b"first")
    write_file(link, b"second", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"second"
    assert names(tmp_path / "folder") == ["x"]
    assert "--force" in refusal(link)


def test_link_loops_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "symbolic links" in refusal(tmp_path / "a")


def test_long_names_are_written_to_the_limit(tmp_path: Path) -> None:
    write_file(tmp_path / ("x" * 255), b"new")
    assert "file name too long" in refusal(tmp_path / ("x" * 256))


def test_missing_directory_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path / "none" / "x")
    assert f"no such directory: {tmp_path / 'none'}" in message
    (tmp_path / "file").touch()
    assert "no such directory" in refusal(tmp_path / "file" / "x")


@pytest.mark.parametrize("force", [False, True])
def test_directory_is_refused(tmp_path: Path, force: bool) -> None:
    assert "it is a directory" in refusal(tmp_path, force=force)


def test_names_with_line_ends_stay_on_one_line(tmp_path: Path) -> None:
    assert "two\\nlines" in refusal(tmp_path / "none" / "two\nlines")


def test_permission_denied(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    tmp_path.chmod(0o500)
    assert "permission denied" in refusal(tmp_path / "x")
    tmp_path.chmod(0o700)


# --- targets that are no regular files ----------------------------------------------------


def test_device_is_written_directly() -> None:
    write_file(Path("/dev/null"), b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_full_device_is_reported() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    assert "no space left on device" in refusal(Path("/dev/full"), b"x" * 100_000)


@pytest.mark.parametrize("force", [False, True])
def test_fifo_is_written_directly(tmp_path: Path, force: bool) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write_file(path, b"through", force=force)
    reader.join()
    assert received == [b"through"]
    assert stat.S_ISFIFO(path.stat().st_mode)


SCRIPT = """
from pathlib import Path
from gcdesign.designs.formats import write_file
write_file(Path("/dev/stdout"), b"data\\n")
"""


def test_standard_output_keeps_what_the_shell_appends_to(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"before\n")
    with path.open("ab") as handle:
        subprocess.run([sys.executable, "-c", SCRIPT], stdout=handle, check=True)
    assert path.read_bytes() == b"before\ndata\n"


def test_open_descriptors_are_written_and_closed_ones_reported(tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as handle:
        write_file(Path(f"/dev/fd/{handle.fileno()}"), b"data")
    assert (tmp_path / "x").read_bytes() == b"data"
    assert "bad file descriptor" in refusal(Path("/dev/fd/999999999"))


# --- failures half way --------------------------------------------------------------------


def failing(number: int) -> Any:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(errno.EIO, "I/O error")])
def test_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool, stop: Any
) -> None:
    def interrupted(descriptor: int) -> None:
        raise stop

    path = tmp_path / "x"
    if force:
        path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises((KeyboardInterrupt, OutputError)):
        write_file(path, b"new", force=force)
    assert names(tmp_path) == (["x"] if force else [])
    if force:
        assert path.read_bytes() == b"old"


def test_a_file_made_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    monkeypatch.setattr(os, "fsync", lambda _: path.write_bytes(b"theirs"))
    assert "--force" in refusal(path, b"ours")
    assert path.read_bytes() == b"theirs"
    path.unlink()
    write_file(path, b"theirs")  # the same bytes: nobody loses anything
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(os, "link", failing(number))
    path = tmp_path / "x"
    write_file(path, b"first")
    assert path.read_bytes() == b"first"
    assert "--force" in refusal(path)
    assert names(tmp_path) == ["x"]


def test_without_hard_links_a_failed_move_leaves_no_placeholder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    monkeypatch.setattr(Path, "replace", failing(errno.EIO))
    refusal(tmp_path / "x")
    assert names(tmp_path) == []


def test_without_hard_links_a_file_made_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    monkeypatch.setattr(os, "fsync", lambda _: path.write_bytes(b"theirs"))
    refusal(path, b"ours")
    assert path.read_bytes() == b"theirs"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a file system of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command here")
    if done.returncode:
        pytest.skip(f"mounting a tmpfs is not permitted: {done.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_full_disk(small_disk: Path) -> None:
    path = small_disk / "x"
    assert "no space left on device" in refusal(path, b"x" * 100_000)
    assert names(small_disk) == []
    write_file(path, b"old")
    assert "no space left on device" in refusal(path, b"x" * 100_000, force=True)
    assert path.read_bytes() == b"old"
    assert names(small_disk) == ["x"]


def test_many_writers_and_one_winner(tmp_path: Path) -> None:
    path, refused = tmp_path / "x", []
    start = threading.Barrier(8)

    def write(number: int) -> None:
        start.wait()
        try:
            write_file(path, bytes([number]) * 10_000)
        except OutputError:
            refused.append(number)

    writers = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(refused) == 7
    assert len(set(path.read_bytes())) == 1
    assert names(tmp_path) == ["x"]
