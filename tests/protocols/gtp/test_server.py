"""Our players as GTP programs: the protocol as its specification has it, and games between two of them."""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludens
from ludens.core import Deadline, GameError
from ludens.core.program import Program
from ludens.games.tabletop.go import LETTERS
from ludens.protocols.ggtp.rules import choose_rule
from ludens.protocols.gtp.boards import VertexError
from ludens.protocols.gtp.choose_board import board_of
from ludens.protocols.gtp.client import ask
from ludens.protocols.gtp.clock import GtpClock
from ludens.protocols.gtp.handicap import fixed_handicap
from ludens.protocols.gtp.server import GtpServer
from ludens.protocols.lent_player import LentPlayer
from tests.peers import peer
from tests.thorough import examples


def server(game: str = "go:5", player: str = "random") -> GtpServer:
    lent = LentPlayer(player, seed=1, start_clock=5.0, log=print)
    return GtpServer(choose_rule(game, "reference"), lent, name="ludens random", seconds=0.05)


def said(one: GtpServer, *lines: str) -> list[str]:
    return [(one.answer(line) or "").removesuffix("\n\n") for line in lines]


def test_administrative_commands() -> None:
    one = server()

    assert said(one, "protocol_version", "name", "version") == ["= 2", "= ludens random", f"= {ludens.__version__}"]
    assert said(one, "known_command genmove", "known_command no_such") == ["= true", "= false"]
    commands = said(one, "list_commands")[0].removeprefix("= ").split("\n")
    assert {"quit", "boardsize", "clear_board", "komi", "play", "genmove", "undo", "final_score"} <= set(commands)
    assert all(said(one, f"known_command {command}") == ["= true"] for command in commands)
    assert not one.finished
    assert said(one, "quit") == ["="]
    assert one.finished


def test_numbers_comments_tabs_and_control_characters() -> None:
    assert said(server(), "7 protocol_version # why", "\x01name\x7f\r", "12\tplay\tb\tA1", "# only", "", "9") == [
        *("=7 2", "= ludens random", "=12"),
        *("", "", ""),
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("no_such", "? unknown command"),
        ("play b", "? syntax error: play takes other arguments"),
        ("name x", "? syntax error: name takes other arguments"),
        ("boardsize 25", "? unacceptable size"),
        ("boardsize x", "? syntax error: x is not a whole number"),
        ("komi nan", "? syntax error: nan is not a komi"),
        ("play red a1", "? invalid color red"),
        ("play b i1", "? i1 is not a point of a board of size 5"),
        ("undo", "? cannot undo"),
        ("fixed_handicap 2", "? invalid number of stones"),
        ("set_free_handicap A1", "? invalid coordinate"),
        ("time_left green 1 1", "? invalid color green"),
    ],
)
def test_errors(line: str, answer: str) -> None:
    assert said(server(), line) == [answer]


def test_moves_are_played_taken_back_and_refused() -> None:
    one = server()

    assert said(one, "play B c3", "play w C3", "play white pass") == ["=", "? illegal move", "="]
    assert said(one, "undo", "undo", "undo") == ["=", "=", "? cannot undo"]
    assert "X" not in said(one, "showboard")[0]


def test_a_colour_that_moves_twice_is_passed_for_and_both_go_with_one_undo() -> None:
    one = server()

    assert said(one, "play b a1", "play b b1", "play w c3") == ["=", "=", "="]
    assert said(one, "undo", "undo") == ["=", "="]
    assert said(one, "showboard")[0].count("X") == 1


def test_a_game_goes_on_after_passes_and_whoever_is_asked_moves() -> None:
    one = server()

    assert said(one, "play b pass", "play b a1", "play w pass", "play b pass") == ["="] * 4
    assert said(one, "play w c3", "play b pass", "play w pass", "play w b3") == ["="] * 4
    assert said(one, "showboard")[0].count("O") == 2
    assert said(one, "play w c3", "undo", "showboard")[0] == "? illegal move"
    assert said(server(), "genmove w")[0] not in ("= pass", "=")
    assert said(server(), "play b pass", "play w pass", "genmove b")[2].startswith("= ")


def test_board_size_and_komi_are_options_of_the_rule() -> None:
    one = server()

    assert said(one, "boardsize 7", "komi 2.5", "play b d4", "komi -0.5", "final_score") == ["="] * 4 + ["= B+49.5"]
    assert said(one, "clear_board", "final_score") == ["=", "= B+0.5"]
    assert said(one, "komi 0", "final_score") == ["=", "= 0"]


