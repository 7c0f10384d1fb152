"""One state at a time on the compiled circuit: the backend ``circuit``."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.batch.block_code import CircuitBlockCode
from ludens.compiler.batch.steps import BatchSteps
from ludens.compiler.circuit.chance_roles import Chance, named_roles
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.counters import Timelessness, find_counters
from ludens.compiler.circuit.nearness import GoalNearness
from ludens.compiler.circuit_rules import CircuitRules, Violation
from ludens.compiler.compile import Compilation, compile_rules
from ludens.compiler.ground.grounder import GroundBudget
from ludens.compiler.native.computation import Computation
from ludens.compiler.native.kernel import EVALUATION, Words
from ludens.compiler.native.machine_code import MachineCode
from ludens.core import Facts, GameError, JointMove, Role, State, Worlds
from ludens.core.batch_game import ChanceSource, CountingHorizon, Lanes, Nearness, PackedBits
from ludens.core.block import ROW_WORDS, BlockCode, row_array
from ludens.gdl.chance.core_form import NOTHING, PERCEPT_FLUENT
from ludens.gdl.chance.outcomes import RandomFact
from ludens.gdl.chance.random_variables import is_within
from ludens.gdl.game import GdlGame, GdlMove, GdlState, ResolvedMove, TurnTaken
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, functor
from ludens.gdl.write import kif

Bits = NDArray[np.bool_]
_SPREAD = np.array([[0] * ROW_WORDS, [2**64 - 1] * ROW_WORDS], np.uint64)
"""The row of an input that is false, and of one that is true."""


class Evaluator:
    """Computes literals from inputs, for one state."""

    def __init__(self, inputs: int, outputs: int, code: MachineCode) -> None:
        self.inputs, self.outputs, self.code = inputs, outputs, code
        self._first_output = 1 + inputs
        self._end = self._first_output + outputs
        self._function = EVALUATION(code.address)
        self._values = row_array(code.slots)
        self._address = self._values.ctypes.data
        self._rows = self._values[1 : self._first_output]
        self._column = self._values[self._first_output : self._end, 0]
        self._lock = threading.Lock()

    @classmethod
    def of(cls, circuit: Circuit, inputs: Sequence[int], outputs: Sequence[int]) -> Evaluator:
        """The evaluator of literals of a circuit."""
        places = {literal >> 1: 1 + n for n, literal in enumerate(inputs)}
        wanted = [(literal, 1 + len(inputs) + n) for n, literal in enumerate(outputs)]
        computation = Computation(circuit.gates, places, wanted, circuit.loops)
        code = computation.machine_code() if computation.is_assembled else computation.interpreted()
        return cls(len(inputs), len(outputs), code)

    def __call__(self, inputs: Bits) -> Bits:
        """The outputs for the inputs of one state."""
        with self._lock:  # threads may share a game, and the kernel runs without Python's lock
            _SPREAD.take(inputs.view(np.uint8), axis=0, out=self._rows, mode="clip")
            self._function(self._address, self.code.segments, self.code.segment_count)
            return self._column.astype(np.bool_)

    def lanes(self, inputs: Words) -> Words:
        """The same for `LANES` states: a row for each input, and one for each output, with a bit for each state."""
        with self._lock:
            self._rows[:] = inputs
            self._function(self._address, self.code.segments, self.code.segment_count)
            return self._values[self._first_output : self._end].copy()


class CircuitGame(CircuitRules):
    """A GDL game computed by its circuit."""

    move_texts: list[list[GdlMove]]

    backend = "circuit"

    def __init__(self, sheet: RuleSheet, name: str = "game", budget: GroundBudget | None = None) -> None:
        super().__init__(sheet, name)
        self._budget = budget
        self._compute_by(self.compilation.circuit)

    @cached_property
    def compilation(self) -> Compilation:  # type: ignore[override]  # made again if the game was compiled elsewhere
        """The stages of its compilation."""
        return compile_rules(self.sheet, self._budget)

    def _compute_by(self, circuit: Circuit) -> None:
        """Take roles, fluents and moves from a circuit, and prepare to compute with it."""
        self.circuit = circuit
        self._set_roles(named_roles(self.sheet, circuit.roles))
        self.move_roles: tuple[Role, ...] = tuple(map(kif, circuit.roles))
        """The roles of the circuit, chance roles last."""
        self.percepts = {
            n: _percept(fluent) for n, fluent in enumerate(circuit.fluents) if functor(fluent) == PERCEPT_FLUENT
        }
        """The fluents of percepts, by number: role and percept."""
        self.fluent_numbers: Mapping[Term, int] = {fluent: n for n, fluent in enumerate(circuit.fluents)}
        self.move_texts = [[GdlMove(move) for move, _, _ in moves] for moves in circuit.moves]
        self.move_numbers: list[dict[str, int]] = [
            {move: n for n, move in enumerate(moves)} for moves in self.move_texts
        ]
        self.goal_values = [
            sorted({goal.value for goal in circuit.goals if goal.role == role}) for role in range(circuit.players)
        ]
        legal = [literal for moves in circuit.moves for _, _, literal in moves]
        goals = [goal.literal for goal in circuit.goals]
        does = [literal for moves in circuit.moves for _, literal, _ in moves]
        self.evaluate_state = Evaluator.of(circuit, circuit.fluent_inputs, [circuit.terminal, *goals, *legal])
        self.evaluate_move = Evaluator.of(circuit, [*circuit.fluent_inputs, *does], circuit.next)

    def with_circuit(self, circuit: Circuit, name: str) -> CircuitGame:
        """Another game, computed by another circuit, such as that of a subgame."""
        other = CircuitGame.__new__(CircuitGame)
        GdlGame.__init__(other, self.sheet, name)
        other._compute_by(circuit)
        return other

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

    def _state_after(self, before: GdlState, turn: TurnTaken, facts: frozenset[Term]) -> GdlState:
        """The state with these fluents, and those of the turn's percepts, by which lanes know what roles know."""
        after = super()._state_after(before, turn, facts)
        assert isinstance(after, CircuitState)
        for role, percepts in turn.percepts.items():
            numbers = self.percept_fluents(self.roles.index(role))
            after.bits[[numbers[percept] for percept in percepts]] = True
        return after

    # The batch contract

    @cached_property
    def fluent_texts(self) -> tuple[str, ...]:  # type: ignore[override]  # computed on demand
        """The text of each fluent; `fluent_numbers` gives the number of a term."""
        return tuple(map(kif, self.circuit.fluents))

    @property
    def percept_numbers(self) -> Collection[int]:  # type: ignore[override]
        """The fluents of percepts."""
        return self.percepts

    def percept_fluents(self, role: int) -> Mapping[str, int]:
        """The fluents of one role's percepts, by the percepts' texts."""
        name = self.roles[role]
        return {kif(percept): number for number, (hearer, percept) in self.percepts.items() if kif(hearer) == name}

    @cached_property
    def chance_sources(self) -> Sequence[ChanceSource]:  # type: ignore[override]
        """The chance roles."""
        return [self._source(chance, number) for number, chance in enumerate(self.circuit.chance)]

    def _source(self, chance: Chance, number: int) -> ChanceSource:
        own = self.move_texts[self.circuit.players + number]
        idle = next((n for n, move in enumerate(own) if move.term == NOTHING), None)
        weights = np.array(chance.weights, np.float64)
        if chance.owner is None or chance.variable is None:
            return ChanceSource(weights, idle)
        uses = [is_within(chance.variable, move) for move, _, _ in self.circuit.moves[chance.owner]]
        return ChanceSource(weights, idle, chance.owner, np.array(uses, np.bool_))

    def lanes(self, size: int, seed: int | None) -> Lanes:
        """Many states of the game."""
        from ludens.compiler.batch.lanes import CircuitLanes  # noqa: PLC0415 - lanes are of games

        return CircuitLanes(self, size, seed)

    def block_code(self, seed: int, *, notes_moves: bool = False) -> BlockCode:
        """The game's own machine code."""
        return CircuitBlockCode(self.batch_steps, seed, notes_moves=notes_moves)

    @cached_property
    def operations(self) -> int:
        """Operations of a joint move in random playouts."""
        return self.batch_steps.playouts.step.operations

    @property
    def first_steps(self) -> tuple[str, ...]:
        """The steps that searches begin with. Drawing moves of chess takes as long to compile as playouts, and searches
        of games like it do not draw: machine code plays whole blocks for them."""
        draws = self.hidden or len(self.roles) == 1
        return ("resolved", "given", "position", "playouts", *(["choice"] if draws else []))

    def prepare_batches(self) -> None:
        """Make the steps that searches begin with."""
        for name in self.first_steps:
            getattr(self.batch_steps, name)

    def pack(self, states: Sequence[State]) -> PackedBits:
        """The bits of states; those of other backends by their facts."""
        bits = np.array([self._convert(state).bits for state in states], np.bool_)
        return np.packbits(bits.reshape(len(states), len(self.circuit.fluents)), axis=1, bitorder="little")

    def _convert(self, state: State) -> CircuitState:
        if isinstance(state, CircuitState) and state.game is self:
            return state
        if not isinstance(state, GdlState):
            raise GameError(f"{self.name} has no states such as {type(state).__name__}")
        return self.state(state.facts)

    def unpack(self, packed: PackedBits) -> list[State]:
        """States from their bits."""
        bits = np.unpackbits(packed, axis=1, count=len(self.circuit.fluents), bitorder="little").view(np.bool_)
        return [CircuitState(self, row) for row in bits]

    @cached_property
    def changing_fluents(self) -> Bits:
        """The fluents that the circuit does not copy."""
        circuit = self.circuit
        pairs = zip(circuit.fluent_inputs, circuit.next, strict=True)
        return np.array([now != then for now, then in pairs], np.bool_)

    @cached_property
    def counting_fluents(self) -> Bits:
        """The fluents that count steps, found in the circuit."""
        return find_counters(self.circuit)

    def counting_horizon(self, state: State) -> CountingHorizon:
        """By unrolling the circuit."""
        return Timelessness(self.circuit, self.counting_fluents, self._convert(state).bits)

    def nearness(self, role: int, goal: int) -> Nearness | None:
        """The rules of the goal read as fuzzy logic."""
        return GoalNearness.of(self.circuit, goal, role)

    @cached_property
    def facts(self) -> Facts:
        """What is known of the game for certain: read off its text, met in play, or proved over the circuit."""
        from ludens.compiler.batch.facts.circuit_facts import CircuitFacts  # noqa: PLC0415 - facts are about games

        return CircuitFacts(self)

    def is_never(self, violation: Violation) -> bool:
        """Whether a literal is proved to be false in every state that play can reach."""
        from ludens.compiler.batch.facts.circuit_facts import prove_never  # noqa: PLC0415 - facts are about games

        return prove_never(self, violation)

    @cached_property
    def batch_steps(self) -> BatchSteps:
        """What all batches of the game compute."""
        return BatchSteps(self.circuit)

    def worlds(self, role: Role, rng: Random) -> Worlds:
        """Many states at once, followed as lanes."""
        from ludens.compiler.batch.worlds import LaneWorlds  # noqa: PLC0415 - lanes are of states

        return LaneWorlds(self, role, rng)

    def declared_fluents(self) -> frozenset[Term]:
        """All fluents that some state may have, regardless of ``base``."""
        return frozenset(fluent for n, fluent in enumerate(self.circuit.fluents) if n not in self.percepts)


