"""Thousands of lines with mistakes in all four directions of the protocol: no crash, no hang, nothing lost.

The number of lines is small here; ``pytest -m slow`` sends 10,000 in each direction.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from pathlib import Path

import pytest

from ludens.core import LudensError
from ludens.protocols.ggtp import questions
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.grammar import first_word
from ludens.protocols.ggtp.network.client import Connection, be_guest
from ludens.protocols.ggtp.network.hello import Hello
from ludens.protocols.ggtp.plays.play import Play
from tests.protocols.ggtp.harness import Rules, linked
from tests.protocols.ggtp.mutation import lines

COUNTS = [400, pytest.param(10_000, marks=pytest.mark.slow)]
NOT_HERE = {"quit", "shut_down", "load_file", "save_file", "close_file", "wait_for"}
"""Commands that would end the session or its file, or wait for somebody."""
CELLS = [f"{column}{row}" for column in "ABC" for row in "123"]
SUPERVISOR_LINES = [
    *(f"play {player} {cell}" for player in ("Cross", "Circle") for cell in CELLS),
    *(f"force_play {player} {cell}" for player in ("Cross", "Circle") for cell in CELLS),
    *(f"select_branch {number}" for number in range(12)),
    *(f"delete_branch {number}" for number in range(12)),
    *["undo", "redo", "genmove", "undo", "redo", "wait", "start"],
    *["name_branch 3 main", "select_branch main", "comment_branch 2 why not?\\nB2", "get_comment 2", "list_branches"],
    *["say Cross all hello, you", "say Circle Cross a\\b", "list_messages", "set_option messages on"],
    *["set_clock Cross 100 1000", "get_clock Cross", "set_used Circle 3.5", "set_option turn_limit 5"],
    *["set_option turn_limit 0", "set_option genmove off", "set_option genmove on", "set_option show_table on"],
    *["list_possible_moves", "list_possible_moves Circle 1", "get_table", "get_result Cross", "get_last_move"],
    *["list_played_moves", "list_players", "list_engines", "get_engine Cross", "set_engine Cross legal"],
    *["set_engine Cross human", "list_engine_options Cross", "set_engine_option Cross tables 2", "get_rule"],
    *[
        "set_rule_option starting_player Circle",
        "list_rule_options",
        "known_command play",
        "get_version",
        "list_guests",
    ],
]


def described(play: Play) -> object:
    """All that a play file has to keep, under numbers that count from 1."""
    number = {turn: count for count, turn in enumerate((0, *play.turns))}
    return (
        [(number[turn.parent], turn.joint_move) for turn in play.turns.values()],
        [number[turn] for turn in play.line],
        {number[turn]: name for turn, name in play.names.items()},
        {number[turn]: text for turn, text in play.comments.items()},
        {number[turn]: said for turn, said in play.messages.items() if said},
        play.offers,
    )


def assert_nothing_is_lost(rules: Rules, path: Path) -> None:
    """Reading the play file without its engines gives the same play."""
    kept = [
        line
        for line in path.read_text(encoding="utf-8").split("\n")
        if not line.startswith(("set_engine", "set_option genmove"))
    ]
    copy = path.with_name("copy.ggtp")
    copy.write_text("\n".join(kept), encoding="utf-8")
    restored = Rules()
    assert [line for line in restored.say(f"load_file {copy}") if not line.startswith(("->", "  "))] == ["= Done"]
    if rules.session.play is not None:
        assert described(restored.session.need_play()) == described(rules.session.play)


@pytest.mark.parametrize("count", COUNTS)
def test_from_the_supervisor_to_the_rules(count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "play.ggtp"
    rules = Rules()
    rules.say("set_rule TicTacToe", "start", f"save_file {path}")
    for number, line in enumerate(lines(1, count, SUPERVISOR_LINES), start=1):
        name = first_word(line)[0]
        if name in NOT_HERE or line.startswith("set_rule "):
            continue
        said = rules.say(line)
        assert len([one for one in said if one.startswith(("=", "?"))]) == (1 if name else 0), (line, said)
        if number % 100 == 0:
            assert_nothing_is_lost(rules, path)
    assert_nothing_is_lost(rules, path)
    rules.session.close()


ENGINE_LINES = [
    *["connect_engine", "list_options", "get_option tables", "list_option_choices ponder", "set_option tables 3"],
    *["set_option time 0.01", "start", "list_possible_moves 1", "get_result 1", "get_table 1", "have_to_play 0.01"],
    *(f"made_move {player} {cell}" for player in ("Cross", "Circle") for cell in CELLS),
    *["illegal_move A1\ttaken", "undone_move", "redone_move", "set_player Circle", "percept", "percept a at b"],
    *["message Cross Circle hello", "possible_moves A1, B2", "set_rule_option starting_player Circle"],
]


@pytest.mark.parametrize("count", COUNTS)
def test_from_the_rules_to_an_engine(count: int) -> None:
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    engine = Engine(engine_class("legal"), said.put, backend="reference")
    for line in ("set_rule TicTacToe", "set_player Cross", "start"):
        engine.do(line)
    for line in lines(2, count, ENGINE_LINES):
        if first_word(line)[0] not in ("set_rule", "disconnect_engine"):
            with contextlib.suppress(LudensError):
                engine.do(line)
    while not said.empty():
        said.get()
    engine.do("set_option tables 7")
    while (answer := said.get(timeout=60)).startswith("select_move"):
        pass
    engine.close()

    assert answer == "acknowledge"


ANSWERS = [
    *(f"select_move {cell}" for cell in CELLS),
    *["acknowledge", "reply 1", "reply", "invalid_option_name", "invalid_table_number", "send_message all hello"],
]


@pytest.mark.parametrize("count", COUNTS)
def test_from_an_engine_to_the_rules(count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an engine says when it has to play, a move is made, and it is in the file."""
    monkeypatch.setattr(questions, "GRACE", 0.0)
    path = tmp_path / "play.ggtp"
    source = lines(3, count, ANSWERS)

    def behave(end: socket.socket) -> None:
        with contextlib.suppress(OSError), end, end.makefile("r", encoding="utf-8") as asked:
            for line in asked:
                answer = next(source, "select_move A1") if line.startswith("have_to_play") else "acknowledge"
                end.sendall(answer.encode("utf-8", "replace") + b"\n")

    def connect(name: str, inbox: Inbox) -> EngineLink:
        return linked(name, behave, inbox)

    rules = Rules(connect)
    # an engine that answers something else than a move says nothing more, so its time has to run out
    rules.say(
        "set_rule TicTacToe", "set_option messages on", "set_option move_time 0.001", "start", f"save_file {path}"
    )
    for number in range(count):
        if rules.session.seats.engine_name("Cross") == "human" or rules.session.seats.links["Cross"].failure:
            assert rules.answer("set_engine Cross Fuzz") == "= Done"
        play = rules.session.need_play()
        before = len(play.line)
        rules.say("genmove")
        assert len(play.line) == before + 1
        if not play.state.is_terminal:
            rules.say(f"force_play Circle {play.legal['Circle'][0]}")
        if number % 50 == 0:
            assert_nothing_is_lost(rules, path)
        if play.state.is_terminal:
            rules.say("start")
    rules.session.close()


@pytest.mark.parametrize("count", COUNTS)
def test_from_the_rules_to_a_supervisor_elsewhere(count: int) -> None:
    """A guest writes whatever Rules say to it, line by line."""
    sent = [line.replace("\r", "") for line in lines(4, count, ["= Done", "-> Cross plays A1", "? No.", "  A B C"])]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            end, _ = server.accept()
            with end:
                end.recv(1_000)
                end.sendall("\n".join(["= Done", *sent, ""]).encode("utf-8"))
                end.shutdown(socket.SHUT_WR)
                while end.recv(1_000):
                    pass

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        written: list[str] = []
        connection = Connection(server.getsockname()[:2], Hello("supervisor", "Chief", "token"), None)
        be_guest(connection, lines(5, count, SUPERVISOR_LINES), written.append)
        answering.join(60)

    assert written == sent
