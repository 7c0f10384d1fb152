"""Chance and hidden information over HTTP."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, GameError, PerceptView
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.write import write_kif
from ludens.protocols.ggp.controller import GameController
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import Message, MessageError, Moves, Percepts, Play, Start, Stop, read_message
from ludens.protocols.ggp.position import initial_position
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.protocols.ggp.peers import raw_player, saying
from tests.protocols.ggp.test_controller import our_player, plan

COIN = """
(role ann) (role random) (role bob)
(init (phase toss))
(<= (next (phase guess)) (true (phase toss)))
(<= (next (phase over)) (true (phase guess)))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (right ?p)) (does ?p (guess ?s)) (true (coin ?s)))
(side heads) (side tails)
(<= (legal random (toss ?s)) (side ?s) (true (phase toss)))
(<= (legal random wait) (true (phase guess)))
(<= (legal ann wait) (true (phase toss)))
(<= (legal bob wait) (true (phase toss)))
(<= (legal ann (guess ?s)) (side ?s) (true (phase guess)))
(<= (legal bob (guess ?s)) (side ?s) (true (phase guess)))
(<= (sees ann (shown ?s)) (does random (toss ?s)))
(<= (sees bob tossed) (does random (toss ?s)))
(<= terminal (true (phase over)))
(<= (goal ?p 100) (true (right ?p)))
(<= (goal ann 0) (not (true (right ann))))
(<= (goal bob 0) (not (true (right bob))))
"""
DIE = """
(role roller)
(random die 1 one) (random die 2 six)
(init (rolls nothing))
(<= (legal roller (roll die)) (true (rolls nothing)))
(<= (next (rolls ?e)) (does roller (roll ?e)))
(<= terminal (not (true (rolls nothing))))
(<= (goal roller 100) (true (rolls six)))
(<= (goal roller 10) (not (true (rolls six))))
"""


def loaded(rules: str, folder: Path) -> Game:
    path = folder / "game.kif"
    path.write_text(rules)
    return ludens.load(path, backend="reference")


@pytest.mark.parametrize("scramble", [False, True])
def test_hidden_information_is_played_by_percepts(scramble: bool, tmp_path: Path) -> None:
    game = loaded(COIN, tmp_path)
    with our_player("random") as ann, our_player("legal") as bob:
        controlled = plan({"ann": ann, "bob": bob}, game=game, gdl_ii=True, scramble=scramble)
        outcome = GameController(controlled, tmp_path, "0.0").run()

    assert (outcome.end.reason, outcome.end.failures) == ("terminal", {"ann": 0, "bob": 0})
    assert not list(verify(read_record(outcome.record), game))
    ggp = json.loads(outcome.match_json.read_text())
    assert ggp["playerNamesFromHost"][1] == "random"
    assert [moves[1].split()[:2] for moves in ggp["moves"]] == [["(", "toss"], ["wait"]]
    assert len(ggp["goalValues"]) == len(ggp["errors"][0]) == 3


def test_players_are_told_their_own_move_and_percepts_only(tmp_path: Path) -> None:
    seen: dict[str, list[Message]] = {"ann": [], "bob": []}

    def answer(role: str, text: str) -> str:
        message = read_message(text)
        seen[role].append(message)
        told = len([found for found in seen[role] if isinstance(found, Play)])
        return "( guess heads )" if told == 2 else "wait"

    with (
        raw_player(saying(lambda text: answer("ann", text))) as ann,
        raw_player(saying(lambda text: answer("bob", text))) as bob,
    ):
        game = loaded(COIN, tmp_path)
        outcome = GameController(plan({"ann": ann, "bob": bob}, game=game, gdl_ii=True), tmp_path, "0.0").run()

    toss = read_record(outcome.record).turns[1].moves["random"]
    shown = toss.replace("toss", "shown")
    assert seen["ann"][1:] == [
        Play("m", Percepts(0, None)),
        Play("m", Percepts(1, "wait", (shown,))),
        Stop("m", Percepts(2, "(guess heads)")),
    ]
    assert seen["bob"][1:] == [
        Play("m", Percepts(0, None)),
        Play("m", Percepts(1, "wait", ("tossed",))),
        Stop("m", Percepts(2, "(guess heads)")),
    ]
    assert isinstance(seen["bob"][0], Start)
    assert seen["bob"][0].role == "bob"


def test_hidden_information_needs_the_messages_of_gdl_ii(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="GDL-II"):
        GameController(plan({"ann": "random", "bob": "random"}, game=loaded(COIN, tmp_path)), tmp_path, "0.0")


def test_what_chance_drew_is_told_to_all_players(tmp_path: Path) -> None:
    news: list[Moves] = []

    def answer(text: str) -> str:
        message = read_message(text)
        if isinstance(message, Stop) and isinstance(message.news, Moves):
            news.append(message.news)
        return "( roll die )"

    with raw_player(saying(answer)) as roller:
        game = loaded(DIE, tmp_path)
        outcome = GameController(plan({"roller": roller}, game=game), tmp_path, "0.0").run()

    drawn = read_record(outcome.record).turns[1].moves["roller"]
    assert drawn in {"(roll one)", "(roll six)"}
    assert news == [Moves((drawn,))]
    assert outcome.end.failures == {"roller": 0}


def coin() -> GdlGame:
    return ReferenceGame(read_rules(COIN), "coin")


def test_a_view_is_built_from_own_moves_and_percepts() -> None:
    position = initial_position(coin(), "ann")

    observation = position.advance(Percepts(1, "WAIT", ("( SHOWN tails )",)), "wait")

    assert observation is not None
    assert (observation.move, observation.percepts, observation.joint_move) == ("wait", ("(shown tails)",), None)
    assert isinstance(position.view, PerceptView)
    assert list(position.view.legal_moves) == ["(guess heads)", "(guess tails)"]
    assert "(coin tails)" in str(next(iter(position.view.belief(Random(1)))))


def test_the_old_form_tells_percepts_only() -> None:
    position = initial_position(coin(), "ann")

    assert position.advance(Moves(None), None) is None
    observation = position.advance(Moves(("(shown heads)",)), "wait")

    assert observation is not None
    assert (observation.move, observation.percepts) == ("wait", ("(shown heads)",))


@pytest.mark.parametrize(("role", "percepts"), [("ann", ("(shown heads)",)), ("bob", ("tossed",))])
def test_one_move_for_each_role_is_a_joint_move_from_which_percepts_follow(
    role: str, percepts: tuple[str, ...]
) -> None:
    position = initial_position(ReferenceGame(read_rules(COIN), "coin"), role)

    observed = position.advance(Moves(("wait", "(toss heads)", "wait")), None)

    assert observed is not None
    assert (observed.move, observed.percepts) == ("wait", percepts)
    assert set(position.view.legal_moves) == {"(guess heads)", "(guess tails)"}
    last = position.advance(Moves(("(guess tails)", "wait", "(guess tails)")), "(guess heads)")
    assert last is not None
    assert last.move == "(guess tails)"  # as it was played, not as it was answered


def test_a_list_that_is_no_joint_move_is_read_as_percepts() -> None:
    position = initial_position(ReferenceGame(read_rules(COIN), "coin"), "bob")

    observed = position.advance(Moves(("tossed",)), "wait")

    assert observed is not None
    assert observed.percepts == ("tossed",)


def test_a_message_that_is_repeated_changes_nothing_and_a_missing_one_is_an_error() -> None:
    position = initial_position(coin(), "bob")
    told = Percepts(1, "wait", ("tossed",))

    assert position.advance(told, "wait") is not None
    assert position.advance(told, "wait") is None
    with pytest.raises(MessageError, match="turn 3"):
        position.advance(Percepts(3, "wait"), "wait")
    assert position.turn == 1


def test_percepts_that_fit_no_history_are_logged_and_there_is_an_answer_all_the_same() -> None:
    log: list[str] = []
    host = PlayerHost("legal", name="ours", most_matches=1, backend="reference", seed=1, log=log.append)
    rules = tuple(write_kif([rule]) for rule in read_rules(COIN).rules)
    now = time.monotonic()

    assert host.answer_to(Start("m", "ann", rules, 20, 20), now, 0.0) == "ready"
    assert host.answer_to(Play("m", Percepts(0, None)), now, 0.0) == "wait"
    assert host.answer_to(Play("m", Percepts(1, "wait", ("tossed",))), now, 0.0) == "wait"
    assert "legal moves of turn 2 are not known" in log[-1]
    assert host.answer_to(Stop("m", Percepts(2, "wait")), now, 0.0) == "done"
