from __future__ import annotations

import threading

import pytest

import ludens
from ludens.core import Deadline, Observation, PlayerError, TakeBack
from ludens.players.human import HumanPlayer, Question
from tests.players.test_players import CLOCK

STATE = ludens.load("tic_tac_toe", backend="reference").initial_state()
VIEW = STATE.view("xplayer")


def person(*answers: str) -> tuple[HumanPlayer, list[Question]]:
    """A person that answers questions at once, with an empty text for the wish to take back."""
    player, asked, left = HumanPlayer(), [], iter(answers)

    def ask(question: Question) -> None:
        asked.append(question)
        answer = next(left)
        if answer:
            question.answer(answer)
        else:
            question.take_back()

    player.connect(ask)
    player.start(STATE.game, "xplayer", 1, CLOCK)
    return player, asked


def test_a_persons_answer_is_its_move() -> None:
    player, asked = person("(mark 1 1)")

    assert player.choose(VIEW, Deadline(60)).move == "(mark 1 1)"
    assert asked[0].view is VIEW


def test_only_own_moves_can_be_taken_back() -> None:
    player, asked = person("(mark 1 1)", "", "(mark 1 2)")
    news = Observation(1, VIEW, None, None)

    player.observe(news)
    player.choose(VIEW, Deadline(60))
    player.observe(news)
    with pytest.raises(TakeBack):
        player.choose(VIEW, Deadline(60))
    player.take_back(1, VIEW)
    player.choose(VIEW, Deadline(60))

    assert [question.can_take_back for question in asked] == [False, True, False]


def test_a_question_is_given_up_once_nobody_wants_the_answer() -> None:
    player, deadline = HumanPlayer(), Deadline(3600)
    player.connect(lambda question: deadline.cancel())
    player.start(STATE.game, "xplayer", 1, CLOCK)

    with pytest.raises(PlayerError, match="no answer in time"):
        player.choose(VIEW, deadline)


def test_answers_may_come_from_another_thread() -> None:
    player = HumanPlayer()
    player.connect(lambda question: threading.Thread(target=question.answer, args=("(mark 2 2)",)).start())
    player.start(STATE.game, "xplayer", 1, CLOCK)

    assert player.choose(VIEW, Deadline(60)).move == "(mark 2 2)"


def test_a_person_cannot_play_where_nobody_shows_the_match() -> None:
    with pytest.raises(PlayerError, match="not connected to a user interface"):
        HumanPlayer().choose(VIEW, Deadline(60))
