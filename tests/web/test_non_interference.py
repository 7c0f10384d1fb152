"""Nobody learns anything from the messages of the server that their role may not know.

Two matches that differ only in what a seat cannot see must give that seat, and the spectators whom it may also be,
byte for byte the same messages: ids, numbers, order and sizes.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game
from ludens.games import library
from ludens.web.hosting import table
from tests.web.test_hiding import SECOND_CHOICE
from tests.web.twins import streams, twins

TURNS = 10
FAST = ("kuhn_poker", "sealed_bid_auction", "liars_dice")
HIDDEN = (
    "bridge@tabletop", "chinese_poker@tabletop", "deck_duel@tabletop", "dominoes@tabletop", "hearts@tabletop",
    "hexwar@tabletop", "holdem@tabletop", "kriegspiel@tabletop", "kriegspiel_tic_tac_toe@gdl", "kuhn_poker@gdl",
    "kuhn_poker@tabletop", "leduc_poker@gdl", "leduc_poker@tabletop", "liars_dice@tabletop", "mahjong@tabletop",
    "mastermind@gdl", "memory@tabletop", "monty_hall@gdl", "phantom_connect_four@gdl", "phantom_go@tabletop",
    "sealed_bid_auction@gdl", "skat@tabletop", "spades@tabletop", "stratego@tabletop", "totem@tabletop",
    "uno@tabletop",
)  # fmt: skip
"""All games of the library with hidden information, in all forms."""


def compare(game: Game, folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int, *, hints: bool = False) -> int:
    """Compare the streams of all seats of a pair of matches; the number of turns in which these differ."""
    differences = 0
    for role in game.roles:
        scripts = twins(game, role, Random(f"{game.name} {role} {seed}"), TURNS)
        assert scripts[0].chosen, "no pair of matches was found"
        seen = [
            streams(game, script, role, folder / role / str(number), monkeypatch, hints=hints)
            for number, script in enumerate(scripts)
        ]
        assert len(seen[0][role]) > len(scripts[0].chosen)
        for audience in seen[0]:
            for one, other in zip(seen[0][audience], seen[1][audience], strict=True):
                assert one == other
        differences += sum(map(lambda one, other: dict(one) != dict(other), *(script.resolved for script in scripts)))
    return differences


@pytest.mark.parametrize("name", FAST)
def test_what_is_hidden_changes_no_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(ludens.load(name), tmp_path, monkeypatch, 1) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_in_any_game_of_the_library_changes_no_message(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compare(ludens.load(name), tmp_path, monkeypatch, 2) > 0


@pytest.mark.slow
def test_no_game_with_hidden_information_is_forgotten() -> None:
    names = [f"{name}@{form}" for name, entry in library.entries().items() for form in entry.forms]
    assert [name for name in names if ludens.load(name).hidden] == list(HIDDEN)


def test_a_secret_second_choice_changes_no_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = tmp_path / "second_choice.kif"
    sheet.write_text(SECOND_CHOICE, encoding="utf-8")
    assert compare(ludens.load(sheet), tmp_path / "matches", monkeypatch, 1) > 0


@pytest.mark.parametrize("name", ["kuhn_poker", "sealed_bid_auction"])
def test_hints_tell_no_secrets(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the adviser's randomness depend on the seed of the match, which has dealt the cards."""
    monkeypatch.setattr(table, "ADVISER", "ismcts:iterations=60")
    assert compare(ludens.load(name, wait=True), tmp_path, monkeypatch, 3, hints=True) > 0
