"""A competition is a rule: its players are engines, its moves are results of matches."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core import IllegalMoveError
from ludens.protocols.ggtp.competition.game import CompetitionGame, CompetitionState
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.inbox import Inbox, Line
from ludens.protocols.ggtp.rules import choose_rule, with_option
from ludens.protocols.ggtp.supervisor import Supervisor
from tests.protocols.ggtp.harness import Rules, check_transcript, connect_in_process, linked
from tests.thorough import examples

SESSION = """
set_rule tournament
= Done
list_rule_options
= game=tic_tac_toe, players=2, format=round-robin, rounds=0, repetitions=1, parallel=1
set_rule_option players Anna,Bert,Carl
= Done
set_rule_option format knock-out
= Done
list_rule_option_choices format
= round-robin, swiss, knock-out, ladder, gauntlet
list_players
= Anna=human, Bert=human, Carl=human
start
= Done
list_possible_moves
= Bert=1.1.1 100 0, 1.1.1 0 100, 1.1.1 50 50
play Bert 1.1.1 0 100
= Done
get_table
=
             score    won  drawn   lost
    1. Carl      1      1      0      0
    2. Anna      0      0      0      0  1 free
    3. Bert      0      0      0      1
  round 2: 2.1.1 Carl - Anna
force_play Carl 2.1.1 70 30
= Done
get_result
= Carl=winner 100 points 2, Anna=loser 25 points 0, Bert=loser 25 points 0
undo
= Done
get_result
= unfinished
force_play Anna 9.9.9 0 0
? No move named 9.9.9 0 0 for player Anna.
force_play Anna 2.1.1 100 0
? No move named 2.1.1 100 0 for player Anna.
force_play Carl 2.1.1 101 0
? No move named 2.1.1 101 0 for player Carl.
redo
= Done
list_played_moves
= Bert 1.1.1 0 100, Carl 2.1.1 70 30
"""


def competition(*engines: str, connect: object = connect_in_process, **options: object) -> Rules:
    """A competition of some engines, ready to start."""
    rules = Rules(connect) if callable(connect) else Rules()
    rules.say("set_rule tournament", f"set_rule_option players {len(engines)}")
    rules.say(*(f"set_rule_option {name} {value}" for name, value in options.items()))
    rules.say(*(f"set_engine player_{number} {engine}" for number, engine in enumerate(engines, start=1)))
    return rules


def state(rules: Rules) -> CompetitionState:
    found = rules.session.need_play().state
    assert isinstance(found, CompetitionState)
    return found


def test_a_competition_of_people() -> None:
    check_transcript(SESSION)


def test_tournament_is_among_the_rules() -> None:
    assert Rules().answer("list_rules").endswith(", tournament")


def test_engines_play_all_matches() -> None:
    rules = competition("random", "legal", "random", "legal")

    said = rules.say("set_option show_when_play on", "set_option genmove on", "start")

    assert len([line for line in said if " plays " in line]) == 6
    assert state(rules).is_terminal
    assert sum(state(rules).points.values()) == 6
    rules.session.close()


def test_matches_played_at_once_have_the_results_of_those_played_one_by_one() -> None:
    results = []
    for parallel in (1, 3):
        rules = competition(*["random"] * 4, parallel=parallel, repetitions=1)
        rules.say("set_option genmove on", "start")
        results.append(state(rules).results())
        rules.session.close()

    assert len(results[0]) == 6
    assert results[0] == results[1]


def test_without_genmove_matches_are_played_when_asked_for() -> None:
    rules = competition("random", "legal", "random", parallel=2)
    rules.say("start")

    rules.say("genmove")
    assert len(state(rules).results()) == 1
    rules.say("genmove", "genmove")

    assert state(rules).is_terminal
    rules.session.close()


def test_a_play_file_restores_a_competition_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = competition("random", "legal", "random", "legal", format="swiss")
    rules.say("start", "genmove", f"save_file {path}", "genmove")
    before = state(rules).results()
    rules.session.close()

    again = Rules()
    again.say(f"load_file {path}")

    assert state(again).results() == before
    assert again.answer("get_engine player_2") == "= legal"
    again.say("set_option genmove on")
    assert state(again).is_terminal
    again.session.close()


def test_games_for_three() -> None:
    rules = competition("random", "random", "random", "random", game="connect_four_3p")
    rules.say("set_option genmove on", "start")

    assert len(state(rules).results()) == 4
    assert all(len(result.goals) == 3 for result in state(rules).results().values())
    rules.session.close()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"players": "1"}, "players, not 1"),
        ({"game": "connect_four_3p", "players": "4", "format": "knock-out"}, "needs games for two"),
    ],
)
def test_options_that_do_not_fit_are_told_at_the_start(options: dict[str, str], problem: str) -> None:
    rules = competition("random", "random")
    rules.say(*(f"set_rule_option {name} {value}" for name, value in options.items()))

    assert problem in rules.answer("start")
    rules.session.close()


@pytest.mark.parametrize("players", ["0", "1001", "99999999999999999999", "a,a", "a,A", ",", "a,,b"])
def test_players_are_a_number_or_names(players: str) -> None:
    answer = competition("random").answer(f"set_rule_option players {players}")

    assert answer == "? Players are a number from 1 to 1000, or different names separated by commas."


def test_an_unknown_game_is_refused() -> None:
    rules = competition("random")

    assert rules.answer("set_rule_option game no_such_game").startswith("? ")
    assert rules.answer("get_rule_option game") == "= tic_tac_toe"
    rules.session.close()


def test_a_competition_of_competitions_is_refused() -> None:
    rules = competition("random")

    assert "not a competition" in rules.answer("set_rule_option game tournament")
    rules.session.close()


# Engines that do not behave


def odd(name: str, inbox: Inbox) -> EngineLink:
    """Silent never moves, Fragile goes away when it should; others are real."""

    def behave(end: socket.socket) -> None:
        with contextlib.suppress(OSError), end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("have_to_play"):
                    if name == "Fragile":
                        return
                else:
                    end.sendall(b"acknowledge\n")

    return linked(name, behave, inbox) if name in ("Silent", "Fragile") else connect_in_process(name, inbox)


def begun(rules: Rules) -> None:
    """Start, and begin matches without waiting for them."""
    rules.supervisor.do("start")
    rules.supervisor.do("set_option genmove on")


def test_an_engine_that_is_lost_forfeits_the_matches_after_it() -> None:
    rules = competition("Fragile", "random", "random", connect=odd)

    said = rules.say("set_option genmove on", "start")

    assert any("1.1.1: Fragile of oplayer is lost: it has gone" in line for line in said)
    assert "-> Fragile of player_1 is lost: it has gone" in said
    second = next(match for match in state(rules).schedule().matches if match.round > 1 and "player_1" in match.seats)
    goals = dict(zip(second.seats, state(rules).results()[second.name].goals, strict=True))
    assert goals.pop("player_1") == 0
    assert list(goals.values()) == [100]
    rules.session.close()


def test_an_engine_in_a_match_is_left_alone() -> None:
    rules = competition("Silent", "Silent", "random", connect=odd)
    begun(rules)

    for command in ("list_engine_options player_2", "set_engine player_2 random", "set_engine player_2 human"):
        rules.supervisor.do(command)
        assert rules.lines[-1] == "? player_2 is in match 1.1.1, and cannot be asked before it is over."
    rules.session.close()


@pytest.mark.parametrize("command", ["set_rule tic_tac_toe", "start", "set_rule_option rounds 3", "quit"])
def test_matches_are_given_up_when_the_play_ends(command: str) -> None:
    rules = competition("Silent", "Silent", connect=odd)
    begun(rules)
    assert rules.session.matches.is_playing
    rules.supervisor.do("set_option genmove off")

    rules.supervisor.do(command)

    assert rules.lines[-1] == "= Done"
    assert not rules.session.matches.is_playing
    assert not rules.session.seats.away
    rules.session.close()


def test_a_result_told_by_the_supervisor_ends_the_match() -> None:
    rules = competition("Silent", "Silent", connect=odd, repetitions=2)
    begun(rules)

    Supervisor(rules.session, waits=False).do("force_play player_1 1.1.1 100 0")

    assert state(rules).results()["1.1.1"].goals == (100, 0)
    assert rules.session.seats.away == {"player_1": "1.1.2", "player_2": "1.1.2"}
    rules.session.close()


def test_players_of_a_competition_see_what_the_rules_see() -> None:
    rules = competition("random", "legal")
    rules.say("start")

    assert rules.answer("list_possible_moves player_1") == "= player_1=1.1.1 100 0, 1.1.1 0 100, 1.1.1 50 50"
    assert rules.say("get_table player_2") == rules.say("get_table")
    rules.session.close()


PLAYERS = st.sampled_from(["player_1", "player_2", "Anna"])
RESULTS = st.sampled_from(["1.1.1 100 0", "1.1.1 50 50", "2.1.1 0 100", "1.2.1 1 2", "x", "1.1.1", "1.1.1 2 3 4"])
COMMANDS = st.one_of(
    st.sampled_from(
        ["start", "genmove", "undo", "redo", "get_table", "get_result", "list_branches", "set_rule tournament"]
    ),
    st.sampled_from(
        ["set_option genmove on", "set_option genmove off", "list_possible_moves", "select_branch 1", "wait"]
    ),
    st.sampled_from(["2", "3", "Anna,Bert", "0"]).map(lambda text: f"set_rule_option players {text}"),
    st.sampled_from(["swiss", "ladder", "knock-out", "z"]).map(lambda text: f"set_rule_option format {text}"),
    st.sampled_from(["nim:1,2", "connect_four_3p", "nope"]).map(lambda text: f"set_rule_option game {text}"),
    st.builds("set_engine {} {}".format, PLAYERS, st.sampled_from(["random", "legal", "human"])),
    st.builds("{} {} {}".format, st.sampled_from(["force_play", "play"]), PLAYERS, RESULTS),
    st.builds("{} {}".format, st.sampled_from(["get_table", "list_possible_moves", "list_engine_options"]), PLAYERS),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(COMMANDS, max_size=30))
def test_any_commands_are_answered(commands: list[str]) -> None:
    rules = Rules()
    rules.supervisor = Supervisor(rules.session, waits=False)

    for command in ["set_rule tournament", *commands]:
        before = len(rules.lines)
        rules.give(command)
        assert sum(line[0] in "=?" for line in rules.lines[before:]) == 1
        while (item := rules.session.inbox.get(0)) is not None:
            if not isinstance(item, Line):
                rules.session.handle(item)
    rules.session.close()

    assert not rules.session.matches.is_playing
    assert not any("error" in line for line in rules.lines)


# The game


def game(players: int) -> CompetitionGame:
    found = with_option(choose_rule("tournament", "reference"), "players", str(players)).game
    assert isinstance(found, CompetitionGame)
    return found


@examples(50)
@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_states_are_equal_if_the_results_are_whatever_their_order(players: int, rng: object) -> None:
    one = game(players)
    first = one.initial_state()
    moves = [(role, moves[0]) for role in one.roles if (moves := first.legal_moves(role))]

    forth = back = first
    for role, move in moves:
        forth = forth.play({role: move})
    for role, move in reversed(moves):
        back = back.play({role: move})

    assert forth == back
    assert hash(forth) == hash(back)
    assert (forth == first) == (not moves)


@pytest.mark.parametrize("move", ["1.1.1", "1.1.1 100", "1.1.1 100 0 0", "1.1.1 x 0", "1.1.1 1000 0", "1.1.1 -1 0"])
def test_results_need_goals_for_each_seat(move: str) -> None:
    with pytest.raises(IllegalMoveError):
        game(2).initial_state().play({"player_1": move})
