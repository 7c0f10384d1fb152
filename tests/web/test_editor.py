"""The position editor: positions are checked, explained and played from."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludens
from ludens.drawing.hints import hints_for
from ludens.games.library import GDL, entries, find
from ludens.games.set_up import differ_in_start_only, rules_from
from ludens.gdl.game import GdlState
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_rules
from ludens.gdl.terms import Term
from ludens.web.editor.fields import find_fields
from ludens.web.editor.position_editor import PositionEditor, editor_of
from tests.web.helpers import connected, token_of

HTML = {"accept": "text/html"}
EMPTY = [f"(cell {column} {row} b)" for column in "123" for row in "123"]
X_TO_MOVE = "(control xplayer)"


def board(**contents: str) -> list[str]:
    """A position of tic-tac-toe in which x moves; ``c12="o"`` puts an o on column 1, row 2."""
    cells = {f"c{column}{row}": "b" for column in "123" for row in "123"} | contents
    return [f"(cell {name[1]} {name[2]} {mark})" for name, mark in cells.items()] + [X_TO_MOVE]


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return shared_client


@pytest.fixture(scope="module")
def editor() -> PositionEditor:
    return editor_of("tic_tac_toe", None)


def look(editor: PositionEditor, facts: list[str], *steps: dict[str, str]) -> dict[str, Any]:
    return editor.look(editor.read(facts), steps)


def test_everything_that_a_square_can_have_is_offered(editor: PositionEditor) -> None:
    offered = editor.as_json()
    assert [(entry["key"], entry["label"]) for entry in offered["palette"]] == [("cell o", "o"), ("cell x", "x")]
    assert all(entry["svg"].startswith("<svg") for entry in offered["palette"])
    assert len(offered["places"]) == 9
    (field,) = offered["places"]["cell:2:3"]
    assert field["facts"] == {f"cell {mark}": f"(cell 2 3 {mark})" for mark in "box"}
    assert field["blank"] == "(cell 2 3 b)"
    (control,) = offered["groups"]
    assert control["fluent"] == "control"
    assert control["fields"][0]["is_needed"]
    assert [text for _, text in control["fields"][0]["options"]] == ["oplayer", "xplayer"]


def test_pieces_flags_and_counters_of_chess_are_told_apart() -> None:
    offered = editor_of("chess", None).as_json()
    assert [entry["label"] for entry in offered["palette"]][:2] == ["white bishop", "white king"]
    assert len(offered["palette"]) == 12
    assert offered["places"]["cell:e:1"][0]["blank"] is None
    counts = {group["fluent"]: [len(field["options"]) for field in group["fields"]] for group in offered["groups"]}
    assert counts == {"control": [2], "en passant": [8], "quiet": [101], "can castle": [1, 1, 1, 1]}


def test_places_of_one_kind_are_all_needed_or_none() -> None:
    spots: dict[Term, str] = {("cell", place, value): f"cell:{place}" for place in "ab" for value in "xy"}
    full: frozenset[Term] = frozenset({("cell", "a", "x"), ("cell", "b", "y")})
    assert [field.is_needed for field in find_fields(spots, spots, [full])] == [True, True]
    without_b: frozenset[Term] = frozenset({("cell", "a", "x")})
    assert [field.is_needed for field in find_fields(spots, spots, [full, without_b])] == [False, False]


def test_a_position_is_drawn_and_its_moves_are_offered(editor: PositionEditor) -> None:
    seen = look(editor, board(c11="x", c22="o"))
    assert seen["wrong"] == []
    assert len(seen["options"][0]["moves"]) == 7
    assert 'data-spot="cell:1:1"' in seen["svg"]
    after = look(editor, seen["facts"], {"xplayer": "(mark 3 3)"})
    assert "(cell 3 3 x)" in after["facts"]
    assert "(control oplayer)" in after["facts"]


def test_squares_of_columns_can_be_clicked_one_by_one() -> None:
    editor = editor_of("connect_four", None)
    seen = editor.look(editor.start, [])
    assert "column:3" in seen["svg"]
    assert "column:3" not in seen["by_place"]
    assert 'data-spot="cell:3:6"' in seen["by_place"]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (EMPTY, "control has no value"),
        ([*board(), "(control oplayer)"], "control has several values: oplayer, xplayer"),
        ([*board(), "(cell 1 1 x)"], "cell 1 1 has several values: b, x"),
        (board()[1:], "cell 1 1 has no value"),
        (board(c11="x", c12="x", c13="x"), "the match is over in this position"),
        ([*EMPTY], "xplayer has no legal move"),
    ],
)
def test_what_is_wrong_is_said(editor: PositionEditor, facts: list[str], reason: str) -> None:
    assert reason in look(editor, facts)["wrong"]


def test_a_long_list_of_mistakes_is_cut(editor: PositionEditor) -> None:
    wrong = look(editor, [])["wrong"]
    assert len(wrong) == 7
    assert wrong[-1] == "and 5 more"


def test_other_facts_are_refused(client: TestClient) -> None:
    wrong = (
        "(cell 9 9 x)",
        "(cell ?x 1 b)",
        "(pawned server)",
        "(cell 1 1",
        ")",
        "",
        "role",
        "(cell 1 1 x) (cell 1 2 x)",
    )
    for fact in wrong:
        answer = client.post("/library/tic_tac_toe/editor/explore", json={"facts": [*board(), fact]}).json()
        assert answer["error"].endswith(("is not a fact", "cannot be true in this game")), fact


def test_requests_are_checked(client: TestClient) -> None:
    address = "/library/tic_tac_toe/editor/explore"
    several: tuple[Any, ...] = (
        {"facts": "x"},
        {"facts": [1]},
        {"facts": ["x" * 500]},
        {"steps": [1]},
        {"steps": [{}, {}]},
        [],
    )
    for wrong in several:
        assert client.post(address, json=wrong).status_code == 400
    assert client.post("/library/no_such_game/editor/explore", json={}).status_code == 404
    assert client.get("/library/no_such_game/editor", headers=HTML).status_code == 404
    assert client.get("/library/skat/editor", headers=HTML).status_code == 422
    assert client.post("/lab/editor/explore", json={"facts": []}).status_code == 400
    assert client.post("/lab/editor/explore", json={"text": "x", "name": "../x"}).status_code == 422


def test_the_page_begins_with_the_initial_position_or_that_of_the_link(client: TestClient) -> None:
    assert 'data-address="/library/tic_tac_toe/editor"' in client.get("/library/tic_tac_toe/editor", headers=HTML).text
    assert "/library/tic_tac_toe/editor" in client.get("/library/tic_tac_toe", headers=HTML).text
    start = client.post("/library/tic_tac_toe/editor/explore", json={"begins": True}).json()
    assert set(start["facts"]) == {*board()}
    assert start["palette"]
    linked = client.post("/library/tic_tac_toe/editor/explore", json={"facts": board(c11="o"), "begins": True}).json()
    assert "(cell 1 1 o)" in linked["facts"]
    assert linked["places"]


def test_a_match_begins_in_the_position(client: TestClient) -> None:
    facts = [fact.replace(X_TO_MOVE, "(control oplayer)") for fact in board(c11="o", c12="o", c22="x")]
    made = client.post("/library/tic_tac_toe/editor/match", json={"facts": facts}).json()
    match = client.post("/play", json=made)
    assert match.status_code == 201, match.text
    assert match.json()["game"] == "Tic-Tac-Toe (set-up position)"
    assert [seat["role"] for seat in match.json()["seats"]] == ["oplayer"]
    with connected(client, match.json()["match"], token_of(match.json(), "oplayer")) as page:
        asked = page.until("asked")
    assert {move["move"] for move in asked["moves"]} == {
        f"(mark {column} {row})"
        for column in "123"
        for row in "123"
        if (column, row) not in (("1", "1"), ("1", "2"), ("2", "2"))
    }


def test_no_match_begins_in_a_wrong_position(client: TestClient) -> None:
    answer = client.post("/library/tic_tac_toe/editor/match", json={"facts": EMPTY}).json()
    assert answer == {"error": "this position cannot be played: control has no value"}


def test_a_position_is_analysed(client: TestClient) -> None:
    sent = client.post("/library/tic_tac_toe/editor/ponder", json={"facts": board(c11="x", c12="x", c21="o", c22="o")})
    parts = [json.loads(line) for line in sent.text.splitlines()]
    assert parts[-1]["values"] == {"xplayer": 100, "oplayer": 0}
    wrong = client.post("/library/tic_tac_toe/editor/ponder", json={"facts": EMPTY})
    assert "cannot be played" in wrong.json()["error"]


def test_hidden_information_is_analysed_as_if_the_match_began_here() -> None:
    editor = editor_of("phantom_connect_four", None)
    facts = editor.start - {("cell", "1", "1", "b")} | {("cell", "1", "1", "red")}
    part = next(iter(editor.thinking(facts)))
    assert part["part"] == "thinking"
    assert part["moves"]


def test_parameters_are_kept(client: TestClient) -> None:
    address = "/library/nim:1,2/editor"
    assert "Nim (1, 2)" in client.get(address, headers=HTML).text
    facts = ["(heap a 0)", "(heap b 2)", "(control second)"]
    made = client.post(f"{address}/match", json={"facts": facts}).json()
    assert made["rules"].startswith("; A position of nim:1,2\n")
    assert made["seats"] == {"first": {"player": "auto"}, "second": {"player": "human"}}


def test_own_rules_have_an_editor(client: TestClient) -> None:
    rules = find("tic_tac_toe").rule_sheet().source.text
    own = {"name": "mine", "text": rules}
    assert "data-own" in client.get("/lab/editor", headers=HTML).text
    assert client.post("/lab/editor/explore", json=own).json()["wrong"] == []
    made = client.post("/lab/editor/match", json={**own, "facts": board(c11="x")}).json()
    assert made["game"] == "mine_position"
    broken = client.post("/lab/editor/explore", json={"name": "mine", "text": "(role"}).json()
    assert broken == {"error": "the rules have errors; correct them first"}


def test_a_position_is_drawn_like_its_game() -> None:
    sheet = find("connect_four").rule_sheet()
    start = ludens.load("connect_four").initial_state()
    assert isinstance(start, GdlState)
    facts = start.facts - {("control", "red")} | {("control", "black")}
    again = read_rules(rules_from(sheet, facts, "connect_four"), name="x")
    assert differ_in_start_only(sheet, again)
    assert hints_for(InterpretedGame(again, "x"))[0].look == "connect_four"
    other = read_rules(rules_from(find("tic_tac_toe").rule_sheet(), [], "connect_four"), name="x")
    assert hints_for(InterpretedGame(other, "x"))[0].look == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, entry in entries().items() if GDL in entry.forms])
def test_every_game_of_the_library_can_be_edited(name: str) -> None:
    editor, rng = editor_of(f"{name}@{GDL}", None), Random(1)
    assert editor.look(editor.start, [])["wrong"] == []
    assert set(editor.as_json()["places"]) <= set(
        re.findall(r'data-spot="([^"]+)"', editor.look(editor.start, [])["by_place"])
    )
    facts = editor.start
    for _ in range(10):
        field = rng.choice(editor.fields)
        facts = facts.difference(field.facts) | {rng.choice(field.facts)}
        assert editor.look(facts, [])["facts"]
