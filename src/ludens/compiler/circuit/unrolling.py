"""The shortest play after which a literal is true, by clingo's solver: the circuit unrolled turn by turn."""

from __future__ import annotations

import enum
import time

import clingo

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import INPUT
from ludens.compiler.circuit.induction import OPTIONS, Frame, needed, outputs

MOST_NODES = 2_000_000
"""Nodes of all turns together."""
_SHARE = 0.2
"""The share of the time that is left that one length may take."""

Line = tuple[tuple[int, ...], ...]
"""For each turn the number of each role's move."""


class Answer(enum.Enum):
    """What the solver found out where it found no play."""

    NONE = "there is none"
    OPEN = "not found in time"


NONE, OPEN = Answer.NONE, Answer.OPEN


class Unrolling:
    """A circuit without loops, turn by turn from its initial state. Chance is a role that chooses."""

    def __init__(self, circuit: Circuit, wanted: int) -> None:
        assert not circuit.loops, "values inside a recursion would be free"
        self._circuit, self._wanted = circuit, wanted
        does = [literal for moves in circuit.moves for _, literal, _ in moves]
        self._order = needed(circuit, [wanted, *outputs(circuit), *does])
        self._control = clingo.Control(list(OPTIONS))
        self._moves: list[list[list[int]]] = []
        self.is_shortest = True
        """False once a length was skipped."""
        self.is_complete = False
        """True once no match lasts as long as the play that would be looked for next."""
        with self._control.backend() as backend:
            self._true = backend.add_atom()
            backend.add_rule([self._true], [])
            frame = self._frame(backend)
            for literal, value in zip(circuit.fluent_inputs, circuit.initial, strict=True):
                frame.atoms[literal >> 1] = self._true if value else -self._true
            self._define(frame)

    @property
    def turns(self) -> int:
        """Turns of the play that is looked for next."""
        return len(self._moves)

    def find(self, due: float) -> Line | None:
        """A play after which the literal is true, the shortest if `is_shortest`; None if there is none, or once it is
        too late by `time.monotonic`.

        If none is found and `is_complete`, there is no such play of any length. A length that takes too long to rule
        out is skipped: with more turns, a play may be easier to find.
        """
        while time.monotonic() < due and len(self._order) * (self.turns + 1) <= MOST_NODES:
            found = self._solve([self._last.read(self._wanted)], _share(due))
            if isinstance(found, tuple):
                return found
            self.is_shortest &= found is NONE
            self._advance()
            if self.is_shortest and self._solve([], _share(due)) is NONE:
                self.is_complete = True
                break
        return None

    def _frame(self, backend: clingo.Backend) -> Frame:
        return Frame(backend, self._circuit, {}, self._true)

    def _define(self, frame: Frame) -> None:
        gates = self._circuit.gates
        for node in self._order:
            if node not in frame.atoms or gates.left[node] != INPUT:
                frame.define(node)
        self._last = frame

    def _advance(self) -> None:
        """Add a turn."""
        with self._control.backend() as backend:
            before = self._last
            before.backend = backend
            self._moves.append(before.play_on())
            frame = self._frame(backend)
            for literal, following in zip(self._circuit.fluent_inputs, self._circuit.next, strict=True):
                frame.atoms[literal >> 1] = before.read(following)
            self._define(frame)

    def _solve(self, assumptions: list[int], due: float) -> Line | Answer:
        """The moves of a play, or whether it was ruled out that there is one."""
        found: list[Line] = []

        def keep(model: clingo.Model) -> None:
            turns = [[[model.is_true(atom) for atom in done].index(True) for done in turn] for turn in self._moves]
            found.append(tuple(map(tuple, turns)))

        with self._control.solve(assumptions=assumptions, on_model=keep, async_=True) as handle:
            if not handle.wait(max(0.0, due - time.monotonic())):
                handle.cancel()
                return OPEN
            return found[0] if found else NONE


def _share(due: float) -> float:
    """Until when one length may be examined."""
    now = time.monotonic()
    return now + (due - now) * _SHARE
