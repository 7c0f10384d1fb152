from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from starlette.testclient import TestClient

import ludens
from ludens.core import Game, State, random_joint_move
from ludens.drawing.percept_text import told
from ludens.referee import TurnPlayed
from ludens.referee.reading import read_record
from ludens.web.hosting.presentation import PUBLIC, Presentation
from ludens.web.matches.match_form import setup_from
from ludens.web.settings import Limits, Settings
from tests.thorough import part_of
from tests.web.helpers import HUMAN, Page, begin, connected, first_move, token_of

CARDS = ("jack", "queen", "king")


@cache
def loaded(name: str) -> Game:
    return ludens.load(name)


def turn(number: int, before: State, rng: Random) -> TurnPlayed:
    chosen = random_joint_move(before, rng)
    joint_move = before.resolve(chosen, rng)
    after = before.play(joint_move)
    percepts = {role: tuple(after.percepts(role)) for role in before.game.roles}
    return TurnPlayed(number, number - 1, joint_move, chosen, after, percepts=percepts)


def shown_position(presentation: Presentation, state: State, audience: str) -> dict[str, Any]:
    """What an audience is shown of a state, without the history."""
    found: dict[str, Any] = presentation.position(state)[audience]
    return {key: value for key, value in found.items() if key != "history"}


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "kriegspiel_tic_tac_toe", "leduc_poker@tabletop", "liars_dice", "uno", "phantom_go:5"]
)
@examples(max_examples=part_of(12), deadline=None)
@given(seed=st.integers(0, 2**32), turns=st.integers(1, 8))
def test_nobody_is_shown_what_its_role_cannot_know(name: str, seed: int, turns: int) -> None:
    """Every state that fits what a role knows is shown to it, and to spectators, exactly as the real one is."""
    game, rng = loaded(name), Random(seed)
    presentation = Presentation(game, game.roles)
    state = game.initial_state()
    for number in range(1, turns + 1):
        if state.is_terminal:
            break
        event = turn(number, state, rng)
        presentation.turn(event)
        state = event.state
        for role in game.roles:
            imagined = state.view(role).sample(rng)
            for audience in (role, PUBLIC):
                assert shown_position(presentation, state, audience) == shown_position(presentation, imagined, audience)
            assert presentation.moves(state.view(role)) == presentation.moves(imagined.view(role))


