from __future__ import annotations

import json
import math
import os
import threading
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import ludens
from ludens.core import Clock, Deadline, Decision, Game, LudensError, Player, Thinking, View
from ludens.players import make_player
from ludens.referee import Match, MatchEnded, RecordWriter
from ludens.referee.reading import Record, RecordedTurn, read_record
from ludens.referee.verify import verify
from tests.referee.games import Buzzer, Dice
from tests.referee.players import Script, Scripted, always, talk_and
from tests.thorough import examples

CLOCK = Clock(play=20.0, start=20.0)
GAME = ludens.load("tic_tac_toe", backend="reference")


def recorded(folder: Path, game: Game, *players: Player, clock: Clock = CLOCK, **how: Any) -> Path:
    writer = RecordWriter(folder, "0.0")
    for event in Match(game, dict(zip(game.roles, players, strict=True)), clock, 3, **how).events():
        writer.write(event)
    assert writer.path is not None
    return writer.path


def test_each_line_is_on_disk_before_the_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forced: list[bytes] = []

    def note(descriptor: int) -> None:
        (path,) = tmp_path.iterdir()
        assert os.fstat(descriptor).st_ino == path.stat().st_ino
        forced.append(path.read_bytes())

    monkeypatch.setattr(os, "fsync", note)

    path = tic_tac_toe(tmp_path)

    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) > 5
    assert forced == [b"".join(lines[: number + 1]) for number in range(len(lines))]


def tic_tac_toe(folder: Path) -> Path:
    return recorded(folder, GAME, make_player("random"), make_player("flat:playouts=1"))


def differences(record: Record, game: Game = GAME) -> list[str]:
    return [found.what for found in verify(record, game)]


def changed(path: Path, line: int, **fields: Any) -> Record:
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    lines[line].update(fields)
    path.write_text("".join(json.dumps(data) + "\n" for data in lines))
    return read_record(path)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (Dice(), ["roll", "pass"]),
        (Dice(hidden=True), ["roll", "roll"]),
        (Dice(), ["cheat", "roll"]),
        (Buzzer(3), ["buzz", "buzz", "buzz"]),
        (Buzzer(3, priorities=True), ["buzz", "shout", "buzz"]),
    ],
)
def test_chance_percepts_races_and_substitutes_verify(game: Game, moves: list[str], tmp_path: Path) -> None:
    record = read_record(recorded(tmp_path, game, *map(always, moves)))

    assert not record.problems
    assert not differences(record, game)


def test_a_record_holds_players_options_thinking_and_messages(tmp_path: Path) -> None:
    path = recorded(tmp_path, GAME, make_player("flat:playouts=2"), talk_and("hello"), messages=True)

    record = read_record(path)
    assert record.start.players["xplayer"] == "flat:playouts=2,depth=500,twin=auto"
    assert record.start.data["format"] == 1
    thinking = record.turns[1].data["thinking"]["xplayer"]
    assert (thinking["iterations"], len(thinking["moves"])) == (18, 9)
    said = [entry.data for entry in record.entries if entry.line > 1 and entry.data["event"] == "message"]
    assert said[0] == {"event": "message", "turn": 2, "from": "oplayer", "to": ["xplayer"], "text": "hello"}


def floods(player: Scripted, view: View, deadline: Deadline) -> str:
    for _ in range(2_000):
        print("x" * 500)
        player.channel.report(Thinking("still here"))
        player.channel.say("hello", [])
    return view.legal_moves[0]


def crashes(player: Scripted, view: View, deadline: Deadline) -> str:
    raise MemoryError("on purpose")


