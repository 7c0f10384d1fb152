from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import ludens
from ludens.referee.opening import first_choice
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from ludens.web.settings import Settings
from tests.web.helpers import HUMAN, RANDOM, begin, connected, first_move, token_of

SOLO = """(role solo) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal solo tick) (true (counter ?n))) (<= (legal solo tock) (true (counter ?n)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3))) (<= (goal solo 100) (true (counter 3)))"""


def the_record(settings: Settings) -> Path:
    (path,) = settings.records.glob("*.jsonl")
    return path


@pytest.mark.smoke
def test_a_person_plays_a_whole_match_and_the_record_verifies(client: TestClient, settings: Settings) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        end = page.play(first_move)
        assert end["finished"]
        assert page.until("record")["name"] == the_record(settings).name
    game = ludens.load("tic_tac_toe")
    assert list(verify(read_record(the_record(settings)), game)) == []


def test_two_people_play_each_other_and_spectators_see_every_turn(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": HUMAN})
    x_token, o_token = token_of(match, "xplayer"), token_of(match, "oplayer")
    with (
        connected(client, match["match"], x_token) as cross,
        connected(client, match["match"], o_token) as nought,
        connected(client, match["match"]) as spectator,
    ):
        for page, move in [(cross, "(mark 2 2)"), (nought, "(mark 1 1)"), (cross, "(mark 3 3)")]:
            asked = page.until("asked")
            page.send(do="move", question=asked["question"], move=move)
        turns: list[Any] = []
        while len(turns) < 3:
            turns += spectator.until("position")["history"]["add"]
    assert [turn["moves"] for turn in turns] == [
        [["xplayer", "b2"]],
        [["oplayer", "a1"]],
        [["xplayer", "c3"]],
    ]


def test_spots_to_click_come_with_the_moves_and_are_on_the_board(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        svg = page.until("position")["svg"]
        moves = page.until("asked")["moves"]
    assert len(moves) == 9
    assert all(f'data-spot="{spot}"' in svg for move in moves for spot in move["spots"])


def test_a_move_taken_back_becomes_a_branch_of_the_record(client: TestClient, settings: Settings) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM}, undo=True)
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        asked = page.until("asked")
        assert not asked["undo"]
        page.send(do="move", question=asked["question"], move="(mark 1 1)")
        asked = page.until("asked")
        assert asked["undo"]
        page.send(do="undo", question=asked["question"])
        position = page.until("position")
        while position["history"] != {"keep": 0, "add": []}:
            position = page.until("position")
        assert page.play(first_move)["finished"]
        page.until("record")
    record = read_record(the_record(settings))
    assert [turn.parent for turn in record.turns.values()][:3] == [0, 1, 0]
    assert list(verify(record, ludens.load("tic_tac_toe"))) == []


