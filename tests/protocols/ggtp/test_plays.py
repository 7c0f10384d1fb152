"""Plays of every kind: joint stages, races, refused moves, chance, hidden information, and going back and forth."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocols.ggtp.harness import Rules, check_transcript

RULES = Path(__file__).parent / "rules"


def begun(rule: str, *more: str, seed: int = 1) -> Rules:
    rules = Rules(seed=seed)
    for command in (f"set_rule {rule}", *more, "start"):
        assert rules.say(command)[-1] == "= Done", rules.lines
    rules.say("set_option show_when_play on")
    return rules


def test_a_joint_stage_waits_for_everybody_who_has_a_choice() -> None:
    rules = begun("rock_paper_scissors")
    first, second = rules.session.need_play().game.roles
    move = rules.session.need_play().legal[first][0]

    assert rules.say(f"play {first} {move}") == ["= Done"]
    assert rules.session.need_play().waiting_for == [second]
    assert rules.say(f"play {second} {move}")[-1] == "= Done"
    assert len(rules.session.need_play().line) == 1


def test_forced_moves_of_gdl_are_made_by_themselves() -> None:
    rules = begun("tic_tac_toe@gdl")

    assert rules.say("play xplayer (mark 2 2)") == ["-> xplayer plays (mark 2 2)", "= Done"]
    assert rules.say("play oplayer ( MARK 1 1 )") == ["-> oplayer plays (mark 1 1)", "= Done"]


def test_priority_decides_a_race_and_the_others_lose_it() -> None:
    rules = begun(str(RULES / "race.py"))

    assert rules.say("play A grab") == ["= Done"]
    assert rules.say("play C grab") == ["-> C plays grab", "= Done"]
    assert rules.session.need_play().turns[1].lost == {"A": "grab"}


def test_the_first_valid_answer_wins_a_race_once_nobody_can_go_before_it() -> None:
    rules = begun(str(RULES / "race.py"))

    assert rules.say("play C pass", "play A grab") == ["= Done", "-> A plays grab", "= Done"]


def test_the_supervisor_can_force_the_winner_of_a_race() -> None:
    rules = begun(str(RULES / "race.py"))

    assert rules.say("force_play B grab") == ["-> B plays grab", "= Done"]


def test_a_refused_move_is_answered_with_the_reason_and_the_player_moves_again() -> None:
    rules = begun(str(RULES / "phantom.py"))

    assert rules.say("play X b") == ["-> X plays b", "= Done"]
    assert rules.say("play O b") == ["-> O plays b, which is refused: taken", "? b is refused: taken."]
    assert rules.say("play O c") == ["-> O plays c", "= Done"]


def test_turns_that_are_nobodys_are_played_by_the_rules() -> None:
    rules = Rules()
    rules.say(f"set_rule {RULES / 'high_card.py'}", "set_option show_when_play on")

    assert rules.say("start")[0].startswith("-> Anna plays ")
    assert rules.session.need_play().waiting_for == ["Anna"]


def test_undo_takes_back_a_move_with_what_chance_did_after_it() -> None:
    rules = begun(str(RULES / "together.py"))
    rules.say("play A 1", "play B 3")
    play = rules.session.need_play()
    assert [play.turns[number].is_automatic for number in play.line] == [False, True]
    rolled = play.turns[2].joint_move

    assert rules.say("undo")[-1] == "= Done"
    assert play.line == []
    assert rules.say("redo")[-1] == "= Done"
    assert play.turns[play.line[-1]].joint_move == rolled


def test_a_deal_cannot_be_undone_since_nobody_made_it() -> None:
    rules = begun(str(RULES / "high_card.py"))

    assert rules.say("undo") == ["? There is no move to undo."]


def test_exploring_another_move_keeps_the_old_line_in_the_tree() -> None:
    rules = begun("TicTacToe")
    rules.say("play Cross A1", "play Circle B2", "undo", "play Circle C3")
    play = rules.session.need_play()

    assert [turn.joint_move for turn in play.children(1)] == [{"Circle": "B2"}, {"Circle": "C3"}]
    assert rules.say("undo", "play Circle B2", "list_played_moves")[-1] == "= Cross A1, Circle B2"
    assert len(play.turns) == 3


def test_a_human_sees_only_its_own_cards() -> None:
    rules = begun(str(RULES / "high_card.py"))
    shown = "\n".join(rules.say("get_table Anna"))

    assert "face down" in shown
    assert shown != "\n".join(rules.say("get_table"))


LIBRARY = ["rock_paper_scissors", "kuhn_poker", "leduc_poker", "dominoes", "uno", "holdem", "phantom_go:size=5"]
LIBRARY += ["kuhn_poker@gdl", "monty_hall", "sealed_bid_auction", "connect_four_3p", "lights_out", "nim:2,3"]


@pytest.mark.parametrize("rule", [*LIBRARY, *sorted(map(str, RULES.glob("*.py")))])
def test_engines_play_every_kind_of_rule_to_the_end(rule: str) -> None:
    rules = Rules()
    rules.say(f"set_rule {rule}", "set_option genmove on", "set_option seed 5")
    for role in rules.session.need_rule().game.roles:
        assert rules.answer(f"set_engine {role} random") == "= Done"

    rules.say("start")

    play = rules.session.need_play()
    assert play.state.is_terminal, rules.lines
    assert not [line for line in rules.lines if "fails" in line or "lost" in line]
    replayed = play.game.initial_state()
    for number in play.line:
        replayed = replayed.play(play.turns[number].joint_move)
    assert replayed.goals == play.state.goals
    rules.session.close()


def test_an_engine_follows_the_play_back_and_forth() -> None:
    rules = begun("TicTacToe", "set_engine Circle legal")
    rules.say("play Cross A1", "genmove", "undo", "undo", "redo")

    assert rules.answer("list_possible_moves Circle 1") == "= Circle=B1, C1, A2, B2, C2, A3, B3, C3"
    rules.session.close()


def test_an_engine_that_comes_later_catches_up() -> None:
    rules = begun("TicTacToe")
    rules.say("play Cross A1", "play Circle B1", "set_engine Circle legal")

    assert rules.answer("list_possible_moves Circle") == "= Cross=C1, A2, B2, C2, A3, B3, C3"
    assert rules.answer("get_result Circle") == "= unfinished"
    assert rules.answer("get_table Circle 2") == "? The engine has no such table."
    rules.session.close()


def test_an_engine_plays_at_once_with_genmove_on_and_not_after_undo() -> None:
    check_transcript(
        """
set_rule TicTacToe
= Done
set_engine Circle legal
= Done
set_option genmove on
= Done
set_option show_when_play on
= Done
start
= Done
play Cross B2
-> Cross plays B2
= Done
-> Circle plays A1
undo
-> Undoing a move
= Done
list_possible_moves
= Circle=A1, B1, C1, A2, C2, A3, B3, C3
undo
-> Undoing a move
= Done
play Cross A1
-> Cross plays A1
= Done
-> Circle plays B1
""".strip()
    )
