from __future__ import annotations

from random import Random

import pytest

from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.core import Clock, Deadline, Player, random_joint_move
from ludens.players import make_player
from ludens.players.decomposition.separation import Ending, InseparableError, Separation, separate
from ludens.players.decomposition.solve import decompose_game
from ludens.players.decomposition.subgames_player import SubgamesPlayer
from ludens.players.minimax.solve import Solver
from tests.analysis.games import compiled
from tests.players.decomposition.sheets import drop_boards


def separated(game: CircuitGame) -> Separation:
    return separate(game, decompose_game(game))


def assert_like_the_whole(game: CircuitGame, seed: int) -> None:
    """In a random match, what can be done in the subgames and what it leads to is what the whole game has there."""
    parts = separated(game).parts
    rng = Random(seed)
    state = game.initial_state()
    while not state.is_terminal:
        joint = random_joint_move(state, rng)
        after = state.play(joint)
        for part in parts:
            own = part.rules.state(part.game, state)
            if own.is_terminal:
                continue
            moves = {}
            for number, role in enumerate(game.roles):
                legal = {game.move_numbers[number][move] for move in state.legal_moves(role)}
                here = own.legal_moves(role)
                doing = {move: part.rules.actions[number, move] for move in here}
                assert all(any(done >> n & 1 for n in legal) for done in doing.values())
                assert all(any(done >> n & 1 for done in doing.values()) for n in legal)
                chosen = game.move_numbers[number][joint[role]]
                moves[role] = next(move for move, done in doing.items() if done >> chosen & 1)
            assert own.play(moves) == part.rules.state(part.game, after)
        state = after


SHEETS = {
    "swapped": drop_boards(2, 3, 2, 3, style="swapped"),
    "parallel": drop_boards(2, 3, 2, 3, style="parallel"),
    "first": drop_boards(2, 3, 2, 2, style="parallel", first_ends=True),
    "three": drop_boards(3, 3, 1, 2, style="parallel"),
}


@pytest.mark.parametrize("name", SHEETS)
def test_subgames_alone_are_played_as_in_the_whole(name: str) -> None:
    game = compiled(SHEETS[name])
    for seed in range(5):
        assert_like_the_whole(game, seed)


@pytest.mark.parametrize(
    ("name", "ending", "count"),
    [("swapped", Ending.ALL, 2), ("parallel", Ending.ALL, 2), ("first", Ending.FIRST, 2), ("three", Ending.ALL, 3)],
)
def test_how_the_whole_ends_is_found(name: str, ending: Ending, count: int) -> None:
    found = separated(compiled(SHEETS[name]))

    assert (found.ending, len(found.parts)) == (ending, count)


def test_what_a_subgame_pays_is_what_it_adds_to_the_whole() -> None:
    parts = separated(compiled(SHEETS["parallel"])).parts

    assert {(goal.role, goal.value) for goal in parts[0].game.circuit.goals} == {
        (role, value) for role in (0, 1) for value in (0, 50, 100)
    }


@pytest.mark.parametrize("name", ["swapped", "parallel"])
def test_values_of_the_subgames_add_up_to_that_of_the_whole(name: str) -> None:
    game = compiled(drop_boards(2, 4, 2, 2, style=name))
    whole = Solver(game.initial_state(), 60.0).solve()

    values = [Solver(part.game.initial_state(), 60.0).solve().bounds["red"][0] for part in separated(game).parts]

    assert whole.exact
    assert whole.bounds["red"][0] == sum(values) / 2


def test_boards_of_which_one_is_chosen_are_not_played_by_themselves() -> None:
    game = compiled(drop_boards(2, 3, 2, 3, style="choice"))

    with pytest.raises(InseparableError, match="excludes moves in another"):
        separated(game)


def test_goals_that_fight_each_other_are_not_separated() -> None:
    """Who wins both boards loses: whether a board should be won depends on the other."""
    rules = SHEETS["parallel"].replace("(goal red 100)", "(goal red 1)").replace("(goal blue 0)", "(goal blue 99)")

    with pytest.raises(InseparableError, match="depends on other subgames"):
        separated(compiled(rules))


def played(first: Player, second: Player, game: CircuitGame, seconds: float) -> CircuitState:
    players = dict(zip(game.roles, (first, second), strict=True))
    for seed, (role, player) in enumerate(players.items()):
        player.start(game, role, seed, Clock(seconds, 2.0))
    state = game.initial_state()
    while not state.is_terminal:
        state = state.play(
            {role: player.choose(state.view(role), Deadline(seconds)).move for role, player in players.items()}
        )
    for player in players.values():
        player.stop()
    return state


def test_boards_searched_by_themselves_beat_random_moves() -> None:
    game = compiled(drop_boards(2, 5, 4, 3, style="swapped"))

    end = played(SubgamesPlayer(separated(game)), make_player("random"), game, 0.05)

    assert end.goals["red"] > 50


@pytest.mark.slow
def test_the_player_says_that_it_searches_subgames_by_themselves() -> None:
    game = compiled(drop_boards(2, 6, 5, 4, style="parallel"))
    player = make_player("decomposition")
    player.start(game, "red", 1, Clock(1.0, 600.0))

    decision = player.choose(game.initial_state().view("red"), Deadline(0.3))

    assert decision.move in game.initial_state().legal_moves("red")
    assert "each searched by itself, since all subgames must be over" in player.why  # type: ignore[attr-defined]
    assert decision.thinking.extra["subgames"] == 2
    player.stop()
