from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import ludens
from ludens.compiler import backends
from ludens.compiler.backends import BACKENDS, make_game
from ludens.compiler.background.lazy import LazyGame
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.ground.grounder import GroundBudget, TooLargeError
from ludens.core import GameError, random_joint_move
from ludens.games.library import find
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_file, read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term
from ludens.gdl.traces import read_trace, replay
from tests.conformance.corpus import REFUSED, Case, cases
from tests.games.record_traces import NAMES, TRACES
from tests.games.shelf import all_but_representative_slow
from tests.peers import peer

LEFT_OUT = {"test_case_3b"}
"""Refused by the grounder, since a variable has no value; the validator refuses it too."""
SMALL = {
    "2pttc", "asteroidsParallel", "beatMania", "breakthrough", "connectFour", "cubicup_3player", "doubletictactoe",
    "eightPuzzle", "futoshiki4", "gt_prisoner", "hanoi", "knightwar", "lightsOnParallel", "nim1", "queens08ug",
    "reversi", "ticTacToe", "tictactoe_3player", "wargame01",
}  # fmt: skip
AGREEING = [case for case in cases() if case.name not in {*REFUSED, *LEFT_OUT} and (case.edge or case.name in SMALL)]


@pytest.mark.parametrize("name", all_but_representative_slow(NAMES))
def test_circuit_plays_the_shelf_as_recorded(name: str) -> None:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, GdlGame)

    agreement = replay(game, read_trace(TRACES / f"{name}.jsonl.gz"))

    assert game.backend == "circuit"
    assert agreement.first_difference is None


@peer("rules")
@pytest.mark.parametrize("case", AGREEING, ids=lambda case: case.name)
def test_circuit_agrees_with_the_independent_reasoner(case: Case) -> None:
    game = CircuitGame(read_file(case.rules), case.name)

    assert replay(game, read_trace(case.trace)).first_difference is None


def test_states_are_equal_by_value_and_made_from_facts() -> None:
    game = ludens.load("tic_tac_toe", backend="circuit")
    assert isinstance(game, GdlGame)
    state = game.initial_state().play({"xplayer": "(mark 2 2)", "oplayer": "noop"})

    again = game.state(state.facts)

    assert state == again
    assert hash(state) == hash(again)
    assert state != game.initial_state()
    with pytest.raises(GameError, match="no state has the fluent"):
        game.state([("cell", "9", "9", "x")])


def test_recursion_inside_a_state_reaches_its_fixpoint() -> None:
    """A chain of lamps: each is lit if a neighbour is; the first fluent lights all that are wired to it."""
    wires = " ".join(f"(wire {n} {n + 1})" for n in range(40))
    rules = f"""(role r) (init (on 0)) (init (on 41)) {wires}
    (<= (lit ?n) (true (on ?n))) (<= (lit ?m) (lit ?n) (wire ?n ?m)) (<= (lit ?n) (lit ?m) (wire ?n ?m))
    (<= (legal r (see ?n)) (lit ?n)) (<= (next (on ?n)) (does r (see ?n))) (<= terminal (true done)) (goal r 0)"""
    game = CircuitGame(read_rules(rules))

    assert len(game.circuit.loops) == 1
    assert len(game.initial_state().legal_moves("r")) == 42
    assert len(game.state([("on", "41")]).legal_moves("r")) == 1
    assert len(game.state([("on", "17")]).legal_moves("r")) == 41


def test_moves_given_to_somebody_who_is_no_role_are_never_done() -> None:
    rules = """(role r) (init a) (<= (legal ?x go) (holder ?x)) (holder r) (holder ghost)
    (<= (next b) (does ghost go)) (<= (next a) (does r go)) (<= terminal (true b)) (goal r 0)"""
    state = CircuitGame(read_rules(rules)).initial_state()

    assert state.play({"r": "go"}).facts == {"a"}


class TooLargeGame(CircuitGame):
    """What every rule sheet is to a compiler with a bad day."""

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: GroundBudget | None = None) -> None:
        raise TooLargeError("too many ground rules")


def test_games_are_interpreted_at_first_and_compiled_for_those_who_wait(caplog: pytest.LogCaptureFixture) -> None:
    assert isinstance(ludens.load("nim"), LazyGame)
    assert isinstance(ludens.load("nim", backend="auto"), LazyGame)
    assert isinstance(ludens.load("nim", wait=True), CircuitGame)
    assert isinstance(ludens.load("nim", backend="reference"), ReferenceGame)
    assert not caplog.records


def test_reference_takes_over_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(backends, "BACKENDS", {"circuit": TooLargeGame, "reference": ReferenceGame})

    games = [ludens.load(name, wait=True) for name in ("nim:1,2,3", "nim:1,2,3", "nim:4,4")]

    assert all(isinstance(game, ReferenceGame) for game in games)
    assert [record.getMessage() for record in caplog.records] == [
        f"{name} runs on the backend reference: circuit does not take it (too many ground rules)"
        for name in ("nim:1,2,3", "nim:4,4")
    ]


def test_a_backend_that_was_asked_for_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "circuit", TooLargeGame)

    with pytest.raises(TooLargeError, match="too many"):
        ludens.load("nim", backend="circuit")


def test_rules_that_no_backend_takes_are_an_error() -> None:
    with pytest.raises(GameError, match="no role"):
        make_game(read_rules("(init a)"), "nobody")


def test_threads_may_share_a_game() -> None:
    game = make_game(find("connect_four").rule_sheet(), "connect_four", "circuit")

    def walk(seed: int) -> list[frozenset[Term]]:
        rng = Random(seed)
        state, seen = game.initial_state(), []
        while not state.is_terminal:
            state = game.state(state.play(random_joint_move(state, rng)).facts)
            seen.append(state.facts)
        return seen

    alone = [walk(seed) for seed in range(24)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(walk, range(24)))

    assert together == alone


def test_unknown_backends_are_named() -> None:
    with pytest.raises(GameError, match="backends: auto, circuit, cxx, interpreter, reference"):
        ludens.load("nim", backend="quantum")