DEAD_INVADER = [f"play b {point}" for point in ["A4", "B4", "C4", "D4", "E4", "F4", "G4", "B2", "E2"]]
DEAD_INVADER += [f"play w {point}" for point in ["A5", "B5", "C5", "D5", "E5", "F5", "G5", "B7", "E7", "C2"]]


def test_dead_stones_are_judged_by_playouts() -> None:
    one = server("go:7")
    said(one, "komi 0.5", *DEAD_INVADER)

    assert said(one, "final_status_list dead") == ["= C2"]
    alive = said(one, "final_status_list alive")[0].removeprefix("= ").split("\n")
    assert sorted(len(chain.split()) for chain in alive) == [1, 1, 1, 1, 7, 7]
    assert said(one, "final_status_list seki", "final_status_list odd")[0] == "="
    assert said(one, "final_score") == ["= B+6.5"]
    assert said(one, "kgs-genmove_cleanup b")[0].removeprefix("= ") in ("C1", "C3", "D2")
    assert said(one, "play b c1", "play b c3", "play b d2").count("=") >= 2
    assert said(one, "final_status_list dead", "kgs-genmove_cleanup b") == ["=", "= pass"]


def test_resigning_ends_the_score() -> None:
    one = server()

    assert said(one, "play b c3", "play w resign", "final_score") == ["=", "=", "= B+R"]
    assert said(one, "undo", "final_score")[1] == "= B+17.5"
    lent = LentPlayer("mcts:iterations=20", seed=1, start_clock=60.0, log=print)
    sure = GtpServer(choose_rule("go:5", "reference"), lent, name="x", seconds=60, resign_below=99.9)
    assert said(sure, "genmove b") == ["= resign"]
    sure.close()


def lent_mcts() -> LentPlayer:
    return LentPlayer("mcts", seed=1, start_clock=1.0, log=print)


def test_records_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[7]KM[0.5]AB[aa][gg:gg]AW[ga]PL[W]C[a \\] b];W[dd];B[];W[cc](;B[bb])(;B[cb]))")
    one = server()

    assert said(one, f"loadsgf {path}") == ["="]
    shown = said(one, "showboard")[0]
    assert (shown.count("X"), shown.count("O")) == (3, 3)
    assert said(one, f"loadsgf {path} 2") == ["="]
    shown = said(one, "showboard")[0]
    assert (shown.count("X"), shown.count("O")) == (2, 2)
    assert said(one, f"loadsgf {path} 1", "undo") == ["=", "? cannot undo"]
    assert said(one, f"loadsgf {tmp_path / 'none.sgf'}") == ["? cannot load file: No such file or directory"]
    path.write_text("no record")
    assert said(one, f"loadsgf {path}") == ["? a game record begins with (;"]
    assert said(server("hex"), f"loadsgf {path}")[0].startswith("? ")


