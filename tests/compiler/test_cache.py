from __future__ import annotations

import logging
import multiprocessing
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.compiler.native.code_cache import ArtefactCache, artefact_cache, artefact_key
from ludens.core.folders import cache_folder

KEY = artefact_key("some game", b"some processor")


def entry(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def artefact_of(number: int) -> bytes:
    return bytes([number % 251]) * (1000 + 37 * number)


def test_what_was_put_is_found_by_another_cache_on_the_same_folder(tmp_path: Path) -> None:
    ArtefactCache(tmp_path / "cache").put(KEY, b"machine code")

    assert ArtefactCache(tmp_path / "cache").get(KEY) == b"machine code"
    assert ArtefactCache(tmp_path / "cache").get(artefact_key("another")) is None


def test_the_shared_cache_lies_in_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_HOME", str(tmp_path / "home"))
    artefact_cache().put(KEY, b"machine code")
    assert entry(tmp_path / "home" / "cache").is_file()

    monkeypatch.delenv("LUDENS_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "ludens"


@given(st.lists(st.text()), st.lists(st.text()))
def test_keys_tell_parts_apart(first: list[str], second: list[str]) -> None:
    assert (artefact_key(*first) == artefact_key(*second)) == (first == second)


def test_a_shared_library_is_opened_in_place(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path)
    assert cache.file(KEY) is None

    cache.put(KEY, b"a shared library")

    path = cache.file(KEY)
    assert path is not None
    assert path.read_bytes().startswith(b"a shared library")


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 1000, 1031])
def test_a_truncated_entry_is_not_found_and_can_be_written_again(tmp_path: Path, length: int) -> None:
    cache = ArtefactCache(tmp_path)
    cache.put(KEY, bytes(1000))
    path = entry(tmp_path)
    path.write_bytes(path.read_bytes()[:length])

    assert cache.file(KEY) is None
    assert not path.exists()
    cache.put(KEY, bytes(1000))
    assert cache.get(KEY) == bytes(1000)


@pytest.mark.parametrize("place", [0, 7, 500, 999, 1000, 1015, 1031])
@pytest.mark.parametrize("bit", [0, 7])
def test_a_flipped_bit_is_noticed(tmp_path: Path, place: int, bit: int) -> None:
    cache = ArtefactCache(tmp_path)
    cache.put(KEY, bytes(1000))
    content = bytearray(entry(tmp_path).read_bytes())
    content[place] ^= 1 << bit
    entry(tmp_path).write_bytes(content)

    assert cache.get(KEY) is None


def test_an_entry_under_the_wrong_name_is_not_found(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path)
    cache.put(KEY, b"machine code")
    other = artefact_key("another")
    entry(tmp_path).rename(tmp_path / entry(tmp_path).name.replace(KEY, other))

    assert cache.get(other) is None


def test_the_least_recently_used_entries_are_removed(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path, size_limit=3500)
    for number, name in enumerate(("first", "second", "third")):
        cache.put(name, bytes(1000))
        age(tmp_path / f"{name}.bin", 100 - number)
    assert cache.get("first") is not None

    cache.put("fourth", bytes(1000))

    assert {path.name for path in tmp_path.iterdir()} == {"first.bin", "third.bin", "fourth.bin"}


def test_an_artefact_beyond_the_bound_is_not_kept(tmp_path: Path) -> None:
    cache = ArtefactCache(tmp_path, size_limit=3500)
    cache.put("small", bytes(1000))

    cache.put("large", bytes(4000))

    assert cache.get("large") is None
    assert cache.get("small") is not None


def test_unfinished_files_of_dead_processes_are_removed_and_fresh_ones_left(tmp_path: Path) -> None:
    for name in ("tmpdead", "tmpfresh"):
        (tmp_path / name).write_bytes(b"half an artef")
    age(tmp_path / "tmpdead", 7200)

    ArtefactCache(tmp_path).put("new", b"machine code")

    assert {path.name for path in tmp_path.iterdir()} == {"new.bin", "tmpfresh"}


def write_and_read(folder: str, seed: int, failures: multiprocessing.queues.Queue[str]) -> None:
    """Writes, reads and damages entries of a small cache that other processes use too."""
    cache = ArtefactCache(Path(folder), size_limit=30_000)
    for turn in range(150):
        number = (turn * (seed + 2) + seed) % 12
        key = artefact_key(str(number))
        found = cache.get(key)
        if found is None:
            cache.put(key, artefact_of(number))
        elif found != artefact_of(number):
            failures.put(f"entry {number} is wrong")
        if turn % 20 == seed:
            (Path(folder) / f"{key}.bin").write_bytes(b"rubbish")
    failures.put("")


def test_processes_share_a_folder_without_reading_rubbish(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    failures = context.Queue()
    processes = [
        context.Process(target=write_and_read, args=(str(tmp_path), seed, failures), daemon=True) for seed in range(4)
    ]
    for process in processes:
        process.start()
    reports = [failures.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(timeout=60)

    assert reports == [""] * 4
    assert [process.exitcode for process in processes] == [0] * 4
    assert all(path.suffix == ".bin" for path in tmp_path.iterdir())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 4 * 30_000


def test_a_folder_that_cannot_be_made_is_told_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = ArtefactCache(tmp_path / "file" / "cache")

    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            cache.put(KEY, b"machine code")
            assert cache.get(KEY) is None
            assert cache.file(KEY) is None

    assert len(caplog.records) == 1
    assert str(tmp_path / "file" / "cache") in caplog.text


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_only_be_read_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ArtefactCache(tmp_path).put(KEY, b"machine code")
    tmp_path.chmod(0o500)
    cache = ArtefactCache(tmp_path)

    assert cache.get(KEY) == b"machine code"
    cache.put("another", b"more code")

    assert cache.get("another") is None
    assert len(caplog.records) == 1


def test_a_folder_that_vanishes_costs_one_message(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "cache"
    cache = ArtefactCache(folder)
    cache.put(KEY, b"machine code")
    entry(folder).unlink()
    folder.rmdir()

    assert cache.get(KEY) is None
    cache.put(KEY, b"machine code")
    cache.put(KEY, b"machine code")

    assert len(caplog.records) == 1


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ArtefactCache(tmp_path).put(KEY, b"machine code")
    tmp_path.chmod(0o777)

    assert ArtefactCache(tmp_path).get(KEY) is None
    assert "others may write" in caplog.text
