"""Every command of Tables 2 and 3, as an engine answers it."""

from __future__ import annotations

import queue
import socket
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from ludens import load
from ludens.core import Deadline, Decision, LudensError, Option, Player, View, random_joint_move
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.link import EngineLink, Lost, Warned
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.commands import TABLE_2, TABLE_3, TO_ENGINE
from ludens.protocols.ggtp.language.grammar import CommandError
from tests.protocols.ggtp.harness import query

RULES = Path(__file__).parent / "rules"


class Told:
    """An engine, and what it says."""

    def __init__(self, name: str = "legal") -> None:
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.engine = Engine(engine_class(name), self._said.put, backend="reference", seed=1)

    def ask(self, *lines: str) -> str:
        """The answer to the last of some lines."""
        answer = ""
        for line in lines:
            self.engine.do(line)
            answer = self._said.get(timeout=60)
        return answer


def playing(rule: str = "TicTacToe", player: str = "Circle") -> Told:
    told = Told()
    told.ask("connect_engine", f"set_rule {rule}", f"set_player {player}", "start")
    return told


GOOD = [
    ("connect_engine", "acknowledge"),
    ("disconnect_engine", "acknowledge"),
    ("list_options", "reply time=1, start_time=5, tables=1, ponder=off"),
    ("get_option tables", "reply 1"),
    ("get_option Height", "invalid_option_name"),
    ("list_option_choices ponder", "reply on, off"),
    ("list_option_choices Height", "invalid_option_name"),
    ("set_option tables 3", "acknowledge"),
    ("set_option tables none", "invalid_option_value"),
    ("set_option Height 3", "invalid_option_name"),
    ("start", "acknowledge"),
    ("list_possible_moves 1", "reply Cross=A1, B1, C1, A2, B2, C2, A3, B3, C3"),
    ("list_possible_moves 2", "invalid_table_number"),
    ("get_result 1", "reply unfinished"),
    ("get_result x", "invalid_table_number"),
    ("get_table 1", r"reply \n  3 . . .\n  2 . . .\n  1 . . .\n    A B C"),
    ("get_table 0", "invalid_table_number"),
    ("made_move Cross A1", "acknowledge"),
    ("illegal_move A1", "acknowledge"),
    ("illegal_move A1\tit is taken", "acknowledge"),
    ("undone_move", "acknowledge"),
    ("redone_move", "acknowledge"),
    ("set_rule GoMoku", "acknowledge"),
    ("set_rule_option starting_player Circle", "acknowledge"),
    ("set_player Cross", "acknowledge"),
    ("percept something happens", "acknowledge"),
    ("percept", "acknowledge"),
    ("rule_text (role x)\\n(role y)", "acknowledge"),
    ("possible_moves A1, B1", "acknowledge"),
    ("message Cross Circle hello", "acknowledge"),
]
"""Lines with their immediate answers."""
BAD = [
    "connect_engine now",
    "disconnect_engine now",
    "list_options all",
    "get_option",
    "list_option_choices",
    "set_option tables",
    "start now",
    "list_possible_moves",
    "get_result",
    "get_table",
    "have_to_play soon",
    "made_move Cross",
    "made_move Cross Z9",
    "illegal_move",
    "undone_move 2",
    "redone_move 2",
    "set_rule nothing",
    "set_rule_option size 3",
    "set_player Triangle",
    "message Cross Circle",
    "rule_text",
    "possible_moves",
    "dance",
]
"""Lines that end the conversation: the paper admits no malformed commands here."""


def test_the_tables_have_the_15_and_6_commands_of_the_paper() -> None:
    assert (len(TABLE_2), len(TABLE_3)) == (15, 6)


@pytest.mark.parametrize(("line", "answer"), GOOD)
def test_an_engine_answers_at_once(line: str, answer: str) -> None:
    assert playing().ask(line) == answer


def test_every_command_is_given_with_good_and_bad_arguments() -> None:
    good = {line.split()[0] for line, _ in GOOD} | {"have_to_play"}

    assert good == set(TO_ENGINE)
    assert {line.split()[0] for line in BAD} - {"dance"} == set(TO_ENGINE) - {"percept"}  # which takes anything


@pytest.mark.parametrize(
    ("said", "found", "failure"),
    [
        ("reply a, b", ("reply", "a, b"), ""),
        ("reply", ("reply", ""), ""),
        ("acknowledge", ("acknowledge", ""), ""),
        ("acknowledge that", None, "acknowledge takes no arguments"),
        ("invalid_option_name", ("invalid_option_name", ""), ""),
        ("invalid_option_name x", None, "invalid_option_name takes no arguments"),
        ("invalid_option_value", ("invalid_option_value", ""), ""),
        ("invalid_option_value x", None, "invalid_option_value takes no arguments"),
        ("invalid_table_number", ("invalid_table_number", ""), ""),
        ("invalid_table_number x", None, "invalid_table_number takes no arguments"),
        ("select_move\nreply", None, "select_move needs: select_move move"),
        ("select_move a b c\nreply", ("reply", ""), ""),
        ("send_message all", None, "send_message needs: send_message players text"),
        ("send_message all hello\nreply", ("reply", ""), ""),
        ("failed", None, "failed needs: failed reason"),
        ("failed out of memory", None, "out of memory"),
        ("reply 1\nreply 2", ("reply", "1"), "it says 'reply 2' without being asked"),
    ],
)
def test_the_rules_take_every_command_of_an_engine(said: str, found: tuple[str, str] | None, failure: str) -> None:
    ours, theirs = socket.socketpair()
    inbox = Inbox()
    link = EngineLink("Engine", ours, inbox)
    with theirs:
        theirs.settimeout(60)

        def answer_once() -> None:
            theirs.recv(100)
            theirs.sendall(said.encode() + b"\n")

        threading.Thread(target=answer_once).start()
        assert query(link, "get_option x") == found
        if failure:
            while not isinstance(inbox.get(60), Lost):
                pass
            assert link.failure == failure
        link.close()


