"""What batches compute for each block of lanes, as gates: positions, joint moves given or drawn, playouts.

Every step reads the fluents from slot `FLUENT_SLOT` on. Behind them come its choices (random bits, then moves that are
done), and then its outputs, all in groups that fill whole bytes, so that they can be turned into lanes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from threading import RLock

import numpy as np

from ludens.compiler.batch.lane_entry import FLUENT_SLOT
from ludens.compiler.batch.step_code import Step, StepGates
from ludens.compiler.batch.transpose import ROWS_PER_BYTE, block_rows, padded
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.draw import DrawnCircuit, draw
from ludens.compiler.circuit.gates import FALSE, INPUT, Gates
from ludens.compiler.circuit.turns import turn_order, without_percepts
from ludens.compiler.native.kernel import Words
from ludens.core import BEST_GOAL
from ludens.gdl.terms import Term

NUMBER_ROWS = 32
"""Rows of a move's number: a signed integer of four bytes."""

Output = tuple[int, int]
"""A literal, and its row among the outputs."""


@dataclass(frozen=True)
class PlayoutSteps:
    """The steps of random playouts: one for each phase of the turn order."""

    step: Step
    known: tuple[int, ...]
    """The fluents that have the same value in all states of a phase."""
    absent: Words
    """For each phase and known fluent: all ones if it is false there (phases, known, 1)."""
    first_made: int = -1
    """The slot from which on a step sets the lanes in which each player makes each move; negative if it does not."""

    def beginning(self, fluents: Words) -> Words:
        """The lanes whose state is one of each phase, for rows of fluents: (blocks, phases, words)."""
        rows = fluents[:, None, list(self.known)] ^ self.absent[None]
        found: Words = np.bitwise_and.reduce(rows, axis=2)
        return found


