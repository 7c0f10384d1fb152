from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.batch.improve import improve_playouts
from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, playout_program
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.invariants import Improvement
from ludens.compiler.circuit.signals import Partition, Signals
from ludens.compiler.compile import compile_rules
from ludens.games.library import find
from ludens.gdl.read import read_rules
from ludens.gdl.write import kif
from tests.compiler.lanes import evaluate

PLENTY = 60.0
"""Seconds; the games here need a fraction of a second each."""


def program_of(name: str) -> PlayoutProgram:
    return playout_program(compile_rules(find(name).rule_sheet()).circuit)


def improvement_of(name: str) -> Improvement:
    return improve_playouts(program_of(name), PLENTY)[1]


def test_the_contents_of_a_square_exclude_each_other() -> None:
    found = improvement_of("tic_tac_toe")

    assert (("cell", "1", "1", "b"), ("cell", "1", "1", "o"), ("cell", "1", "1", "x")) in found.groups
    assert len(found.groups) == 10  # nine squares, and whose turn it is


def test_marks_stay_and_blanks_do_not_come_back() -> None:
    found = improvement_of("tic_tac_toe")

    assert ("cell", "2", "2", "x") in found.growing
    assert ("cell", "2", "2", "b") in found.shrinking
    assert not set(found.growing) & set(found.shrinking)
    assert found.shrinking_moves == 20  # 18 marks, and noop of both roles, whose turns are left aside


