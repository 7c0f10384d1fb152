from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.arena.gauntlet.checkouts import sources_of
from ludens.arena.gauntlet.plan import GauntletPlan, Time, parse_gauntlet
from ludens.arena.gauntlet.results import Change, GauntletMatch, ResultsFile, compare, score_of
from ludens.arena.gauntlet.series import Series, random_opening
from ludens.arena.gauntlet.sides import Side
from ludens.arena.plan import PlanError
from ludens.core import Clock, Deadline, Decision, Game, LudensError, Player, View
from ludens.players import make_player
from tests.processes import PATIENCE

PLAN = parse_gauntlet(
    "{candidate: 'flat:playouts=10', opponents: [random, legal], games: [tic_tac_toe, 'nim:1,2'], matches: 2,"
    " clock: 10, start_clock: 10, time: cpu, opening: 1}"
)


def no_outsiders(_text: str, _game: Game, _clock: Clock, _seed: int) -> Player | None:
    return None


def won(number: int, score: float = 1.0, game: str = "a") -> GauntletMatch:
    return GauntletMatch("x", game, number, score, (100, 0), (0, 0), (1.0, 1.0), (0.1, 0.1), 9, 1.0)


@pytest.fixture
def series() -> Iterator[Series]:
    made = Series(PLAN, 1, no_outsiders)
    yield made
    made.close()


def test_every_opponent_is_met_in_every_game_from_both_seats(series: Series) -> None:
    played = list(series.run())

    assert len(played) == series.planned == 8
    assert {match.key for match in played} == {
        (opponent, game, number)
        for opponent in ("random", "legal")
        for game in ("tic_tac_toe", "nim:1,2")
        for number in (0, 1)
    }
    assert all(match.errors == (0, 0) for match in played)
    assert all(match.cpu_seconds[0] > 0 for match in played)


def test_wall_clocks_are_kept_too() -> None:
    made = Series(replace(PLAN, opponents=("legal",), time=Time.WALL), 1, no_outsiders)
    try:
        played = list(made.run())
    finally:
        made.close()

    assert len(played) == 4
    assert all(match.errors == (0, 0) for match in played)


def test_the_candidate_may_have_more_time() -> None:
    clocks: dict[str, Clock] = {}

    def outsider(text: str, _game: Game, clock: Clock, _seed: int) -> Player:
        clocks[text] = clock
        return make_player("random")

    plan = replace(PLAN, candidate="gtp:one", opponents=("gtp:other",), games=PLAN.games[:1], time=Time.WALL, odds=2.5)
    made = Series(plan, 1, outsider)
    try:
        played = list(made.run())
    finally:
        made.close()

    assert all(match.errors == (0, 0) for match in played)
    assert clocks == {"gtp:one": Clock(25, 10), "gtp:other": Clock(10, 10)}


class Watchful(Player):
    """Notes how much time it has."""

    name = "watchful"
    description = "notes its clock"

    def __init__(self, seconds: list[float]) -> None:
        super().__init__()
        self._seconds = seconds

    def choose(self, view: View, deadline: Deadline) -> Decision:
        self._seconds.append(deadline.remaining())
        return Decision(view.legal_moves[0])


@pytest.mark.parametrize(("program", "least", "most"), [("uci:one", 9, 10), ("gtp:one", 100, 10_000)])
def test_with_cpu_clocks_uci_programs_have_seconds_and_gtp_programs_no_clock(
    program: str, least: float, most: float
) -> None:
    seconds: list[float] = []
    plan = replace(PLAN, opponents=(program,), games=PLAN.games[:1])
    made = Series(plan, 1, lambda *_: Watchful(seconds))
    try:
        played = list(made.run())
    finally:
        made.close()

    assert all(match.errors == (0, 0) for match in played)
    assert seconds
    assert all(least < each < most for each in seconds)


def test_a_crash_counts_as_an_error_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from ludens.core import Player\n\n\nclass Broken(Player):\n    name = 'broken'\n    description = 'x'\n\n"
        "    def choose(self, view, deadline):\n        raise RuntimeError('broken')\n"
    )
    plan = replace(PLAN, opponents=(str(tmp_path / "broken.py"),), games=PLAN.games[:1])
    made = Series(plan, 1, no_outsiders)
    try:
        played = list(made.run())
    finally:
        made.close()

    assert all(match.errors[0] == 0 < match.errors[1] for match in played)


SLOW_SIDE = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    time.sleep(message["seconds"])
    print(json.dumps({"move": message["do"], "cpu": 0.0}), flush=True)
