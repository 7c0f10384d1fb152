"""The measuring programs, on something small."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks import clocks, programs, prolog, startup, twin_match
from benchmarks.evaluation import compared
from benchmarks.holdem_match import BOTS, Series, interval, luck
from benchmarks.page import Row, Thirds, document, section_of, with_section
from benchmarks.programs import Result
from benchmarks.sessions import hand_lead
from benchmarks.single import page, solved
from benchmarks.sokoban_levels import levels
from benchmarks.thirds import THIRDS, measure_circuit, sample_positions

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.games.library import find
from ludens.players.registry import make_player
from tests.games.tabletop.test_holdem import dealt, play
from tests.peers import peer

OURS = Result(
    {
        "gates": 500,
        "setup_seconds": 0.1,
        "full_speed_seconds": 0.2,
        "states_per_second": 900.0,
        "states_per_cpu_second": 1000.0,
    }
)


def test_page_tells_ratios_and_marks_tabling() -> None:
    plain = Result({"tabled": True, "states_per_cpu_second": 8.0, "states_per_second": 7.0})

    page = document([Row("nim", OURS, plain, Result({"states_per_cpu_second": 500}))], [], "the command", 1.0)

    assert "| nim | 500 | 0.10 | 0.20 | 1,000 | 900 | 8.0 † | 7.0 | 125 | 500 | 2.00 |" in page
    assert "the command" in page
    assert "Not measured" not in page


def test_failures_stay_in_their_row_with_the_reason() -> None:
    page = document([Row("nim", OURS, Result(reason="no swipl"), Result(reason="gone"))], [], "", 1.0)

    assert "| nim | 500 | 0.10 | 0.20 | 1,000 | 900 | - | - | - | - | - |" in page
    assert "- SWI-Prolog: no swipl (nim)" in page
    assert "- other: gone (nim)" in page


def test_page_has_the_papers_figures_for_a_second_beside_ours() -> None:
    rates = {"states_per_cpu_second": 5e6, "playouts_per_cpu_second": 50.0}
    found = {"ludens": dict.fromkeys(THIRDS, rates), "prolog": {third: {"error": "too slow"} for third in THIRDS}}

    page = document([], [Thirds("ticTacToe", Result(found))], "", 1.0)

    assert "| ticTacToe | ludens | 5,000,000 | 5,000,000 | 5,000,000 | 50.0 | 50.0 | 50.0 |" in page
    assert "| ticTacToe | SWI-Prolog | - | - | - | - | - | - |" in page
    assert "| ticTacToe | *paper: YAP* | 10,187 | 10,839 | 10,533 | 1,462 | 2,642 | 3,711 |" in page


def test_positions_come_from_the_thirds_of_matches() -> None:
    game = CircuitGame(find("tic_tac_toe").rule_sheet())

    positions = sample_positions(game, 4, Random(1))

    marks = {third: [_marks(facts) for facts in found] for third, found in positions.items()}
    assert [len(found) for found in marks.values()] == [4, 4, 4]
    assert max(marks["early"]) <= 2
    assert min(marks["end"]) >= 3


def _marks(facts: frozenset[object]) -> int:
    return sum(isinstance(fact, tuple) and fact[0] == "cell" and fact[-1] != "b" for fact in facts)


def test_circuit_plays_from_late_positions_shorter_playouts() -> None:
    game = CircuitGame(find("tic_tac_toe").rule_sheet())
    positions = sample_positions(game, 1, Random(1))

    early, end = (measure_circuit(game.circuit, positions[third][0], 0.05) for third in ("early", "end"))

    assert early.states / early.playouts > 4
    assert end.states / end.playouts < 5


@peer("swipl")
def test_prolog_takes_tabling_where_plain_recursion_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.experiments.prolog.swipl.MEMORY", 160 << 20)

    found = prolog.measure(find("nim").rule_sheet(), 0.1)

    assert found["tabled"]
    assert found["states_per_cpu_second"] > 0


def test_a_program_that_fails_gives_its_last_words() -> None:
    found = programs._run([sys.executable, "-c", "import sys; sys.exit('no room')"], timeout=60)

    assert found.reason == "no room"
    assert found.rate is None


def test_a_program_that_hangs_is_ended_with_its_children() -> None:
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"

    found = programs._run([sys.executable, "-c", script], timeout=1.0)  # ends only if nobody holds the pipes any more

    assert found.reason == "not done after 1 s"


def test_no_other_program_leaves_its_column_empty_with_the_reason() -> None:
    assert "--beside" in programs.other(None, Path("x.kif"), 1.0).reason


def test_another_program_is_run_with_the_rules(tmp_path: Path) -> None:
    program = tmp_path / "other.py"
    program.write_text("import sys; assert sys.argv[1:] == ['x.kif', '--seconds', '1.0']; print('{\"states\": 3}')")

    assert programs.other(program, Path("x.kif"), 1.0).values == {"states": 3}


def test_the_page_of_puzzles_counts_full_goals_and_tells_failures() -> None:
    puzzle = solved("eight_puzzle (shelf)", "eight_puzzle", seconds=1e6)  # of this process, which has run other tests
    results = [puzzle, {**puzzle, "name": "one"}, {"name": "two", "reason": "not loaded within 60 s"}]

    text = page(results, {"one": {"goal": 40}}, seconds=60)

    assert "**goal 100 in 1 of 2**" in text
    assert "| one | 40 | 100 |" in text
    assert "| two | - | not loaded within 60 s |" in text


def test_a_random_sokoban_level_can_be_loaded_and_is_the_same_for_the_same_seed() -> None:
    rows = next(levels(5))

    assert rows == next(levels(5))
    assert ludens.load(f"sokoban:{','.join(rows)}").roles == ("man",)


def test_kinds_of_judgement_are_compared_on_both_sides() -> None:
    won, drawn, lost = compared("tic_tac_toe", ("mobility", "goal"), depth=9, pairs=1)

    assert won + drawn + lost == 2
    assert won == lost  # whoever moves first in an opening gets the same from perfect play


def test_sessions_count_points_beyond_those_of_the_others() -> None:
    game = ludens.load("leduc_poker@tabletop")
    leads = [
        hand_lead(game, {role: make_player("random") for role in game.roles}, own, 1.0, seed=4) for own in game.roles
    ]

    assert leads[0] == -leads[1]
    assert leads[0] % 2 == 0  # what one wins the other loses


def test_startup_counts_modules_and_puts_its_table_into_the_page() -> None:
    starts = startup.measure([sys.executable] * 2, startup.ROWS["import ludens"], 1)
    page = "# Benchmarks\n\n## Start-up\n\nold\n\n## Others\n\nkept\n"

    written = with_section(page, startup.HEADING, startup.section({"import ludens": starts}, "the command", 1))

    assert [start.own_modules for start in starts] == [1, 1]
    assert all(start.cpu_seconds > 0 and start.modules > 20 for start in starts)
    assert f"| `import ludens` | {starts[0].cpu_seconds:.2f} | 1 | {starts[0].modules} |" in written
    assert "the command" in written
    assert "old" not in written
    assert section_of(written, "Others") == "## Others\n\nkept\n"


def test_a_new_section_goes_to_the_end_of_the_page() -> None:
    assert with_section("# Page\n\ntext\n", "Start-up", "## Start-up\n") == "# Page\n\ntext\n\n## Start-up\n"
    assert with_section("# Page\n", "Start-up", "") == "# Page\n"


def test_clocks_counts_what_the_player_logged() -> None:
    found = clocks.Series("sheet")
    found.read_log(
        [
            "m: started as white",
            "m: turn 1: late, answered by its best so far: no answer in time",
            "m: turn 1: (mark 1 1), searched on the backend interpreter",
            "m: turn 2: late, answered at random: no answer in time",
            "m: turn 3: (mark 2 2), searched on the backend circuit",
            "m: turn 4: (mark 3 3), searched on the backend circuit",
        ]
    )

    assert (found.best_so_far, found.at_random) == (1, 1)
    assert found.backends == {1: "interpreter", 2: "", 3: "circuit", 4: "circuit"}
    assert found.early == [False, False, True]
    assert found.first_native == 3
    assert clocks.summary([found, clocks.Series("other", note="cannot be loaded")]) == {
        "sheets": 1,
        "not_loaded": 1,
        "latest_start_seconds": 0.0,
        "late_starts": 0,
        "turns_with_choice": 4,
        "best_so_far": 1,
        "at_random": 1,
        "failures": 0,
        "early_turns": 3,
        "early_native_share": 0.333,
        "native_by_turn_3_share": 1.0,
    }


@pytest.mark.slow
def test_clocks_plays_with_a_player_of_its_own(tmp_path: Path) -> None:
    sheet = tmp_path / "small.kif"
    sheet.write_text(find("tic_tac_toe").rule_sheet().source.text)

    found = clocks.play(sheet, clocks.Terms("mcts", 4.0, 2.0, turns=3, scramble=True))

    assert found.turns == 3
    assert not found.failures
    assert sorted(found.backends) == [1, 3]
    assert set(found.backends.values()) <= {"interpreter", "circuit"}


def test_a_match_of_hold_em_swaps_seats_so_that_equal_players_win_nothing() -> None:
    series = Series("limit", "benchmarks/card_bots.py:Tight", "tight", 1.0, seed=1)

    pairs = [series.play_pair() for _ in range(10)]

    assert any(first for first, _ in pairs)
    assert all(abs(first + second) < 4 for first, second in pairs)


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_of_hold_em_plays(bot: str) -> None:
    for betting in ("limit", "no limit"):
        first, second = Series(betting, "random", bot, 1.0, seed=2).play_pair()

        assert abs(first) < 200  # more than all chips, if much luck is subtracted
        assert abs(second) < 200


def test_who_is_all_in_gets_what_it_could_expect() -> None:
    start: Any = dealt(
        ludens.load("holdem").initial_state(), [["AS", "AH"], ["KS", "KH"]], ["KC", "KD", "2C", "7D", "9H"]
    )
    before: Any = play(start, "raise to 100")
    last: Any = play(before, "call")

    lucky = luck(before.table, last.table, "player2", before.game.rule, Random(1))

    assert last.points["player2"] == 200
    assert 20 < 200 - lucky < 55  # kings win 18 % of such pots
    assert luck(start.table, before.table, "player2", before.game.rule, Random(1)) == 0  # no cards were dealt


def test_the_interval_of_a_mean_holds_it_in_nineteen_of_twenty_cases() -> None:
    rng = Random(1)
    found = [interval([rng.gauss(3, 5) for _ in range(100)]) for _ in range(400)]

    hits = sum(abs(one.mean - 3) <= one.error for one in found)

    assert 0.92 < hits / 400 < 0.98
    assert str(interval([1.0, 3.0])) == "+2.00 ± 1.96"


@pytest.mark.parametrize(
    ("goals", "first", "score"),
    [([100, 0], 0, 100), ([100, 0], 1, 0), ([0, 0, 100, 0], 0, 100), ([60, 20, 60, 60], 0, 60), ([0, 0], 0, 50)],
)
def test_the_score_of_a_match_of_twins_is_the_share_of_every_other_seat(
    goals: list[float], first: int, score: float
) -> None:
    assert twin_match.score(goals, first) == score
