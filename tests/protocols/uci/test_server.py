"""Our players as UCI programs: positions, limits, infos and best moves as interfaces expect them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import Clock, Deadline, Decision, Game, MoveReport, Option, Player, Role, State, Thinking, View
from ludens.gdl.game import GdlState
from ludens.players import registry
from ludens.protocols.lent_player import LentPlayer
from ludens.protocols.uci.fen import facts_of_fen
from ludens.protocols.uci.info import info_lines, line_in_uci
from ludens.protocols.uci.limits import ENDLESS, LEAST, Limits
from ludens.protocols.uci.server import UciServer
from tests.games.shelf import shelf_game
from tests.thorough import examples


class Patient(Player):
    """Thinks until it is told to stop, if its depth is 0."""

    name = "patient"
    description = "for tests"
    options = (
        Option("depth", 0, "0 waits", 0, 100),
        Option("style", "calm", "how", choices=("calm", "wild")),
        Option("note", "", "text"),
        Option("sure", True, "yes or no"),
        Option("ponder", True, "hidden"),
    )
    live_options = frozenset({"depth"})
    starts = 0

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        self.role = role
        Patient.starts += 1

    def choose(self, view: View, deadline: Deadline) -> Decision:
        while not self.settings["depth"] and deadline.wait(0.01):
            pass
        return Decision(view.legal_moves[0], Thinking(depth=int(self.settings["depth"]), value=75.0, iterations=10))


class Silent(Patient):
    """Knows no limit, and does not report."""

    name = "silent"
    live_options = frozenset()


class Busy(Player):
    """Reports on a search that goes one ply deeper each time, and finds a mate at last."""

    name = "busy"
    description = "for tests"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        thinking = Thinking()
        depth = 0
        while deadline.wait(0.001):
            if not self.channel.wants_thinking():
                continue
            depth += 1
            line = (view.legal_moves[0],) * depth
            best = MoveReport(view.legal_moves[0], 100.0 if depth > 4 else 60.0, 10, depth > 4, line, plies=5)
            thinking = Thinking(
                iterations=1000 * depth,
                seconds=depth,
                depth=depth,
                value=best.value,
                line=line,
                moves=(best, *(MoveReport(move, 40.0, 5) for move in view.legal_moves[1:])),
                extra={"evaluated": 10 * depth, "deepest": depth + 2, "fill": 0.5},
            )
            self.publish_search(thinking, view.legal_moves)
        return Decision(view.legal_moves[0], thinking)


class Stubborn(Player):
    """Does not answer before it is told to, and may publish a move."""

    name = "stubborn"
    description = "for tests"
    options = (Option("move", "", "what it publishes"),)
    released = threading.Event()
    searches = 0

    def choose(self, view: View, deadline: Deadline) -> Decision:
        if self.settings["move"]:
            self.channel.publish(Decision(str(self.settings["move"])))
        self.released.wait(30)
        self.searches += 1
        self.channel.report(Thinking(depth=10 * self.searches))
        return Decision(view.legal_moves[0])


@pytest.fixture(autouse=True)
def _with_patient_player(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = registry.player_classes() | {kind.name: kind for kind in (Patient, Silent, Busy, Stubborn)}
    monkeypatch.setattr(registry, "player_classes", lambda: kinds)


class Interface:
    """The other side."""

    def __init__(self, player: str = "random") -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        lent = LentPlayer(player, seed=1, start_clock=5.0, log=print)
        self.server = UciServer(lambda: shelf_game("chess"), player, lent, self._lines.put, seconds=0.05)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.server.do(line)

    @property
    def state(self) -> State:
        line = self.server._line
        assert line is not None
        return line.state

    def until(self, word: str) -> list[str]:
        """The lines up to one that begins with a word."""
        found = [self._lines.get(timeout=30)]
        while not found[-1].startswith(word):
            found.append(self._lines.get(timeout=30))
        return found


@pytest.fixture
def interface() -> Iterator[Interface]:
    one = Interface()
    yield one
    one.server.close()


def test_hello_declares_the_options_of_the_player() -> None:
    one = Interface("patient:style=wild")
    one.say("uci")

    said = one.until("uciok")

    assert said[0].startswith("id name ludens patient")
    assert said[2:-1] == [
        "option name Hash type spin default 2 min 2 max 131072",
        "option name Threads type spin default 1 min 1 max 1",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 12",
        "option name UCI_AnalyseMode type check default false",
        "option name depth type spin default 0 min 0 max 100",
        "option name style type combo default wild var calm var wild",
        "option name note type string default <empty>",
        "option name sure type check default true",
    ]
    one.say("isready")
    assert one.until("readyok") == ["readyok"]
    one.server.close()


def test_a_move_is_found_in_the_position_given(interface: Interface) -> None:
    interface.say("position fen k7/8/8/8/8/8/5PPP/r5K1 w - - 0 1", "go movetime 20")
    assert interface.until("bestmove")[-1] == "bestmove (none)"

    interface.say("position fen k7/8/8/8/8/6b1/5PPP/5NKR b - - 0 1 moves g3f2", "go")
    assert interface.until("bestmove")[-1] == "bestmove g1f2"


def test_moves_are_played_on_from_the_position_before(interface: Interface) -> None:
    line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]
    for length in range(len(line) + 1):
        interface.say(f"position startpos moves {' '.join(line[:length])}")
    state = interface.state
    interface.say("ucinewgame", "position startpos", f"position startpos moves {' '.join(line)}")

    assert isinstance(state, GdlState)
    assert interface.state == state
    assert ("cell", "g", "1", "white", "king") in state.facts


@pytest.mark.parametrize(
    "position",
    [
        f"startpos moves {' '.join(['g1f3', 'g8f6', 'f3g1', 'f6g8'] * 63)}",
        "fen 7k/8/8/8/8/8/8/K5Q1 w - - 100 80",
        "fen 7k/8/8/8/8/8/8/K5Q1 w - - 99 80 moves g1g2 h8h7",
    ],
)
def test_a_draw_that_nobody_claims_is_played_on(interface: Interface, position: str) -> None:
    interface.say(f"position {position}", "go movetime 20")

    assert interface.until("bestmove")[-1] != "bestmove (none)"


def test_chess960_is_refused_with_a_sentence(interface: Interface) -> None:
    interface.say("position fen nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1")
    assert "Chess960, which is not played here" in interface.until("info string")[0]

    interface.say("go movetime 20")
    assert interface.until("bestmove") == ["bestmove (none)"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("position startpos moves e2e5", "'e2e5' cannot be played"),
        ("position fen x w - -", "is no FEN"),
        ("position", "position needs startpos or fen"),
    ],
)
def test_a_position_that_is_refused_has_no_best_move(interface: Interface, line: str, error: str) -> None:
    interface.say("position startpos moves e2e4", line)
    assert error in interface.until("info string")[0]

    interface.say("go movetime 10")
    assert interface.until("bestmove") == ["bestmove (none)"]

    interface.say("position startpos moves e2e4", "go movetime 10")
    assert interface.until("bestmove")[-1] != "bestmove (none)"


@pytest.mark.parametrize("line", ["setoption name foo value 1", "setoption"])
def test_options_that_do_not_exist_are_told(interface: Interface, line: str) -> None:
    interface.say(line)

    assert "there is no option" in interface.until("info string")[0]


def test_readyok_comes_when_both_colours_are_prepared_and_nothing_prepared_is_dropped() -> None:
    Patient.starts = 0
    one = Interface("patient")
    one.say("isready")
    one.until("readyok")
    assert Patient.starts == 2

    one.say("go depth 3", "position startpos moves e2e4", "go depth 4", "setoption name depth value 5", "go", "isready")
    one.until("readyok")
    one.say("ucinewgame", "position startpos", "go depth 3", "isready")
    one.until("readyok")
    one.server.close()

    assert Patient.starts == 2


def test_hello_is_answered_before_the_rules_are_loaded() -> None:
    loaded = threading.Event()
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def load() -> Game:
        loaded.wait(30)
        return shelf_game("chess")

    lent = LentPlayer("random", seed=1, start_clock=5.0, log=print)
    server = UciServer(load, "random", lent, lines.put, seconds=0.05)
    server.do("uci")
    server.do("isready")
    before = [lines.get(timeout=30) for _ in range(lines.qsize())]
    loaded.set()

    assert before[-1] == "uciok"
    assert lines.get(timeout=30) == "readyok"
    server.close()


@pytest.mark.parametrize(("limit", "word"), [("depth 3", " depth 3 "), ("nodes 40", " nodes 40 ")])
def test_a_search_is_stopped_where_its_reports_reach_the_limit(limit: str, word: str) -> None:
    one = Interface("busy")
    one.say(f"go {limit}")

    lines = one.until("bestmove")
    one.server.close()

    assert word in lines[-2]
    assert len([line for line in lines if line.startswith("info depth")]) >= 3


def test_a_mate_ends_the_search_for_one() -> None:
    one = Interface("busy")
    one.say("go mate 3")

    lines = one.until("bestmove")
    one.server.close()

    assert " depth 5 seldepth 7 score mate 3 nodes 50 nps 10 hashfull 500 time 5000 pv " in lines[-2]


def test_a_silent_player_without_limits_thinks_as_long_as_by_default() -> None:
    one = Interface("silent")
    one.say("go depth 7")

    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.server.close()


def test_several_lines_are_reported() -> None:
    one = Interface("busy")
    one.say("setoption name MultiPV value 3", "go depth 2")

    lines = one.until("bestmove")
    one.server.close()

    last = lines[-4:-1]
    assert [line.split("multipv ")[1].split()[0] for line in last] == ["1", "2", "3"]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


def test_only_the_moves_to_search_are_chosen_from(interface: Interface) -> None:
    for move in ("a2a3", "h2h4", "b1c3"):
        interface.say("position startpos", f"go movetime 10 searchmoves {move}")
        assert interface.until("bestmove")[-1].split()[1] == move


def test_pondering_waits_for_ponderhit_and_then_keeps_the_clock() -> None:
    one = Interface("busy")
    one.say("position startpos moves e2e4", "go ponder depth 2")
    one.until("info depth 4")  # further than the limit, which does not hold yet

    one.say("ponderhit")

    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.say("go ponder movetime 60000")
    one.until("info depth 2")
    one.say("stop")
    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.say("go ponder movetime 20", "ponderhit")
    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.server.close()


def test_infinite_search_waits_for_stop() -> None:
    one = Interface("patient:depth=1")  # has its move at once
    one.say("go infinite")
    assert one.until("info") == ["info depth 1 seldepth 1 score cp 191 nodes 10 nps 0 time 0 pv a2a3"]
    one.say("isready")
    assert one.until("readyok") == ["readyok"]

    one.say("stop")

    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.server.close()


def test_stop_ends_a_search_that_goes_on() -> None:
    one = Interface("patient")
    one.say("go infinite", "stop")

    assert one.until("bestmove")[-1].startswith("bestmove ")
    one.say("stop", "isready")
    assert one.until("readyok") == ["readyok"]
    one.server.close()


def test_another_go_ends_the_search_before() -> None:
    one = Interface("patient")
    one.say("go infinite", "go movetime 10")

    first, second = one.until("bestmove"), one.until("bestmove")
    one.server.close()

    assert first[-1].startswith("bestmove ")
    assert second[-1].startswith("bestmove ")


def test_depth_is_an_option_of_the_player_for_that_search() -> None:
    one = Interface("patient")
    one.say("go depth 7")

    assert " depth 7 " in " ".join(one.until("bestmove"))
    one.server.close()


def test_options_are_set_and_checked() -> None:
    one = Interface("patient")
    one.say("setoption name Depth value 3", "setoption name note value", "setoption name style value loud")
    assert "option 'style' is one of calm, wild, not 'loud'" in one.until("info string")[0]

    one.say("go")

    assert " depth 3 " in " ".join(one.until("bestmove"))
    one.server.close()


@pytest.mark.parametrize(
    ("words", "role", "seconds"),
    [
        ("movetime 1500", "white", 1.5),
        ("infinite", "white", ENDLESS),
        ("depth 3", "white", ENDLESS),
        ("", "white", 9.0),
        ("wtime 60250 btime 1000", "white", 2.0),
        ("wtime 1000 btime 60250", "black", 2.0),
        ("wtime 60250 btime 1000 movestogo 1", "white", 30.0),
        ("wtime 60250 winc 1000 btime 1000 binc 1000", "white", 2.0 + 0.8 * 29 / 30),
        ("wtime 300 winc 5000", "white", 0.05),
        ("wtime 100 winc 5000", "white", LEAST),
        ("wtime 1000 btime 1000 movestogo 40", "white", 0.75 / 30),
        ("wtime 0 btime 100", "white", LEAST),
        ("wtime -20 btime 100", "white", LEAST),
        ("mate 2", "white", ENDLESS),
        ("searchmoves e2e4 d2d4 movetime 500", "white", 0.5),
        ("wtime x movetime 99999999999999999999999999", "white", 1e9),
    ],
)
def test_limits(words: str, role: str, seconds: float) -> None:
    assert Limits.read(words.split()).seconds(role, 9.0) == pytest.approx(seconds)


def test_a_clock_lasts_for_many_moves_that_take_longer_than_planned() -> None:
    clock, overhead = Limits.read(["wtime", "1000", "winc", "10"]), 0.012
    left, moves = 1.0, 0
    while left > 0 and moves < 200:
        left += 0.01 - overhead - replace(clock, wtime=int(1000 * left)).seconds("white", 9.0, overhead)
        moves += 1

    assert moves == 200
    assert clock.seconds("white", 9.0) > clock.seconds("white", 9.0, overhead) > LEAST


def test_lines_of_ours_are_written_for_both_players() -> None:
    state = shelf_game("chess").state(facts_of_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"))
    line = ("(castle kingside)", "noop", "(castle queenside)")
    thinking = Thinking(depth=3, value=50.0, iterations=100, seconds=0.5, line=line)

    assert info_lines(state, thinking) == ["info depth 3 seldepth 3 score cp 0 nodes 100 nps 200 time 500 pv e1g1 e8c8"]


def test_forced_moves_that_a_search_leaves_out_are_part_of_its_line() -> None:
    state = shelf_game("chess").state(facts_of_fen("7k/8/5K2/8/8/8/8/R7 w - -"))

    assert line_in_uci(state, ("(move f 6 g 6)", "noop", "(move a 1 a 8)")) == ["f6g6", "h8g8", "a1a8"]


_WORDS = "go stop position startpos fen moves e2e4 uci isready depth 1 movetime - setoption name"
WORDS = st.sampled_from(_WORDS.split())


@examples(100)
@given(st.lists(st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=5).map(" ".join), max_size=4))
def test_any_lines_leave_the_program_answering(lines: list[str]) -> None:
    one = Interface("random")
    one.say(*(line for line in lines if "quit" not in line.split()))
    one.say("position startpos", "stop", "isready")

    assert one.until("readyok")
    one.server.close()


def test_other_games_are_refused() -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    lent = LentPlayer("random", seed=1, start_clock=1.0, log=print)
    server = UciServer(lambda: shelf_game("tic_tac_toe"), "random", lent, lines.put, seconds=1)

    assert "UCI is for chess" in lines.get(timeout=30)
    server.do("isready")
    assert lines.get(timeout=30) == "readyok"
    server.do("position startpos")
    assert "UCI is for chess" in lines.get(timeout=30)
    server.do("go")
    assert lines.get(timeout=30) == "bestmove (none)"
    server.close()


def test_a_player_in_a_file_of_the_user_plays_and_has_its_options_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from ludens.core import Decision, Option, Player\n"
        "class First(Player):\n"
        "    name, description, options = 'first', 'takes the first move', (Option('place', 0, 'which', 0, 9),)\n"
        "    def choose(self, view, deadline):\n"
        "        return Decision(sorted(view.legal_moves)[self.settings['place']])\n"
        "class Other(First):\n"
        "    name = 'other'\n"
    )
    interface = Interface(f"{path}:First:place=1")
    answers = []
    for place in (1, 0, 1):
        interface.say(f"setoption name place value {place}", "position startpos", "go movetime 60000")
        answers.append(interface.until("bestmove")[-1])
    interface.server.close()

    assert answers[0] == answers[2] != answers[1]


def test_a_late_player_answers_its_best_so_far_and_says_so() -> None:
    Stubborn.released.clear()
    one = Interface("stubborn:move=(move e 2 e 4)")
    one.say("position startpos", "go movetime 50")

    lines = one.until("bestmove")
    Stubborn.released.set()
    one.server.close()

    assert lines[-1] == "bestmove e2e4"
    assert any(line.startswith("info string the player failed (late), answered by its best so far") for line in lines)


def test_the_best_so_far_is_no_failure_where_the_interface_says_stop() -> None:
    Stubborn.released.clear()
    one = Interface("stubborn:move=(move e 2 e 4)")
    one.say("position startpos", "go infinite", "stop")

    lines = one.until("bestmove")
    Stubborn.released.set()
    one.server.close()

    assert lines[-1] == "bestmove e2e4"
    assert not [line for line in lines if "failed" in line]


def test_reports_on_a_search_that_was_answered_before_are_dropped() -> None:
    Stubborn.released.clear()
    one = Interface("stubborn:move=(move e 2 e 4)")
    one.say("position startpos", "go movetime 20")
    one.until("bestmove")

    one.say("go movetime 60000")
    Stubborn.released.set()  # for both searches
    lines = one.until("bestmove")
    one.server.close()

    assert not [line for line in lines if line.startswith("info depth 10 ")]


def test_a_random_move_is_reported() -> None:
    Stubborn.released.clear()
    one = Interface("stubborn")
    one.say("position startpos", "go movetime 50")

    lines = one.until("bestmove")
    Stubborn.released.set()
    one.server.close()

    assert any(line.startswith("info string the player failed (late), answered at random") for line in lines)
