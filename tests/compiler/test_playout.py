from __future__ import annotations

import pytest

from ludens.compiler import benchmark
from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, playout_program
from ludens.compiler.benchmark import measure_circuit, measure_interpreted
from ludens.compiler.compile import compile_rules
from ludens.compiler.native.target import host_target
from ludens.games.library import find
from ludens.gdl.read import read_rules
from tests.thorough import slow_among

LARGE = ("breakthrough", "hex")
LONG = ("connect_four", "criss_cross")


def program_of(name: str) -> PlayoutProgram:
    return playout_program(compile_rules(find(name).rule_sheet()).circuit)


def test_random_tic_tac_toe_ends_as_often_as_theory_says() -> None:
    # Exact values of uniformly random play: X wins 58.49 %, O 28.81 %, 12.70 % are draws.
    found = PlayoutMachine(program_of("tic_tac_toe"), seed=1).run_rounds(5000)

    x, o = (total / found.playouts for total in found.goal_sums)
    assert found.playouts > 250_000
    assert x == pytest.approx(58.49 + 12.70 / 2, abs=0.3)
    assert o == pytest.approx(28.81 + 12.70 / 2, abs=0.3)


@pytest.mark.smoke
@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "rock_paper_scissors", "eight_puzzle", *slow_among(LARGE, LARGE)],
)
def test_straight_line_code_and_interpreter_do_the_same(name: str) -> None:
    program = program_of(name)

    interpreted = PlayoutMachine(program, seed=7).run_rounds(300)
    compiled = PlayoutMachine(program, 7, [step.compiled(host_target()) for step in program.steps]).run_rounds(300)
    chosen = PlayoutMachine(program, seed=7, code=program.machine_code()).run_rounds(300)

    assert interpreted == compiled == chosen
    assert interpreted.playouts > 0


def test_seeds_make_the_difference() -> None:
    program = program_of("connect_four")

    first, again, other = (PlayoutMachine(program, seed).run_rounds(200) for seed in (1, 1, 2))

    assert first == again
    assert first != other


@pytest.mark.parametrize("name", ["prisoners_dilemma", *slow_among(LONG, LONG)])
def test_playouts_look_like_those_of_the_reference(name: str) -> None:
    sheet = find(name).rule_sheet()
    reference = measure_interpreted(sheet, "reference", seconds=1.5)
    circuit = measure_circuit(sheet, seconds=0.2, threads=1)

    assert circuit.mean_length == pytest.approx(reference.mean_length, rel=0.25)
    for role, goal in circuit.mean_goals.items():
        assert goal == pytest.approx(reference.mean_goals[role], abs=30)


def test_recursion_inside_a_state_is_the_same_in_both_forms_of_code() -> None:
    wires = " ".join(f"(wire {n} {n + 1})" for n in range(8))
    rules = f"""(role r) (init (on 0)) (init (step 0)) {wires} (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (lit ?n) (true (on ?n))) (<= (lit ?m) (lit ?n) (wire ?n ?m)) (<= (lit ?n) (lit ?m) (wire ?n ?m) (true (step 1)))
    (<= (legal r (see ?n)) (lit ?n)) (<= (next (on ?n)) (does r (see ?n)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 3)))
    (<= (goal r 100) (true (on 0))) (<= (goal r 0) (not (true (on 0))))"""
    program = playout_program(compile_rules(read_rules(rules)).circuit)

    interpreted = PlayoutMachine(program, seed=3).run_rounds(200)
    compiled = PlayoutMachine(program, seed=3, code=program.machine_code()).run_rounds(200)

    assert interpreted == compiled
    assert 0 < interpreted.goal_sums[0] < 100 * interpreted.playouts


def test_threads_share_a_program() -> None:
    result = measure_circuit(find("tic_tac_toe").rule_sheet(), seconds=0.1, threads=2)

    assert result.threads == 2
    assert result.mean_length == pytest.approx(7.63, abs=0.1)


def test_a_game_that_never_ends_is_measured_without_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "FIRST_PLAYOUT_LIMIT", 0.05)
    rules = "(role a) (init on) (legal a go) (<= (next on) (true on)) (<= terminal (not (true on))) (goal a 0)"

    found = measure_interpreted(read_rules(rules), "interpreter", seconds=0.01)

    assert (found.playouts, found.mean_length) == (0, 0.0)
    assert found.states > 0
