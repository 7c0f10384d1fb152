from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludens.core import GameError
from ludens.gdl import traces
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.traces import Difference, read_trace, record_trace, replay

RULES = """
(role Left) (role right)
(init (heap 4)) (init (control Left))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p (take ?m ?n)) (true (control ?p)) (true (heap ?m)) (less ?n ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (less ?x ?y) (succ ?x ?y))
(<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))
(<= (next (heap ?n)) (does ?p (take ?m ?n)))
(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (heap 0)) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (heap 0)) (true (control ?p)))
"""
Trace = list[dict[str, Any]]


@pytest.fixture(scope="module")
def game() -> ReferenceGame:
    return ReferenceGame(read_rules(RULES), "heap")


@pytest.fixture
def trace(game: ReferenceGame) -> Trace:
    return copy.deepcopy(list(record_trace(game, playouts=3, max_steps=10, seed=1)))


def difference(game: ReferenceGame, trace: Trace) -> Difference:
    agreement = replay(game, trace)
    assert not agreement.ok
    assert agreement.first_difference is not None
    return agreement.first_difference


def is_accepted(game: ReferenceGame, trace: Trace) -> bool:
    """True if a trace agrees with the game, False if it differs or is refused."""
    try:
        return replay(game, trace).ok
    except GameError:
        return False


def test_recorded_trace_has_everything_a_reader_needs(game: ReferenceGame) -> None:
    head, first, *rest = record_trace(game, playouts=1, max_steps=10)
    assert head == {"roles": ["Left", "right"]}
    assert first["state"] == ["(control Left)", "(heap 4)"]
    assert first["legal"] == [["(take 4 0)", "(take 4 1)", "(take 4 2)", "(take 4 3)"], ["noop"]]
    assert first["moves"][0] in first["legal"][0]
    assert (first["playout"], first["step"], first["terminal"]) == (0, 0, False)
    assert rest[-1]["terminal"] is True
    assert sorted(rest[-1]["goals"]) == [0, 100]
    assert "moves" not in rest[-1]
    assert "legal" not in rest[-1]


def test_recording_is_repeatable(game: ReferenceGame) -> None:
    assert list(record_trace(game, 3, 10, seed=5)) == list(record_trace(game, 3, 10, seed=5))
    assert list(record_trace(game, 5, 10, seed=5)) != list(record_trace(game, 5, 10, seed=6))


def test_recording_stops_after_the_steps_asked_for(game: ReferenceGame) -> None:
    _, *lines = record_trace(game, playouts=4, max_steps=0)
    assert [(line["playout"], line["step"]) for line in lines] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert all("moves" not in line and len(line["legal"]) == 2 for line in lines)


def test_recording_a_game_in_which_somebody_is_stuck_is_a_clear_error() -> None:
    stuck = ReferenceGame(read_rules("(role r) (role s) (legal r go)"), "stuck")
    with pytest.raises(GameError, match="s"):
        list(record_trace(stuck, playouts=1, max_steps=5))


def test_goals_that_are_missing_or_several_are_null() -> None:
    over = ReferenceGame(read_rules("(role a) (role b) (role c) terminal (goal a 5) (goal a 6) (goal c 7)"), "over")
    lines = list(record_trace(over, 1, 5))
    assert lines[1]["goals"] == [None, None, 7]
    assert replay(over, lines).ok


def test_replay_agrees_with_what_was_recorded(game: ReferenceGame, trace: Trace) -> None:
    agreement = replay(game, trace)
    assert agreement.ok
    assert agreement.states == len(trace) - 1
    assert agreement.first_difference is None


