"""A disk that is full, gone or full of nonsense: told where it matters, and nothing else stops."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ludens.web.disk_cache import write_cache
from ludens.web.hosting.links import ProcessLink
from ludens.web.settings import Limits, Settings
from tests.web.helpers import HUMAN, RANDOM, begin, connected, first_move, token_of
from tests.web.test_restart import play_some, running

SEATS = {"xplayer": HUMAN, "oplayer": RANDOM}
NONSENSE = [
    b"",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"{}",
    b'{"setup": 1}',
    b'{"setup": {"seats": []}}',
    b"[" * 5_000,
]


def folders(settings: Settings, kind: str) -> Path:
    return settings.data / "matches" / kind


@pytest.mark.parametrize("kind", ["running", "finished"])
def test_nonsense_among_the_matches_is_left_alone(settings: Settings, kind: str) -> None:
    for number, text in enumerate(NONSENSE):
        for name in ("match.json", "end.json", "shown.json"):
            folder = folders(settings, kind) / f"nonsense{number}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)
    (folders(settings, kind) / "file").write_bytes(b"nonsense")
    with running(settings) as client:
        assert client.get("/watch").json() == {"running": [], "finished": []}
        match = begin(client, "tic_tac_toe", SEATS)
        with connected(client, match["match"], token_of(match, "xplayer")) as page:
            assert page.play(first_move)["finished"]
    assert len(list(folders(settings, kind).iterdir())) >= len(NONSENSE) + 1


def test_a_finished_match_that_cannot_be_read_spoils_no_list(client: TestClient, settings: Settings) -> None:
    matches = [begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM}) for _ in range(2)]
    for match in matches:
        with connected(client, match["match"]) as page:
            page.until("record")
    for file in ("match.json", "end.json", "shown.json"):
        path = folders(settings, "finished") / matches[0]["match"] / file
        whole = path.read_bytes()
        for text in NONSENSE:
            path.write_bytes(text)
            assert matches[1]["match"] in [one["match"] for one in client.get("/watch").json()["finished"]]
            assert client.get(matches[0]["watch"]).status_code in {200, 404}
        path.write_bytes(whole)
        assert len(client.get("/watch").json()["finished"]) == 2


def test_a_copy_of_a_running_match_is_not_played_beside_it(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", SEATS)
        play_some(client, match, 1)
    folder = folders(settings, "running") / match["match"]
    shutil.copytree(folder, folder.with_name("copy"))
    with running(settings) as client:
        assert [one["match"] for one in client.get("/watch").json()["running"]] == [match["match"]]


def test_a_match_that_cannot_be_kept_is_refused_without_telling_folders(client: TestClient, settings: Settings) -> None:
    shutil.rmtree(folders(settings, "running"))
    answer = client.post("/play", json={"game": "tic_tac_toe", "seats": SEATS})
    assert answer.status_code == 503
    assert str(settings.data) not in answer.text
    folders(settings, "running").mkdir()
    begin(client, "tic_tac_toe", SEATS)


def test_a_match_whose_end_cannot_be_kept_is_told_and_found_again(settings: Settings) -> None:
    with running(settings) as client:
        match, other = begin(client, "tic_tac_toe", SEATS), begin(client, "tic_tac_toe", SEATS)
        folders(settings, "finished").rmdir()
        folders(settings, "finished").write_bytes(b"no folder")
        with connected(client, match["match"], token_of(match, "xplayer")) as page:
            assert page.play(first_move)["finished"]
        play_some(client, other, 1)  # the news of all others still arrive
    folders(settings, "finished").unlink()
    with running(settings) as client, connected(client, match["match"]) as page:
        assert page.until("ended")["finished"]
        page.until("record")
    assert len(list(settings.records.glob("*.jsonl"))) == 1


def test_a_record_that_was_not_put_among_the_others_is_at_the_next_start(settings: Settings) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM})
        with connected(client, match["match"]) as page:
            name = page.until("record")["name"]
    (settings.records / name).rename(folders(settings, "finished") / match["match"] / name)
    with running(settings):
        assert (settings.records / name).is_file()


def test_a_match_whose_record_cannot_be_written_goes_on_after_a_restart(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(settings) as client:
        match = begin(client, "tic_tac_toe", SEATS)
        play_some(client, match, 1)
        with monkeypatch.context() as full, connected(client, match["match"], token_of(match, "xplayer")) as page:
            full.setattr("ludens.core.files.os.fsync", _full)
            asked = page.until("asked")
            page.send(do="move", question=asked["question"], move=first_move(asked))
            assert "No space left" in page.until("ended")["message"]
        assert client.get("/watch").json()["running"] == []
    with running(settings) as client, connected(client, match["match"], token_of(match, "xplayer")) as page:
        assert page.play(first_move)["finished"]


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_record_that_cannot_be_kept_is_refused(client: TestClient, settings: Settings) -> None:
    (settings.data / "uploads").write_bytes(b"no folder")
    answer = client.post("/replay/upload", content=b'{"event": "start"}')
    assert answer.status_code == 503
    assert str(settings.data) not in answer.text


@pytest.mark.usefixtures("empty_cache")
def test_what_cannot_be_kept_is_computed_again(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no folder")
    write_cache(tmp_path / "file" / "picture.svg", b"<svg/>")
    write_cache(tmp_path / "picture.svg", b"<svg/>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "picture.svg"]


WORKER = """
import sys
for line in ('"ready"', '{"a": 1}', 'no json', '{"a": 2}', '"' + "x" * 200_000 + '"', '{"a": 3}'):
    print(line, flush=True)
sys.stdin.read()
"""


def test_news_that_cannot_be_passed_on_keep_no_others_and_lines_without_end_end_the_process() -> None:
    heard: list[dict[str, Any]] = []

    def hear(news: dict[str, Any]) -> None:
        heard.append(news)
        raise KeyError("some mistake")

    async def run() -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", WORKER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=100_000,
        )
        gone = asyncio.Event()
        link = ProcessLink(process, hear, gone.set)
        await gone.wait()
        await link.close()

    asyncio.run(run())
    assert heard == [{"a": 1}, {"a": 2}]


def test_errors_do_not_tell_where_files_are_kept(settings: Settings) -> None:
    with running(settings) as client:
        answer = client.post("/play/game", json={"game": "mine", "rules": "(role a"})
        assert answer.json()["error"].startswith("mine.kif:1:1: error")
        match = begin(client, "tic_tac_toe", SEATS)
        play_some(client, match, 0)
    (record,) = folders(settings, "running").glob("*/*.jsonl")
    record.write_text("nonsense\n")
    with running(settings) as client, connected(client, match["match"]) as page:
        message = page.until("ended")["message"]
    assert "record begins" in message
    assert str(settings.data) not in message


def test_shown_files_are_the_owners(client: TestClient, settings: Settings) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM})
    with connected(client, match["match"]) as page:
        page.until("record")
    folder = folders(settings, "finished") / match["match"]
    assert folder.stat().st_mode & 0o077 == 0
    assert json.loads((folder / "end.json").read_text())["status"] == "over"


def test_pages_of_the_latest_matches_are_kept_and_all_records(settings: Settings) -> None:
    with running(replace(settings, limits=Limits(kept_matches=2))) as client:
        matches = [begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM})["match"] for _ in range(4)]
        for match in matches:
            with contextlib.suppress(WebSocketDisconnect), connected(client, match) as page:
                page.until("record")
        names = sorted(path.name for path in folders(settings, "finished").iterdir())
    assert names == sorted(matches)[-2:]
    assert len(list(settings.records.glob("*.jsonl"))) == 4
