"""Tournaments: what the store knows is on the page, and news arrive."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from ludens.arena.execution.executors import Inline
from ludens.arena.plan import PlanError, parse_plan, stored_plan
from ludens.arena.played_match import PlayedMatch
from ludens.arena.ratings import Rating, rating_history
from ludens.arena.store import Store
from ludens.arena.tournament import Tournament
from ludens.web.settings import Settings
from ludens.web.tournaments.rating_plot import rating_svg

HTML = {"accept": "text/html"}
PLAN = parse_plan("games: ['nim:1,2', tic_tac_toe]\nplayers: [random, legal]\nclock: 0.1\n", "spring")


@pytest.fixture
def store(settings: Settings) -> Store:
    return Store(settings.data / "arena.db")


def _match(key: str, players: tuple[str, ...], goals: tuple[int, ...], game: str = "nim:1,2") -> PlayedMatch:
    roles = ("first", "second", "third")[: len(players)]
    record = gzip.compress(b'{"event": "start"}\n')
    points, errors = tuple(map(float, goals)), (0,) * len(players)
    return PlayedMatch(key, game, roles, players, goals, points, errors, 3, 0.1, 0.1, 1, "terminal", record)


def test_without_a_store_the_page_tells_how_to_begin(client: TestClient) -> None:
    text = client.get("/tournaments", headers=HTML).text
    assert "There are no tournaments yet" in text
    assert client.get("/tournaments/1").status_code == 404


@pytest.mark.slow
def test_a_tournament_that_was_played_is_shown(client: TestClient, store: Store) -> None:
    *_, last = Tournament(PLAN, store, Inline()).run()
    text = client.get("/tournaments/1", headers=HTML).text
    assert f"{last.planned} of {last.planned} matches" in text
    assert "running" not in text
    assert "Crosstable" in text
    assert 'href="/replay/tournament/1/2/1.1.1"' in text
    assert "spring" in client.get("/tournaments", headers=HTML).text


def test_news_arrive_and_nothing_is_sent_twice(client: TestClient, store: Store) -> None:
    number = store.begin(PLAN.name, PLAN.as_text())
    store.save(number, _match("2/1.1.1", ("random", "legal"), (100, 0)))
    first = client.get("/tournaments/1/table?known=", headers=HTML)
    assert "1 of 4 matches" in first.text
    assert "running" in first.text
    assert client.get("/tournaments/1/table?known=1%2B").status_code == 204
    store.save(number, _match("2/1.1.2", ("legal", "random"), (0, 100)))
    assert "2 of 4 matches" in client.get("/tournaments/1/table?known=1%2B", headers=HTML).text


def test_names_of_players_stay_text(client: TestClient, store: Store) -> None:
    number = store.begin("<i>x</i>", "{}")
    for place in range(3):
        store.save(number, _match(f"{place}", ("<b>a</b>", "b&c"), (100, 0)))
    text = client.get("/tournaments/1", headers=HTML).text
    assert "<b>a" not in text
    assert "<i>x" not in text
    assert "&lt;b&gt;a" in text


def test_matches_of_three_are_rated_too(client: TestClient, store: Store) -> None:
    number = store.begin("three", "{}")
    store.save(number, _match("3/1.1.1", ("a", "b", "c"), (100, 50, 0)))
    assert "Rating (skill)" in client.get("/tournaments/1", headers=HTML).text


def test_players_who_never_met_are_not_compared_without_a_word(client: TestClient, store: Store) -> None:
    number = store.begin("apart", "{}")
    store.save(number, _match("1", ("ann", "bob"), (100, 0)))
    assert "never met" not in client.get("/tournaments/1", headers=HTML).text

    store.save(number, _match("2", ("cid", "dan"), (100, 0)))

    assert "compared: ann, bob; cid, dan." in client.get("/tournaments/1", headers=HTML).text


def test_the_overview_counts_matches(store: Store) -> None:
    number = store.begin("spring", "{}")
    store.begin("autumn", "{}")
    store.save(number, _match("1", ("a", "b"), (100, 0)))
    assert [(one.name, one.matches) for one in store.overview()] == [("autumn", 0), ("spring", 1)]
    assert [one.latest is None for one in store.overview()] == [True, False]


def test_a_plan_comes_back_from_its_text() -> None:
    assert stored_plan(PLAN.as_text()) == PLAN
    with_test = parse_plan("games: [nim]\nplayers: [a, b]\nsprt: {first: a, second: b}\n", "x")
    assert stored_plan(with_test.as_text()) == with_test
    for text in ("{}", "[]", "nonsense"):
        with pytest.raises(PlanError, match="not a tournament plan"):
            stored_plan(text)


def test_the_plot_has_a_curve_for_each_player(tmp_path: Path) -> None:
    matches = [_match(str(n), ("a", "b<"), (100, 0) if n % 3 else (0, 100)) for n in range(9)]
    svg = rating_svg(rating_history(matches, 40))
    found = ET.fromstring(svg)
    assert len(found.findall("{http://www.w3.org/2000/svg}polyline")) == 2
    assert "b&lt;" in svg


def test_labels_of_equal_ratings_do_not_overlap() -> None:
    same = Rating("x", 1, 1500.0, 1400.0, 1600.0)
    found = ET.fromstring(rating_svg({name: [(1, same), (2, same)] for name in "abcdef"}))
    heights = sorted(float(dot.attrib["cy"]) for dot in found.findall("{http://www.w3.org/2000/svg}circle"))
    assert all(lower - upper >= 14 for upper, lower in itertools.pairwise(heights))
