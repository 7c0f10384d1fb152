from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from ludens.arena.played_match import PlayedMatch
from ludens.arena.schema import METADATA
from ludens.arena.store import Store, StoreError
from tests.processes import running


@pytest.fixture
def store(place: str) -> Store:
    return Store(place)


def a_match(key: str, goals: tuple[int, int] = (100, 0)) -> PlayedMatch:
    record = gzip.compress(b'{"event": "start"}\n')
    roles, players = ("white", "black"), ("mcts", "random")
    return PlayedMatch(key, "nim:3,4", roles, players, goals, (100.0, 0.0), (0, 1), 7, 0.5, 0.1, 42, "ended", record)


@pytest.mark.smoke
def test_matches_come_back_as_they_were_saved(store: Store) -> None:
    tournament = store.begin("spring", "{}")

    assert store.save(tournament, a_match("1"))

    (found,) = store.matches(tournament)
    assert found == replace(a_match("1"), record=b"")
    assert store.record(tournament, "1") == '{"event": "start"}\n'


def test_a_match_is_saved_once(store: Store) -> None:
    tournament = store.begin("spring", "{}")

    assert [store.save(tournament, a_match("1")), store.save(tournament, a_match("1", (0, 100)))] == [True, False]

    assert [played.goals for played in store.matches(tournament)] == [(100, 0)]


def test_the_same_key_may_stand_in_two_tournaments(store: Store) -> None:
    numbers = [store.begin(name, "{}") for name in ("spring", "autumn")]

    assert all(store.save(number, a_match("1")) for number in numbers)

    assert len(store.matches()) == 2
    assert list(store.tournaments()) == ["spring", "autumn"]


def test_beginning_again_finds_the_tournament(place: str) -> None:
    first = Store(place).begin("spring", '{"seed": 1}')

    again = Store(place)

    assert again.begin("spring", '{"seed": 1}') == first
    assert again.specification(first) == '{"seed": 1}'
    with pytest.raises(StoreError, match="another specification"):
        again.begin("spring", '{"seed": 2}')


@pytest.mark.smoke
def test_the_migrations_lead_to_the_tables_of_the_schema(store: Store) -> None:
    with store._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_sqlite_writes_ahead_so_that_readers_do_not_wait(tmp_path: Path) -> None:
    store = Store(tmp_path / "arena.db")

    with sqlite3.connect(store.place) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.slow
def test_processes_that_open_a_new_store_at_once_do_not_disturb_each_other(place: str) -> None:
    program = f"from ludens.arena.store import Store; print(Store({place!r}).begin('a', '{{}}'))"
    with ExitStack() as stack:
        command = (sys.executable, "-c", program)
        processes = [stack.enter_context(running(*command, stdout=subprocess.PIPE)) for _ in range(3)]
        answers = [process.communicate(timeout=120)[0] for process in processes]

    assert answers == ["1\n"] * 3


def test_a_file_that_is_no_store_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("dear reader, " * 100)

    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path / "letter.db")


def test_a_match_of_a_tournament_that_is_gone_is_not_silently_lost(store: Store) -> None:
    with pytest.raises(StoreError, match="failed"):
        store.save(7, a_match("1"))


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    Store(tmp_path / "who? me#1.db").begin("spring", "{}")

    assert [path.name for path in tmp_path.glob("*.db*")] == ["who? me#1.db"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(OSError, match="/file"):
        Store(tmp_path / "file" / "arena.db")


def test_passwords_are_not_repeated() -> None:
    with pytest.raises(StoreError, match=r"user:\*\*\*@127\.0\.0\.1") as told:
        Store("postgresql://user:geheim@127.0.0.1:1/arena")

    assert "geheim" not in str(told.value)


def test_a_record_that_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(StoreError, match="no match 'x'"):
        store.record(store.begin("spring", "{}"), "x")