def test_replay_reports_how_long_it_took(game: ReferenceGame, trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([10.0, 12.5])
    monkeypatch.setattr(traces, "time", SimpleNamespace(monotonic=lambda: next(readings)))

    assert replay(game, trace).seconds == 2.5


def test_replay_compares_terms_and_not_their_text(game: ReferenceGame, trace: Trace) -> None:
    for line in trace[1:]:
        line["state"] = [text.upper().replace("(", "( ").replace(")", " )") for text in reversed(line["state"])]
        line["legal"] = [[text.swapcase() for text in reversed(moves)] for moves in line.get("legal", [])]
        if "moves" in line:
            line["moves"] = [text.upper() for text in line["moves"]]
    trace[0]["roles"] = ["LEFT", "Right"]
    assert replay(game, trace).ok


def test_playout_that_was_cut_off_is_fine(game: ReferenceGame, trace: Trace) -> None:
    del trace[1]["moves"]
    second = next(number for number, line in enumerate(trace) if line.get("playout") == 1)
    assert replay(game, [trace[0], trace[1], *trace[second:]]).ok


def test_other_roles_are_found(game: ReferenceGame, trace: Trace) -> None:
    trace[0]["roles"] = ["Left", "wrong"]
    assert difference(game, trace) == Difference(0, 0, "roles", None, ("wrong",), ("right",))


def test_roles_in_another_order_are_found(game: ReferenceGame, trace: Trace) -> None:
    trace[0]["roles"] = ["right", "Left"]
    assert difference(game, trace) == Difference(0, 0, "roles", None, (), ())


def test_fluent_missing_and_fluent_too_many_are_found(game: ReferenceGame, trace: Trace) -> None:
    trace[2]["state"][0] = "(heap 77)"
    found = difference(game, trace)
    assert (found.playout, found.step, found.what, found.missing) == (0, 1, "state", ("(heap 77)",))
    assert len(found.extra) == 1


def test_other_end_is_found(game: ReferenceGame, trace: Trace) -> None:
    trace[1]["terminal"] = True
    assert difference(game, trace) == Difference(0, 0, "terminal", None, ("True",), ("False",))


@pytest.mark.parametrize(("role", "number"), [("Left", 0), ("right", 1)])
def test_other_legal_moves_are_found(game: ReferenceGame, trace: Trace, role: str, number: int) -> None:
    trace[1]["legal"][number][0] = "(jump 1)"
    found = difference(game, trace)
    assert (found.what, found.role, found.missing, len(found.extra)) == ("legal", role, ("(jump 1)",), 1)


def test_legal_moves_of_too_few_roles_are_found(game: ReferenceGame, trace: Trace) -> None:
    trace[1]["legal"].pop()
    assert difference(game, trace).what == "legal"


@pytest.mark.parametrize(("role", "number"), [("Left", 0), ("right", 1)])
def test_other_goals_are_found(game: ReferenceGame, trace: Trace, role: str, number: int) -> None:
    end = next(line for line in trace if line.get("terminal"))
    value = str(end["goals"][number])
    end["goals"][number] = 50
    found = difference(game, trace)
    assert (found.what, found.role, found.missing, found.extra) == ("goals", role, ("50",), (value,))


def test_goal_that_should_be_missing_is_found(game: ReferenceGame, trace: Trace) -> None:
    end = next(line for line in trace if line.get("terminal"))
    end["goals"][0] = None
    assert difference(game, trace).what == "goals"


def test_goals_of_too_few_roles_are_found(game: ReferenceGame, trace: Trace) -> None:
    end = next(line for line in trace if line.get("terminal"))
    end["goals"].pop()
    assert difference(game, trace).what == "goals"


def test_move_that_the_backend_refuses_is_found(game: ReferenceGame, trace: Trace) -> None:
    trace[1]["moves"][0] = "(take 4 9)"
    found = difference(game, trace)
    assert (found.playout, found.step, found.what, found.role) == (0, 0, "moves", "Left")
    assert found.missing == ("(take 4 9)",)


def test_other_move_is_found_in_the_state_after_it(game: ReferenceGame, trace: Trace) -> None:
    first = trace[1]
    first["moves"][0] = next(move for move in first["legal"][0] if move != first["moves"][0])
    found = difference(game, trace)
    assert (found.playout, found.step, found.what) == (0, 1, "state")


def test_first_difference_counts_the_states_before_it(game: ReferenceGame, trace: Trace) -> None:
    trace[-1]["state"] = []
    agreement = replay(game, trace)
    assert agreement.states == len(trace) - 1
    assert agreement.first_difference is not None
    assert agreement.first_difference.playout == 2


def test_difference_is_shown_in_one_line() -> None:
    few = Difference(2, 7, "legal", "white", ("a", "b"), ())
    many = Difference(0, 0, "state", None, (), tuple("abcdefg"))
    assert str(few) == "playout 2, step 7: legal differ for white; missing: a, b"
    assert str(many) == "playout 0, step 0: state differ; extra: a, b, c, d, e and 2 more"


def test_difference_shows_control_characters_escaped() -> None:
    assert str(Difference(0, 0, "state", None, ("\x1b[2J",), ())).isprintable()


# -- traces that are none -----------------------------------------------------------------------------------------


def written(path: Path, lines: Trace) -> Path:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz"])
def test_trace_is_read_from_a_file(tmp_path: Path, game: ReferenceGame, trace: Trace, name: str) -> None:
    found = read_trace(written(tmp_path / name, trace))
    assert found == trace
    assert replay(game, found).ok


def test_blank_lines_and_crlf_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"roles": ["r"]}\r\n\r\n  \n{"playout": 0, "step": 0, "state": [], "terminal": true}')
    assert len(read_trace(path)) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"not json",
        b'{"roles": ["r"]}\n{"playout": 0, "step"',
        b"[]",
        b"[1, 2]\n",
        b"null",
        b"{}",
        b'{"playout": 0, "step": 0, "state": []}',
        b'{"roles": ["r"]}\n{"step": 0, "state": []}',
        b'{"roles": ["r"]}\n{"playout": 0, "state": []}',
        b'{"roles": ["r"]}\n{"playout": 0, "step": 0}',
        b'{"roles": ["r"]}\n[]',
        b'{"roles": ["r"]}\n3',
        b"\xff\xfe{}",
        b"\x00" * 100,
        b"[" * 100_000,
        b'{"roles": ["r"]}\n' + b'{"a":' * 100_000,
    ],
    ids=lambda data: repr(data[:40]),
)
def test_file_that_is_no_trace_is_refused(tmp_path: Path, data: bytes) -> None:
    for name, content in (("t.jsonl", data), ("t.jsonl.gz", gzip.compress(data))):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(GameError, match="not a trace"):
            read_trace(path)


