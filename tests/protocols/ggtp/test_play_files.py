"""Play files: what is written, that reading restores it exactly, and whole experiments in a file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ludens.protocols.ggtp.language.wording import table_text
from tests.protocols.ggtp.harness import Rules

RULES = Path(__file__).parent / "rules"


def test_a_file_has_the_commands_that_matter_and_every_move_as_force_play(tmp_path: Path) -> None:
    path = tmp_path / "my play.ggtp"
    rules = Rules(seed=0)
    rules.say("get_version", "set_option genmove on", "set_rule TicTacToe", "set_rule_option starting_player Circle")
    rules.say("set_engine Cross legal", "set_engine_option Cross time 0.5", "start", f"save_file {path}")
    rules.say("play Circle B2", "get_table", "undo", "undo", "play Circle C3")

    assert path.read_text().split("\n") == [
        "# GGTP play file",
        "set_option genmove on",
        "set_rule TicTacToe",
        "set_rule_option starting_player Circle",
        "set_engine Cross legal",
        "set_engine_option Cross time 0.5",
        "start",
        "force_play Circle B2",
        "force_play Cross A1",
        "select_branch 0",
        "force_play Circle C3",
        "force_play Cross A1",
        "",
    ]

    assert rules.say("close_file", "undo")[0] == "= Done"
    assert path.read_text().endswith("force_play Cross A1\n")
    rules.session.close()


LIBRARY = [
    "TicTacToe",
    "rock_paper_scissors",
    "nim:1,2",
    "kuhn_poker@gdl",
    "monty_hall",
    "backgammon",
    "cant_stop",
    "uno",
]


@pytest.mark.parametrize("rule", [*LIBRARY, *sorted(map(str, RULES.glob("*.py")))])
def test_a_play_saved_in_the_middle_is_restored_exactly(rule: str, tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = Rules(seed=3)
    rules.say(f"set_rule {rule}", "start", f"save_file {path}")
    play = rules.session.need_play()
    rng = Random(4)
    for _ in range(9):
        if not play.state.is_terminal:
            role = play.waiting_for[0]
            rules.say(f"play {role} {rng.choice(play.legal[role])}")

    restored = Rules(seed=99)
    assert restored.say(f"load_file {path}") == ["= Done"]

    again = restored.session.need_play()
    assert [again.turns[number].joint_move for number in again.line] == [
        play.turns[number].joint_move for number in play.line
    ]
    assert table_text(again.state) == table_text(play.state)
    assert again.legal == play.legal
    assert again.offers == play.offers


def test_a_file_with_engines_is_restored_before_they_play_on(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    path.write_text(
        "set_option genmove on\nset_rule TicTacToe\nset_engine Cross legal\nset_engine Circle legal\n"
        "start\nforce_play Cross B2\nforce_play Circle C3\n"
    )
    rules = Rules()

    rules.say(f"load_file {path}")

    assert rules.answer("list_played_moves").startswith("= Cross B2, Circle C3, Cross A1, Circle B1")
    assert rules.session.need_play().state.is_terminal
    rules.session.close()


def test_a_file_may_hold_any_commands_and_wait_for_engines_between_moves(tmp_path: Path) -> None:
    path = tmp_path / "experiment.ggtp"
    path.write_text(
        "# a human against an engine\n\nset_option genmove on\nset_rule TicTacToe\nset_engine Circle legal\nstart\n"
        "play Cross B2\nplay Cross C1\nplay Cross A3\nget_result\nlist_played_moves\n"
    )
    rules = Rules()

    assert rules.say(f"load_file {path}") == [
        "= Cross=winner 100, Circle=loser 0",
        "= Cross B2, Circle A1, Cross C1, Circle B1, Cross A3",
        "= Done",
    ]
    rules.session.close()


def test_reading_stops_at_the_first_error_and_tells_the_line(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    path.write_text("set_rule TicTacToe\nstart\nforce_play Cross A1\nforce_play Cross A2\nforce_play Circle B2\n")
    rules = Rules()

    assert rules.say(f"load_file {path}") == [f"? {path}, line 4: No move named A2 for player Cross."]
    assert rules.answer("list_played_moves") == "= Cross A1"


def test_a_file_that_loads_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    path.write_text(f"load_file {path}\n")

    assert Rules().answer(f"load_file {path}").endswith("files load files more than 8 deep.")


def test_a_file_that_is_no_play_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")

    assert Rules().answer(f"save_file {path}") == f"? {path} exists and is not a play file; choose another name."
    assert path.read_text() == "years of work"


def explore(rules: Rules, moves: int, seed: int) -> None:
    """Play at random, going back and to other branches now and then, with names and comments."""
    play = rules.session.need_play()
    rng = Random(seed)
    for number in range(moves):
        if play.turns and rng.random() < 0.3:
            rules.say(f"select_branch {rng.choice([0, *play.turns])}", "genmove")
        if not play.state.is_terminal and not play.is_automatic:
            role = play.waiting_for[0]
            rules.say(f"play {role} {rng.choice(play.legal[role])}")
        if rng.random() < 0.2:
            rules.say(f"name_branch {play.current} name{number}", f"comment_branch {play.current} why,\\n{number}?")


@pytest.mark.parametrize("rule", [*LIBRARY, *sorted(map(str, RULES.glob("*.py")))])
def test_all_branches_are_restored_exactly(rule: str, tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = Rules(seed=3)
    rules.say(f"set_rule {rule}", "start", f"save_file {path}")
    explore(rules, 12, seed=5)

    restored = Rules(seed=99)
    assert restored.say(f"load_file {path}") == ["= Done"]

    play, again = rules.session.need_play(), restored.session.need_play()
    assert {number: (turn.parent, turn.joint_move) for number, turn in again.turns.items()} == {
        number: (turn.parent, turn.joint_move) for number, turn in play.turns.items()
    }
    assert (again.line, again.names, again.comments) == (play.line, play.names, play.comments)
    assert restored.say("list_branches") == rules.say("list_branches")
    assert table_text(again.state) == table_text(play.state)


def test_numbers_are_counted_anew_where_a_branch_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = Rules()
    rules.say("set_rule TicTacToe", "start", "play Cross A1", "undo", "play Cross B2", "undo", "play Cross C3")
    rules.say("name_branch 3 third", "delete_branch 2", f"save_file {path}")

    restored = Rules()
    restored.say(f"load_file {path}")

    assert restored.say("list_branches") == ["=", "  1: Cross A1", "  2=third: Cross C3"]


def test_time_used_is_restored_with_each_turn(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = Rules()
    rules.say("set_rule TicTacToe", "set_clock Cross 0 60", "start", "play Cross A1", "set_used Cross 12.5")
    rules.say("play Circle B2", "undo", "play Circle C3", f"save_file {path}")

    restored = Rules()
    restored.say(f"load_file {path}")

    assert path.read_text().count("set_used Cross 12.5") == 3
    assert restored.answer("get_clock Cross") == "= move_time=0, game_time=60, used=12.5"
    assert restored.say("select_branch 0", "get_clock Cross")[-1] == "= move_time=0, game_time=60, used=0"


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    assert Rules().answer(f"load_file {tmp_path}") == f"? {tmp_path} is not a file."
    assert Rules().answer("load_file /dev/zero") == "? /dev/zero is not a file."
