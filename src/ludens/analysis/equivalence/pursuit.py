"""Two rule sheets compared by their circuits: a play on which they differ, or a proof that there is none.

The product of both circuits (`ludens.analysis.equivalence.product`) ends where the games differ. Random matches of it
run in machine code and find most differences within milliseconds. What they do not find is proved to be impossible by
induction, or found by a solver that unrolls the product turn by turn. Plays are made again on the games themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ludens.analysis.equivalence.lockstep import Difference, Mapping2, Play, breadth_first, follow_play
from ludens.analysis.equivalence.product import Product, make_product
from ludens.compiler.backends import make_game
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE
from ludens.compiler.circuit.invariants import improve
from ludens.compiler.circuit.turns import turn_phases
from ludens.compiler.circuit.unrolling import Line, Unrolling
from ludens.compiler.circuit_rules import CircuitRules
from ludens.compiler.compile import compile_rules
from ludens.compiler.ground.grounder import GroundBudget
from ludens.core import GameError
from ludens.core.batch import Batch
from ludens.gdl.game import GdlGame

_Moves: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int32]]
LANES = 1_024
_MOST_TURNS = 400
_QUICK = 8
"""Rounds of random matches before a proof is tried."""
_CONFLICTS = 1_000_000
"""How long the solver may search at once: one equality that it gives up takes all others with it."""
_FEW_LANES = LANES // 16
"""With so few matches left, a round is over: the longest ones would cost as much as all others."""
_OTHER_MOVES = 8
"""How often moves that end the match are drawn again in rounds that put off the end."""


@dataclass(frozen=True, slots=True)
class Pursuit:
    """What comparing the circuits of two games found."""

    difference: Difference | None
    proof: str
    """Why no play can show a difference; empty if that was not proved."""
    states: int
    """States that were compared."""


def pursue(left: GdlGame, right: GdlGame, seconds: float, most: int) -> Pursuit | None:
    """Compare two games, whose roles have the same names, by their circuits; None if they cannot be compiled so."""
    due = time.monotonic() + seconds
    budget = GroundBudget(seconds=max(0.1, seconds / 3))
    try:
        circuits = [compile_rules(game.sheet, budget).circuit for game in (left, right)]
        product = make_product(*circuits)
        compiled = None if product is None else _playable(left, product)
    except GameError:
        return None
    if product is None or compiled is None:
        return None
    return _Pursuit(left, right, product, compiled, due, most).run()


def _playable(game: GdlGame, product: Product) -> CircuitRules:
    base = make_game(game.sheet, game.name, "circuit")
    assert isinstance(base, CircuitRules)
    return base.with_circuit(product.circuit, f"{game.name} beside the other")


def _advance(batch: Batch, tries: int) -> _Moves:
    """Make random moves; where they end the match without a difference, others, so many times. Returns them."""
    before, was_over = batch.packed_states.copy(), batch.terminal
    moves = batch.random_moves()
    batch.advance(moves)
    for _ in range(tries):
        ended = batch.terminal & ~was_over & (batch.goals[:, 0] == 0)
        if not ended.any():
            break
        after = batch.packed_states.copy()
        batch.set_states(before)
        others = batch.random_moves()
        batch.advance(others)
        moves = np.where(ended[:, None], others, moves)
        batch.set_states(np.where(ended[:, None], batch.packed_states, after))
    return moves


class _Pursuit:
    def __init__(
        self, left: GdlGame, right: GdlGame, product: Product, game: CircuitRules, due: float, most: int
    ) -> None:
        self._left, self._right, self._product, self._game, self._due = left, right, product, game, due
        self._most = most
        """States that are compared one by one at most."""
        self._states = 0
        self._round = 0
        self._agreed = False
        """Whether a match came to its end without a difference."""
        self._strict = any(one.sheet.repetition is not None for one in (left, right))
        """Whether positions have to be the same, since matches end when they are repeated."""

    def run(self) -> Pursuit:
        """Search and prove in turns, longer and longer."""
        if self._product.is_same and (not self._strict or self._product.positions_differ == FALSE):
            return self._proved("the rules are the same, gate for gate, once they are compiled")
        begin = time.monotonic()
        share = max(0.1, (self._due - begin) / 8)
        steps: list[Callable[[float], Pursuit | None]] = [self._play, self._prove, self._unroll]
        while time.monotonic() < self._due:
            for step in steps:
                found = step(min(self._due, time.monotonic() + share))
                if found is not None:
                    return found
            share *= 2
        return Pursuit(None, "", self._states)

    def _proved(self, how: str) -> Pursuit:
        return Pursuit(None, how, self._states)

    # Plays

    def _play(self, due: float) -> Pursuit | None:
        """Random matches, few at first; later every second round puts off the end, since full boards and puzzles that
        are nearly solved are rare otherwise."""
        first = self._round == 0
        while True:
            line = self._random_line(due, late=not first and self._round % 2 == 1)
            if line is not None and (found := self._made_again(line, shortest=False)) is not None:
                return found
            if time.monotonic() > due or (first and self._round >= _QUICK):
                return None

    def _random_line(self, due: float, *, late: bool) -> Line | None:
        """The moves of a random match at whose end the games differ."""
        self._round += 1
        batch = Batch(self._game, LANES, seed=self._round)
        made: list[_Moves] = []
        while True:
            over = batch.terminal
            differ = batch.goals[:, 0] == 1
            self._states += int(LANES - over.sum() + differ.sum())
            if differ.any():
                lane = int(np.flatnonzero(differ)[0])
                return tuple(tuple(moves[lane].tolist()) for moves in made)
            self._agreed |= bool(over.any())
            if LANES - over.sum() <= (0 if late else _FEW_LANES) or len(made) >= _MOST_TURNS or time.monotonic() > due:
                return None
            made.append(_advance(batch, _OTHER_MOVES if late else 0))

    def _made_again(self, line: Line, *, shortest: bool) -> Pursuit | None:
        """A line of the product played on both games; None if they do not differ there after all."""
        play = self._in_words(line)
        found = None if play is None else follow_play(self._left, self._right, play, Mapping2())
        if found is None:
            return None
        return Pursuit(Difference(found[0], found[1], shortest), "", self._states)

    def _in_words(self, line: Line) -> Play | None:
        """The joint moves of the first game in a line; None where the random choices of a turn cannot be told."""
        batch = Batch(self._game, 1)
        state, play = self._left.initial_state(), list[dict[str, str]]()
        for turn in line:
            batch.advance(np.array([turn], np.int32))
            moves = {
                role: str(texts[number])
                for role, texts, number in zip(self._game.move_roles, self._game.move_texts, turn, strict=True)
                if role in self._left.role_terms
            }
            facts = self._facts(batch)
            drawn = state.chance_outcomes(moves) if len(self._game.move_roles) > len(self._left.role_terms) else ()
            options = [outcome.joint_move for outcome in drawn] or [moves]
            chosen = next((option for option in options if state.play(option).facts == facts), None)
            if chosen is None:
                return None
            state = state.play(chosen)
            play.append(dict(chosen))
        return tuple(play)

    def _facts(self, batch: Batch) -> frozenset[object]:
        true = np.flatnonzero(batch.observation[0, : self._product.left_fluents])
        fluents, percepts = self._product.circuit.fluents, self._game.percept_numbers
        return frozenset(fluents[number] for number in true if number not in percepts)

    # Proofs

    def _prove(self, due: float) -> Pursuit | None:
        """Prove by induction that no state that play can reach shows a difference."""
        how = "proved by induction over the compiled rules: no play shows a difference"
        product = self._product
        wanted = product.positions_differ if self._strict else product.differ
        circuit = product.asking_for(wanted)
        game = self._game.with_circuit(circuit, self._game.name) if self._strict else self._game
        if self._agreed and game.facts.zero_sum.certain:
            return self._proved(how)
        nothing = np.zeros((len(circuit.fluents), 0), np.uint64)
        improved = improve(turn_phases(circuit), nothing, max(0.1, due - time.monotonic()), _CONFLICTS)
        return self._proved(how) if all(phase.goals[0].literal == FALSE for phase in improved.phases) else None

    def _unroll(self, due: float) -> Pursuit | None:
        """The shortest play that shows a difference, by a solver."""
        circuit: Circuit = self._product.circuit
        if circuit.loops:
            return self._walk(due)
        unrolling = Unrolling(circuit, self._product.differ)
        line = unrolling.find(due)
        if line is not None:
            return self._made_again(line, shortest=unrolling.is_shortest)
        if unrolling.is_complete and not self._strict:
            return self._proved(f"no match lasts {unrolling.turns} turns, and no shorter one shows a difference")
        return None

    def _walk(self, due: float) -> Pursuit | None:
        """The shortest play that shows a difference, state by state."""
        found = breadth_first(self._left, self._right, Mapping2(), self._most, due)
        self._states = max(self._states, found.states)
        if found.complete:
            return self._proved(f"all {found.states:,} reachable states agree")
        return None if found.difference is None else Pursuit(found.difference, "", self._states)
