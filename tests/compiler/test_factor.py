"""Rules about moves are written shorter, because each role does exactly one."""

from __future__ import annotations

from ludens.compiler.circuit.circuit import build_circuit
from ludens.compiler.ground.factor import Effect, factor
from ludens.compiler.ground.grounder import GroundProgram
from tests.compiler.lanes import counting_pattern, evaluate

ROLES = ("white", "black")


def program(rules: dict[int, list[tuple[int, ...]]], moves: int, asked: tuple[int, ...]) -> GroundProgram:
    """Moves of white are the atoms from 1 on; fluents the atoms from 51 on."""
    return GroundProgram(
        rules=rules,
        fluents={atom: ("f", str(atom)) for atom in range(51, 60)},
        moves={atom: ("white", ("move", str(atom))) for atom in range(1, moves + 1)},
        named={("next", ("f", str(atom))): atom for atom in asked},
    )


def test_a_set_of_moves_is_computed_through_other_atoms() -> None:
    given = program({100: [(1,), (2,)], 101: [(100,), (3,)], 102: [(-101, 51)]}, moves=5, asked=(102,))

    found = factor(given, ROLES)

    assert found.effects[102] == [Effect(0, 0b11000, (51,))]
    assert found.bodies[102] == []
    assert 100 not in found.bodies


def test_atoms_with_the_same_conditions_share_them() -> None:
    # Moves 1 to 4 go to square 1, moves 5 to 8 to square 2; the piece must stand where the move starts.
    starts = {move: 51 + (move - 1) % 4 for move in range(1, 21)}
    given = program(
        {
            100: [(move, starts[move]) for move in range(1, 5)],
            101: [(move, starts[move]) for move in range(5, 9)],
        },
        moves=20,
        asked=(100, 101),
    )

    found = factor(given, ROLES)

    ((_, first, common),) = found.effects[100]
    assert first == 0b1111
    assert found.effects[101] == [Effect(0, 0b11110000, common)]
    assert sorted(found.effects[common[0]]) == [Effect(0, 0b10001 << n, (51 + n,)) for n in range(4)]


def test_contradicting_conditions_are_not_shared() -> None:
    given = program(
        {100: [(move, 50 + move) for move in range(1, 5)], 101: [(move, 51 + move) for move in range(1, 5)]},
        moves=20,
        asked=(100, 101),
    )

    found = factor(given, ROLES)

    assert len(found.effects[100]) == len(found.effects[101]) == 4


def test_rules_about_several_moves_stay_as_they_are() -> None:
    given = program({100: [(1, 2), (3,)]}, moves=3, asked=(100,))
    given.moves[2] = ("black", ("move", "2"))

    found = factor(given, ROLES)

    assert found.bodies[100] == [(1, 2)]
    assert found.effects[100] == [Effect(0, 0b10, ())]


def test_sums_of_products_are_factored() -> None:
    given = program({100: [(51, 52), (51, 53), (-54,), (52, 51)]}, moves=1, asked=())
    given.named["terminal", ()] = 100

    circuit = build_circuit(given, ROLES)

    gates, (a, b, c, d) = circuit.gates, circuit.fluent_inputs[:4]
    assert circuit.terminal == gates.either(gates.both(a, gates.either(b, c)), d ^ 1)
    assert len(gates) == 1 + len(given.fluents) + len(given.moves) + 3
    patterns = {literal >> 1: counting_pattern(n, 16) for n, literal in enumerate((a, b, c, d))}
    expected = sum(1 << n for n in range(16) if (n & 1 and n & 6) or not n & 8)
    assert evaluate(gates, patterns, [circuit.terminal], 16) == [expected]
