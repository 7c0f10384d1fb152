"""Ctrl-C stops what runs, at whatever moment it comes: no line is lost, and every line is answered."""

from __future__ import annotations

import threading
from collections.abc import Generator

import pytest

from ludens.core import LudensError
from ludens.protocols.ggtp.engines.link import Reply
from ludens.protocols.ggtp.handlers import COMMANDS
from ludens.protocols.ggtp.inbox import Inbox, Line
from ludens.protocols.ggtp.language.grammar import CommandError
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.steps import Ask, Task
from tests.protocols.ggtp.harness import Rules
from tests.protocols.ggtp.test_outsider import mute_at


def run_lines(rules: Rules, *texts: str) -> list[Line]:
    """Let the Rules run with typed lines."""
    lines = [Line(text) for text in texts]
    for line in lines:
        rules.session.inbox.put(line)
    rules.supervisor.run()
    return lines


@pytest.mark.parametrize("moment", range(5))
def test_ctrl_c_while_a_line_is_answered_loses_neither(moment: int) -> None:
    released = threading.Event()
    rules = mute_at("have_to_play", released)
    write = rules.session.output.local
    answers: list[str] = []

    def interrupt_at_an_answer(line: str) -> None:
        write(line)
        if line.startswith("="):
            answers.append(line)
            if len(answers) == moment + 1:
                rules.session.inbox.interrupt()

    rules.session.output.local = interrupt_at_an_answer
    texts = ["set_rule TicTacToe", "set_engine Cross Mute", "start", "genmove", "get_engine Cross", "quit"]
    rules.supervisor._waits = False
    if moment in (0, 1, 2):  # nothing runs that could be stopped, so the Rules end
        with pytest.raises(KeyboardInterrupt):
            run_lines(rules, *texts)
        assert answers == ["= Done"] * (moment + 1)
    else:
        lines = run_lines(rules, *texts)
        assert all(line.answered.is_set() for line in lines)
        assert answers == ["= Done"] * 4 + ["= Mute", "= Done"]
        assert "-> stopped; genmove goes on" in rules.lines
    released.set()
    rules.session.close()


def test_ctrl_c_comes_before_what_is_in_the_inbox_and_takes_nothing_out() -> None:
    inbox, line = Inbox(), Line("get_version")
    inbox.put(line)

    assert inbox.interrupt()
    with pytest.raises(KeyboardInterrupt):
        inbox.get(0)
    assert inbox.get(0) is line


def test_ctrl_c_that_finds_the_one_before_unnoticed_says_so() -> None:
    inbox = Inbox()

    assert [inbox.interrupt(), inbox.interrupt()] == [True, False]
    with pytest.raises(KeyboardInterrupt):
        inbox.get(0)
    assert inbox.interrupt()


def test_ctrl_c_stops_a_command_that_computes_and_the_next_line_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(session: Session) -> str:
        session.inbox.interrupt()
        raise AssertionError("it goes on")

    monkeypatch.setitem(COMMANDS, "get_version", compute)
    rules = Rules()

    lines = run_lines(rules, "get_version", "known_command play", "quit")

    assert rules.lines == ["? Stopped.", "= true", "= Done"]
    assert all(line.answered.is_set() for line in lines)


class Interrupted:
    """Steps of a command, with a Ctrl-C right after the first."""

    def __init__(self, steps: Generator[Ask, Reply | None, str], inbox: Inbox) -> None:
        self._steps = steps
        self._inbox = inbox

    def __next__(self) -> Ask:
        ask = next(self._steps)
        self._inbox.interrupt()
        return ask

    def throw(self, error: BaseException) -> Ask:
        return self._steps.throw(error)


def test_ctrl_c_between_a_step_and_its_question_ends_the_command() -> None:
    inbox, ended, errors = Inbox(), [], list[LudensError]()

    def steps() -> Generator[Ask, Reply | None, str]:
        try:
            yield Ask(None, "start")  # type: ignore[arg-type]  # nobody is asked
        except CommandError as error:
            ended.append(str(error))
            raise
        return "done"

    task = Task(Interrupted(steps(), inbox), inbox, ended.append, errors.append)  # type: ignore[arg-type]

    assert task.is_over
    assert ended == ["Stopped."]
    assert [str(error) for error in errors] == ["Stopped."]
