"""Engines from outside: a program of one's own, by process and over TCP, and engines that do not answer."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludens.cli.servers import ggtp
from ludens.protocols.ggtp.competition.game import CompetitionState
from ludens.protocols.ggtp.engines import link
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.process import ProcessLink
from ludens.protocols.ggtp.engines.registry import engine_starter
from ludens.protocols.ggtp.inbox import Inbox
from tests.processes import running
from tests.protocols.ggtp.harness import Rules, linked
from tests.protocols.ggtp.network import TOKENS, Host, hosting

OUTSIDER = Path(__file__).with_name("outsider.py")
COMMAND = f'process command="{sys.executable} {OUTSIDER}"'
GAMES = [
    "tic_tac_toe", "TicTacToe", "connect_four", "nim:2,3", "breakthrough:5", "hex:5", "go:3", "GoMoku", "pig",
    "kuhn_poker", "rock_paper_scissors", "prisoners_dilemma", "backgammon", "liars_dice", "othello",
]  # fmt: skip
"""Games of all kinds: with chance, hidden information, several movers at once, in GDL and in Python."""


def rules_with_programs() -> Rules:
    return Rules(engine_starter("reference", 1))


def players(rules: Rules) -> list[str]:
    return [pair.split("=")[0] for pair in rules.answer("list_players").removeprefix("= ").split(", ")]


@pytest.mark.parametrize("game", GAMES)
def test_a_program_of_ones_own_plays_by_process_and_by_tcp(game: str) -> None:
    with hosting() as host:
        host.rules.session.seats._connect = engine_starter("reference", 1)
        arguments = [str(host.listener.address[1]), "Far", TOKENS.by_kind["player"]]
        with running(sys.executable, str(OUTSIDER), *arguments, stdout=subprocess.DEVNULL):
            host.say("wait_for Far", f"set_rule {game}", "set_option turn_limit 12", "set_option show_when_play on")
            first, *others = players_of(host)
            said = host.say(f"set_engine {first} {COMMAND}")
            said += host.say(*(f"set_engine {role} Far" for role in others[:1]))
            said += host.say(*(f"set_engine {role} legal" for role in others[1:]))
            said += host.say("set_option genmove on", "start", "wait")

    assert not [line for line in said if line.startswith("?") or " fails " in line or " is lost" in line], said
    assert [line for line in said if " plays " in line]


def players_of(host: Host) -> list[str]:
    return [pair.split("=")[0] for pair in host.answer("list_players").removeprefix("= ").split(", ")]


def test_a_program_is_kept_in_play_files(tmp_path: Path) -> None:
    rules = rules_with_programs()
    path = tmp_path / "play.ggtp"
    rules.say("set_rule tic_tac_toe", f"set_engine oplayer {COMMAND}", f"save_file {path}", "start", "close_file")
    rules.session.close()

    assert f"set_engine oplayer {COMMAND}" in path.read_text()
    again = rules_with_programs()
    assert again.answer(f"load_file {path}") == "= Done"
    assert again.answer("get_engine oplayer") == f"= {COMMAND}"
    again.session.close()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("process", "? No command: write process command"),
        ("process command=", "? No command"),
        ('process command="no-such-program-here"', "? There is no program no-such-program-here"),
        ('process "python', "? No command: process"),
    ],
)
def test_programs_that_cannot_be_started_are_refused(text: str, error: str) -> None:
    rules = rules_with_programs()
    rules.say("set_rule TicTacToe")

    assert rules.answer(f"set_engine Cross {text}").startswith(error)


def test_remote_supervisors_start_no_programs() -> None:
    with hosting() as host:
        host.say("set_rule TicTacToe")
        anna = host.connect("supervisor", "Anna")

        assert anna.say(f"set_engine Cross {COMMAND}").startswith("? Programs are only for the Supervisor at")


def recording(told: list[str], wanted: bytes) -> Rules:
    def behave(end: socket.socket) -> None:
        with end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                told.append(line)
                if line.startswith("connect_engine"):
                    end.sendall(b"capabilities " + wanted + b"\n")
                end.sendall(b"select_move (mark 1 1)\n" if line.startswith("have_to_play") else b"acknowledge\n")

    def connect(name: str, inbox: Inbox) -> EngineLink:
        return linked(name, behave, inbox)

    return Rules(connect)


def test_an_engine_gets_what_it_asks_for() -> None:
    told: list[str] = []
    rules = recording(told, b"rules, possible_moves")
    rules.say("set_rule tic_tac_toe", "set_engine xplayer Any", "start", "genmove")
    rules.session.close()

    (text,) = [line for line in told if line.startswith("rule_text ")]
    assert "(role xplayer)" in text
    assert "\\n" in text
    assert [line for line in told if line.startswith("possible_moves (mark 1 1), (mark 1 2)")]

    plain: list[str] = []
    rules = recording(plain, b"nothing")
    rules.say("set_rule tic_tac_toe", "set_engine xplayer Any", "start", "genmove")
    rules.session.close()
    assert not [line for line in plain if line.startswith(("rule_text", "possible_moves"))]


def mute_at(command: str, released: threading.Event, move: str = "A1") -> Rules:
    """Rules whose engine answers nothing from a command on, until it is released."""

    def behave(end: socket.socket) -> None:
        with contextlib.suppress(OSError), end, end.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith(command):
                    released.wait(60)
                end.sendall(f"select_move {move}\n".encode() if line.startswith("have_to_play") else b"acknowledge\n")

    def connect(name: str, inbox: Inbox) -> EngineLink:
        return linked(name, behave, inbox)

    return Rules(connect)


def test_the_rules_go_on_while_an_engine_is_silent_at_the_start() -> None:
    released = threading.Event()
    rules = mute_at("start", released)
    rules.give("set_rule TicTacToe", "set_engine Cross Mute", "start", "get_rule", "set_option genmove on")
    assert rules.lines == ["= Done", "= Done", "= Done", "= TicTacToe", "= Done"]
    assert not released.is_set()

    released.set()
    rules.say("wait")

    assert rules.answer("get_last_move") == "= Cross A1"
    rules.session.close()


def test_an_engine_that_is_silent_at_the_end_keeps_nobody_waiting() -> None:
    released = threading.Event()
    rules = mute_at("disconnect_engine", released)
    rules.say("set_rule TicTacToe", "set_engine Cross Mute")

    assert rules.answer("set_engine Cross human") == "= Done"
    assert not released.is_set()
    released.set()
    rules.session.close()


def test_others_are_answered_while_an_engine_does_not_connect() -> None:
    released = threading.Event()
    silent = mute_at("connect_engine", released, "B1")
    with hosting() as host:
        host.rules.session.seats._connect = silent.session.seats._connect
        anna, bert = host.connect("supervisor", "Anna"), host.connect("supervisor", "Bert")
        host.say("set_rule TicTacToe")
        anna.connection.send("set_engine Circle Mute")

        assert host.answer("get_rule") == "= TicTacToe"
        assert bert.say("start") == "= Done"
        assert bert.say("play Cross A1") == "= Done"
        assert bert.say("set_engine Cross human") == "= Done"
        assert host.answer("list_players") == "= Cross=human, Circle=human"
        assert not released.is_set()

        released.set()
        assert anna.until(("=", "?"))[-1] == "= Done"
        assert host.answer("list_players") == "= Cross=human, Circle=Mute"
        assert host.answer("genmove", "wait", "get_last_move") == "= Circle B1"


def test_answers_about_engines_come_when_each_engine_answers() -> None:
    """Of two questions the one that was asked first is answered last, if its engine is the slower one."""
    slow, quick = threading.Event(), threading.Event()
    with hosting() as host:
        host.rules.session.seats._connect = lambda name, inbox: {
            "Slow": mute_at("list_options", slow, "B1"),
            "Quick": mute_at("list_options", quick),
        }[name].session.seats._connect(name, inbox)
        anna, bert = host.connect("supervisor", "Anna"), host.connect("supervisor", "Bert")
        host.say("set_rule TicTacToe", "set_engine Cross Slow", "set_engine Circle Quick", "start")
        anna.connection.send("list_engine_options Cross")
        bert.connection.send("list_engine_options Circle")

        quick.set()
        assert bert.until(("=", "?"))[-1].startswith("=")
        assert host.answer("force_play Cross A1", "get_last_move") == "= Cross A1"
        assert not slow.is_set()
        slow.set()
        assert anna.until(("=", "?"))[-1].startswith("=")


def test_an_engine_that_is_ready_too_late_is_let_go() -> None:
    released = threading.Event()
    asked = threading.Event()
    silent = mute_at("connect_engine", released)

    def connect(name: str, inbox: Inbox) -> EngineLink:
        asked.set()
        return silent.session.seats._connect(name, inbox)

    with hosting() as host:
        host.rules.session.seats._connect = connect
        anna = host.connect("supervisor", "Anna")
        host.say("set_rule TicTacToe")
        anna.connection.send("set_engine Circle Mute")
        assert asked.wait(60)

        host.say("set_rule connect_four")
        released.set()

        assert anna.until(("=", "?"))[-1].startswith("? Engine Mute was ready too late")
        assert host.answer("list_players") == "= red=human, black=human"


def test_an_interrupt_stops_a_command_that_waits_for_an_engine() -> None:
    released = threading.Event()
    rules = mute_at("connect_engine", released)
    rules.say("set_rule TicTacToe")
    rules.supervisor.do("set_engine Cross Mute")
    before = list(rules.lines)

    assert rules.session.interrupt()
    assert before == ["= Done"]
    assert rules.lines == ["= Done", "? Stopped.", "-> stopped; genmove goes on"]
    assert rules.answer("get_engine Cross") == "= human"
    released.set()
    rules.session.close()


def test_an_engine_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(link.LONG_TIMES, "connect_engine", 0.05)
    released = threading.Event()
    rules = mute_at("connect_engine", released)
    rules.say("set_rule TicTacToe")

    assert rules.answer("set_engine Cross Mute").startswith("? Engine Mute cannot play TicTacToe: no answer to connect")
    released.set()
    rules.session.close()


def test_an_impossible_move_gives_no_more_time() -> None:
    rules = mute_at("nothing", threading.Event())
    rules.say("set_rule TicTacToe", "set_engine Circle Mute", "set_clock Circle 60 0", "start", "play Cross A1")
    play, questions = rules.session.need_play(), rules.session.questions
    questions.clocks.add("Circle", 45.0)

    assert questions.delay(play, "Circle") == pytest.approx(15.0, abs=1)
    questions.clocks.add("Circle", 45.0)
    assert questions.delay(play, "Circle") == 0.0
    said = rules.say("genmove")
    assert any("Circle" in line and "a random move is made" in line for line in said), said
    rules.session.close()


def test_players_with_the_same_rank_share_their_points() -> None:
    rules = Rules()
    rules.say("set_rule tournament", "set_rule_option players Anna, Bert, Carl", "set_rule_option repetitions 1")
    rules.say("start")
    winners = {frozenset({"Anna", "Bert"}): "Bert", frozenset({"Anna", "Carl"}): "Anna"}
    while not (state := rules.session.need_play().state).is_terminal:
        assert isinstance(state, CompetitionState)
        match = state.due[0]
        winner = winners.get(frozenset(match.seats), "Carl")
        goals = " ".join("100" if seat == winner else "0" for seat in match.seats)
        rules.say(f"force_play {match.seats[0]} {match.name} {goals}")

    assert state.goals == {"Anna": 50, "Bert": 50, "Carl": 50}
    assert str(state).count(" 1. ") == 3
    rules.session.close()


def test_an_interrupt_stops_what_runs_and_the_engines_stay() -> None:
    released = threading.Event()
    rules = mute_at("have_to_play", released)
    rules.give("set_rule TicTacToe", "set_engine Cross Mute", "start", "genmove")
    rules.settle()

    assert rules.session.interrupt()
    assert rules.lines[-1] == "-> stopped; genmove goes on"
    assert not rules.session.interrupt()
    released.set()
    assert rules.say("get_engine Cross")[-1] == "= Mute"
    rules.session.close()


def test_engines_are_in_a_session_of_their_own() -> None:
    """Ctrl-C at the terminal goes to all processes of its session."""
    rules = rules_with_programs()
    rules.say("set_rule TicTacToe", f"set_engine Cross {COMMAND}")
    seated = rules.session.seats.links["Cross"]
    assert isinstance(seated, ProcessLink)

    assert os.getsid(seated._process.pid) == seated._process.pid != os.getsid(0)
    rules.session.close()


def test_refused_tries_are_marked_among_the_moves() -> None:
    rules = Rules()
    rules.say("set_rule phantom_go:5", "start", "play Black C3")
    rules.say("play White C3")

    assert "White C3 (refused)" in rules.answer("list_played_moves")
    rules.session.close()


def test_news_leave_what_is_being_typed_in_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    show = ggtp._writer()
    monkeypatch.setattr(ggtp, "_typed_so_far", lambda: "play Cross A")

    show("-> Circle plays B2")

    shown = capsys.readouterr().out
    assert shown.startswith("\r\x1b[K")
    assert shown.endswith("ggtp> play Cross A")
