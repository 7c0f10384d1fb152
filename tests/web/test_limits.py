from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import ludens
from ludens.core import Game
from ludens.web.app import create_app
from ludens.web.hosting import worker
from ludens.web.hosting.channel import Channel
from ludens.web.matches import live
from ludens.web.settings import Limits, Settings
from tests.web.conftest import ADDRESS, ADMIN
from tests.web.helpers import HUMAN, RANDOM, Page, begin, connected, first_move, token_of
from tests.web.test_restart import running

PEOPLE = {"xplayer": HUMAN, "oplayer": HUMAN}


def test_a_client_may_begin_only_so_many_matches(settings: Settings) -> None:
    with running(replace(settings, limits=Limits(matches_of_client=2))) as client:
        matches = [begin(client, "tic_tac_toe", PEOPLE) for _ in range(2)]
        refused = client.post("/play", json={"game": "tic_tac_toe", "seats": PEOPLE})
        assert refused.status_code == 422
        assert "2 matches" in refused.json()["error"]
        with connected(client, matches[0]["match"], token_of(matches[0], "xplayer")) as page:
            page.until("asked")
            page.send(do="resign")
            page.until("ended")
        begin(client, "tic_tac_toe", PEOPLE)


def test_the_server_plays_only_so_many_matches(settings: Settings) -> None:
    with running(replace(settings, limits=Limits(matches=1))) as client:
        begin(client, "tic_tac_toe", PEOPLE)
        assert client.post("/play", json={"game": "tic_tac_toe", "seats": PEOPLE}).status_code == 422


def test_a_client_may_hold_only_so_many_connections(settings: Settings) -> None:
    with running(replace(settings, limits=Limits(sockets_of_client=1))) as client:
        match = begin(client, "tic_tac_toe", PEOPLE)
        with connected(client, match["match"]) as page:
            page.until("seats")
            with pytest.raises(WebSocketDisconnect), connected(client, match["match"]) as other:
                other.until("seats")


def test_players_may_be_told_to_use_only_so_much_memory_together(settings: Settings) -> None:
    big = {"player": "mcts", "options": {"memory": 300}}
    with running(replace(settings, limits=Limits(asked_megabytes=700))) as client:
        begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": big})
        refused = client.post("/play", json={"game": "tic_tac_toe", "seats": {"xplayer": big, "oplayer": big}})
        assert refused.status_code == 422
        assert "400 MB are available" in refused.json()["error"]
        begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": {"player": "mcts"}})
        begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": big})


@pytest.mark.parametrize(
    "order", [b"\x00", b'{"do": "all"}', "[" * 20_000, "", "null", '{"do": ["all"]}', "x" * 20_001]
)
def test_what_is_no_order_is_ignored(client: TestClient, order: str | bytes) -> None:
    match = begin(client, "tic_tac_toe", PEOPLE)
    address = f"ws://127.0.0.1:8123/live/{match['match']}?seat={token_of(match, 'xplayer')}"
    with client.websocket_connect(address, headers={"origin": ADDRESS}) as socket:
        page = Page(socket)
        asked = page.until("asked")
        if isinstance(order, bytes):
            socket.send_bytes(order)
        else:
            socket.send_text(order)
        page.send(do="move", question=True, move=first_move(asked))
        assert "Too late" in page.until("note")["text"]
        page.send(do="move", question=asked["question"], move=first_move(asked))
        assert page.until("position")["history"]["add"]


def test_games_with_very_many_roles_are_not_played(client: TestClient) -> None:
    roles = [f"r{number}" for number in range(33)]
    rules = "".join(f"(role {role}) (<= (legal {role} go) (true s)) (<= (goal {role} 1) (true s))" for role in roles)
    order = {"game": "crowd", "rules": f"(init s) (next t) {rules} (<= terminal (true t))"}
    answer = client.post("/play", json=order | {"seats": dict.fromkeys(roles, RANDOM)})
    assert answer.status_code == 422
    assert "33 roles" in answer.json()["error"]


def test_only_some_records_are_received_at_once(settings: Settings) -> None:
    with running(replace(settings, limits=Limits(uploads=0))) as client:
        assert client.post("/replay/upload", content=b"{}").status_code == 503