@pytest.mark.parametrize("delay", ["", " 2.5"])
def test_select_move_comes_by_itself(delay: str) -> None:
    told = playing()
    told.ask("made_move Cross A1")

    assert told.ask(f"have_to_play{delay}") == "select_move B1"


def test_moves_taken_back_and_made_again_change_the_table() -> None:
    told = playing()
    told.ask("made_move Cross A1", "made_move Circle B1")

    assert told.ask("undone_move", "list_possible_moves 1") == "reply Circle=B1, C1, A2, B2, C2, A3, B3, C3"
    assert told.ask("redone_move", "list_possible_moves 1") == "reply Cross=C1, A2, B2, C2, A3, B3, C3"


@pytest.mark.parametrize("line", BAD)
def test_what_is_no_command_of_the_rules_is_an_error(line: str) -> None:
    with pytest.raises(CommandError):
        playing().ask(line)


def test_an_engine_guesses_tables_that_agree_with_its_own_cards() -> None:
    told = Told()
    told.ask(f"set_rule {RULES / 'high_card.py'}", "set_player Anna", "set_option tables 5", "start")
    game = load(str(RULES / "high_card.py"))
    dealt = game.initial_state().sample(random_joint_move(game.initial_state(), Random(1)), Random(1))
    told.ask(f"made_move Anna {game.initial_state().legal_moves('Anna')[0]}")
    told.ask(*(f"percept {text}" for text in dealt.percepts("Anna")), "percept")

    for table in range(1, 6):
        moves = told.ask(f"list_possible_moves {table}")
        assert set(moves.removeprefix("reply Anna=").split(", ")) == set(dealt.legal_moves("Anna"))


def test_an_engine_that_cannot_play_the_game_says_why_at_the_start() -> None:
    told = Told("neural")
    told.ask("connect_engine", "set_rule tic_tac_toe", "set_player xplayer")

    with pytest.raises(LudensError, match="compiled"):
        told.ask("start")


def test_bytes_that_are_no_text_are_an_unknown_command() -> None:
    command = [sys.executable, "-m", "ludens.protocols.ggtp.engines.engine", "legal", "reference", "1"]

    done = subprocess.run(command, check=False, input=b"connect_engine\n\xff\xfe\n", capture_output=True, timeout=60)

    assert done.stdout.decode() == "acknowledge\nfailed \ufffd\ufffd is not a command of the Rules\n"


def test_an_engine_that_was_disconnected_does_not_play() -> None:
    told = playing()
    told.ask("disconnect_engine")

    with pytest.raises(CommandError, match="disconnected"):
        told.engine.do("have_to_play")


class Stubborn(Player):
    """Publishes a move or not, and does not answer before it is told to."""

    name = "stubborn"
    description = "for tests"
    options = (Option("move", "", "what it publishes"),)
    released = threading.Event()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        if self.settings["move"]:
            self.channel.publish(Decision(str(self.settings["move"])))
        self.released.wait(30)
        return Decision(view.legal_moves[0])


@pytest.mark.parametrize(
    ("published", "warning"), [("B2", "late, answered by its best so far"), ("", "late, answered at random")]
)
def test_an_engine_is_not_late_though_its_player_is(published: str, warning: str) -> None:
    Stubborn.released.clear()
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    engine = Engine(Stubborn, said.put, backend="reference", seed=1)
    engine.set("move", published)
    for line in ("connect_engine", "set_rule TicTacToe", "set_player Cross", "start"):
        engine.do(line)
        assert said.get(timeout=60) == "acknowledge"
    engine.do("have_to_play 0.2")
    warned, selected = said.get(timeout=60), said.get(timeout=60)
    Stubborn.released.set()
    engine.close()

    assert warned.startswith(f"warn {warning}")
    assert selected == f"select_move {published}" if published else selected.startswith("select_move ")


def test_a_warning_is_shown_to_the_supervisor() -> None:
    inbox = Inbox()
    left, right = socket.socketpair()
    link = EngineLink("engine", left, inbox)
    right.sendall(b"warn late, answered at random: no answer\n")

    found = inbox.get(60)
    link.close()
    right.close()
    assert isinstance(found, Warned)
    assert found.text == "late, answered at random: no answer"
