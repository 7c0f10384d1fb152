"""Ready set-ups, which cards declare: all their moves are legal, one after the other."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import GameError, random_joint_move
from ludens.games import library
from ludens.games.cards import ReadySetup, read_card

SETUPS = [
    (f"{name}:{parameters}" if parameters else name, setup)
    for name, entry in library.entries().items()
    for setup in entry.card.setups
    for parameters in setup.parameters or ("",)
]


@pytest.mark.parametrize(
    ("name", "setup"), SETUPS, ids=lambda value: value.name if isinstance(value, ReadySetup) else value
)
def test_the_moves_of_a_setup_are_legal(name: str, setup: ReadySetup) -> None:
    game, rng = ludens.load(name), Random(1)
    for role in setup.roles or game.roles:
        state, plan = game.initial_state(), list(setup.moves)
        for _ in range(200):
            if not plan:
                break
            chosen = dict(random_joint_move(state, rng))
            if role in chosen and (plan[0] in state.legal_moves(role) or len(state.legal_moves(role)) > 1):
                chosen[role] = plan.pop(0)
            state = state.play(state.resolve(chosen, rng))
        assert plan == []


def test_cards_name_what_setups_have() -> None:
    assert len(SETUPS) > 5


CARD = 'title = "x"\n[[setups]]\nname = "a"\nmoves = ["left", "right"]\n'


def test_a_setup_is_for_all_roles_and_parameters_unless_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(
        CARD + '[[setups]]\nname = "b"\nmoves = ["up"]\nparameters = ["", "7"]\nroles = ["red"]\n', encoding="utf-8"
    )
    one, other = read_card(path).setups
    assert one.fits(("9",), "blue")
    assert [other.fits(*given) for given in (((), "red"), (("7",), "red"), (("8",), "red"), ((), "blue"))] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "wrong", ['[[setups]]\nname = "a"', CARD + "more = 1", CARD + "parameters = [1]", "setups = 1"]
)
def test_what_is_no_setup_is_refused(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(wrong if wrong.startswith("title") else f'title = "x"\n{wrong}\n', encoding="utf-8")
    with pytest.raises(GameError, match=r"set-?ups?"):
        read_card(path)