@pytest.mark.parametrize("cut", [0, 1, 5, 20, -1, -5, -9])
def test_damaged_gzip_is_refused(tmp_path: Path, trace: Trace, cut: int) -> None:
    path = written(tmp_path / "t.jsonl.gz", trace)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(GameError):
        read_trace(path)


def test_text_named_gz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.gz"
    path.write_text('{"roles": ["r"]}\n')
    with pytest.raises(GameError, match=r"t\.jsonl\.gz"):
        read_trace(path)


def test_corrupted_gzip_is_refused(tmp_path: Path, trace: Trace) -> None:
    path = written(tmp_path / "t.jsonl.gz", trace)
    data = bytearray(path.read_bytes())
    for place in range(12, len(data) - 8, 7):
        data[place] ^= 0x55
    path.write_bytes(bytes(data))
    with pytest.raises(GameError):
        read_trace(path)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jsonl", tmp_path):
        with pytest.raises(GameError, match="cannot read"):
            read_trace(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("state", ["(heap"]),
        ("state", ["a b"]),
        ("state", 7),
        ("state", [7]),
        ("state", None),
        ("state", [["heap", "4"]]),
        ("legal", [["(("], ["noop"]]),
        ("legal", 7),
        ("legal", [7, 7]),
        ("moves", ["noop"]),
        ("moves", ["(take 4 3)", "noop", "noop"]),
        ("moves", 7),
        ("moves", [7, 7]),
        ("moves", [None, None]),
        ("moves", None),
        ("playout", None),
        ("goals", 7),
        ("step", "zero"),
        ("terminal", None),
    ],
)
def test_line_of_the_wrong_form_is_a_game_error_or_a_difference(
    game: ReferenceGame, trace: Trace, key: str, value: object
) -> None:
    place = 1 if key != "goals" else next(number for number, line in enumerate(trace) if line.get("terminal"))
    trace[place][key] = value
    if key == "terminal":
        del trace[place][key]
    assert not is_accepted(game, trace)


@pytest.mark.parametrize("roles", [7, None, [7], "r", {}, [["r"]]])
def test_roles_of_the_wrong_form_are_a_game_error_or_a_difference(
    game: ReferenceGame, trace: Trace, roles: object
) -> None:
    trace[0]["roles"] = roles
    assert not is_accepted(game, trace)


def test_empty_trace_is_refused(game: ReferenceGame) -> None:
    with pytest.raises(GameError, match="roles"):
        replay(game, [])


def test_trace_that_begins_in_the_middle_is_refused(game: ReferenceGame, trace: Trace) -> None:
    with pytest.raises(GameError, match="without a move"):
        replay(game, [trace[0], *trace[2:]])


def test_trace_that_goes_on_behind_the_end_is_refused(game: ReferenceGame, trace: Trace) -> None:
    end = next(number for number, line in enumerate(trace) if line.get("terminal"))
    trace.insert(end + 1, {"playout": 0, "step": 9, "state": [], "terminal": True})
    with pytest.raises(GameError, match="without a move"):
        replay(game, trace)
