"""Information is history: equal exactly if a player cannot tell two states apart, by brute force in every hidden game.

What a player can tell apart is computed here from the states of a match alone: its own moves, its percepts, and what it
saw and could do after each turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from benchmarks.world_distribution import position_key
from benchmarks.worlds import GAMES, GDL_GAMES, turns_of

import ludens
from ludens.core import Game, JointMove, Role, State, joint_moves, random_joint_move
from ludens.gdl.game import GdlState
from ludens.players.equilibrium.policy import information_text
from ludens.tabletop import TabletopState

WHOLE = (
    "kuhn_poker",
    "kuhn_poker@tabletop",
    "leduc_poker@tabletop",
    "liars_dice:dice=1,game=round,faces=2",
    "mastermind:1,2,2",
    "memory:2,2,2",
    "monty_hall",
    "phantom_go:2,turns=4",
    "sealed_bid_auction",
)
"""Games of which all states are visited, or the first thousands."""
SMALLER = {
    "dominoes": "dominoes:2,draw,3",
    "kriegspiel": "kriegspiel:30",
    "memory": "memory:2,3,2",
    "phantom_go": "phantom_go:3",
    "stratego": "stratego:small,40",
    "totem:4": "totem:3,4",
    "uno:4": "uno:3",
}
"""Small versions of the games on the shelf."""
OTHERS = (str(Path(__file__).with_name("fireworks.py")),)
Known = tuple[Hashable, ...]


class Seen:
    """For each player, what it could tell apart, and the information that states have."""

    def __init__(self) -> None:
        self.information: dict[tuple[Role, Known], set[Hashable]] = defaultdict(set)
        self.texts: dict[tuple[Role, Known], set[str]] = defaultdict(set)
        self.positions: dict[tuple[Role, Known], set[Hashable]] = defaultdict(set)

    def add(self, state: State, known: Mapping[Role, Known]) -> None:
        for role in state.game.roles:
            information = state.view(role).information
            key = role, known[role]
            self.information[key].add(information)
            self.texts[key].add(information_text(information))
            self.positions[key].add(position_key(state))

    def check(self) -> None:
        """Information and its text are functions of what a player can tell apart, and one-to-one."""
        for found in (self.information, self.texts):
            assert all(len(values) == 1 for values in found.values())
            for role in {role for role, _ in found}:
                values = [next(iter(values)) for (whose, _), values in found.items() if whose == role]
                assert len(set(values)) == len(values)
        # Some different positions look the same to somebody, or nothing was tried.
        assert any(len(positions) > 1 for positions in self.positions.values())


def extend(known: Mapping[Role, Known], chosen: JointMove, after: State) -> dict[Role, Known]:
    """What the players know after one more turn."""
    return {role: (*known[role], chosen.get(role), *_perceived(after, role)) for role in after.game.roles}


def _perceived(state: State, role: Role) -> Iterator[Hashable]:
    yield tuple(state.percepts(role))
    yield _freeze(getattr(state.view(role), "observation", None))
    yield frozenset(map(str, state.legal_moves(role)))


def _freeze(value: object) -> Hashable:
    if isinstance(value, Mapping):
        return frozenset((key, _freeze(one)) for key, one in value.items())
    if isinstance(value, set | frozenset):
        return frozenset(map(_freeze, value))
    if isinstance(value, tuple | list):
        return tuple(map(_freeze, value))
    assert isinstance(value, Hashable)
    return value


def beginning(game: Game) -> dict[Role, Known]:
    return dict.fromkeys(game.roles, ())


def visit_all(game: Game, most: int) -> Seen:
    """The states of a game, breadth first."""
    seen = Seen()
    waiting: list[tuple[State, dict[Role, Known]]] = [(game.initial_state(), beginning(game))]
    for state, known in waiting:
        seen.add(state, known)
        for chosen in joint_moves(state) if len(waiting) < most and not state.is_terminal else ():
            for outcome in state.chance_outcomes(chosen, 1000):
                after = state.play(outcome.joint_move)
                waiting.append((after, extend(known, chosen, after)))
    return seen


def replay(game: Game, world: State) -> Iterator[tuple[JointMove, State]]:
    """The turns of a world, played from the beginning."""
    if isinstance(world, GdlState):
        for after in turns_of(world):
            assert after.arrival is not None
            yield after.arrival.turn.chosen, after
        return
    assert isinstance(world, TabletopState)
    state = game.initial_state()
    for turn in (one.turn for one in world.history):
        if turn is not None:
            state = state.play(turn.joint_move)
            yield {role: move.partition(" = ")[0] for role, move in turn.joint_move.items()}, state


def visit_some(name: str, matches: int, turns: int, worlds: int) -> Seen:
    """States of random matches, and of the matches that led to worlds in their last states."""
    game = ludens.load(name)
    seen = Seen()
    for number in range(matches):
        rng = Random(number)
        state, known = game.initial_state(), beginning(game)
        before = state
        while not state.is_terminal and turns > len(next(iter(known.values()))) // 4:
            before = state
            chosen = random_joint_move(state, rng)
            state = state.sample(chosen, rng)
            known = extend(known, {role: move.partition(" = ")[0] for role, move in chosen.items()}, state)
            seen.add(state, known)
        last = before if state.is_terminal else state
        for role in game.roles:
            for world in (last.view(role).sample(rng) for _ in range(worlds)):
                known = beginning(game)
                for played, after in replay(game, world):
                    known = extend(known, played, after)
                    seen.add(after, known)
    return seen


@pytest.mark.parametrize("name", WHOLE)
def test_information_is_equal_exactly_if_nothing_can_be_told_apart_in_small_games(name: str) -> None:
    visit_all(ludens.load(name), 600).check()


@pytest.mark.parametrize("name", [*(SMALLER.get(name, name) for name in GAMES), *GDL_GAMES][::2])
def test_information_is_equal_exactly_if_nothing_can_be_told_apart(name: str) -> None:
    visit_some(name, matches=2, turns=8, worlds=2).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WHOLE, "leduc_poker", "mastermind:2,2,2", "memory:2,3,2", "phantom_go:2"])
def test_information_is_equal_exactly_if_nothing_can_be_told_apart_in_all_of_a_small_game(name: str) -> None:
    visit_all(ludens.load(name), 30_000).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*(SMALLER.get(name, name) for name in GAMES), *GDL_GAMES, *OTHERS])
def test_information_is_equal_exactly_if_nothing_can_be_told_apart_in_long_matches(name: str) -> None:
    visit_some(name, matches=6, turns=45, worlds=3).check()  # at the end of hearts, all cards are known