def test_orders_cannot_be_saved_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was silent for an hour may not send what would have been allowed in that hour."""
    waited: list[float] = []

    class Chatty:
        async def receive(self) -> dict[str, str]:
            done = len(waited) == 100
            return {"type": "websocket.disconnect"} if done else {"type": "websocket.receive", "text": "{}"}

    async def sleep(seconds: float) -> None:
        waited.append(max(0.0, seconds))

    monkeypatch.setattr("ludens.web.matches.live.asyncio.sleep", sleep)
    monkeypatch.setattr("ludens.web.matches.live.time.monotonic", lambda: 3_600.0)
    asyncio.run(live._receive(Chatty(), None, None, None, None))  # type: ignore[arg-type]
    assert waited[19] == pytest.approx(0.0, abs=1e-6)
    assert waited[99] == pytest.approx(4.0)


def test_matches_are_stopped_by_their_owner_or_the_administration_only(client: TestClient) -> None:
    for token in ("owner", ADMIN):
        match = begin(client, "tic_tac_toe", PEOPLE)
        stop = f"/watch/{match['match']}/stop"
        seat = token_of(match, "xplayer")
        with connected(client, match["match"], seat) as page:
            page.until("asked")
            for wrong in ("", "wrong", seat):
                assert client.post(stop, headers={"authorization": f"Bearer {wrong}"}).status_code == 403
            right = match["owner"] if token == "owner" else token
            assert client.post(stop, headers={"authorization": f"Bearer {right}"}).status_code == 200
            assert page.until("ended")["reason"] == "stopped"


def test_without_an_administration_token_nobody_is_the_administration(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, admin_token="")), base_url=ADDRESS) as client:
        match = begin(client, "tic_tac_toe", PEOPLE)
        answer = client.post(f"/watch/{match['match']}/stop", headers={"authorization": "Bearer "})
    assert answer.status_code == 403


def test_a_finished_match_can_be_deleted_and_a_running_one_cannot(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    headers = {"authorization": f"Bearer {match['owner']}"}
    assert client.post(f"/watch/{match['match']}/delete", headers=headers).status_code == 409
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        page.until("asked")
        page.send(do="resign")
        page.until("ended")
    assert client.post(f"/watch/{match['match']}/delete", headers=headers).status_code == 200
    assert client.get(match["watch"]).status_code == 404


def test_a_match_that_is_stopped_while_it_is_loaded_is_not_played(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading, go_on = threading.Event(), threading.Event()
    left: list[threading.Thread] = []

    def load(name: str, rules: Path | None) -> Game:
        left.append(threading.current_thread())
        loading.set()
        go_on.wait()
        return ludens.load(name)

    monkeypatch.setattr(worker._GAMES, "game", load)
    match = begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM})
    loading.wait()

    client.post(f"/watch/{match['match']}/stop", headers={"authorization": f"Bearer {match['owner']}"})
    go_on.set()
    left[0].join()

    assert not list(settings.data.glob("**/*.jsonl"))
    assert [one["status"] for one in client.get("/watch").json()["finished"]] == ["failed"]


@pytest.mark.parametrize("name", ["%2e%2e", "a/b", "..%2fx", "x" * 300])
def test_names_of_matches_are_no_paths(client: TestClient, name: str) -> None:
    assert client.get(f"/watch/{name}").status_code == 404


@pytest.mark.slow
def test_rules_that_take_too_long_to_load_are_given_up(settings: Settings) -> None:
    limits = Limits(load_seconds=0.01)
    with running(replace(settings, workers=1, limits=limits)) as client:
        match = begin(client, "hex:13", {"red": HUMAN, "blue": HUMAN})
        with connected(client, match["match"]) as page:
            end = page.until("ended")
    assert end["reason"] == "failed"
    assert "to read" in end["message"]


def test_titles_and_names_from_rules_are_escaped(client: TestClient) -> None:
    rules = "(role <script>) (init s) (<= (legal <script> go) (true s)) (<= (next t) (true s)) (<= terminal (true t))"
    rules += "(<= (goal <script> 100) (true t))"
    match = begin(client, "evil", {"<script>": RANDOM}, rules=rules)
    page = client.get("/watch", headers={"accept": "text/html"}).text
    assert "<script>:" not in page
    assert "&lt;script&gt;:" in page
    assert match["match"]


def test_a_slow_follower_is_sent_everything_anew_instead_of_being_waited_for() -> None:
    channel = Channel()
    follower = channel.follow()
    for number in range(200):
        channel.send({"kind": "note", "text": str(number)})
    assert follower.waiting <= 60


def test_trees_are_smaller_where_many_are_grown() -> None:
    assert [worker.tree_megabytes(matches, seats=2) for matches in (1, 4, 25, 1000)] == [32, 32, 8, 4]