"""


def test_a_side_that_is_asked_by_two_threads_answers_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player that takes long to stop is asked to load the next match meanwhile."""
    child = tmp_path / "child.py"
    child.write_text(SLOW_SIDE, encoding="utf-8")
    monkeypatch.setattr("ludens.arena.gauntlet.sides._CHILD", child)
    side = Side(tmp_path, None, by_cpu=False)
    with ThreadPoolExecutor(2) as pool:
        stopped = pool.submit(side.ask, do="stop", seconds=0.3)
        loaded = [pool.submit(side.ask, do=f"load {number}", seconds=0.01) for number in range(5)]

        assert stopped.result(PATIENCE)["move"] == "stop"
        assert [one.result(PATIENCE)["move"] for one in loaded] == [f"load {number}" for number in range(5)]
    side.close()


def test_matches_that_were_played_are_not_repeated(series: Series) -> None:
    played = [replace(won(number, game="tic_tac_toe"), opponent="random") for number in (0, 1)]

    again = list(series.run(played))

    assert len(again) == 6
    assert not {match.key for match in again} & {match.key for match in played}


def test_the_sequential_test_ends_the_matches_against_an_opponent() -> None:
    made = Series(replace(PLAN, opponents=("random",), matches=1000, low=-500.0, high=-400.0), 1, no_outsiders)
    try:
        played = list(made.run())
    finally:
        made.close()

    assert 2 <= len(played) < 200
    assert made.verdict("random", played) == "stronger"


def test_openings_are_legal_short_and_repeatable() -> None:
    game = ludens.load("tic_tac_toe")

    first, second = (random_opening(game, 3, Random(4)) for _ in range(2))

    assert first == second
    assert len(first) == 3
    assert len(random_opening(game, 50, Random(4))) < 9


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidate": "nobody"}, "there is no player 'nobody'"),
        ({"opponents": ("http://localhost:1",)}, "'time: cpu' is not for players behind a URL"),
        ({"opponents": ("checkout:no-such-tag",), "repository": "/"}, "git rev-parse"),
    ],
)
def test_players_that_cannot_play_are_refused_before_the_first_match(change: dict[str, object], message: str) -> None:
    with pytest.raises(LudensError, match=message):
        Series(replace(PLAN, **change), 1, no_outsiders)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{candidate: mcts, opponents: [random], games: [nim], matches: 3}", "even number"),
        ("{candidate: mcts, opponents: [], games: [nim]}", "'opponents' must be a list"),
        ("{candidate: mcts, opponents: [random, random], games: [nim]}", "named twice"),
        ("{candidate: mcts, opponents: [random], games: [nim], time: sun}", "'time' is wall or cpu"),
        ("{candidate: mcts, opponents: [random], games: [nim], sprt: {low: 5, high: 1}}", "'sprt' is invalid"),
        ("{candidate: mcts, oponents: [random], games: [nim]}", "did you mean 'opponents'"),
        ("[]", "a plan is a mapping"),
    ],
)
def test_a_plan_that_cannot_be_read_is_explained(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        parse_gauntlet(text)


def test_a_few_wins_prove_nothing_and_many_do() -> None:
    few, many = (score_of([won(number) for number in range(count)]) for count in (4, 40))

    assert few.verdict == "unclear"
    assert many.verdict == "stronger"
    assert many.elo[1] < many.elo[0] < many.elo[2]


def test_results_are_compared_with_earlier_ones() -> None:
    good, bad = ([won(number, score) for number in range(30)] for score in (1.0, 0.0))

    assert compare(good, bad) is Change.BETTER
    assert compare(bad, good) is Change.WORSE
    assert compare(good, good) is Change.UNCLEAR


def test_results_are_read_as_they_were_written_and_only_for_their_plan(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "results.json")
    file.write(PLAN, {}, [won(0), won(1, 0.5)])

    assert file.resume(PLAN) == [won(0), won(1, 0.5)]
    with pytest.raises(LudensError, match="another plan"):
        file.resume(replace(PLAN, seed=9))


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_an_earlier_version_plays_from_its_own_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "repository"
    shutil.copytree(Path(ludens.__file__).parent, repository / "src" / "ludens", ignore=shutil.ignore_patterns("*.pyc"))
    (repository / "src" / "ludens" / "players" / "veteran.py").write_text(
        (repository / "src" / "ludens" / "players" / "legal.py").read_text().replace('"legal"', '"veteran"')
    )
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "x"), ("tag", "v0")):
        subprocess.run(["git", "-C", str(repository), *command], check=True)
    monkeypatch.setenv("LUDENS_HOME", str(tmp_path / "home"))
    plan = replace(PLAN, opponents=("checkout:v0:veteran",), repository=str(repository))

    made = Series(plan, 1, no_outsiders)
    try:
        played = list(made.run())
    finally:
        made.close()

    assert len(played) == 4
    assert all(match.errors == (0, 0) for match in played)
    assert sources_of("v0", repository) == sources_of("HEAD", repository)


def test_a_plan_survives_its_results_file() -> None:
    assert PLAN.time is Time.CPU
    assert isinstance(PLAN, GauntletPlan)
    assert PLAN.as_data()["games"][0] == {"game": "tic_tac_toe", "clock": 10.0, "start_clock": 10.0}
