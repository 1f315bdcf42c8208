"""Compiled functions work whatever is wrong with the place where their machine code is kept."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gcdesign.compiled import compiled


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the cache, empty at first."""
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def fresh() -> Callable[[int], int]:
    """Return the function as a new process would see it: not yet compiled."""

    def twice(number: int) -> int:
        return 2 * number

    return compiled(twice)


def kept(cache: Path, suffix: str) -> list[Path]:
    return sorted(cache.rglob(f"*{suffix}"))


def test_machine_code_is_kept(cache: Path) -> None:
    assert fresh()(21) == 42
    assert kept(cache, ".nbi")
    assert kept(cache, ".nbc")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_cache_is_made_anew(cache: Path, suffix: str) -> None:
    assert fresh()(21) == 42
    (file,) = kept(cache, suffix)
    whole = file.stat().st_size
    file.write_bytes(file.read_bytes()[:20])
    assert fresh()(21) == 42
    assert max(file.stat().st_size for file in kept(cache, suffix)) >= whole


def test_a_full_disk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert fresh()(21) == 42