def test_who_resigns_loses(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        page.until("asked")
        page.send(do="resign")
        end = page.until("ended")
    assert (end["reason"], end["forfeited"], end["goals"]) == ("forfeit", "xplayer", {"xplayer": 0, "oplayer": 100})


def test_a_hint_is_a_legal_move_with_its_spots(client: TestClient) -> None:
    match = begin(client, "nim:1,2", {"first": HUMAN, "second": RANDOM})
    with connected(client, match["match"], token_of(match, "first")) as page:
        asked = page.until("asked")
        page.send(do="hint", question=asked["question"])
        hint = page.until("hint")
    assert hint["move"] in {move["move"] for move in asked["moves"]}


@pytest.mark.parametrize("order", [{"do": "move", "move": "(mark 9 9)"}, {"do": "move", "question": 999, "move": "x"}])
def test_illegal_and_late_moves_are_told_and_change_nothing(client: TestClient, order: dict[str, Any]) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    with connected(client, match["match"], token_of(match, "xplayer")) as page:
        asked = page.until("asked")
        page.send(**({"question": asked["question"]} | order))
        assert page.until("note")["text"]
        page.send(do="move", question=asked["question"], move="(mark 2 2)")
        assert page.until("position")["history"]["add"][0]["moves"] == [["xplayer", "b2"]]


def test_spectators_cannot_move(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    with (
        connected(client, match["match"]) as spectator,
        connected(client, match["match"], token_of(match, "xplayer")) as page,
    ):
        asked = page.until("asked")
        spectator.send(do="move", question=asked["question"], move="(mark 1 1)")
        spectator.send(do="resign")
        page.send(do="move", question=asked["question"], move="(mark 2 2)")
        assert page.until("position")["history"]["add"][0]["moves"] == [["xplayer", "b2"]]


def test_simultaneous_moves_wait_for_all(client: TestClient) -> None:
    game = "rock_paper_scissors"
    roles = ludens.load(game).roles
    match = begin(client, game, dict.fromkeys(roles, HUMAN))
    with (
        connected(client, match["match"], token_of(match, roles[0])) as one,
        connected(client, match["match"], token_of(match, roles[1])) as other,
    ):
        questions = [page.until("asked") for page in (one, other)]
        one.send(do="move", question=questions[0]["question"], move=first_move(questions[0]))
        one.send(do="all")
        assert one.until("position")["history"]["add"] == []
        other.send(do="move", question=questions[1]["question"], move=first_move(questions[1]))
        assert len(one.until("position")["history"]["add"][0]["moves"]) == 2


def test_who_comes_back_is_told_everything_and_numbers_have_no_gaps(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    token = token_of(match, "xplayer")
    with connected(client, match["match"], token) as page:
        for _ in range(2):
            asked = page.until("asked")
            page.send(do="move", question=asked["question"], move=first_move(asked))
        asked = page.until("asked")
        assert page.numbers == list(range(page.numbers[0], page.numbers[0] + len(page.numbers)))
    with connected(client, match["match"], token) as page:
        assert len(page.until("position")["history"]["add"]) == 4
        assert page.until("asked")["question"] == asked["question"]


def test_own_rules_are_played(client: TestClient) -> None:
    match = begin(client, "ticker", {"solo": HUMAN}, rules=SOLO)
    with connected(client, match["match"], token_of(match, "solo")) as page:
        assert page.play(first_move)["goals"] == {"solo": 100}


def test_errors_in_own_rules_are_told_with_their_place(client: TestClient) -> None:
    answer = client.post("/play/game", json={"game": "mine", "rules": "(role a"})
    assert answer.status_code == 422
    assert ":1:" in answer.json()["error"]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"game": "../../etc/passwd"}, "library"),
        ({"game": "/tmp/x.kif"}, "library"),
        ({"game": "openspiel:tic_tac_toe"}, "openspiel"),
        ({"game": "no_such_game"}, "no game"),
        ({"game": "../x", "rules": SOLO}, "name of your rules"),
        ({"rules": "x" * 200_001, "game": "long"}, "characters"),
        ({"seats": {}}, "roles"),
        ({"seats": {"xplayer": HUMAN, "oplayer": {"player": "nobody", "clock": 1}}}, "no player"),
        ({"seats": {"xplayer": HUMAN, "oplayer": {"player": "mcts", "clock": 1e9}}}, "seconds"),
        ({"seats": {"xplayer": HUMAN, "oplayer": {"player": "mcts", "options": {"memory": 9_999}}}}, "at most"),
        ({"seats": {"xplayer": HUMAN, "oplayer": {"player": "mcts", "options": {"exploration": "x"}}}}, "type"),
        ({"seed": "7"}, "seed"),
    ],
)
def test_wrong_orders_are_refused_with_a_reason(client: TestClient, change: dict[str, Any], part: str) -> None:
    order = {"game": "tic_tac_toe", "seats": {"xplayer": HUMAN, "oplayer": RANDOM}} | change
    answer = client.post("/play", json=order)
    assert answer.status_code == 422
    assert part in answer.json()["error"]


@pytest.mark.parametrize("token", ["x", "", "' or 1=1"])
def test_a_seat_needs_its_token(client: TestClient, token: str) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM})
    assert client.get(f"/play/{match['match']}/{token or 'nothing'}").status_code == 404
    if token:
        with pytest.raises(WebSocketDisconnect), connected(client, match["match"], token) as page:
            page.until("position")


