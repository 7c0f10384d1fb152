"""Engines that talk garbage, say nothing, crash, chatter or choose what they cannot: they cost nobody else anything."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Callable

import pytest

from ludens.protocols.ggtp import questions
from ludens.protocols.ggtp.engines import link
from ludens.protocols.ggtp.engines.link import EngineError, EngineLink, Selected
from ludens.protocols.ggtp.engines.process import ProcessLink
from ludens.protocols.ggtp.inbox import Inbox
from tests.protocols.ggtp.harness import Behaviour, Rules, linked

Reaction = Callable[[socket.socket, str], None]
"""What an engine does about ``have_to_play`` and other lines."""


def engine(react: Reaction) -> Behaviour:
    """An engine that acknowledges everything but what it reacts to."""

    def behave(end: socket.socket) -> None:
        with contextlib.suppress(OSError), end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("have_to_play"):
                    react(end, line)
                else:
                    end.sendall(b"acknowledge\n")

    return behave


def playing(behaviour: Behaviour) -> Rules:
    def connect(name: str, inbox: Inbox) -> EngineLink:
        return linked(name, behaviour, inbox)

    rules = Rules(connect)
    rules.say("set_rule TicTacToe", "set_engine Cross Bad", "start", "set_option show_when_play on")
    return rules


@pytest.mark.parametrize(
    ("react", "reason"),
    [
        (lambda end, line: end.sendall(b"\x00\xff garbage\n"), "is not a command of an engine"),
        (lambda end, line: end.sendall(b"select_move\n"), "select_move needs: select_move move"),
        (lambda end, line: end.shutdown(socket.SHUT_RDWR), "it has gone"),
        (lambda end, line: end.sendall(b"acknowledge\n" * 100), "without being asked"),
        (lambda end, line: end.sendall(b"x" * (link.MAX_LINE + 70_000)), "a line of more than"),
        (lambda end, line: end.sendall(b"\n" * 10_000), "it sends blank lines without end"),
        (lambda end, line: end.sendall(b"select_move Z9\n"), "3 moves were not possible"),
        (lambda end, line: end.sendall(b"select_move Z9\n" * 11), "moves"),
    ],
)
def test_a_random_move_replaces_that_of_an_engine_that_fails(react: Reaction, reason: str) -> None:
    rules = playing(engine(react))

    said = rules.say("genmove")

    assert any(reason in line for line in said), said
    assert any(line.startswith("-> Cross plays ") for line in said), said
    assert rules.answer("play Circle " + rules.session.need_play().legal["Circle"][0]) == "= Done"


def test_a_lost_engine_can_be_replaced() -> None:
    rules = playing(engine(lambda end, line: end.shutdown(socket.SHUT_RDWR)))
    rules.say("genmove")

    assert rules.say("set_engine Cross human")[-1] == "= Done"
    assert rules.answer("get_engine Cross") == "= human"


def test_an_engine_that_answers_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "LONG_TIMES", {"connect_engine": 0.05})
    silence = threading.Event()

    def say_nothing(end: socket.socket) -> None:
        with end:
            silence.wait(20)

    rules = Rules(lambda name, inbox: linked(name, say_nothing, inbox))

    said = rules.say("set_rule TicTacToe", "set_engine Cross Silent")
    silence.set()

    assert said[-1].startswith("? Engine Silent cannot play TicTacToe: no answer to connect_engine")
    assert rules.answer("get_engine Cross") == "= human"


def test_a_silent_engine_is_late_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "GRACE", 0.0)
    asked: list[str] = []
    rules = playing(engine(lambda end, line: asked.append(line)))

    said = rules.say("set_option move_time 0.05", "genmove")

    assert "-> Bad fails (too late); a random move is made for Cross" in said
    assert asked == ["have_to_play 0.05\n"]


def test_a_game_clock_runs_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "GRACE", 0.0)
    asked: list[str] = []
    rules = playing(engine(lambda end, line: asked.append(line)))

    rules.say("set_option game_time 0.05", "genmove")
    rules.say("play Circle " + rules.session.need_play().legal["Circle"][0], "genmove")
    rules.ask("Cross", "list_options")  # once that is answered it has read the rest

    assert asked == ["have_to_play 0.05\n", "have_to_play 0\n"]


def slow_to_hear(may_hear: threading.Event, told: list[str]) -> Behaviour:
    """An engine that takes in moves only when it may, and otherwise answers at once."""

    def behave(end: socket.socket) -> None:
        with contextlib.suppress(OSError), end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                told.append(line.split()[0])
                if line.startswith("made_move"):
                    may_hear.wait(20)
                end.sendall(b"select_move C3\n" if line.startswith("have_to_play") else b"acknowledge\n")

    return behave


def test_the_supervisor_is_answered_while_an_engine_takes_in_a_move() -> None:
    may_hear, told = threading.Event(), list[str]()
    rules = playing(slow_to_hear(may_hear, told))
    for command in ("force_play Cross A1", "set_option genmove on", "play Circle B2", "get_last_move"):
        rules.supervisor.do(command)

    assert rules.lines[-1] == "= Circle B2"
    assert "have_to_play" not in told

    may_hear.set()
    rules.session.wait()

    assert rules.answer("list_played_moves") == "= Cross A1, Circle B2, Cross C3"


def test_an_engine_that_never_takes_in_a_move_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "ANSWER_TIME", 0.05)
    may_hear = threading.Event()
    rules = playing(slow_to_hear(may_hear, []))

    said = rules.say("force_play Cross A1", "play Circle B2", "genmove")
    may_hear.set()

    assert any("Bad fails (it has acknowledged nothing for 0.05 s)" in line for line in said), said
    assert rules.session.need_play().waiting_for == ["Circle"]


def test_a_move_selected_too_late_is_not_taken_for_the_next_one() -> None:
    rules = playing(engine(lambda end, line: None))
    cross = rules.session.seats.links["Cross"]
    rules.supervisor.do("genmove")
    rules.supervisor.do("set_option show_when_play off")
    rules.session.questions.excuse("Cross")  # as if its time was up

    rules.session.inbox.put(Selected(cross, "A1"))
    rules.say("force_play Cross B2", "play Circle A1")

    assert rules.answer("list_played_moves") == "= Cross B2, Circle A1"


def test_an_engine_that_cannot_be_started_is_told() -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        ProcessLink("Nobody", ["/nowhere/engine"], Inbox())


def started(program: str) -> Rules:
    """Rules whose engines are a Python program."""
    return Rules(lambda name, inbox: ProcessLink(name, [sys.executable, "-c", program], inbox))


def test_the_last_words_of_an_engine_that_fails_are_shown() -> None:
    rules = started("import sys; print(*range(10_000), sep='\\n', file=sys.stderr); sys.exit('out of \\033[31mmemory')")

    said = rules.say("set_rule TicTacToe", "set_engine Cross Bad")

    assert said[-1].startswith("? Engine Bad cannot play TicTacToe: it has gone, its last words: 9998 / 9999 / out of")
    assert "\033" not in said[-1]


def test_an_engine_that_floods_its_standard_error_is_not_held_up() -> None:
    rules = started(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('x' * 1_000_000, file=sys.stderr)\n"
        "    print('select_move A1' if line.startswith('have') else 'acknowledge', flush=True)\n"
    )

    rules.say("set_rule TicTacToe", "set_engine Cross Chatty", "start", "genmove")

    assert rules.answer("list_played_moves") == "= Cross A1"
    rules.session.close()


def test_there_is_no_such_engine() -> None:
    rules = Rules()

    said = rules.say("set_rule TicTacToe", "set_engine Cross HAL")

    assert said[-1].startswith("? No engine named HAL (engines: alphabeta, ")