class BatchSteps:
    """The steps of one game, each made on demand and shared by all batches."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._building = RLock()
        """Threads that share a game share its gates, which grow when a step is made."""
        self.fluent_rows = max(ROWS_PER_BYTE, padded(len(circuit.fluents)))
        heights = [padded(len(moves)) for moves in circuit.moves]
        starts = list(accumulate(heights, initial=0))
        self.move_rows = starts[-1]
        self.first_moves = starts[:-1]
        """The row of each role's first move among all moves; chance roles come last."""
        self.first_goal = ROWS_PER_BYTE
        self.first_legal = self.first_goal + ROWS_PER_BYTE * circuit.players

    @cached_property
    def initial(self) -> Words:
        """The rows of a block in which every lane has the initial state."""
        rows: Words = block_rows(1, self.fluent_rows)[0]
        rows[np.flatnonzero(self.circuit.initial)] = np.uint64(2**64 - 1)
        return rows

    @cached_property
    def _drawn_circuit(self) -> DrawnCircuit:
        return draw(self.circuit, {})

    @cached_property
    def position(self) -> Step:
        """What holds in a state. Rows: 0 the lanes that are over, 1 those that are stuck; from `first_goal` on the
        goals of each role as numbers; from `first_legal` on the legal moves, as `first_moves` says."""
        with self._building:
            circuit, gates = self.circuit, self.circuit.gates
            going = circuit.terminal ^ 1
            outputs = [(circuit.terminal, 0), (stuck(circuit), 1), *goal_numbers(circuit, self.first_goal)]
            for first, moves in zip(self.first_moves, circuit.moves, strict=True):
                outputs += [
                    (gates.both(legal, going), self.first_legal + first + n) for n, (_, _, legal) in enumerate(moves)
                ]
            return Step([self._gates(circuit, outputs, self.first_legal + self.move_rows)])

    @cached_property
    def given(self) -> Step:
        """The next fluents after the moves that are done, whose rows are its choices; chance is drawn."""
        if not self.circuit.chance:
            return self.resolved
        with self._building:
            drawn = draw(self.circuit, {}, only_chance=True)
            return Step([self._given(drawn.circuit, self.circuit.players, drawn.random)])

    @cached_property
    def resolved(self) -> Step:
        """The same with the moves of all roles as its choices, including chance roles."""
        with self._building:
            return Step([self._given(self.circuit, len(self.circuit.roles), ())])

    def _given(self, circuit: Circuit, roles: int, random: Sequence[int]) -> StepGates:
        choices = {
            does >> 1: first + n
            for first, moves in zip(self.first_moves[:roles], circuit.moves, strict=False)
            for n, (_, does, _) in enumerate(moves)
        }
        outputs = [(literal, n) for n, literal in enumerate(circuit.next)]
        return self._gates(
            circuit, outputs, self.fluent_rows, choices=choices, choice_rows=self.move_rows, random=random
        )

    @cached_property
    def random(self) -> Step:
        """The next fluents after a random joint move, then the lanes that are over and those that are stuck."""
        with self._building:
            circuit = self._drawn_circuit.circuit
            outputs = [(literal, n) for n, literal in enumerate(circuit.next)]
            outputs += [(circuit.terminal, self.fluent_rows), (stuck(circuit), self.fluent_rows + 1)]
            return Step([self._gates(circuit, outputs, self.fluent_rows + 2, random=self._drawn_circuit.random)])

    @cached_property
    def choice(self) -> Step:
        """The number of a random legal move for each role, -1 where it has none."""
        with self._building:
            circuit = self._drawn_circuit.circuit
            outputs: list[Output] = []
            for role, moves in enumerate(circuit.moves[: circuit.players]):
                outputs += _move_number(circuit, moves, role * NUMBER_ROWS, NUMBER_ROWS)
            rows = NUMBER_ROWS * circuit.players
            return Step([self._gates(circuit, outputs, rows, random=self._drawn_circuit.random)])

    @cached_property
    def requested(self) -> Step:
        """A joint move in which callers request some of the moves and the others are drawn.

        Choices: a row for each move of the roles that play, then one for each of these roles: the lanes in which
        something is requested for it. Outputs: the next fluents; from `first_report` on the lanes that are over, those
        that are stuck, and for each role those whose request is refused; from `first_number` on the numbers of the
        moves that are made, -1 where there are none, `number_rows` for each role.
        """
        with self._building:
            drawn = draw(self.circuit, {}, requested=True)
            circuit, gates = drawn.circuit, drawn.circuit.gates
            choices: dict[int, int] = {}
            for role, request in enumerate(drawn.requests):
                first = self.first_moves[role]
                choices |= {literal >> 1: first + n for n, literal in enumerate(request.moves) if literal != FALSE}
                choices[request.made >> 1] = self.move_rows + role
            outputs = [(literal, n) for n, literal in enumerate(circuit.next)]
            outputs += [(circuit.terminal, self.first_report), (stuck(circuit), self.first_report + 1)]
            for role, (request, moves) in enumerate(zip(drawn.requests, circuit.moves, strict=False)):
                outputs.append((gates.both(request.refused, circuit.terminal ^ 1), self.first_report + 2 + role))
                outputs += _move_number(circuit, moves, self.first_number + role * self.number_rows, self.number_rows)
            return Step(
                [
                    self._gates(
                        circuit,
                        outputs,
                        self.first_number + self.number_rows * circuit.players,
                        choices=choices,
                        choice_rows=self.move_rows + circuit.players,
                        random=drawn.random,
                    )
                ]
            )

    @property
    def first_report(self) -> int:
        """The first row after the fluents in the outputs of `requested`."""
        return self.fluent_rows

    @property
    def first_number(self) -> int:
        """The row of the first number in the outputs of `requested`."""
        return self.first_report + padded(2 + self.circuit.players)

    @property
    def number_rows(self) -> int:
        """Rows of a number in the outputs of `requested`: a signed integer of one, two or four bytes."""
        most = max(len(moves) for moves in self.circuit.moves[: self.circuit.players])
        return next(rows for rows in (8, 16, NUMBER_ROWS) if most <= 1 << rows - 1)

    @cached_property
    def playouts(self) -> PlayoutSteps:
        """Playouts of lanes in step, a circuit for each phase of the turn order."""
        with self._building:
            circuit = without_percepts(self.circuit)
            return self._playouts([draw(circuit, known) for known in turn_order(circuit)])

    @cached_property
    def playouts_from_anywhere(self) -> PlayoutSteps:
        """Playouts for states that belong to no phase, which only callers can construct."""
        with self._building:
            return self._playouts([self._drawn_circuit])

    @cached_property
    def playouts_with_moves(self) -> PlayoutSteps:
        """`playouts` that also say which moves were made."""
        with self._building:
            circuit = without_percepts(self.circuit)
            return self._playouts([draw(circuit, known) for known in turn_order(circuit)], notes_moves=True)

    @cached_property
    def playouts_with_moves_from_anywhere(self) -> PlayoutSteps:
        """`playouts_from_anywhere` that also say which moves were made."""
        with self._building:
            return self._playouts([self._drawn_circuit], notes_moves=True)

    def _playouts(self, phases: Sequence[DrawnCircuit], *, notes_moves: bool = False) -> PlayoutSteps:
        bits = max(len(drawn.random) for drawn in phases)
        first_made = FLUENT_SLOT + self.fluent_rows + 1 + bits if notes_moves else -1
        step = Step([self._playout_gates(drawn, bits, notes_moves=notes_moves) for drawn in phases])
        circuits = [drawn.circuit for drawn in phases]
        known: list[int] = []
        if len(circuits) > 1:
            known = [n for n, literal in enumerate(circuits[0].fluent_inputs) if literal >> 1 == 0]
        absent = [[[-1] if circuit.fluent_inputs[n] == FALSE else [0] for n in known] for circuit in circuits]
        table = np.array(absent, dtype=np.int64).reshape(len(circuits), len(known), 1).view(np.uint64)
        return PlayoutSteps(step, tuple(known), table, first_made)

    def _playout_gates(self, drawn: DrawnCircuit, random_bits: int, *, notes_moves: bool) -> StepGates:
        circuit, gates = drawn.circuit, drawn.circuit.gates
        idle = gates.new_input()
        over = gates.any_of((circuit.terminal, stuck(circuit), idle))
        ending = gates.both(circuit.terminal, idle ^ 1)
        first = self.fluent_rows + 1
        outputs = [(literal, n) for n, literal in enumerate(circuit.next)]
        outputs += [(over, self.fluent_rows), (ending, first)]
        outputs += [
            (gates.both(literal, ending), row) for literal, row in goal_numbers(circuit, first + self.first_goal)
        ]
        made: dict[int, int] = {}
        if notes_moves:
            # Each row is read once, where it is written, so that steps collect in place what others have set before.
            rows = self.first_moves[: circuit.players]
            for row, moves in zip(rows, circuit.moves, strict=False):
                for n, (_, does, _) in enumerate(moves):
                    if does != FALSE:
                        before = gates.new_input()
                        made[before >> 1] = row + n
                        outputs.append((gates.either(before, gates.both(does, over ^ 1)), row + n - self._made_rows))
        return self._gates(
            circuit,
            outputs,
            first + self.first_legal,
            choices=made,
            choice_rows=self._made_rows if notes_moves else 0,
            random=drawn.random,
            idle=idle,
            random_bits=random_bits,
        )

    @property
    def _made_rows(self) -> int:
        """Rows of the moves of all players."""
        return (*self.first_moves, self.move_rows)[self.circuit.players]

    def _gates(
        self,
        circuit: Circuit,
        outputs: Iterable[Output],
        output_rows: int,
        *,
        choices: Mapping[int, int] | None = None,
        choice_rows: int = 0,
        random: Sequence[int] = (),
        idle: int | None = None,
        random_bits: int = 0,
    ) -> StepGates:
        """The gates of a step whose choices are inputs with their rows, or random bits, at least so many."""
        gates = circuit.gates
        fluents = {literal >> 1: FLUENT_SLOT + n for n, literal in enumerate(circuit.fluent_inputs)}
        slots = {node: slot for node, slot in fluents.items() if node and gates.left[node] == INPUT}
        first_choice = FLUENT_SLOT + self.fluent_rows
        if idle is not None:
            slots[idle >> 1] = first_choice
            first_choice += 1
        slots |= {literal >> 1: first_choice + n for n, literal in enumerate(random)}
        random_bits = max(random_bits, len(random))
        slots |= {node: first_choice + random_bits + row for node, row in (choices or {}).items()}
        first = first_choice + choice_rows + random_bits
        placed = [(literal, first + row) for literal, row in outputs]
        # The last row of the outputs may be one that nothing is written to; it must not become a place for values.
        placed += [(FALSE, first + output_rows - 1)] if first + output_rows - 1 not in {p for _, p in placed} else []
        return StepGates(
            gates,
            slots,
            placed,
            circuit.loops,
            self.fluent_rows,
            first_choice,
            random_bits,
            first,
            output_rows,
        )