class CircuitState(GdlState):
    """A position as bits, one for each fluent."""

    game: CircuitGame

    def __init__(self, game: CircuitGame, bits: Bits) -> None:
        self.game = game
        self.bits = bits
        """For each fluent, by its number, whether it is true; not to be changed."""

    @cached_property
    def facts(self) -> frozenset[Term]:  # type: ignore[override]  # decoded on demand
        """The true fluents."""
        fluents, percepts = self.game.circuit.fluents, self.game.percepts
        return frozenset(fluents[n] for n in np.flatnonzero(self.bits) if n not in percepts)

    @cached_property
    def _outputs(self) -> Bits:
        return self.game.evaluate_state(self.bits)

    @property
    def is_terminal(self) -> bool:
        """True if ``terminal`` holds, or the match ends by repetition."""
        return self.is_repeated or bool(self._outputs[0])

    @cached_property
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        if self.is_terminal:
            return {}
        found: dict[Role, Sequence[GdlMove]] = {}
        legal: list[int] = self._outputs[1 + len(self.game.circuit.goals) :].nonzero()[0].tolist()
        first = place = 0
        for role, moves in zip(self.game.move_roles, self.game.move_texts, strict=True):
            end = bisect_left(legal, first + len(moves), place)
            found[role] = tuple([moves[number - first] for number in legal[place:end]])
            first, place = first + len(moves), end
        return found

    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here."""
        number = self.game.move_roles.index(role)
        goals = zip(self.game.circuit.goals, self._outputs[1:], strict=False)
        return [goal.value for goal, holds in goals if holds and goal.role == number]

    def play(self, joint_move: JointMove) -> CircuitState:
        """The state after a joint move. Raises `IllegalMoveError`."""
        moves = {role: self.resolve_move(role, joint_move) for role in self.game.role_terms}
        inputs, first = np.zeros(self.game.evaluate_move.inputs, np.bool_), len(self.bits)
        inputs[:first] = self.bits
        for role, own in enumerate(self.game.move_texts):
            if (number := self._move_number(role, moves)) >= 0:
                inputs[first + number] = True
            first += len(own)
        after = CircuitState(self.game, self.game.evaluate_move(inputs))
        after._note_past(self)
        if self.game.hidden:
            percepts = [percept for number, percept in self.game.percepts.items() if after.bits[number]]
            after._note_arrival(self, moves.values(), percepts)
        return after

    def _move_number(self, role: int, moves: Mapping[Role, ResolvedMove]) -> int:
        """The number of the move of one of the circuit's roles in a resolved joint move; -1 if nothing is drawn."""
        circuit, numbers = self.game.circuit, self.game.move_numbers[role]
        name = self.game.move_roles[role]
        chance = circuit.chance[role - circuit.players] if role >= circuit.players else None
        if chance is None or chance.owner is None or chance.variable is None:
            return numbers[moves[name].chosen]
        event = moves[self.game.move_roles[chance.owner]].drawn.get(chance.variable)
        legal = self.legal_moves(name)
        drawn = next((move for move in legal if event is None or arguments(move.term)[:1] == (event,)), None)
        return -1 if drawn is None else numbers[drawn]

    def _random_facts(self) -> Iterable[RandomFact]:
        circuit = self.game.circuit
        for role, chance in zip(self.game.move_roles[circuit.players :], circuit.chance, strict=True):
            if chance.variable is None:
                continue
            for move in self.legal_moves(role):
                if move.term != NOTHING:
                    event, weight = arguments(move.term)
                    yield chance.variable, weight, event

    @cached_property
    def position(self) -> bytes:
        """The bits without percepts, which are no part of the position."""
        if not self.game.percepts:
            return self.bits.tobytes()
        bits = self.bits.copy()
        bits[list(self.game.percepts)] = False
        return bits.tobytes()


def _percept(fluent: Term) -> tuple[Term, Term]:
    role, percept = arguments(fluent)
    return role, percept