def sleeps(player: Scripted, view: View, deadline: Deadline) -> str:
    threading.Event().wait()
    return ""


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        (sleeps, {"late"}),
        (crashes, {"crash"}),
        (lambda player, view, deadline: "garbage", {"illegal"}),
        (lambda player, view, deadline: Decision(cast("str", object())), {"crash"}),
        (floods, {"output", "message"}),
    ],
)
def test_a_match_with_a_misbehaving_player_ends_normally_and_the_record_tells(
    script: Script, kinds: set[str], tmp_path: Path
) -> None:
    clock = Clock(0.05, 20.0) if script is sleeps else CLOCK

    record = read_record(recorded(tmp_path, GAME, make_player("legal"), Scripted(script), clock=clock, messages=True))

    errors = [error for turn in record.turns.values() for error in turn.data["errors"]]
    assert record.end is not None
    assert record.end["reason"] == "terminal"
    assert {(error["role"], error["kind"]) for error in errors} == {("oplayer", kind) for kind in kinds}
    assert not record.problems
    assert not differences(record)


def test_a_match_goes_on_from_a_record_as_the_first_would_have(tmp_path: Path) -> None:
    game = Dice(6)
    whole = read_record(recorded(tmp_path, game, always("roll"), always("roll")))
    half = [turn.moves for turn in whole.line_to(3)]

    rest = read_record(recorded(tmp_path, game, always("roll"), always("roll"), earlier=half))

    assert [turn.moves for turn in rest.turns.values()] == [turn.moves for turn in whole.turns.values()]
    assert not differences(rest, game)


@pytest.mark.parametrize(
    ("line", "fields", "what"),
    [
        (0, {"rules_sha256": "0"}, ["rules"]),
        (0, {"roles": ["oplayer", "xplayer"]}, ["roles"]),
        (-1, {"goals": {"xplayer": 1, "oplayer": 2}}, ["goals"]),
        (-1, {"turns": 99}, ["turns"]),
        (-1, {"reason": "limit"}, ["reason"]),
        (1, {"percepts": {"xplayer": ["a bird"]}}, ["percepts of xplayer"]),
        (1, {"errors": [{"role": "oplayer", "kind": "late", "message": "", "substituted": True}]}, []),
    ],
)
def test_verify_says_what_differs(line: int, fields: dict[str, Any], what: list[str], tmp_path: Path) -> None:
    assert differences(changed(tic_tac_toe(tmp_path), line, **fields)) == what


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (1, {"moves": {"xplayer": "(mark 9 9)", "oplayer": "noop"}}),
        (1, {"moves": {"xplayer": "(mark 1 1)"}}),
        (2, {"parent": 0}),
    ],
)
def test_turns_after_a_wrong_one_have_no_parent(line: int, fields: dict[str, Any], tmp_path: Path) -> None:
    first, *later = differences(changed(tic_tac_toe(tmp_path), line, **fields))

    assert first == "moves"
    assert set(later) == {"parent"}


def test_a_record_keeps_who_answered_in_a_race(tmp_path: Path) -> None:
    record = read_record(recorded(tmp_path, Buzzer(2), *map(always, ["buzz", "shout", "buzz"])))

    turns = [entry for entry in record.entries if isinstance(entry, RecordedTurn)]
    assert all(turn.arrivals for turn in turns)
    assert {move for turn in turns for move in turn.arrivals.values()} <= {"buzz", "shout"}


def test_a_record_is_named_after_its_game_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tic_tac_toe(tmp_path / "new" / "records")

    assert path.parent == tmp_path / "new" / "records"
    assert path.name.endswith("-tic-tac-toe.jsonl")


def test_what_json_cannot_hold_is_not_written(tmp_path: Path) -> None:
    start, *_, end = Match(GAME, dict.fromkeys(GAME.roles, always("noop")), CLOCK, 3, max_turns=1).events()
    assert isinstance(end, MatchEnded)
    writer = RecordWriter(tmp_path, "0.0")
    writer.write(start)

    with pytest.raises(ValueError, match="not JSON compliant"):
        writer.write(replace(end, points={"xplayer": math.nan}))
    writer.close()


def test_a_turn_cannot_follow_itself(tmp_path: Path) -> None:
    record = changed(tic_tac_toe(tmp_path), 1, parent=1)

    assert record.problems[0].message.endswith("turn 1 cannot follow turn 1")


def test_the_end_of_a_match_without_turns_is_verified(tmp_path: Path) -> None:
    path = tic_tac_toe(tmp_path)
    start, *_, end = path.read_text().splitlines(keepends=True)
    path.write_text(start + end)

    assert "turns" in differences(read_record(path))


