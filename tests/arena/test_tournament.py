from __future__ import annotations

import subprocess
import time
from concurrent.futures import Future
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.arena.execution.executors import Inline, MatchLostError, Processes
from ludens.arena.execution.worker import play
from ludens.arena.plan import TournamentPlan, parse_plan
from ludens.arena.played_match import PlayedMatch, Task
from ludens.arena.results.sprt import Verdict
from ludens.arena.schedule import schedule
from ludens.arena.specification import Format, Result
from ludens.arena.store import Store
from ludens.arena.tournament import Tournament, competitions
from ludens.core import LudensError
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.processes import LUDENS, running

QUICK = "games: [tic_tac_toe, rock_paper_scissors]\nplayers: [random, legal, {name: other, player: random}]\nseed: 5"
KILLS = 20


def run(plan: TournamentPlan, place: str | Path) -> list[PlayedMatch]:
    *_, last = Tournament(plan, Store(place), Inline()).run()
    return list(last.played)


def test_everybody_meets_everybody_in_every_game_on_every_seat(tmp_path: Path) -> None:
    played = run(parse_plan(QUICK, "quick"), tmp_path / "arena.db")

    seatings = {(match.game, match.players) for match in played}
    names = ("random", "legal", "other")
    pairs = {(first, second) for first in names for second in names if first != second}
    assert seatings == {(game, pair) for game in ("tic_tac_toe", "rock_paper_scissors") for pair in pairs}
    assert len(played) == 12


def test_a_tournament_repeats_under_its_seed(tmp_path: Path) -> None:
    first, second = (run(parse_plan(QUICK, "quick"), tmp_path / name) for name in ("a.db", "b.db"))

    assert [(match.key, match.goals, match.turns) for match in first] == [
        (match.key, match.goals, match.turns) for match in second
    ]


@pytest.mark.parametrize("format_", list(Format))
def test_every_format_is_played_until_its_schedule_has_nothing_due(format_: Format, tmp_path: Path) -> None:
    players = "[random, legal, {name: c, player: random}, {name: d, player: random}]"
    plan = parse_plan(f"games: [rock_paper_scissors]\nformat: {format_}\nplayers: {players}", "format")

    played = run(plan, tmp_path / "arena.db")

    competition = competitions(plan, lambda _: 2)[2]
    results = {match.key.removeprefix("2/"): Result(tuple(map(float, match.goals))) for match in played}
    assert schedule(competition, results).due == ()
    assert len(played) == len(results)


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    plan, place = parse_plan(QUICK, "quick"), tmp_path / "arena.db"
    stopped = Tournament(plan, Store(place), Inline()).run()
    for _ in range(5):
        next(stopped)
    before = Store(place).matches()

    after = run(plan, place)

    assert len(before) == 4
    assert after[:4] == before
    assert len({match.key for match in after}) == len(after) == 12


def test_games_for_other_numbers_of_players_are_competitions_beside(tmp_path: Path) -> None:
    text = "games: [tic_tac_toe, connect_four_3p, lights_out]\nplayers: [random, legal, {name: c, player: random}]"

    played = run(parse_plan(text, "mixed"), tmp_path / "arena.db")

    sizes = {match.game: len(match.players) for match in played}
    assert sizes == {"tic_tac_toe": 2, "connect_four_3p": 3, "lights_out": 1}


def test_records_are_kept_and_can_be_replayed(tmp_path: Path) -> None:
    store = Store(tmp_path / "arena.db")
    plan = parse_plan("games: [tic_tac_toe]\nplayers: [random, legal]", "two")
    *_, last = Tournament(plan, store, Inline()).run()
    match = last.played[0]
    (tmp_path / "match.jsonl").write_text(store.record(store.tournaments()["two"], match.key))

    record = read_record(tmp_path / "match.jsonl")

    assert len(record.turns) == match.turns
    assert list(verify(record, ludens.load("tic_tac_toe"))) == []


