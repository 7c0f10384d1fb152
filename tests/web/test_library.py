"""The library: every game has its card, picture and page, and nothing else can be named."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from ludens.core.folders import cache_folder
from ludens.games.library import entries, find
from ludens.web.bench.workbench import Limits
from ludens.web.hosting.shelf import Wish, choice_of, rules_key
from ludens.web.library.facts import Facts
from ludens.web.library.pictures import first_position
from ludens.web.replays.history import past_matches, read_past_match
from ludens.web.settings import Settings

pytestmark = pytest.mark.usefixtures("empty_cache")

HTML = {"accept": "text/html"}


def test_the_library_shows_every_game(client: TestClient) -> None:
    text = client.get("/library", headers=HTML).text
    for entry in entries().values():
        assert f'href="/library/{entry.name}"' in text
    assert f"{len(entries())} of {len(entries())} games" in text


def test_wishes_hide_what_does_not_fit(client: TestClient) -> None:
    text = client.get("/library?q=chess&players=2", headers=HTML).text
    shown = [
        part for part in text.split("<li data-words")[1:] if "hidden" not in part.partition(">")[0].rpartition('"')[2]
    ]
    assert 0 < len(shown) < len(entries())
    assert any('href="/library/chess"' in part for part in shown)


@pytest.mark.parametrize(
    ("wish", "game", "fits"),
    [
        (Wish("misère nim"), "nim", True),
        (Wish("nim", tag="heap"), "nim", True),
        (Wish(tag="card"), "nim", False),
        (Wish(players=1), "sudoku", True),
        (Wish(players=4), "hearts", True),
        (Wish(players=2), "hearts", False),
    ],
)
def test_a_wish_fits(wish: Wish, game: str, fits: bool) -> None:
    assert wish.fits(entries()[game]) is fits


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b.kif", "x.kif", "openspiel:chess", "a.py:1", "", "n" * 300])
def test_no_path_is_a_name(client: TestClient, name: str) -> None:
    with pytest.raises(HTTPException):
        choice_of(name)
    if name:
        assert client.get(f"/library/{name.replace('/', '%2F')}").status_code == 404


@pytest.mark.parametrize("name", ["nim", "nim:3,4,5", "backgammon@gdl", "hex:7"])
def test_names_with_parameters_and_forms_are_names(name: str) -> None:
    assert choice_of(name).text.startswith(name.partition("@")[0])


def test_a_game_page_tells_rules_and_source(client: TestClient) -> None:
    text = client.get("/library/nim", headers=HTML).text
    assert "leave n objects in the heap" in text
    assert '<span class="gdl-keyword">role</span>' in text
    assert "/play?game=nim" in text
    other = client.get("/library/go", headers=HTML).text
    assert '<span class="gdl-logic">class</span>' in other


def test_both_forms_have_a_page(client: TestClient) -> None:
    assert "also in Python" in client.get("/library/backgammon", headers=HTML).text
    assert "also in GDL" in client.get("/library/backgammon@tabletop", headers=HTML).text


def test_a_picture_is_drawn_once_and_then_known_by_its_name(client: TestClient) -> None:
    first = client.get("/library/tic_tac_toe/picture.svg")
    assert first.headers["content-type"] == "image/svg+xml"
    ET.fromstring(first.content)
    again = client.get("/library/tic_tac_toe/picture.svg", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304


def test_pictures_of_parameters_that_a_visitor_made_up_are_not_kept(client: TestClient) -> None:
    folder = cache_folder() / "pictures"
    for name in ("nim", "nim:1,1", "nim:1,2"):
        assert "<svg" in client.get(f"/library/{name}/picture.svg").text

    assert len(list(folder.iterdir())) == 1


def test_parameters_that_a_visitor_made_up_are_worked_on_within_limits(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(Limits(), check_seconds=0.001)
    monkeypatch.setattr(client.app.state.guests._bench, "limits", limits)  # type: ignore[attr-defined]
    assert "Nim" in client.get("/library/nim:7,7/picture.svg").text
    assert "took longer" in client.get("/library/nim:7,7", headers=HTML).text
    assert "took longer" in client.get("/lab?game=nim:7,7").json()["error"]
    assert "ludens-drawing" in client.get("/library/nim/picture.svg").text


def test_visitors_who_look_at_the_same_game_share_one_computation(tmp_path: Path) -> None:
    asked = []

    class Bench:
        async def run(self, client: str, job: str, game: str) -> AsyncIterator[dict[str, Any]]:
            asked.append(game)
            for part in ("circuit", "playouts"):
                await asyncio.sleep(0)
                yield {"part": part}

    async def run() -> None:
        facts = Facts(tmp_path, Bench())  # type: ignore[arg-type]

        async def visitor() -> list[str]:
            return [part["part"] async for part in facts.of(find("tic_tac_toe"))]

        for _ in range(2):
            found = await asyncio.gather(*(visitor() for _ in range(12)))
            assert all(parts == ["circuit", "playouts"] for parts in found)
        assert asked == ["tic_tac_toe@gdl"]
        (kept,) = tmp_path.glob("*.json")
        kept.write_text("{not json")
        assert await visitor() == ["circuit", "playouts"]
        assert len(asked) == 2

    asyncio.run(run())


def test_a_broken_store_of_tournaments_spoils_no_game_page(client: TestClient, settings: Settings) -> None:
    (settings.data / "arena.db").write_bytes(b"this is no database" * 100)
    assert client.get("/library/nim", headers=HTML).status_code == 200
    assert client.get("/tournaments").status_code == 422


def test_dealt_cards_are_in_the_picture() -> None:
    svg = first_position(find("kuhn_poker"))
    assert "ludens-drawing" in svg
    ET.fromstring(svg)


def test_other_rules_have_another_key() -> None:
    keys = {rules_key(find(name)) for name in ("nim", "nim:1,2", "backgammon@gdl", "backgammon@tabletop")}
    assert len(keys) == 4
    assert rules_key(find("nim")) == rules_key(find("nim"))


@pytest.mark.smoke
def test_facts_come_part_by_part_and_are_kept(client: TestClient) -> None:
    first = [json.loads(line) for line in client.get("/library/tic_tac_toe/facts").text.splitlines()]
    assert [part["part"] for part in first] == ["circuit", "playouts", "decomposition"]
    assert first[0]["fluents"] == 29
    assert first[1]["playouts_per_second"] > 0
    again = [json.loads(line) for line in client.get("/library/tic_tac_toe/facts").text.splitlines()]
    assert again == first


def _record(folder: Path, name: str, *lines: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def _start(game: str) -> dict[str, object]:
    players = {"first": {"name": "mcts"}, "second": {"name": "<b>random</b>"}}
    return {"event": "start", "game": game, "started": "2026-11-16T10:00:00+00:00", "players": players}


def test_the_history_of_a_game_is_told_and_escaped(client: TestClient, settings: Settings) -> None:
    end: dict[str, object] = {"event": "end", "goals": {"first": 100, "second": 0}}
    _record(settings.records, "20261116-100000-000000-nim-3-4-5.jsonl", _start("nim:3,4,5"), end)
    _record(settings.records, "20261116-100001-000000-nim.jsonl", _start("nim"))
    _record(settings.records, "20261116-100002-000000-chess.jsonl", _start("chess"), end)
    (settings.records / "20261116-100003-000000-nim.jsonl").write_bytes(b"\xff not a record")
    text = client.get("/library/nim", headers=HTML).text
    assert "100 : 0" in text
    assert "not over" in text
    assert "&lt;b&gt;random" in text
    assert "<b>random" not in text
    assert [match.game for match in past_matches(settings.records, 10, "nim")] == ["nim", "nim:3,4,5"]
    assert len(past_matches(settings.records, 10)) == 3


def test_what_is_no_record_is_none(tmp_path: Path) -> None:
    for text in ("", "[]", '{"event": "end"}', '{"event": "start", "game": 3, "players": {}}'):
        path = tmp_path / "x.jsonl"
        path.write_text(text)
        assert read_past_match(path) is None
