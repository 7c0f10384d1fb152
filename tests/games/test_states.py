"""States of every game are values: copied, pickled and compared with all that players know."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest

import ludens
from ludens.compiler.backends import make_game
from ludens.compiler.batch.game import CircuitState
from ludens.compiler.cxx import build
from ludens.core import Game, GameError, JointMove, State, random_joint_move
from ludens.games.library import entries, find
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_rules
from ludens.players.equilibrium.policy import information_text
from tests.compiler.cxx.agreement import QUICK_FLAGS
from tests.games.shelf import all_but_representative_slow
from tests.thorough import slow_among

_TURNS = 6
GDL_GAMES = sorted(name for name, entry in entries().items() if "gdl" in entry.forms)
TABLETOP_GAMES = sorted(name for name, entry in entries().items() if "tabletop" in entry.forms)
HIDDEN_GAMES = sorted(name for name in GDL_GAMES if "(sees " in entries()[name].forms["gdl"].read_text("utf-8"))
OPEN_GAMES = [name for name in GDL_GAMES if name not in HIDDEN_GAMES]


def check_values(game: Game) -> None:
    """Play some turns, and compare the states on the way with their copies."""
    rng = Random(game.name)
    state = game.initial_state()
    path: list[tuple[State, JointMove]] = []
    for _ in range(_TURNS):
        check_copies(state)
        if state.is_terminal:
            break
        resolved = state.resolve(random_joint_move(state, rng), rng)
        path.append((state, resolved))
        state = state.play(resolved)
    for before, resolved in path:
        after, again = before.play(resolved), pickle.loads(pickle.dumps(before)).play(resolved)
        check_same(after, again)


def check_copies(state: State) -> None:
    for other in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        check_same(state, other)


def check_same(state: State, other: State) -> None:
    assert other.game is state.game
    assert other == state
    assert hash(other) == hash(state)
    assert other.position == state.position
    assert other.is_terminal == state.is_terminal
    assert str(other) == str(state)
    for role in state.game.roles:
        assert list(other.percepts(role)) == list(state.percepts(role))
        assert list(other.legal_moves(role)) == list(state.legal_moves(role))
        view, copied = state.view(role), other.view(role)
        assert copied.information == view.information
        assert list(copied.legal_moves) == list(view.legal_moves)


@pytest.mark.parametrize("backend", ["reference", "interpreter"])
@pytest.mark.parametrize("name", slow_among(GDL_GAMES, {"lines_of_action", "quoridor"}))
def test_states_of_the_reasoners(name: str, backend: str) -> None:
    check_values(make_game(find(f"{name}@gdl").rule_sheet(), name, backend))


@pytest.mark.parametrize("name", [*HIDDEN_GAMES, *all_but_representative_slow(OPEN_GAMES)])
def test_states_of_circuits(name: str) -> None:
    try:
        game = make_game(find(f"{name}@gdl").rule_sheet(), name, "circuit")
    except GameError as error:
        pytest.skip(str(error))
    check_values(game)


@pytest.mark.parametrize("name", ["kuhn_poker", *(pytest.param(name, marks=pytest.mark.slow) for name in HIDDEN_GAMES)])
def test_states_of_compiled_cxx(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "FLAGS", QUICK_FLAGS)
    try:
        build.find_compiler()
    except GameError as error:
        pytest.skip(str(error))
    check_values(make_game(find(f"{name}@gdl").rule_sheet(), name, "cxx"))


@pytest.mark.parametrize("name", TABLETOP_GAMES)
def test_states_of_python_games(name: str) -> None:
    check_values(ludens.load(f"{name}@tabletop"))


@pytest.mark.parametrize("there", ["reference", "circuit"])
@pytest.mark.parametrize("here", ["circuit", "interpreter"])
def test_a_state_on_another_backend_keeps_what_roles_know(here: str, there: str) -> None:
    rng = Random(5)
    state = ludens.load("leduc_poker", backend=here).initial_state()
    for _ in range(3):
        state = state.sample(random_joint_move(state, rng), rng)
    assert isinstance(state, GdlState)
    game = make_game(state.game.sheet, state.game.name, there)

    other = game.convert(state)

    assert other.game is game
    assert what_players_know(other)[0] == what_players_know(state)[0]
    back = state.game.convert(other)
    check_same(state, back)
    if isinstance(back, CircuitState):
        assert isinstance(state, CircuitState)
        assert back.bits.tolist() == state.bits.tolist()


@pytest.mark.parametrize("name", ["kuhn_poker@gdl", "kuhn_poker@tabletop"])
def test_of_two_games_with_the_same_rules_a_state_stays_with_its_own(name: str) -> None:
    one, two = ludens.load(name, wait=True).initial_state(), ludens.load(name, wait=True).initial_state()

    pickled = pickle.dumps((one, two))

    for state, back in zip((one, two), pickle.loads(pickled), strict=True):
        check_same(state, back)


@pytest.mark.parametrize("backend", ["reference", "circuit"])
def test_states_that_differ_in_what_a_role_knows_are_not_equal(backend: str) -> None:
    first = ludens.load("kriegspiel_tic_tac_toe", backend=backend).initial_state()
    moves = [
        {"xplayer": "(try 1 1)", "oplayer": "noop"},
        {"xplayer": "noop", "oplayer": "(try 3 3)"},
        {"xplayer": "(try 2 2)", "oplayer": "noop"},
    ]
    one = play(first, moves)
    other = play(first, [moves[2], moves[1], moves[0]])

    assert one.position == other.position
    assert one != other
    assert one.view("oplayer").information == other.view("oplayer").information
    assert one.view("xplayer").information != other.view("xplayer").information
    assert len({one, other, pickle.loads(pickle.dumps(one))}) == 2


def play(state: State, path: list[dict[str, str]]) -> State:
    for joint_move in path:
        state = state.play(joint_move)
    return state


def test_with_perfect_information_states_are_equal_however_they_were_reached() -> None:
    first = ludens.load("tic_tac_toe", wait=True).initial_state()
    moves = [
        {"xplayer": "(mark 1 1)", "oplayer": "noop"},
        {"xplayer": "noop", "oplayer": "(mark 3 3)"},
        {"xplayer": "(mark 2 2)", "oplayer": "noop"},
    ]

    assert play(first, moves) == play(first, [moves[2], moves[1], moves[0]])


@pytest.mark.parametrize("name", ["kuhn_poker@gdl", "kuhn_poker@tabletop"])
def test_another_process_knows_what_the_players_know(name: str) -> None:
    rng = Random(3)
    state = ludens.load(name, wait=True).initial_state()
    for _ in range(2):
        state = state.sample(random_joint_move(state, rng), rng)

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        knowledge, back = pool.submit(what_players_know, state).result(timeout=60)

    assert knowledge == what_players_know(state)[0]
    check_same(state, back)


def what_players_know(state: State) -> tuple[list[str], State]:
    return [
        f"{information_text(state.view(role).information)} {list(state.percepts(role))}" for role in state.game.roles
    ], state


def test_a_long_match_is_pickled_whole() -> None:
    rules = "(role r) (init s) (legal r go) (next s) (<= (sees r tick) (does r go)) (<= terminal (true t)) (goal r 0)"
    state: State = make_game(read_rules(rules), "endless", "reference").initial_state()
    for _ in range(1_500):
        state = state.play({"r": "go"})

    back = pickle.loads(pickle.dumps(state))

    check_same(state, back)
    assert len(back.view("r").information) == 1_501