def test_the_sequential_test_ends_a_tournament_early(tmp_path: Path) -> None:
    text = "games: [tic_tac_toe]\nplayers: [{name: strong, player: 'flat:playouts=30'}, random]\nrepetitions: 400\n"
    plan = parse_plan(text + "sprt: {first: strong, second: random, high: 100}", "test")

    *_, last = Tournament(plan, Store(tmp_path / "arena.db"), Inline()).run()

    assert last.verdict is Verdict.STRONGER
    assert len(last.played) < 100 < last.planned


def test_a_match_that_cannot_be_played_is_told() -> None:
    executor = Processes(1)
    try:
        executor.submit(Task("1", "no_such_game", (("a", "random"),), 1.0, 1.0, 0))
        with pytest.raises(MatchLostError, match="match 1 of no_such_game cannot be played"):
            list(executor.wait_for_results())
    finally:
        executor.close()


def test_a_match_that_cannot_be_played_in_this_process_is_told_alike() -> None:
    executor = Inline()
    executor.submit(Task("1", "no_such_game", (("a", "random"),), 1.0, 1.0, 0))

    with pytest.raises(MatchLostError, match="match 1 of no_such_game cannot be played"):
        list(executor.wait_for_results())


def test_matches_that_have_ended_are_told_before_one_that_cannot_be_played() -> None:
    task = Task("1", "tic_tac_toe", (("a", "random"), ("b", "random")), 1.0, 1.0, 0)
    ended = play(task)
    executor = Processes(1)
    told: list[PlayedMatch] = []
    try:
        for number in range(9):
            future: Future[PlayedMatch] = Future()
            executor._running[future] = task
            if number == 4:
                future.set_exception(LudensError("no such player"))
            else:
                future.set_result(ended)
        with pytest.raises(MatchLostError, match="no such player"):
            told.extend(executor.wait_for_results())
    finally:
        executor.close()

    assert len(told) == 8


def test_a_process_that_dies_is_replaced_and_its_match_played_anew() -> None:
    executor = Processes(1)
    task = Task("1", "tic_tac_toe", (("a", "random"), ("b", "random")), 1.0, 1.0, 0)
    try:
        executor.submit(task)
        while not executor._pool._processes:
            time.sleep(0.01)
        for process in list(executor._pool._processes.values()):
            process.kill()
        played: list[PlayedMatch] = []
        while not played:
            played = list(executor.wait_for_results())
    finally:
        executor.close()

    assert [match.key for match in played] == ["1"]


def test_too_few_players_are_told_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(LudensError, match="need at least"):
        run(parse_plan("games: [connect_four_3p]\nplayers: [random, legal]", "few"), tmp_path / "arena.db")


@pytest.mark.slow
def test_a_tournament_that_is_killed_again_and_again_ends_with_each_match_once(place: str, tmp_path: Path) -> None:
    games = [
        "tic_tac_toe", "rock_paper_scissors", "nim:3,4,5", "connect_four", "criss_cross", "prisoners_dilemma",
        "breakthrough", "double_tic_tac_toe", "kriegspiel_tic_tac_toe", "pig:20",
    ]  # fmt: skip
    text = f"games: [{', '.join(repr(game) for game in games)}]\nplayers: [random, legal, a, b, c]\nrepetitions: 5\n"
    for name in "abc":
        text = text.replace(f" {name}", f" {{name: {name}, player: random}}", 1)
    (tmp_path / "large.yaml").write_text(text)
    command = [*LUDENS, "tournament", str(tmp_path / "large.yaml"), "--store", place, "-q"]
    rng = Random(1)
    for stored in sorted(rng.sample(range(480), KILLS)):
        with running(*command, "--parallel", "2", seconds=600, stdout=subprocess.DEVNULL) as process:  # and killed
            while process.poll() is None and len(Store(place).matches()) < stored:
                time.sleep(0.05)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, 1))
    subprocess.run([*command, "--parallel", "2"], check=True, capture_output=True)

    matches = Store(place).matches()

    assert len(matches) == len({match.key for match in matches}) == 500
    assert all(sum(match.game == game for match in matches) == 50 for game in games)