def test_a_draw_that_the_seed_does_not_give_is_found(tmp_path: Path) -> None:
    path = recorded(tmp_path, Dice(1), always("roll"), always("pass"))
    rolled = json.loads(path.read_text().splitlines()[1])["moves"]["left"]
    other = "roll 1" if rolled != "roll 1" else "roll 2"

    found = differences(changed(path, 1, moves={"left": other, "right": "pass"}), Dice(1))

    assert found[0] == "chance"


def test_a_substitute_that_the_seed_does_not_give_is_found(tmp_path: Path) -> None:
    error = {"role": "xplayer", "kind": "late", "message": "", "substituted": True}
    path = recorded(tmp_path, GAME, always("cheat"), make_player("legal"))
    first = json.loads(path.read_text().splitlines()[1])["moves"]["xplayer"]
    other = "(mark 1 1)" if first != "(mark 1 1)" else "(mark 1 2)"

    found = differences(changed(path, 1, moves={"xplayer": other, "oplayer": "noop"}, errors=[error]))

    assert found[0] == "substitute of xplayer"


def test_corrupt_lines_are_reported_and_the_others_read(tmp_path: Path) -> None:
    path = tic_tac_toe(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2:2] = [b"\xff\xfe\n", b"[1, 2]\n", b'{"event": "turn", "id": "one"}\n', b'{"event": "dance"}\n', lines[1]]
    path.write_bytes(b"".join(lines) + b'{"event": "tu')

    record = read_record(path)

    assert [problem.line for problem in record.problems] == [3, 4, 5, 6, 7, len(lines) + 1]
    assert [problem.message.split(":")[0] for problem in record.problems][-1].endswith("(the line is cut off)")
    assert not differences(record)


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (-1, {"goals": [100, 0]}),
        (-1, {"points": 7}),
        (-1, {"errors": None}),
        (-1, {"turns": "nine"}),
        (-1, {"reason": 1}),
        (1, {"seconds": 0.5}),
        (1, {"thinking": "deep"}),
        (1, {"errors": [{"kind": "late"}]}),
        (1, {"arrivals": [["xplayer"]]}),
    ],
)
def test_a_line_with_a_value_of_the_wrong_kind_is_reported(line: int, fields: dict[str, Any], tmp_path: Path) -> None:
    record = changed(tic_tac_toe(tmp_path), line, **fields)

    (problem,) = record.problems
    assert repr(next(iter(fields))) in problem.message


@pytest.mark.parametrize("text", ["", "\n\n", "nonsense\n", '{"event": "turn"}\n', '{"event": "start", "format": 2}\n'])
def test_without_a_readable_start_there_is_no_record(text: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(text)

    with pytest.raises(LudensError, match="record"):
        read_record(path)


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_to_a_record_breaks_its_reader(data: st.DataObject, tmp_path: Path) -> None:
    original = tmp_path / "original.jsonl"
    if not original.exists():
        tic_tac_toe(tmp_path).rename(original)
    content = bytearray(original.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 30))
        content[place : place + length] = data.draw(st.binary(max_size=10))
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(bytes(content))

    try:
        record = read_record(damaged)
    except LudensError:
        return
    list(verify(record, GAME))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_value_in_a_record_breaks_its_reader(data: st.DataObject, tmp_path: Path) -> None:
    original = tmp_path / "original.jsonl"
    if not original.exists():
        tic_tac_toe(tmp_path).rename(original)
    lines = [json.loads(text) for text in original.read_text().splitlines()]
    line = data.draw(st.sampled_from(lines))
    line[data.draw(st.sampled_from(sorted(line)))] = data.draw(json_values)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("".join(json.dumps(found) + "\n" for found in lines))

    try:
        record = read_record(damaged)
    except LudensError:
        return
    list(verify(record, GAME))


