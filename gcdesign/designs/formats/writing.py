"""Write a result to a file so that nobody ever finds half of it."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from gcdesign.designs.formats.text import printable
from gcdesign.errors import OutputError


def write_file(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a whole file at once: afterwards it holds either all of ``data`` or what it held.

    The bytes go to a temporary file beside the target, which is moved into place when it is
    complete. Without ``force`` an existing file is never replaced, whoever made it and
    whenever; one that already holds these bytes counts as written. Devices, pipes and the
    names of open descriptors (``/dev/stdout``) are written to directly.

    Parameters
    ----------
    path
        The target; of a symbolic link, the file that it points at is written.
    data
        The content.
    force
        Whether to replace an existing file; its access rights are kept.

    Raises
    ------
    OutputError
        If the file exists with other content and ``force`` is not set, or cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "plane.json")
    ...     write_file(path, b"first")
    ...     write_file(path, b"second", force=True)
    ...     path.read_bytes()
    b'second'
    """
    try:
        _write(path, data, force=force)
    except OSError as error:
        raise OutputError(f"cannot write {printable(path)}: {_reason(path, error)}") from error


def _write(path: Path, data: bytes, *, force: bool) -> None:
    descriptor = _named_descriptor(path)
    if descriptor is not None:
        _write_directly(os.dup(descriptor), data)
        return
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        _write_directly(os.open(path, os.O_WRONLY), data)  # refuses a directory
        return
    target = Path(os.path.realpath(path))
    if mode is not None:
        if _holds(target, data):
            return
        if not force:
            raise FileExistsError(errno.EEXIST, "exists")
    try:
        _write_beside(target, data, force=force, mode=mode)
    except FileExistsError:  # made by somebody else meanwhile
        if not _holds(target, data):
            raise


def _named_descriptor(path: Path) -> int | None:
    """Return n for a path that names the open descriptor n.

    Opening such a path anew would write from the start of a file that the shell has opened
    for appending, and replacing it would leave the shell's file empty.
    """
    if (match := re.fullmatch(r"/dev/fd/(\d{1,9})", str(path))) is not None:
        return int(match[1])
    return {"/dev/stdout": 1, "/dev/stderr": 2}.get(str(path))


def _write_directly(descriptor: int, data: bytes) -> None:
    with os.fdopen(descriptor, "wb") as handle:
        handle.write(data)


def _holds(target: Path, data: bytes) -> bool:
    try:
        return target.stat().st_size == len(data) and target.read_bytes() == data
    except PermissionError:
        return False


def _write_beside(target: Path, data: bytes, *, force: bool, mode: int | None) -> None:
    """Write a temporary file and move it to the target; ``mode`` is that of the old file."""
    # The target's own name might be too long with anything added to it.
    temporary = target.with_name(f".gcdesign-{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        if force:
            temporary.replace(target)
        else:
            _move_to_new(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _move_to_new(temporary: Path, target: Path) -> None:
    """Move a file to a name that must be free, in one step where the file system can."""
    try:
        os.link(temporary, target)
        return
    except FileExistsError:
        raise
    except OSError:
        pass  # no hard links here (FAT, some network drives): reserve the name instead
    target.touch(exist_ok=False)
    try:
        temporary.replace(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _reason(path: Path, error: OSError) -> str:
    """Say what was wrong and what to do about it."""
    match error.errno:
        case errno.EEXIST:
            return "it exists with other content; add --force to replace it, or give another -o"
        case errno.EISDIR:
            return "it is a directory; give the name of a file with -o"
        case errno.ENOENT | errno.ENOTDIR:
            return f"no such directory: {printable(path.parent)}; create it, or give another -o"
        case errno.ENOSPC | errno.EDQUOT:
            return "no space left on device; free some, or give another -o"
        case errno.EACCES | errno.EPERM:
            return "permission denied; give another -o"
        case _:
            return f"{(error.strerror or str(error)).lower()}; give another -o"