@pytest.mark.parametrize(
    ("record", "black", "white"),
    [
        ("(;SZ[9]AB[aa:cc];AE[bb]AW[ee];B[gg])", 9, 1),
        ("(;SZ[9]HA[2]AB[cg][gc];W[ee];B[cc])", 3, 1),
        ("(;SZ[9];B[ee];W[tt];B[];W[cc])", 1, 1),
        ("(;SZ[9];B[ee];B[cc];W[gg])", 2, 1),
        ("(;SZ[9];B[ee](;W[gc];B[cc])(;W[cc](;B[gg])(;B[cg])))", 2, 1),
        ("(;GaMe[1]SiZe[9];Black[ee];White[cc])", 1, 1),
        ("Saved by a program (version 2)\r\n(\r\n;SZ[9]\r\n;B[ee]\r\n;W[cc])", 1, 1),
        ("\ufeff(;SZ[9]PB[中村]C[a\\]b;B[aa\\]];B[ee]C[(;W[aa\\])];W[cc])", 1, 1),
        ("(;SZ[9];B[ba];W[aa];B[ab])", 2, 0),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_records_of_many_kinds_are_loaded(tmp_path: Path, record: str, black: int, white: int, encoding: str) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(record.encode(encoding, errors="replace") + b"\xe9")
    one = server()

    assert said(one, f"loadsgf {path}") == ["="]

    shown = said(one, "showboard")[0]
    assert (shown.count("X"), shown.count("O")) == (black, white)


@pytest.mark.parametrize(
    "record",
    [
        "", "hello", "(" * 10_000, "(;SZ[9];B[ee];W[cc", "(;SZ[9];B[zz])", "(;SZ[9];B[ee];W[ee])", "(;SZ[99];B[ee])",
        "(;SZ[9:13];B[ee])", "(;GM[2]SZ[8];B[ee])", "(;SZ[9]AB[aa]AW[aa])", "(;SZ[9]AB[ba][ab];W[aa])",
        "(;SZ[9];B[ee];AB[cc])", "(;SZ[9];B[ee];AE[ee])",
    ],
)  # fmt: skip
def test_records_that_are_refused_leave_the_board_as_it_was(tmp_path: Path, record: str) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(record)
    one = server()
    said(one, "boardsize 5", "play b C3")
    before = said(one, "showboard")

    assert said(one, f"loadsgf {path}")[0].startswith("? ")

    assert said(one, "showboard") == before
    assert said(one, "undo", "undo") == ["=", "? cannot undo"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("kgs-time_settings none", "="),
        ("kgs-time_settings absolute 300", "="),
        ("kgs-time_settings byoyomi 300 30 5", "="),
        ("kgs-time_settings canadian 300 300 25", "="),
        ("gogui-play_sequence b a1 w b2 b pass", "="),
        ("gogui-play_sequence b a1 w a1", "? illegal move"),
        ("gogui-play_sequence b", "? syntax error: a colour and a point for each move"),
    ],
)
def test_commands_of_kgs_and_gogui(line: str, answer: str) -> None:
    assert said(server(), line) == [answer]


def test_kgs_clocks_and_analyses() -> None:
    one = server()

    assert said(one, "kgs-time_settings odd 3")[0].startswith("? syntax error: none, absolute")
    assert float(said(one, "cputime")[0].removeprefix("= ")) > 0
    for line in said(one, "gogui-analyze_commands")[0].removeprefix("= ").split("\n"):
        kind, label, command = line.split("/")
        assert kind
        assert label
        assert said(one, f"known_command {command.split()[0]}") == ["= true"]


def test_an_analysis_goes_on_until_the_next_command() -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    one = GtpServer(choose_rule("go:5", "reference"), lent_mcts(), name="x", seconds=0.2, write=lines.put)

    assert one.answer("7 lz-analyze b 1") is None
    assert lines.get(timeout=60) == "=7\n"
    info = lines.get(timeout=60).split()
    assert info[:2] == ["info", "move"]
    assert {"visits", "winrate", "prior", "lcb", "order", "pv"} <= set(info)
    assert one.answer("8 name") == "=8 x\n\n"
    found = [lines.get(timeout=60)]
    while found[-1] != "\n":
        found.append(lines.get(timeout=60))

    assert one.answer("lz-genmove_analyze w 1") is None
    while not (last := lines.get(timeout=60)).startswith("play "):
        pass
    assert last.endswith("\n\n")
    assert said(one, "undo", "undo") == ["=", "? cannot undo"]
    one.close()


def test_handicaps_are_those_of_the_specification() -> None:
    assert fixed_handicap(19, 2) == ("D4", "Q16")
    assert fixed_handicap(9, 5) == ("C3", "G7", "C7", "G3", "E5")
    assert set(fixed_handicap(13, 9)) == {"D4", "K10", "D10", "K4", "D7", "K7", "G4", "G10", "G7"}
    assert fixed_handicap(8, 5) == fixed_handicap(6, 2) == fixed_handicap(19, 10) == ()
    one = server("go:9")
    assert said(one, "place_free_handicap 3", "fixed_handicap 2") == ["= C3 G7 C7", "? board not empty"]
    assert said(one, "undo", "play b pass", "fixed_handicap 2") == ["=", "=", "= C3 G7"]
    assert said(one, "play w e5") == ["="]
    assert said(server(), "set_free_handicap a1 b2", "set_free_handicap a1 a1") == ["= a1 b2", "? invalid coordinate"]


@pytest.mark.parametrize("game", ["go:5", "hex"])
def test_two_programs_agree_on_every_move_to_the_end(game: str) -> None:
    programs = {"b": server(game), "w": server(game, "legal")}
    colour, moves = "b", 0

    while not programs["b"]._line.state.is_terminal and moves < 400:
        other = "w" if colour == "b" else "b"
        vertex = said(programs[colour], f"genmove {colour}")[0].removeprefix("= ")
        assert said(programs[other], f"play {colour} {vertex}") == ["="]
        colour, moves = other, moves + 1

    scores = {said(one, "final_score")[0] for one in programs.values()}
    assert len(scores) == 1
    assert scores.pop()[2:4] in ("B+", "W+")


@peer("gnugo")
def test_gnugo_takes_our_moves_and_we_take_its() -> None:
    one = server("go:7")
    other = Program("gnugo --mode gtp --level 1 --chinese-rules --positional-superko --never-resign")
    deadline = Deadline(60)
    for command in ("boardsize 7", "clear_board", "komi 7.5"):
        ask(other, command, deadline)

    for _ in range(25):
        vertex = said(one, "genmove b")[0].removeprefix("= ")
        ask(other, f"play b {vertex}", deadline)  # raises if it is refused
        vertex = ask(other, "genmove w", deadline)
        assert said(one, f"play w {vertex}") == ["="]
        if one._line.state.is_terminal:
            break
    other.close("quit")


def test_reg_genmove_changes_nothing() -> None:
    one = server()

    assert said(one, "reg_genmove b")[0] != "="
    assert said(one, "undo") == ["? cannot undo"]


def test_hex_has_one_size_no_komi_and_an_i() -> None:
    one = server("hex")

    assert said(one, "boardsize 11", "boardsize 9", "komi 5", "play b i9") == ["? unacceptable size", "=", "=", "="]
    assert said(one, "final_score", "play b a1") == [
        "? nobody has won yet",
        "? illegal move: it is the turn of white",
    ]


def test_black_wins_hex_from_top_to_bottom() -> None:
    one = server("hex")
    for row in range(1, 9):
        assert said(one, f"play b e{row}", f"play w a{row}") == ["=", "="]

    assert said(one, "play b e9", "final_score", "genmove w") == ["=", "= B+", "= resign"]


def test_gtp_is_for_go_and_hex() -> None:
    for name in ("connect_four", "phantom_go", "gomoku"):
        with pytest.raises(GameError, match="GTP is for Go and Hex"):
            board_of(ludens.load(name, backend="auto" if name == "phantom_go" else "reference"))


@pytest.mark.parametrize("game", ["go", "hex"])
def test_all_moves_have_a_vertex_of_their_own(game: str) -> None:
    board = board_of(ludens.load(game, backend="auto" if game == "go" else "reference"))
    first = board.game.initial_state()
    moves = first.legal_moves(board.game.roles[0])

    vertices = {board.vertex(move) for move in moves}

    assert len(vertices) == len(moves)
    assert {board.move(vertex.upper()) for vertex in vertices} == set(moves)
    for wrong in ("", "A", "A0", "A10", "Z1", "A1 ", "A²"):
        with pytest.raises(VertexError):
            board.move(wrong)


def test_letters_of_go_have_no_i() -> None:
    assert "I" not in LETTERS


def test_time_for_a_move() -> None:
    assert GtpClock(3.0).seconds("black", 9) == 3.0
    assert GtpClock(3.0, 0, 10, 0).seconds("black", 9) == 3.0
    assert math.isclose(GtpClock(3.0, 0, 10, 5).seconds("black", 9), 1.8)
    assert math.isclose(GtpClock(3.0, 270, 0, 0).seconds("black", 9), 9.0)
    late = GtpClock(3.0, 270, 0, 0)
    late.set_left("black", 27, 0)
    assert math.isclose(late.seconds("black", 9), 0.9)
    assert math.isclose(late.seconds("white", 9), 9.0)
    late.set_left("black", 0, 0)
    assert 0 < late.seconds("black", 9) < 0.1


def test_time_is_counted_where_the_controller_does_not_tell_it() -> None:
    clock = GtpClock(3.0, 270, 10, 2)
    clock.spend("black", 243.0)
    assert math.isclose(clock.seconds("black", 9), 0.9 * 5)  # a period is 10 s for 2 stones
    assert math.isclose(clock.seconds("white", 9), 9.0)
    clock.spend("black", 30.0)
    assert math.isclose(clock.seconds("black", 9), 0.9 * 10 / 2)
    clock.spend("black", 8.0)
    assert math.isclose(clock.seconds("black", 9), 0.9 * 2)
    clock.spend("black", 1.0)
    assert math.isclose(clock.seconds("black", 9), 0.9 * 10 / 2)
    clock.set_left("black", 4, 2)
    assert math.isclose(clock.seconds("black", 9), 0.9 * 2)
    assert math.isclose(clock.restarted().seconds("black", 9), 9.0)

    sudden = GtpClock(3.0, 270)
    sudden.spend("black", 300.0)
    assert 0 < sudden.seconds("black", 9) < 0.1
    without = GtpClock(3.0)
    without.spend("black", 9.0)
    assert without.seconds("black", 9) == 3.0


def test_moves_use_up_the_time_and_a_new_game_has_all_of_it() -> None:
    one = server()
    said(one, "time_settings 100 0 0", "genmove b")
    assert one._clock.seconds("black", 5) < one._clock.seconds("white", 5)

    assert said(one, "clear_board") == ["="]

    assert one._clock.seconds("black", 5) == one._clock.seconds("white", 5) == pytest.approx(9.0)


def sequences(count: int) -> Iterator[list[str]]:
    """Command sequences of the kinds that Sabaki and GoGui send: a start, then playing, taking back and asking."""
    rng = Random(7)
    points = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    start = ["name", "version", "protocol_version", "list_commands", "boardsize 5", "clear_board", "komi 6.5"]
    kinds: list[Callable[[], str]] = [
        lambda: f"play {rng.choice('bwBW')} {rng.choice([*points, 'pass'])}",
        lambda: f"play {rng.choice(['black', 'white'])} {rng.choice(points).lower()}",
        lambda: f"genmove {rng.choice('bw')}",
        lambda: f"reg_genmove {rng.choice('bw')}",
        lambda: "undo",
        lambda: "showboard",
        lambda: f"time_left {rng.choice('bw')} {rng.randrange(100)} {rng.randrange(5)}",
        lambda: "time_settings 60 10 5",
        lambda: f"kgs-time_settings {rng.choice(['none', 'absolute 60', 'byoyomi 60 10 3', 'canadian 60 30 5'])}",
        lambda: f"final_status_list {rng.choice(['dead', 'alive', 'seki'])}",
        lambda: "final_score",
        lambda: f"known_command {rng.choice(['lz-analyze', 'gogui-setup', 'play'])}",
        lambda: "gogui-analyze_commands",
        lambda: f"gogui-play_sequence b {rng.choice(points)} w {rng.choice(points)}",
        lambda: f"lz-analyze {rng.choice('bw')} 1",
        lambda: f"komi {rng.choice(['0', '5.5', '7.5'])}",
        lambda: "clear_board",
        lambda: f"kgs-genmove_cleanup {rng.choice('bw')}",
        lambda: "fixed_handicap 2",
        lambda: "set_free_handicap B2 D4",
        lambda: "cputime",
    ]
    for _ in range(count):
        yield [*start, *(rng.choice(kinds)() for _ in range(rng.randrange(5, 20))), "showboard"]


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_sequences_of_interfaces_are_answered_and_the_board_is_what_was_played(count: int) -> None:
    lines: list[str] = []
    lent = LentPlayer("random", seed=1, start_clock=1.0, log=print)
    one = GtpServer(choose_rule("go:5", "auto"), lent, name="x", seconds=0.02, write=lines.append)
    refusals = set()
    for sequence in sequences(count):
        for line in sequence:
            answer = one.answer(line)
            if line.startswith("lz-analyze"):
                assert answer is None
                continue
            assert answer is not None
            assert answer.endswith("\n\n")
            assert "\n\n" not in answer[:-2]
            if answer.startswith("?"):
                refusals.add(answer.strip())
        shown = (one.answer("showboard") or "").count("X")
        stones = (one.answer("final_status_list alive") or "") + (one.answer("final_status_list dead") or "")
        black = [chain for role, chain, _ in one._go.chains(one._line.state) if role == "Black"]
        assert shown == sum(map(len, black))
        assert all(stone in stones for chain in black for stone in chain)
    one.close()

    assert refusals == {"? illegal move", "? cannot undo", "? board not empty", "? invalid number of stones"}


WORDS = st.sampled_from(
    [*["bw1", "7", "19"], "play", "genmove", "pass", "a1", "c3", "undo", "komi", "boardsize", "b", "black", "#", "\t"]
)


@examples(200)
@given(st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=4).map(" ".join))
def test_any_line_is_answered_in_one_block(line: str) -> None:
    answer = SHARED.answer(line.replace("\n", " ").replace("\r", " "))

    assert answer is None or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2])


SHARED = server("go:3")
