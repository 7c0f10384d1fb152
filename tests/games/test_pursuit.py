"""Tron, and wolf and sheep: who can go where, and who wins."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from ludens.core import GameError
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import arguments, signature
from tests.games.boards import board_of, control_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game

WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, 1), "down": (0, -1)}
Square = tuple[int, int]


@pytest.mark.parametrize("name", ["tron:5,2", "tron:6,3", "tron:6,4"])
def test_tron_is_ridden_as_a_second_referee_says(name: str) -> None:
    game = shelf_game(name)
    for seed in range(8):
        rng = Random(seed)
        state: ReferenceState = game.initial_state()
        walls = {square for square, content in board_of(state).items() if content != "b"}
        heads = {
            str(role): (int(str(x)), int(str(y)))
            for role, x, y in (arguments(fact) for fact in state.facts if signature(fact) == ("at", 3))
        }
        latest: set[str] = set()
        while True:
            assert state.is_terminal == (len(heads) <= 1)
            if state.is_terminal:
                winners = set(heads) or latest
                assert state.goals == {role: 100 // len(winners) if role in winners else 0 for role in game.roles}
                break
            targets: dict[str, Square | None] = {}
            moves = dict.fromkeys(game.roles, "noop")
            for role, (x, y) in heads.items():
                free = {
                    f"(go {name})": (x + dx, y + dy)
                    for name, (dx, dy) in WAYS.items()
                    if (x + dx, y + dy) in board_of(state) and (x + dx, y + dy) not in walls
                }
                assert set(state.legal_moves(role)) == (set(free) or {"crash"})
                moves[role] = rng.choice(sorted(free)) if free else "crash"
                targets[role] = free.get(moves[role])
            state = state.play(moves)
            goals = list(targets.values())
            latest = {role for role, target in targets.items() if target is None or goals.count(target) > 1}
            walls |= {target for target in goals if target is not None}
            heads = {role: target for role, target in targets.items() if target is not None and role not in latest}
            assert {square for square, content in board_of(state).items() if content != "b"} == walls


def test_riders_that_crash_together_share() -> None:
    state: ReferenceState = shelf_game("tron:4,2").initial_state()
    state = state.play({"red": "(go down)", "blue": "(go left)"})
    assert state.is_terminal
    assert state.goals == {"red": 50, "blue": 50}
    assert board_of(state)[2, 2] == "wreck"


def wolf_wins(size: int) -> bool:
    """Whether the wolf wins with best play, by a search that knows nothing of GDL."""

    @cache
    def mover_wins(wolf: Square, sheep: frozenset[Square], is_wolf: bool) -> bool:
        if not is_wolf and wolf[1] == size:
            return False
        following = []
        for x, y in [wolf] if is_wolf else sorted(sheep):
            for dx, dy in [(-1, -1), (1, -1)] + ([(-1, 1), (1, 1)] if is_wolf else []):
                target = (x + dx, y + dy)
                if min(target) >= 1 and max(target) <= size and target != wolf and target not in sheep:
                    following.append((target, sheep) if is_wolf else (wolf, sheep - {(x, y)} | {target}))
        return any(not mover_wins(after, flock, not is_wolf) for after, flock in following)

    start = board_of(shelf_game(f"wolf_and_sheep:{size}").initial_state())
    (wolf,) = (square for square, content in start.items() if content == "wolf")
    return mover_wins(wolf, frozenset(square for square, content in start.items() if content == "sheep"), True)


def value_for_wolf(size: int) -> int:
    """What the wolf gets with best play, by the rules."""

    @cache
    def value(state: ReferenceState) -> int:
        if state.is_terminal:
            return state.goals["wolf"]
        mover = control_of(state)
        values = (
            value(state.play({role: move if role == mover else "noop" for role in state.game.roles}))
            for move in state.legal_moves(mover)
        )
        return max(values) if mover == "wolf" else min(values)

    return value(shelf_game(f"wolf_and_sheep:{size}").initial_state())


def test_sheep_enclose_the_wolf_on_four_by_four() -> None:
    assert wolf_wins(4) is False
    assert value_for_wolf(4) == 0


@pytest.mark.slow
def test_the_wolf_gets_through_on_six_by_six() -> None:
    assert wolf_wins(6) is True
    assert value_for_wolf(6) == 100


def test_sheep_only_go_down_and_nothing_is_taken() -> None:
    for state in random_states(shelf_game("wolf_and_sheep"), 3):
        contents = list(board_of(state).values())
        assert (contents.count("sheep"), contents.count("wolf")) == (4, 1)
        if not state.is_terminal and control_of(state) == "sheep":
            steps = [[int(word) for word in move[6:-1].split()] for move in state.legal_moves("sheep")]
            assert all(y1 - y2 == 1 and abs(x1 - x2) == 1 for x1, y1, x2, y2 in steps)


@pytest.mark.parametrize(
    ("name", "message"),
    [("tron:8,5", "number of riders"), ("wolf_and_sheep:7", "must be even"), ("wolf_and_sheep:12", "4 to 10")],
)
def test_bad_parameters_are_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize("name", ["tron", "tron:8,4", "wolf_and_sheep"])
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 3)
