"""Commands on a disk that is full from the first, second, third, … call on that needs room."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

import ludens
from ludens.arena.store import Store
from ludens.core.files import LineFile, append, write_file
from ludens.players.genetic.evolution import Evolution, EvolutionOptions
from ludens.players.learning.games import check_learnable
from ludens.players.learning.log import read_log
from ludens.referee.reading import Record, read_record
from tests.cli.conftest import Run
from tests.full_disk import full_disk, no_stub_is_left
from tests.peers import peer

RANDOM = ["--player", "left=random", "--player", "right=random", "--backend=reference", "--seed=1"]
EVOLVE = ["--steps=2", "--population=4", "--openings=1", "--gate-depth=1", "--seed=1"]
FULL = "No space left on device"


def finished_records(folder: Path) -> list[Record]:
    """The records of matches that came to their end; all in the folder can be read."""
    records = [read_record(path) for path in folder.glob("*")]
    assert not any(record.problems for record in records)
    return [record for record in records if record.end is not None]


@pytest.mark.slow
def test_a_series_on_a_full_disk_sums_up_what_it_played(run: Run, tmp_path: Path) -> None:
    for calls in itertools.count():
        folder, as_json = tmp_path / str(calls), calls % 2 == 1
        series = ["match", "rock_paper_scissors", *RANDOM, "--games=2", "--records", str(folder), *["--json"] * as_json]
        with full_disk(folder, calls) as disk:
            code, out, err = run(*series)
        if not disk.is_full:
            break
        assert code == 2
        assert err.count("\n") == 1
        assert err.startswith(f"error: {folder}")
        assert FULL in err
        no_stub_is_left(folder)
        played = len(finished_records(folder))
        if as_json:
            assert (json.loads(out)["summary"]["games"] if out else 0) == played
        else:
            assert ("1 of 2 matches" in out) == (played == 1)
    assert code == 0
    assert calls == 24
    again = tmp_path / "15"
    assert run(*series, "--records", str(again))[0] == 0
    assert len(finished_records(again)) == 3


def test_a_match_with_a_full_disk_tells_it_once(run: Run, tmp_path: Path) -> None:
    with full_disk(tmp_path / "records", 8):
        code, out, err = run("match", "rock_paper_scissors", *RANDOM, "--records", str(tmp_path / "records"))

    assert code == 2
    assert "Result" not in out
    assert err.count(FULL) == 1


@contextmanager
def pages_of_store(most: int) -> Iterator[None]:
    """SQLite says that the disk is full when a file has so many pages."""

    def limit(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={most}")

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)


def test_a_tournament_on_a_full_disk_tells_how_it_stands_and_goes_on_later(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "spring.yaml"
    plan.write_text("games: [rock_paper_scissors]\nplayers: [random, legal]\nseed: 5\nrepetitions: 16")
    seen = set()
    for pages in itertools.count(1):
        store = tmp_path / f"{pages}.db"
        command = ["tournament", str(plan), "--store", str(store), "--parallel=1", "--quiet"]
        with pages_of_store(pages):
            code, out, err = run(*command)
        if code == 0:
            break
        assert code == 2
        assert err == f"error: the store {store} failed: database or disk is full\n"
        kept = len(Store(store).matches())
        seen.add(kept)
        assert out.startswith(f"{kept} matches") if kept else not out
        if kept in (0, 8):
            code, out, _ = run(*command)
            assert code == 0
            assert out.startswith("16 matches")
    assert pages > 8
    assert len(seen) > 2


def test_an_evolution_on_a_full_disk_can_be_gone_on_with(tmp_path: Path) -> None:
    game = check_learnable(ludens.load("tic_tac_toe", backend="circuit"))
    options = EvolutionOptions(population=4, openings=1, gate_openings=1, gate_depth=1)
    for calls in itertools.count():
        folder = tmp_path / str(calls)
        evolution = Evolution(game, folder / "e.json", options, seed=1, resume=False)
        with full_disk(folder, calls) as disk:
            try:
                list(evolution.run(60, 2))
            except OSError as error:
                told = str(error)
        if not disk.is_full:
            break
        assert f"{FULL}: '{folder}" in told
        no_stub_is_left(folder)
        for path in folder.glob("e.json*"):
            json.loads(path.read_text())
        resume = (folder / "e.json.evolution").exists()
        list(Evolution(game, folder / "e.json", options, seed=1, resume=resume).run(60, 1))
        steps = [int(row["step"]) for row in read_log(folder / "e.csv")]
        assert steps == sorted(set(steps))
    assert calls > 25


@peer("torch")
def test_a_training_on_a_full_disk_can_be_gone_on_with(run: Run, tmp_path: Path) -> None:
    small = ["--steps=1", "--matches=4", "--simulations=2", "--hidden=8", "--seed=1"]
    for calls in itertools.count():
        folder = tmp_path / str(calls)
        command = ["train", "tic_tac_toe", "--out", str(folder / "t.pt"), *small]
        with full_disk(folder, calls) as disk:
            code, _, err = run(*command)
        if not disk.is_full:
            break
        assert code == 2
        assert err.splitlines()[-1].startswith(f"error: {folder}")
        no_stub_is_left(folder)
        assert run(*command, *["--resume"] * (folder / "t.pt.training").exists())[0] == 0
    assert code == 0


def test_evolve_names_the_file_that_a_full_disk_does_not_take(run: Run, tmp_path: Path) -> None:
    with full_disk(tmp_path, 0):
        code, _, err = run("evolve", "tic_tac_toe", "--out", str(tmp_path / "e.json"), *EVOLVE)

    assert code == 2
    assert err == f"error: {tmp_path / 'e.json.evolution'}: {FULL}\n"


def test_a_file_stays_as_it_was_until_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "network.pt"
    write_file(path, b"old")
    for calls in itertools.count():
        with full_disk(tmp_path, calls) as disk:
            if calls < 4:
                with pytest.raises(OSError, match=re.escape(str(path))):
                    write_file(path, b"new")
            else:
                write_file(path, b"new")
        if not disk.is_full:
            break
        assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"old"]
    assert calls == 4
    assert path.read_bytes() == b"new"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_file(tmp_path / "link", "text \ud800")
    write_file(Path("/dev/null"), "text")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "text \\ud800"
    assert Path("/dev/null").is_char_device()


def test_lines_are_appended_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    file = LineFile(path, new=True)
    file.append("one\n")
    file.close()
    for calls in range(3):
        with full_disk(tmp_path, calls), pytest.raises(OSError, match="lines"):
            append(path, "two\n")
        assert path.read_text() == "one\n"
