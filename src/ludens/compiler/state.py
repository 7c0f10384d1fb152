"""One state at a time on the compiled circuit: the backend ``circuit``."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit import Circuit
from ludens.compiler.compile import compile_rules
from ludens.compiler.computation import Computation
from ludens.compiler.ground import GroundBudget
from ludens.compiler.kernel import EVALUATION, aligned_values
from ludens.compiler.steps import BatchSteps
from ludens.core import GameError, JointMove, Role
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term
from ludens.gdl.write import kif

Bits = NDArray[np.bool_]


class _Evaluator:
    """Computes literals from inputs, for one state."""

    def __init__(self, circuit: Circuit, inputs: Sequence[int], outputs: Sequence[int]) -> None:
        self._first_output = 1 + len(inputs)
        self._end = self._first_output + len(outputs)
        places = {literal >> 1: 1 + n for n, literal in enumerate(inputs)}
        wanted = [(literal, self._first_output + n) for n, literal in enumerate(outputs)]
        computation = Computation(circuit.gates, places, wanted, circuit.loops)
        self._code = computation.machine_code() if computation.is_assembled else computation.interpreted()
        self._function = EVALUATION(self._code.address)
        self._values = aligned_values(self._code.slots)
        self._lock = threading.Lock()

    def __call__(self, inputs: Bits) -> Bits:
        with self._lock:  # threads may share a game, and the kernel runs without Python's lock
            self._values[1 : self._first_output] = np.where(inputs, np.uint64(2**64 - 1), np.uint64(0))[:, None]
            self._function(self._values.ctypes.data, self._code.segments, self._code.segment_count)
            result: Bits = self._values[self._first_output : self._end, 0] != 0
        return result


class CircuitGame(GdlGame):
    """A GDL game computed by its circuit."""

    backend = "circuit"

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: GroundBudget | None = None) -> None:
        super().__init__(sheet, name)
        self.compilation = compile_rules(sheet, budget)
        self.circuit = circuit = self.compilation.circuit
        self.roles = tuple(map(kif, circuit.roles))
        if not self.roles:
            raise GameError(f"{name}: the rules define no role")
        self.fluent_numbers: Mapping[Term, int] = {fluent: n for n, fluent in enumerate(circuit.fluents)}
        self.move_texts = [[GdlMove(move) for move, _, _ in moves] for moves in circuit.moves]
        self.move_numbers: list[dict[str, int]] = [
            {move: n for n, move in enumerate(moves)} for moves in self.move_texts
        ]
        legal = [literal for moves in circuit.moves for _, _, literal in moves]
        goals = [goal.literal for goal in circuit.goals]
        does = [literal for moves in circuit.moves for _, literal, _ in moves]
        self.evaluate_state = _Evaluator(circuit, circuit.fluent_inputs, [circuit.terminal, *goals, *legal])
        self.evaluate_move = _Evaluator(circuit, [*circuit.fluent_inputs, *does], circuit.next)

    def initial_state(self) -> CircuitState:
        """The state in which every match begins."""
        return CircuitState(self, np.array(self.circuit.initial, dtype=np.bool_))

    def state(self, facts: Iterable[Term]) -> CircuitState:
        """The state in which exactly these fluents are true. Raises `GameError` if no play could make one true."""
        bits = np.zeros(len(self.circuit.fluents), dtype=np.bool_)
        for fact in facts:
            number = self.fluent_numbers.get(fact)
            if number is None:
                raise GameError(f"{self.name}: no state has the fluent {kif(fact)} (the backend reference takes any)")
            bits[number] = True
        return CircuitState(self, bits)

    @cached_property
    def batch_steps(self) -> BatchSteps:
        """What all batches of the game compute."""
        return BatchSteps(self.circuit)

    def declared_fluents(self) -> frozenset[Term]:
        """All fluents that some state may have, whatever ``base`` says."""
        return frozenset(self.circuit.fluents)


class CircuitState(GdlState):
    """A position as bits, one for each fluent."""

    game: CircuitGame

    def __init__(self, game: CircuitGame, bits: Bits) -> None:
        self.game = game
        self.bits = bits
        """For each fluent, by its number, whether it is true; not to be changed."""

    @cached_property
    def facts(self) -> frozenset[Term]:  # type: ignore[override]  # decoded only when somebody asks
        """The true fluents."""
        fluents = self.game.circuit.fluents
        return frozenset(fluents[n] for n in np.flatnonzero(self.bits))

    @cached_property
    def _outputs(self) -> Bits:
        return self.game.evaluate_state(self.bits)

    @property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds."""
        return bool(self._outputs[0])

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        found: dict[Role, Sequence[GdlMove]] = {}
        start = 1 + len(self.game.circuit.goals)
        for role, moves in zip(self.game.roles, self.game.move_texts, strict=True):
            legal = self._outputs[start : start + len(moves)]
            found[role] = tuple(moves[n] for n in np.flatnonzero(legal))
            start += len(moves)
        return found

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        number = self.game.roles.index(role)
        goals = zip(self.game.circuit.goals, self._outputs[1:], strict=False)
        return [goal.value for goal, holds in goals if holds and goal.role == number]

    def play(self, joint_move: JointMove) -> CircuitState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        done = []
        for number, role in enumerate(self.game.roles):
            bits = np.zeros(len(self.game.move_texts[number]), dtype=np.bool_)
            bits[self.game.move_numbers[number][self.move(role, joint_move)]] = True
            done.append(bits)
        return CircuitState(self.game, self.game.evaluate_move(np.concatenate([self.bits, *done])))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CircuitState) and self.game is other.game:
            return bool(np.array_equal(self.bits, other.bits))
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.bits.tobytes())
