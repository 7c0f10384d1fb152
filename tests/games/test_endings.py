from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, State, random_joint_move
from ludens.games import library
from ludens.games.cards import read_card
from ludens.games.endings import cause_of_end, read_conditions
from ludens.gdl.game import GdlGame
from tests.thorough import slow_among

SHELF = Path(library.__file__).parent / "shelf"
WORDED = sorted(path.stem for path in SHELF.glob("*.toml") if read_card(path).endings)
QUICK = [name for name in WORDED if name not in {"chess", "checkers", "ludo", "quoridor", "lines_of_action"}]

RACE = """(role left) (role right) (init (at 0)) (init (clock 0)) (succ 0 1) (succ 1 2) (limit 2)
(<= (legal ?r go) (role ?r)) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= (next (clock ?m)) (true (clock ?n)) (succ ?n ?m))
(<= (home ?r) (role ?r) (true (at 2)) (distinct ?r right))
(<= terminal (true (clock ?n)) (limit ?n) (true (at 2)) (succ 1 2)) (<= terminal (home ?r))
(<= (goal ?r 50) (role ?r))"""


def last_state(game: Game, seed: int) -> State:
    rng = Random(seed)
    state = game.initial_state()
    while not state.is_terminal:
        state = state.sample(random_joint_move(state, rng), rng)
    return state


def after(name: str, *moves: str) -> State:
    """The state after moves of the roles in turn, where all others wait."""
    game = ludens.load(name, backend="reference")
    state = game.initial_state()
    for move in moves:
        joint = {role: next(iter(state.legal_moves(role))) for role in game.roles}
        mover = next(role for role in game.roles if move in state.legal_moves(role))
        state = state.play({**joint, mover: move})
    return state


def race(tmp_path: Path, card: str) -> State:
    (tmp_path / "race.kif").write_text(RACE)
    if card:
        (tmp_path / "race.toml").write_text(f'title = "Race"\n[endings]\n{card}')
    return last_state(ludens.load(str(tmp_path / "race.kif"), backend="reference"), 0)


def test_cards_word_what_won() -> None:
    mate = after("chess", "(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)", "(move d 8 h 4)")
    line = after("tic_tac_toe", "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)")

    assert cause_of_end(mate) == "checkmate"
    assert cause_of_end(line) == "xplayer has three in a row"


def test_without_a_phrase_the_shortest_rule_that_holds_is_named(tmp_path: Path) -> None:
    assert cause_of_end(race(tmp_path, "")) == "the game ended with (home left)"


def test_the_first_phrase_whose_conditions_hold_counts(tmp_path: Path) -> None:
    card = '"(home right)" = "no"\n"(home ?r) (true (at ?n))" = "{r} is home at {n}"\n"terminal" = "over"\n'

    assert cause_of_end(race(tmp_path, card)) == "left is home at 2"


def test_an_empty_phrase_and_wrong_conditions_say_nothing(tmp_path: Path) -> None:
    assert cause_of_end(race(tmp_path, '"terminal" = ""\n')) == ""
    assert cause_of_end(race(tmp_path, '"(home ?r" = "{r} is home"\n')) == ""


def test_a_match_that_goes_on_has_no_cause() -> None:
    assert cause_of_end(ludens.load("tic_tac_toe").initial_state()) == ""


def test_rules_in_python_give_their_reason() -> None:
    state = last_state(ludens.load("tic_tac_toe@tabletop"), 1)

    assert cause_of_end(state) in {"Cross has three in a row", "Circle has three in a row", "the board is full"}


@pytest.mark.parametrize("name", slow_among(QUICK, {"backgammon", "chinese_checkers_3p", "pig"}))
def test_every_card_words_the_ends_of_its_game(name: str) -> None:
    game = ludens.load(f"{name}@gdl" if len(library.find(name).entry.forms) > 1 else name, backend="reference")
    assert isinstance(game, GdlGame)

    cause = cause_of_end(last_state(game, 3))

    assert cause
    assert "the game ended with" not in cause
    assert "{" not in cause


@pytest.mark.parametrize("name", WORDED)
def test_the_conditions_on_cards_are_read(name: str) -> None:
    for conditions in read_card(SHELF / f"{name}.toml").endings:
        assert read_conditions(conditions)