def test_sockets_from_other_sites_are_refused(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": RANDOM, "oplayer": RANDOM})
    with pytest.raises(WebSocketDisconnect), connected(client, match["match"], origin="http://evil.example"):
        pass


def test_the_form_offers_all_games_and_players(client: TestClient) -> None:
    page = client.get("/play", headers={"accept": "text/html"}).text
    assert 'value="connect_four"' in page
    names = {player["name"] for player in client.get("/play/players").json()["players"]}
    assert {"auto", "mcts", "random"} <= names
    assert "human" not in names


def test_a_match_in_which_time_runs_waits_until_all_have_come(client: TestClient) -> None:
    timed = {"player": "human", "clock": 600.0}
    match = begin(client, "tic_tac_toe", {"xplayer": timed, "oplayer": timed})
    with connected(client, match["match"], token_of(match, "xplayer")) as cross:
        cross.until("seats")
        assert client.get("/watch").json()["running"][0]["status"] == "waiting"
        with connected(client, match["match"], token_of(match, "oplayer")):
            assert 0 < cross.until("asked")["due"] <= 600


def test_the_page_of_a_match_leads_to_the_rules_and_to_another_match(client: TestClient) -> None:
    match = begin(client, "nim:1,2", {"first": HUMAN, "second": RANDOM})
    for path in (match["seats"][0]["path"], match["watch"]):
        text = client.get(path, headers={"accept": "text/html"}).text
        assert 'href="/library/nim:1,2"' in text
        assert 'data-again="/play?game=nim:1,2"' in text


def test_matches_of_one_game_can_be_watched_alone(client: TestClient) -> None:
    match = begin(client, "nim:1,2", {"first": HUMAN, "second": RANDOM})
    assert [found["match"] for found in client.get("/watch?game=nim:1,2").json()["running"]] == [match["match"]]
    assert client.get("/watch?game=chess").json()["running"] == []
    page = client.get("/watch?game=chess", headers={"accept": "text/html"}).text
    assert 'href="/play?game=chess&amp;watch"' in page


def test_a_wrong_address_leads_back_to_its_subject(client: TestClient) -> None:
    text = client.get("/watch/none", headers={"accept": "text/html"}).text
    assert "There is no such match" in text
    assert '<a class="button primary" href="/watch">' in text


def test_one_request_begins_a_match_against_the_usual_players(client: TestClient) -> None:
    answer = client.post("/play", json={"game": "tic_tac_toe"})
    assert answer.status_code == 201
    assert [seat["role"] for seat in answer.json()["seats"]] == ["xplayer"]
    with connected(client, answer.json()["match"], token_of(answer.json(), "xplayer")) as page:
        seats = page.until("seats")["seats"]
        page.until("asked")
    assert [seat["player"] for seat in seats] == ["human", "auto"]


def test_a_person_begins_also_if_dice_decide_that(client: TestClient) -> None:
    game = ludens.load("pig", backend="interpreter")
    seats = set()
    for seed in (1, 7):
        (seat,) = client.post("/play", json={"game": "pig", "seed": seed}).json()["seats"]
        assert len(first_choice(game, seed).legal_moves(seat["role"])) > 1
        seats.add(seat["role"])
    assert seats == set(game.roles)


def test_a_rematch_swaps_roles_and_sends_all_people_their_seats(client: TestClient) -> None:
    match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": HUMAN})
    with (
        connected(client, match["match"], token_of(match, "xplayer")) as first,
        connected(client, match["match"], token_of(match, "oplayer")) as second,
    ):
        first.until("asked")
        second.send(do="rematch")  # not before it is over
        first.send(do="resign")
        second.until("ended")
        second.send(do="rematch")
        first.send(do="rematch")  # one is enough
        paths = [page.until("rematch")["path"] for page in (first, second)]
    assert len({path.split("/")[2] for path in paths}) == 1
    pages = [client.get(path, headers={"accept": "text/html"}).text for path in paths]
    assert "You play <strong>oplayer</strong>" in pages[0]
    assert "You play <strong>xplayer</strong>" in pages[1]


PENNIES = """(role left) (role right) (init start) (legal left heads) (legal left tails) (legal right heads)
(legal right tails) (next over) (<= terminal (true over)) (goal left 50) (goal right 50)"""


def test_own_rules_can_be_played_once_more(client: TestClient) -> None:
    match = begin(client, "pennies", {"left": HUMAN, "right": RANDOM}, rules=PENNIES)
    with connected(client, match["match"], token_of(match, "left")) as page:
        page.play(first_move)
        page.until("record")
        page.send(do="rematch")
        (path,) = {page.until("rematch")["path"]}
    assert "You play <strong>right</strong>" in client.get(path, headers={"accept": "text/html"}).text
