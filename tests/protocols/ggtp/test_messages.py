"""Deliberation: who may talk, who hears it, what is kept of it, and those who talk too much."""

from __future__ import annotations

import queue
import socket
from pathlib import Path

import pytest

from ludens.core import Deadline, Decision, Message, Player, View
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.link import MOST_SAID, EngineLink
from ludens.protocols.ggtp.inbox import Inbox
from tests.protocols.ggtp.harness import Rules, linked

TALK = Path(__file__).parent / "rules" / "talk.py"


class Parrot(Player):
    """Says what it has heard."""

    name = "parrot"

    def hear(self, message: Message) -> None:
        """Answer at once."""
        self.channel.say(f"{message.sender} says {message.text}", (message.sender,))

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The first move, with a word to all."""
        self.channel.say("I\nmove", ())
        return Decision(view.legal_moves[0])


def talking(*more: str) -> Rules:
    rules = Rules()
    rules.say(f"set_rule {TALK}", *more, "start", "set_option show_messages on")
    return rules


def test_a_player_talks_to_one_some_or_all_where_the_rule_lets_it() -> None:
    rules = talking()

    assert rules.say("say A B shall we?") == ["-> A to B: shall we?", "= Done"]
    assert rules.say("say B c,A no, I will not") == ["-> B to C,A: no, I will not", "= Done"]
    assert rules.say("say C all be quiet") == ["-> C to A,B: be quiet", "= Done"]
    assert rules.say("list_messages") == [
        "=",
        "  A to B: shall we?",
        "  B to C,A: no, I will not",
        "  C to A,B: be quiet",
    ]


def test_messages_belong_to_the_position_in_which_they_were_sent() -> None:
    rules = talking()
    rules.say("say A B before", "force_play A pass", "say A B after", "undo")

    assert rules.say("list_messages") == ["=", "  A to B: before"]
    assert rules.say("redo", "list_messages")[-2:] == ["  A to B: before", "  A to B: after"]


def test_a_play_file_keeps_what_was_said(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    rules = Rules()
    rules.say("set_rule TicTacToe", "set_option messages on", "start", "play Cross A1", f"save_file {path}")
    rules.say("say Cross all  your  turn \\n now", "play Circle B2", "set_option messages off")

    restored = Rules()
    assert restored.say(f"load_file {path}") == ["= Done"]

    assert restored.say("list_messages") == rules.say("list_messages") == ["=", "  Cross to Circle: your  turn \\n now"]
    assert restored.answer("get_option messages") == "= off"
    assert restored.session.need_play().messages.keys() == {1}


def test_too_many_messages_of_a_turn_are_refused() -> None:
    rules = talking()
    for number in range(20):
        assert rules.answer(f"say A all {number}") == "= Done"

    assert rules.answer("say A all 20") == "? A has said 20 things already; more in the next turn."
    assert rules.answer("say B all x") == "= Done"
    assert rules.say("force_play A pass", "say A all 20")[-1] == "= Done"


@pytest.fixture
def parrot() -> queue.SimpleQueue[str]:
    """What an engine says that talks."""
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    talker = Engine(Parrot, said.put, backend="reference")
    for line in (f"set_rule {TALK}", "set_player B", "start"):
        talker.do(line)
        assert said.get(timeout=60) == "acknowledge"
    talker.do("message A B,C hello there")
    talker.do("have_to_play")
    return said


def test_an_engine_hears_and_talks(parrot: queue.SimpleQueue[str]) -> None:
    heard = [parrot.get(timeout=60) for _ in range(4)]

    assert heard[0] == "acknowledge"
    assert heard[1:3] == ["send_message A A says hello there", "send_message A,C I move"]
    assert heard[3].startswith("select_move ")


def with_engine(said: bytes) -> tuple[Rules, list[str]]:
    """Rules whose engine of A says something when it has to play, and what it is told."""
    told: list[str] = []

    def behave(end: socket.socket) -> None:
        with end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                told.append(line)
                end.sendall(said + b"select_move pass\n" if line.startswith("have_to_play") else b"acknowledge\n")

    def connect(name: str, inbox: Inbox) -> EngineLink:
        return linked(name, behave, inbox)

    rules = Rules(connect)
    rules.say(f"set_rule {TALK}", "set_engine A Talker", "start", "set_option show_messages on")
    return rules, told


def test_engines_are_told_what_is_said_to_their_player_only() -> None:
    rules, told = with_engine(b"send_message B how are you?\n")

    rules.say("say B A,C a word", "say B C a secret")
    assert "-> A to B: how are you?" in rules.say("genmove")
    assert "message B A,C a word\n" in told
    assert not any("secret" in line for line in told)
    rules.session.close()


def test_an_engine_that_comes_later_is_told_what_was_said() -> None:
    rules, told = with_engine(b"")
    rules.say("say B all one", "force_play B pass", "say C A two", "set_engine A Other")

    rules.ask("A", "list_options")  # answered when all before is
    assert [line for line in told if line.startswith("message")] == 2 * ["message B A,C one\n", "message C A two\n"]
    rules.session.close()


@pytest.mark.parametrize("said", [b"send_message Nobody hello\n", b"send_message B " + b"x" * 3000 + b"\n"])
def test_what_may_not_be_said_is_dropped(said: bytes) -> None:
    rules, _ = with_engine(said)
    rules.say("genmove")

    assert rules.answer("list_messages") == "= none"
    assert rules.session.need_play().offers == {"A": "pass"}
    rules.session.close()


def test_an_engine_that_talks_without_end_is_lost() -> None:
    rules, _ = with_engine(b"send_message all la\n" * (MOST_SAID + 1))

    assert any("it talks without end" in line for line in rules.say("genmove"))
    assert len(rules.session.need_play().messages[0]) == 20
    rules.session.close()
