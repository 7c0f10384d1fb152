from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ludens.arena.store import Store
from tests.arena.test_ratings import played
from tests.cli.conftest import Run

PLAN = "games: [tic_tac_toe, rock_paper_scissors]\nplayers: [random, legal, {name: other, player: random}]\nseed: 5"


@pytest.fixture
def spring(tmp_path: Path) -> list[str]:
    """A plan, and a store of its own."""
    (tmp_path / "spring.yaml").write_text(PLAN)
    return [str(tmp_path / "spring.yaml"), "--store", str(tmp_path / "arena.db")]


@pytest.mark.smoke
def test_a_tournament_is_played_shown_rated_and_drawn(run: Run, spring: list[str], tmp_path: Path) -> None:
    store = spring[1:]
    code, out, _ = run("tournament", *spring, "--parallel", "1")
    assert code == 0
    assert "12 matches" in out
    assert "score in each game" in out

    code, out, _ = run("results", *store, "--csv", "--game", "tic_tac_toe", "--player", "legal")
    rows = list(csv.DictReader(out.splitlines()))
    assert {row["game"] for row in rows} == {"tic_tac_toe"}
    assert len({row["key"] for row in rows}) == 4

    code, out, _ = run("ratings", *store, "--json", "--plot", str(tmp_path / "ratings.svg"))
    found = json.loads(out)
    assert {rating["player"] for rating in found["ratings"]} == {"random", "legal", "other"}
    assert all(rating["low"] < rating["rating"] < rating["high"] for rating in found["ratings"])
    assert (tmp_path / "ratings.svg").read_text().lstrip().startswith("<?xml")

    key = rows[0]["key"]
    code, out, _ = run("results", *store, "--record", key)
    assert json.loads(out.splitlines()[-1])["event"] == "end"


def test_running_it_again_plays_nothing_twice(run: Run, spring: list[str]) -> None:
    first = json.loads(run("tournament", *spring, "--json", "--parallel", "1")[1])

    again = json.loads(run("tournament", *spring, "--json", "--parallel", "1")[1])

    assert again == first


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("random, legal", "nobody, legal"), "nobody"),
        (("random, legal", "human, legal"), "a person cannot play in a tournament"),
        (("games", "gmaes"), "did you mean 'games'"),
        (("tic_tac_toe", "tic_tac_tow"), "did you mean tic_tac_toe"),
    ],
)
def test_what_is_wrong_with_a_plan_is_told_before_anything_is_played(
    run: Run, spring: list[str], change: tuple[str, str], message: str
) -> None:
    Path(spring[0]).write_text(PLAN.replace(*change))

    code, _, err = run("tournament", *spring)

    assert code == 2
    assert message in err


def test_an_empty_store_says_how_to_fill_it(run: Run, tmp_path: Path) -> None:
    code, _, err = run("ratings", "--store", str(tmp_path / "new.db"))

    assert code == 2
    assert "ludens tournament" in err
    assert not (tmp_path / "new.db").exists()


def test_players_who_never_met_are_not_compared_without_a_word(run: Run, tmp_path: Path) -> None:
    place = str(tmp_path / "arena.db")
    store = Store(place)
    number = store.begin("apart", "{}")
    for key, pair in enumerate([("ann", "bob"), ("cid", "dan")]):
        store.save(number, played(pair, (100, 0), str(key)))

    texts = [run(command, "--store", place)[1] for command in ("results", "ratings")]
    values = [json.loads(run(command, "--store", place, "--json")[1]) for command in ("results", "ratings")]

    for text in texts:
        assert "These groups never met, so their ratings cannot be compared: ann, bob; cid, dan" in text
    for value in values:
        assert value["groups"] == [["ann", "bob"], ["cid", "dan"]]
    assert [(pair["first"], pair["second"]) for pair in values[1]["neighbours"]] == []