def test_matches_that_begin_in_the_same_microsecond_have_records_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([1.0, 1.0, 1.0, 2.0, 2.0])

    class Frozen(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Frozen:
            return cls.fromtimestamp(next(moments), tz)

    monkeypatch.setattr("ludens.referee.record.datetime", Frozen)
    match = Match(GAME, dict.fromkeys(GAME.roles, make_player("legal")), CLOCK, 3)
    started = next(iter(match.events()))
    writers = [RecordWriter(tmp_path, "0.0"), RecordWriter(tmp_path, "0.0")]
    for writer in writers:
        writer.write(started)
        writer.close()

    assert len({writer.path for writer in writers}) == 2


WRONG_ROLES = [
    (1, {"moves": {"xplayer": "(mark 1 1)", "oplayer": "noop", "zplayer": "noop"}}, "the moves of turn 1: 'zplayer'"),
    (1, {"chosen": {"zplayer": "noop"}}, "the moves of turn 1: 'zplayer'"),
    (2, {"percepts": {"zplayer": []}}, "the percepts of turn 2: 'zplayer'"),
    (2, {"seconds": {"zplayer": 0.1}}, "the seconds of turn 2: 'zplayer'"),
    (2, {"thinking": {"zplayer": {}}}, "the thinking of turn 2: 'zplayer'"),
    (2, {"errors": [{"role": "zplayer"}]}, "the errors of turn 2: 'zplayer'"),
    (2, {"arrivals": [["zplayer", "noop"]]}, "the arrivals of turn 2: 'zplayer'"),
    (2, {"arrivals": [["xplayer", "noop"], ["xplayer", "noop"]]}, "the arrivals of turn 2 have a role twice"),
    (-1, {"goals": {"zplayer": 100}}, "the goals of the end: 'zplayer'"),
    (-1, {"errors": {"zplayer": 0}}, "the errors of the end: 'zplayer'"),
    (-1, {"forfeited": "zplayer"}, "the forfeit of the end: 'zplayer'"),
    (3, {"id": 1}, "turn 1 is there twice"),
    (1, {"event": "take_back", "role": "xplayer", "turn": 7}, "turn 7, which is not in the record"),
    (1, {"event": "message", "from": "zplayer", "to": [], "text": ""}, "a message: 'zplayer'"),
    (
        2,
        {"event": "end", "goals": {}, "points": {}, "errors": {}, "turns": 1, "reason": "limit"},
        "the match was over before",
    ),
]


@pytest.mark.parametrize(("line", "fields", "message"), WRONG_ROLES)
def test_a_line_that_does_not_fit_the_match_is_a_problem(
    line: int, fields: dict[str, Any], message: str, tmp_path: Path
) -> None:
    record = changed(tic_tac_toe(tmp_path), line, **fields)

    assert message in record.problems[0].message


def test_turns_stand_in_their_order_and_may_have_keys_that_nobody_knows(tmp_path: Path) -> None:
    path = tic_tac_toe(tmp_path)
    assert not changed(path, 1, mood="good").problems
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[2], lines[1], *lines[3:]]))

    assert [problem.message for problem in read_record(path).problems] == ["turn 1 stands after turn 2"]


def test_a_key_is_there_once(tmp_path: Path) -> None:
    path = tic_tac_toe(tmp_path)
    path.write_text(path.read_text().replace('"moves": {', '"moves": {"xplayer": "noop", ', 1))

    assert "the key 'xplayer' is there twice" in read_record(path).problems[0].message


@pytest.mark.parametrize(
    "fields", [{"roles": []}, {"roles": ["xplayer", "xplayer"]}, {"roles": ["xplayer"]}, {"players": {"zplayer": {}}}]
)
def test_a_start_has_roles_that_differ_and_players_for_them(fields: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(LudensError, match="role"):
        changed(tic_tac_toe(tmp_path), 0, **fields)


by_role = st.dictionaries(st.sampled_from([*GAME.roles, "zplayer", "", "random"]), st.text(max_size=5), max_size=4)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=by_role)
def test_moves_are_as_they_were_or_the_record_does_not_agree(moves: dict[str, str], tmp_path: Path) -> None:
    original = tmp_path / "original.jsonl"
    if not original.exists():
        tic_tac_toe(tmp_path).rename(original)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(original.read_bytes())

    record = changed(damaged, 1, moves=moves)

    assert record.problems or differences(record)