@examples(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_histories_of_others_have_neither_moves_nor_percepts(seed: int) -> None:
    game, rng = loaded("kriegspiel_tic_tac_toe"), Random(seed)
    presentation = Presentation(game, game.roles[:1])
    event = turn(1, game.initial_state(), rng)
    presentation.turn(event)
    position = presentation.position(event.state)
    assert position[PUBLIC]["history"]["add"] == [{"turn": 1, "moves": []}]
    (own,) = position[game.roles[0]]["history"]["add"]
    assert own["percepts"] == list(event.percepts[game.roles[0]])
    assert all(role == game.roles[0] for role, _ in own["moves"])


def test_two_browsers_and_a_spectator_are_sent_different_cards(client: TestClient) -> None:
    match = begin(client, "kuhn_poker", {"first": HUMAN, "second": HUMAN})
    with (
        connected(client, match["match"], token_of(match, "first")) as first,
        connected(client, match["match"], token_of(match, "second")) as second,
        connected(client, match["match"]) as spectator,
    ):
        first.until("asked")
        while "'s hand" not in second.until("position")["text"]:
            pass
        spectator.until("position")
        own = [{card for card in CARDS if card in "".join(page.texts)} for page in (first, second, spectator)]
    assert len(own[0]) == len(own[1]) == 1
    assert own[0] != own[1]
    assert own[2] == set()


def test_searches_of_games_with_secrets_are_not_shown(client: TestClient) -> None:
    players = {"player": "ismcts", "clock": 0.3, "options": {"iterations": 200}}
    match = begin(client, "kuhn_poker", {"first": players, "second": players})
    with connected(client, match["match"]) as page:
        page.until("ended")
        assert not any('"thinking"' in text for text in page.texts)


def test_a_search_does_not_tell_a_person_what_it_plays_at_the_same_time(client: TestClient) -> None:
    """Its thoughts are for spectators, and a person can be one: nothing is shown before the person has chosen."""
    search = {"player": "flat", "clock": 1.2}
    match = begin(client, "rock_paper_scissors", {"left": HUMAN, "right": search})
    own = token_of(match, "left")
    with connected(client, match["match"], own) as page, connected(client, match["match"]) as public:
        asked = page.until("asked")
        page.send(do="move", question=asked["question"], move=first_move(asked))
        page.until("position")
        page.send(do="resign")
        public.until("ended")
        assert not any('"thinking"' in text for text in public.texts)


def test_searches_that_nobody_plays_against_are_shown_where_all_choose_at_once(client: TestClient) -> None:
    search = {"player": "flat", "clock": 1.2}
    match = begin(client, "rock_paper_scissors", {"left": search, "right": search})
    with connected(client, match["match"]) as public:
        assert public.until("thinking", "ended")["kind"] == "thinking"


SECOND_CHOICE = """
(role alice) (role bob) (init (step 1))
(<= (legal alice left) (true (step 1))) (<= (legal alice right) (true (step 1)))
(<= (legal alice up) (true secret)) (<= (legal alice down) (true secret))
(<= (legal alice wait) (true (step ?n)) (distinct ?n 1) (not (true secret)))
(legal bob a) (legal bob b)
(<= (next secret) (does alice left))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2))) (<= (next (step 4)) (true (step 3)))
(<= (sees alice (chose ?move)) (does alice ?move))
(<= terminal (true (step 4))) (goal alice 50) (goal bob 50)
"""
"""Alice secretly gets a second choice, if she goes left."""


def stream_of_bob(client: TestClient, first: str) -> list[dict[str, Any]]:
    """All that the server sends to bob, without times and the numbers of questions, if alice begins like this."""
    match = begin(client, "second_choice", {"alice": HUMAN, "bob": HUMAN}, rules=SECOND_CHOICE)
    name, messages = match["match"], []
    with (
        connected(client, name, token_of(match, "alice")) as alice,
        connected(client, name, token_of(match, "bob")) as bob,
        ThreadPoolExecutor(1) as pool,
    ):
        alice_plays = pool.submit(
            alice.play, lambda asked: first if first in str(asked["moves"]) else first_move(asked)
        )
        bob.play(lambda asked: "b")
        alice_plays.result()
        for text in bob.texts:
            messages += [message for message in json.loads(text)["messages"] if message["kind"] != "seats"]
    return [
        {key: value for key, value in message.items() if key not in {"at", "due", "question", "name"}}
        for message in messages
    ]


def test_a_seat_does_not_learn_whether_another_was_asked(client: TestClient) -> None:
    """Its whole stream is the same, whatever is hidden from it."""
    assert stream_of_bob(client, "left") == stream_of_bob(client, "right")


def test_numbers_of_questions_tell_nothing(client: TestClient) -> None:
    match = begin(client, "kuhn_poker", {"first": HUMAN, "second": HUMAN})
    with connected(client, match["match"], token_of(match, "first")) as page:
        assert page.until("asked")["question"] > 2**20


@pytest.mark.parametrize("agrees", [True, False])
def test_others_have_to_agree_where_taking_back_could_tell_secrets(client: TestClient, agrees: bool) -> None:
    match = begin(client, "second_choice", {"alice": HUMAN, "bob": HUMAN}, rules=SECOND_CHOICE, undo=True)
    name = match["match"]
    with (
        connected(client, name, token_of(match, "alice")) as alice,
        connected(client, name, token_of(match, "bob")) as bob,
    ):
        for page, move in ((alice, "left"), (bob, "a")):
            page.send(do="move", question=page.until("asked")["question"], move=move)
        asked = alice.until("asked")
        alice.send(do="undo", question=asked["question"])
        wish = bob.until("wish")
        assert wish["from"] == "alice"
        alice.send(do="decide", wish=wish["wish"], agrees=True)  # nobody agrees with itself
        bob.send(do="decide", wish=wish["wish"], agrees=agrees)
        if agrees:
            assert {move["move"] for move in alice.until("asked")["moves"]} == {"left", "right"}
        else:
            while alice.until("note")["text"] != "bob does not agree.":
                pass


def test_seeds_are_too_many_to_be_tried_out() -> None:
    seats = {"xplayer": HUMAN, "oplayer": HUMAN}
    setups = [setup_from({"seats": seats}, "tic_tac_toe", tuple(seats), Limits(), own_rules=False) for _ in range(40)]
    assert max(setup.seed for setup in setups) >= 2**48


@pytest.mark.parametrize(("seed", "warns"), [(5, True), (None, False)])
def test_people_are_told_that_somebody_knows_the_seed(client: TestClient, seed: int | None, warns: bool) -> None:
    match = begin(client, "kuhn_poker", {"first": HUMAN, "second": HUMAN}, seed=seed)
    page = client.get(f"/play/{match['match']}/{token_of(match, 'second')}", headers={"accept": "text/html"}).text
    assert ("chose its seed" in page) is warns


HIDDEN = ("holdem", "sealed_bid_auction", "uno", "hearts", "kriegspiel", "phantom_connect_four", "stratego")


@pytest.mark.parametrize("name", [*HIDDEN[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in HIDDEN[2:])])
def test_pages_are_told_their_own_moves_and_percepts_and_nothing_of_others(
    client: TestClient, settings: Settings, name: str
) -> None:
    roles = client.post("/play/game", json={"game": name}).json()["roles"]
    match = begin(client, name, dict.fromkeys(roles, HUMAN), seed=987_654_321_012)
    with ExitStack() as stack, ThreadPoolExecutor(len(roles)) as people:
        pages = {role: stack.enter_context(connected(client, match["match"], token_of(match, role))) for role in roles}
        pages[PUBLIC] = stack.enter_context(connected(client, match["match"]))
        list(people.map(lambda role: play_or_resign(pages[role], Random(role)), roles))
        record = read_record(settings.records / pages[PUBLIC].until("record")["name"])
    game = ludens.load(name)
    for audience, page in pages.items():
        assert not any("987654321012" in text for text in page.texts)
        messages = [message for text in page.texts for message in json.loads(text)["messages"]]
        assert not any(message["kind"] == "thinking" for message in messages)
        assert audience != PUBLIC or not any(message["kind"] == "asked" for message in messages)
        for message in messages:
            for entry in message["history"]["add"] if message["kind"] == "position" else ():
                perceived = told(game, record.turns[entry["turn"]].percepts.get(audience, ()))
                assert {(role, move) for role, move in entry["moves"] if role != audience} <= set(perceived.moves)
                assert entry.get("percepts", []) == perceived.sentences


def play_or_resign(page: Page, rng: Random) -> None:
    """Play at random, and give up after ten moves."""
    for _ in range(10):
        message = page.until("asked", "ended")
        if message["kind"] == "ended":
            return
        page.send(do="move", question=message["question"], move=rng.choice(message["moves"])["move"])
    page.send(do="resign")
    page.until("ended")


def test_the_seed_is_told_to_nobody_while_the_match_is_played(client: TestClient) -> None:
    match = begin(client, "kuhn_poker", {"first": HUMAN, "second": HUMAN}, seed=123_454_321)
    with connected(client, match["match"], token_of(match, "first")) as page:
        page.until("asked")
        texts = [*page.texts, client.get("/watch").text]
        texts += [client.get(path, headers={"accept": "text/html"}).text for path in (match["watch"], "/watch")]
    assert not any("123454321" in text for text in texts)
