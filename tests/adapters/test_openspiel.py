from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import NO_CLOCK, GameError, IllegalMoveError, random_joint_move
from ludens.players import make_player
from ludens.referee import Match, MatchEnded
from tests.peers import PEERS, optional_module, peer

pyspiel = optional_module("pyspiel")
if pyspiel is None:
    pytest.skip(PEERS["openspiel"].missing, allow_module_level=True)
pytestmark = peer("openspiel")

from ludens.adapters import openspiel  # noqa: E402
from ludens.adapters.openspiel_export import register  # noqa: E402

THEIRS = (
    "tic_tac_toe", "connect_four", "breakthrough", "kuhn_poker", "leduc_poker", "matrix_rps", "pig", "goofspiel",
    "liars_dice", "hex(board_size=4)", "mancala", "nim", "oware", "dots_and_boxes", "tiny_bridge_2p", "blackjack",
    "phantom_ttt", "dark_hex(board_size=3)", "first_sealed_auction", "catch", "coin_game", "y(board_size=5)", "mnk",
    "oshi_zumo", "matching_pennies_3p", "bargaining", "tiny_hanabi", "othello", "clobber", "backgammon",
)  # fmt: skip
OURS = (
    "tic_tac_toe", "connect_four", "nim", "rock_paper_scissors", "prisoners_dilemma", "pig:20", "kuhn_poker",
    "leduc_poker", "eight_puzzle", "lights_out", "peg_solitaire", "connect_four_3p", "criss_cross",
    "double_tic_tac_toe", "monty_hall", "mastermind", "three_dice", "twenty_one", "kriegspiel_tic_tac_toe",
    "phantom_connect_four", "sealed_bid_auction", "go:5", "phantom_go:5", "kuhn_poker@tabletop", "tic_tac_toe@tabletop",
)  # fmt: skip


@pytest.mark.parametrize("text", THEIRS)
def test_a_game_of_openspiel_plays_here_as_it_does_there(text: str) -> None:
    game = openspiel.load(text)
    rng = Random(text)
    for _ in range(3):
        node, state = game.source.new_initial_state(), game.initial_state()
        while not node.is_terminal():
            assert not state.is_terminal
            number = _advance(node, rng)
            joint_move = _as_joint_move(state, number)
            state = state.play(joint_move)
            assert list(state.node.history()) == list(node.history())
        assert state.is_terminal
        assert list(state.points.values()) == node.returns()
        assert all(0 <= goal <= 100 for goal in state.goals.values())


def _advance(node: Any, rng: Random) -> list[int]:
    """Play at random; the numbers of what was played."""
    if node.is_chance_node():
        numbers, chances = zip(*node.chance_outcomes(), strict=True)
        chosen = rng.choices(numbers, chances)
    elif node.is_simultaneous_node():
        chosen = [rng.choice(node.legal_actions(player) or [0]) for player in range(node.num_players())]
        node.apply_actions(chosen)
        return chosen
    else:
        chosen = [rng.choice(node.legal_actions())]
    node.apply_action(chosen[0])
    return chosen


def _as_joint_move(state: openspiel.OpenSpielState, numbers: list[int]) -> dict[str, str]:
    node, roles = state.node, state.game.roles
    if node.is_chance_node():
        place = [number for number, _ in node.chance_outcomes()].index(numbers[0])
        return dict([o.joint_move for o in state.chance_outcomes({roles[0]: "chance"})][place])
    players = range(len(roles)) if node.is_simultaneous_node() else [node.current_player()]
    return {
        roles[player]: state.legal_moves(roles[player])[node.legal_actions(player).index(number)]
        for player, number in zip(players, numbers, strict=True)
        if state.legal_moves(roles[player])
    }


@pytest.mark.parametrize("name", OURS)
def test_openspiels_own_test_passes_for_a_game_of_ours(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(register(name)), num_sims=1, serialize=False, verbose=False)


def test_an_exported_game_has_the_legal_moves_of_the_original() -> None:
    there = pyspiel.load_game(register("connect_four")).new_initial_state()
    here = ludens.load("connect_four", wait=True).initial_state()
    rng = Random(1)
    while not here.is_terminal:
        joint_move = random_joint_move(here, rng)
        mover = next(role for role in here.game.roles if len(here.legal_moves(role)) > 1)
        texts = {there.action_to_string(number): number for number in there.legal_actions()}
        assert set(texts) == set(here.legal_moves(mover))
        there.apply_action(texts[joint_move[mover]])
        here = here.play(joint_move)

    assert there.is_terminal()
    assert there.returns() == [goal / 100 for goal in here.goals.values()]


def test_players_of_ours_play_a_game_of_openspiel_by_its_name() -> None:
    game = ludens.load("openspiel:kuhn_poker")

    players = {role: make_player("ismcts:iterations=20" if role == "player0" else "random") for role in game.roles}
    *_, end = Match(game, players, NO_CLOCK, seed=1).events()

    assert isinstance(end, MatchEnded)
    assert end.finished
    assert not any(end.failures.values())


def test_a_role_sees_its_own_card_only() -> None:
    game = openspiel.load("kuhn_poker")
    state = game.initial_state()
    for card in ("chance: Deal:2", "chance: Deal:0"):
        outcomes = {o.joint_move["player0"] for o in state.chance_outcomes({"player0": "chance"})}
        state = state.play({"player0": next(text for text in outcomes if text.endswith(card[-1]))})

    worlds = {tuple(state.view("player0").sample(Random(n)).node.history()) for n in range(40)}  # type: ignore[attr-defined]

    assert {world[0] for world in worlds} == {2}
    assert {world[1] for world in worlds} == {0, 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_such_game", "cannot load 'no_such_game'"),
        ("tarok", "samples chance inside OpenSpiel"),
        ("mfg_crowd_modelling", "not a game of individual players"),
        ("morpion_solitaire", "crashes inside OpenSpiel"),
    ],
)
def test_what_cannot_be_played_is_told_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        ludens.load(f"openspiel:{text}")


def test_a_shuffled_deck_cannot_be_exported() -> None:
    with pytest.raises(GameError, match="chance cannot be listed"):
        register("dominoes")


def test_illegal_moves_are_refused() -> None:
    state = openspiel.load("tic_tac_toe").initial_state()

    with pytest.raises(IllegalMoveError, match="not a legal move of player0"):
        state.play({"player0": "x(9,9)"})
    with pytest.raises(IllegalMoveError, match="for a role that is not to move"):
        state.play({"player0": "x(0,0)", "player1": "o(0,1)"})


def test_a_name_that_openspiel_knows_for_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "countdown.kif"
    rules = "(role r) (init s) (legal r go) (<= (next t) (true s)) (<= terminal (true t)) (goal r {})"
    path.write_text(rules.format(100))
    assert register(path) == register(path) == "ludens_countdown"

    path.write_text(rules.format(50))
    with pytest.raises(GameError, match="registered with OpenSpiel as ludens_countdown"):
        register(path)
