"""Whatever clients send, and whatever lies in the data folder: an answer that says so, and everything goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from ludens.core import LudensError
from ludens.web.app import create_app
from ludens.web.hosting.hosted_match import HostedMatch
from ludens.web.hosting.setup import Setup
from ludens.web.hosting.store import Store, new_ticket
from ludens.web.matches import live
from ludens.web.matches.match_form import setup_from
from ludens.web.security import POLICY
from ludens.web.settings import Limits, Settings
from tests.thorough import examples
from tests.web.conftest import ADDRESS
from tests.web.helpers import HUMAN, RANDOM, Page, begin, first_move, token_of

ROLES = ("xplayer", "oplayer")
FEW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

words = st.sampled_from(
    ["", "tic_tac_toe", "nim:1,2", "nim:\ud800", "human", "random", "mcts", "memory", "move", "undo", "hint", "../x"]
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**40), 10**40), st.floats(), st.text(max_size=20), words
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | words, inner, max_size=4),
    max_leaves=12,
)
seats = st.fixed_dictionaries({"player": values}, optional={"clock": values, "options": values}) | values
setups = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(["tic_tac_toe", "nim:1,2"]) | values,
        "rules": values,
        "seats": st.fixed_dictionaries(dict.fromkeys(ROLES, seats)) | values,
        "seed": values,
        "undo": values,
    },
)
bodies = st.one_of(st.binary(max_size=60), setups.map(lambda data: json.dumps(data).encode()))
orders = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40),
    values.map(json.dumps),
    st.fixed_dictionaries(
        {"do": st.sampled_from(["move", "undo", "hint", "all"]) | values},
        optional={"question": values, "move": values, "role": values, "match": values},
    ).map(json.dumps),
)
letters = st.sampled_from([*"aZ09._-:@,%~", "nim", "..", "\0", "\n", "é", "🂡", "x" * 60])
names = st.lists(letters, max_size=6).map("".join)
PLACES = (
    "/{}",
    "/watch/{}",
    "/library/{}",
    "/library?q={}&tag={}&players={}",
    "/play/{}/{}",
    "/play?game={}",
    "/replay/{}/{}",
    "/replay/record/{}/frames",
    "/tournaments/{}",
    "/static/{}",
    "/lab?game={}",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One for all examples: what one of them does to it, the others meet."""
    limits = Limits(matches=1_000, matches_of_client=1_000)
    app = create_app(Settings(data=tmp_path_factory.mktemp("data"), workers=0, limits=limits))
    with TestClient(app, base_url=ADDRESS, headers={"accept": "application/json"}) as client:
        yield client


@FEW
@given(path=st.sampled_from(["/play", "/play/game", "/replay/upload"]), body=bodies)
def test_any_body_is_answered(server: TestClient, path: str, body: bytes) -> None:
    answer = server.post(path, content=body)
    assert answer.status_code in {200, 201, 400, 422}
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.status_code < 400 or answer.json()["error"]


@FEW
@given(body=st.binary(max_size=60) | values.map(lambda data: json.dumps(data).encode()))
def test_any_body_for_the_lab_is_answered_or_refused(server: TestClient, body: bytes) -> None:
    for path in ("/lab/check", "/lab/tree", "/lab/examine"):
        assert server.post(path, content=body).status_code == 400


@FEW
@given(place=st.sampled_from(PLACES), found=st.tuples(names, names, names))
def test_any_address_is_answered(server: TestClient, place: str, found: tuple[str, ...]) -> None:
    answer = server.get(place.format(*(quote(name, safe="") for name in found)))
    assert answer.status_code in {200, 404, 405, 422}
    assert answer.headers["content-security-policy"] == POLICY


@examples(60)
@given(data=setups)
def test_any_setup_is_refused_or_kept_as_it_is(data: dict[str, Any]) -> None:
    try:
        found = setup_from(data, "tic_tac_toe", ROLES, Limits(), own_rules=False)
    except LudensError:
        return
    assert Setup.from_json(json.loads(json.dumps(found.as_json()))) == found
    assert all(seat.clock.play <= 86_400 or seat.player == "human" for seat in found.seats.values())
    assert found.megabytes <= 2 * 512


@FEW
@given(sent=st.lists(orders, max_size=6))
def test_a_match_goes_on_whatever_is_sent_to_it(
    server: TestClient, sent: list[str | bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_ORDERS_A_SECOND", 1_000_000)
    match = begin(server, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    address = f"ws://127.0.0.1:8123/live/{match['match']}?seat={token_of(match, 'xplayer')}"
    with server.websocket_connect(address, headers={"origin": ADDRESS}) as socket:
        page = Page(socket)
        asked = page.until("asked")
        for order in sent:
            if isinstance(order, bytes):
                socket.send_bytes(order)
            else:
                socket.send_text(order)
        page.send(do="move", question=asked["question"], move=first_move(asked))
        while not page.until("position")["history"]["add"]:
            pass
        page.send(do="resign")
        assert page.until("ended")["goals"]["xplayer"] == 0


@FEW
@given(ticket=values, end=values, shown=values)
def test_any_json_may_lie_among_the_matches(tmp_path: Path, ticket: Any, end: Any, shown: Any) -> None:
    store = Store(tmp_path, tmp_path / "records")
    for kind in ("running", "finished"):
        folder = tmp_path / "matches" / kind / "x"
        folder.mkdir(exist_ok=True)
        for name, data in (("match", ticket), ("end", end), ("shown", shown)):
            (folder / f"{name}.json").write_text(json.dumps(data))
    assert list(store.running()) == []
    assert store.finished(5) == []
    setup = setup_from({"seats": dict.fromkeys(ROLES, HUMAN)}, "tic_tac_toe", ROLES, Limits(), own_rules=False)
    known = new_ticket("me", setup, {}, "")
    hosted = HostedMatch.from_disk(
        known, end if isinstance(end, dict) else {}, shown if isinstance(shown, dict) else {}
    )
    assert hosted is None or hosted.is_over