def test_without_time_nothing_is_even_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One step of a circuit with loops takes seconds, so guessing has to look at the clock too."""
    program = program_of("tic_tac_toe")
    monkeypatch.setattr(Signals, "states", lambda *_: pytest.fail("a state was evaluated"))

    better, found = improve_playouts(program, -1.0)

    assert better.operations == program.operations
    assert found.equal == 0


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe"])
def test_lines_of_the_role_to_move_are_left_out(name: str) -> None:
    program = program_of(name)

    better, _ = improve_playouts(program, PLENTY)

    assert better.operations < 0.97 * program.operations


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four", "nim", "rock_paper_scissors", "eight_puzzle", "prisoners_dilemma"]
)
def test_playouts_are_the_same_for_the_same_seed(name: str) -> None:
    program = program_of(name)

    better, _ = improve_playouts(program, PLENTY)

    assert PlayoutMachine(better, seed=5).run_rounds(500) == PlayoutMachine(program, seed=5).run_rounds(500)


def test_recursion_inside_a_state_is_left_alone() -> None:
    """The match ends when a path is closed, which is a matter of the state in which it ends."""
    wires = " ".join(f"(wire {n} {n + 1})" for n in range(4))
    rules = f"""(role r) (init (on 0)) {wires} (place 0) (place 1) (place 2) (place 3)
    (<= (legal r (close ?n)) (wire ?n ?m) (not (true (shut ?n))))
    (<= (next (shut ?n)) (does r (close ?n))) (<= (next (shut ?n)) (true (shut ?n))) (next (on 0))
    (<= (lit 0) (true (on 0))) (<= (lit ?m) (lit ?n) (wire ?n ?m) (true (shut ?n)))
    (<= (lit ?n) (lit ?m) (wire ?n ?m) (true (shut ?n)))
    (<= terminal (lit 4)) (<= (goal r 100) (lit 4)) (<= (goal r 0) (not (lit 4)))"""
    program = playout_program(compile_rules(read_rules(rules)).circuit)

    better, _ = improve_playouts(program, PLENTY)

    expected = PlayoutMachine(program, seed=5).run_rounds(100)
    assert program.circuit.loops
    assert expected.states == 4 * expected.playouts
    assert PlayoutMachine(better, seed=5).run_rounds(100) == expected


def test_without_time_nothing_is_claimed() -> None:
    program = program_of("breakthrough")

    better, found = improve_playouts(program, 0.0)

    assert (found.groups, found.growing, found.shrinking, found.equal) == ((), (), (), 0)
    assert PlayoutMachine(better, seed=5).run_rounds(100) == PlayoutMachine(program, seed=5).run_rounds(100)


COMBINATION = "3120321302130231"
LOCK = f"""(role r) (init (at 0)) (init (light red))
{" ".join(f"(digit {n} {digit}) (succ {n} {n + 1})" for n, digit in enumerate(COMBINATION))}
(number 0) (number 1) (number 2) (number 3)
(<= (legal r (press ?n)) (number ?n))
(<= (next (at ?m)) (true (at ?n)) (digit ?n ?d) (does r (press ?d)) (succ ?n ?m))
(<= (next (at 0)) (true (at ?n)) (digit ?n ?d) (does r (press ?e)) (distinct ?d ?e))
(next (light red))
(<= (next (light green)) (true (at {len(COMBINATION) - 1})) (does r (press {COMBINATION[-1]})))
(<= terminal (true (light green)))
(<= (goal r 100) (true (light red)) (true (light green)))
(<= (goal r 0) (not (true (light green))))"""
"""Both lights are on after the right combination, which random play does not find."""


def test_what_play_has_not_found_but_can_is_not_ruled_out() -> None:
    circuit = compile_rules(read_rules(LOCK)).circuit
    program = playout_program(circuit)

    _, found = improve_playouts(program, PLENTY)

    lights = {("light", "red"), ("light", "green")}
    assert not any(lights <= set(group) for group in found.groups)
    assert any(("at", "0") in group for group in found.groups)
    terminal, goals = follow(found.phases, [f"(press {digit})" for digit in COMBINATION])
    assert terminal
    assert goals == [100]


def follow(phases: Sequence[Circuit], moves: Sequence[str]) -> tuple[bool, list[int]]:
    """The end and the goals after moves of the only role, computed gate by gate."""
    fluents = [int(value) for value in phases[0].initial]
    for n, move in enumerate(moves):
        circuit = phases[n % len(phases)]
        inputs = {
            literal >> 1: value for literal, value in zip(circuit.fluent_inputs, fluents, strict=True) if literal > 1
        }
        names = [kif(term) for term, _, _ in circuit.moves[0]]
        inputs |= {does >> 1: int(name == move) for name, (_, does, _) in zip(names, circuit.moves[0], strict=True)}
        fluents = evaluate(circuit.gates, inputs, circuit.next, 1)
    circuit = phases[len(moves) % len(phases)]
    inputs = {literal >> 1: value for literal, value in zip(circuit.fluent_inputs, fluents, strict=True) if literal > 1}
    (terminal, *holds) = evaluate(
        circuit.gates, inputs, [circuit.terminal, *(goal.literal for goal in circuit.goals)], 1
    )
    return bool(terminal), [goal.value for goal, value in zip(circuit.goals, holds, strict=True) if value]


def test_states_made_from_facts_keep_the_whole_circuit() -> None:
    game = CircuitGame(find("tic_tac_toe").rule_sheet())
    both = [("cell", "1", "1", "b"), ("cell", "1", "1", "x"), ("control", "xplayer")]

    assert "(mark 1 1)" in game.state(both).legal_moves("xplayer")


FLUENTS = ("p", "q", "(s 1)", "(s 2)", "(s 3)")
MOVES = ("go", "(do 1)", "(do 2)")
conditions = st.lists(
    st.one_of(
        st.sampled_from(FLUENTS).map(lambda fluent: f"(true {fluent})"),
        st.sampled_from(FLUENTS).map(lambda fluent: f"(not (true {fluent}))"),
        st.sampled_from(MOVES).map(lambda move: f"(does r {move})"),
    ),
    min_size=1,
    max_size=3,
).map(" ".join)


@st.composite
def rule_sheets(draw: st.DrawFn) -> str:
    rules = ["(role r) (legal r go) (init (step 0)) (<= terminal (true (step 6)))"]
    rules += [f"(<= (next (step {n + 1})) (true (step {n})))" for n in range(6)]
    rules += [f"(init {fluent})" for fluent in draw(st.sets(st.sampled_from(FLUENTS)))]
    rules += [
        f"(<= (next {draw(st.sampled_from(FLUENTS))}) {draw(conditions)})" for _ in range(draw(st.integers(3, 9)))
    ]
    for move in MOVES[1:]:
        without_moves = draw(conditions.filter(lambda text: "does" not in text))
        rules.append(f"(<= (legal r {move}) {without_moves})")
    rules += [f"(<= (goal r {n}) (true {fluent}))" for n, fluent in enumerate(FLUENTS)]
    return "\n".join(rules)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(rule_sheets())
def test_any_game_is_the_same_with_and_without(rules: str) -> None:
    program = playout_program(compile_rules(read_rules(rules)).circuit)

    better, _ = improve_playouts(program, PLENTY)

    assert PlayoutMachine(better, seed=2).run_rounds(100) == PlayoutMachine(program, seed=2).run_rounds(100)


def test_signals_are_the_values_of_all_nodes() -> None:
    circuit = compile_rules(find("connect_four").rule_sheet()).circuit
    signals = Signals(circuit)
    fluents = np.repeat(np.where(circuit.initial, np.uint64(2**64 - 1), np.uint64(0))[:, None], 1, axis=1)

    values = signals.states(fluents)
    lanes = signals.move(values, np.full(1, 2**64 - 1, np.uint64), np.random.default_rng(1))

    inputs = {node: int(values[node, 0]) for node in (*(f >> 1 for f in circuit.fluent_inputs), *signals.moves)}
    assert lanes[0] == 2**64 - 1
    assert evaluate(circuit.gates, inputs, circuit.next, 64) == [
        int(values[literal >> 1, 0]) ^ (2**64 - 1 if literal & 1 else 0) for literal in circuit.next
    ]
    for moves in circuit.moves:
        done = [int(values[does >> 1, 0]) for _, does, _ in moves]
        assert sum(value.bit_count() for value in done) == 64


def test_a_partition_keeps_together_what_is_equal_or_inverted() -> None:
    rows = np.array([[0], [0b1100], [~0b1100 & 0xF], [0b1010], [0b0000], [0b1111]], np.uint64)
    partition = Partition(range(6))

    partition.refine(rows, np.array([0b1111], np.uint64))

    assert partition.representatives() == {2: 3, 4: 0, 5: 1}
    partition.part(4)
    assert partition.representatives() == {2: 3, 5: 1}