def stuck(circuit: Circuit) -> int:
    """Whether the rules leave some role without a move, or chance without a weight to draw by, although the match is
    not over."""
    gates = circuit.gates
    movable = [gates.any_of(legal for _, _, legal in moves) for moves in circuit.moves]
    faults = [fault for chance in circuit.chance for fault in chance.faults]
    return gates.both(gates.either(gates.all_of(movable) ^ 1, gates.any_of(faults)), circuit.terminal ^ 1)


def goal_numbers(circuit: Circuit, first: int) -> list[Output]:
    """Each role's goal as a number of one byte: 0 where the rules give none, several, or one beyond 100."""
    gates = circuit.gates
    outputs: list[Output] = []
    for role in range(circuit.players):
        own = [goal for goal in circuit.goals if goal.role == role]
        some = several = FALSE
        for goal in own:
            several = gates.either(several, gates.both(some, goal.literal))
            some = gates.either(some, goal.literal)
        for bit in range(ROWS_PER_BYTE):
            holding = [goal.literal for goal in own if goal.value <= BEST_GOAL and goal.value >> bit & 1]
            outputs.append((gates.both(gates.any_of(holding), several ^ 1), first + ROWS_PER_BYTE * role + bit))
    return outputs


def _move_number(circuit: Circuit, moves: Sequence[tuple[Term, int, int]], first: int, rows: int) -> list[Output]:
    """The number of the move that a role makes, a signed integer: -1 where it has none, or the match is over."""
    gates = circuit.gates
    none = gates.either(circuit.terminal, gates.any_of(legal for _, _, legal in moves) ^ 1)
    done = [(n, literal) for n, (_, literal, _) in enumerate(moves) if literal != FALSE]
    number = _number(gates, done, rows - 1)
    return [(gates.either(bit, none), first + n) for n, bit in enumerate((*number, FALSE))]


def _number(gates: Gates, numbered: Sequence[tuple[int, int]], bits: int) -> list[int]:
    """The number of the one literal that holds, lowest bit first."""
    return _encode(gates, numbered, bits - 1)[1]


def _encode(gates: Gates, numbered: Sequence[tuple[int, int]], bit: int) -> tuple[int, list[int]]:
    """Whether any literal holds, and the bits of its number up to the given one; sharing what halves have in common
    takes about three gates a literal."""
    if not numbered:
        return FALSE, [FALSE] * (bit + 1)
    if bit < 0:
        return numbered[0][1], []
    some_low, low = _encode(gates, [entry for entry in numbered if not entry[0] >> bit & 1], bit - 1)
    some_high, high = _encode(gates, [entry for entry in numbered if entry[0] >> bit & 1], bit - 1)
    return gates.either(some_low, some_high), [*(map(gates.either, low, high)), some_high]
