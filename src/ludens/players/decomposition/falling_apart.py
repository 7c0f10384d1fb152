"""Impartial games in one piece whose positions fall apart during play: solved part by part.

The value of a part is found from those of the parts into which each of its moves turns it. A row of 24 pins has
16,777,216 positions, but only some hundred parts: the rows without gaps. In normal play the value is a nimber. In
misère play it is the *form* of the part: the set of sums of forms that its moves lead to. Parts with equal forms are
the same game, wherever they are. A sum of tame forms is decided by their kinds (`nimbers.py` beside this),
any other by search over sums of forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from random import Random
from typing import Protocol

import numpy as np

from ludens.analysis.budget import Pulse, TooEntangledError
from ludens.analysis.gates.supports import Bits, bits_of, members
from ludens.analysis.impartial import Convention
from ludens.analysis.last_move import LastMoveGame, find_last_move
from ludens.analysis.subgames.steps import Step, find_parts
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError, Move, State
from ludens.players.decomposition.nimbers import Nimber, mex, misere_kind, mover_wins, sum_of
from ludens.players.decomposition.values import Values

MOST_PARTS = 500_000
"""The most different parts, and the most sums in misère play."""
MOST_REPLIES = 1_000
"""Limit of replies that are examined to find out how hard a move is to answer."""

Sum = tuple[int, ...]
"""A sum of parts: their forms in ascending order; in normal play only the nim-sum."""


class _Convention(Protocol):
    """How parts are valued and added up."""

    def value(self, options: set[Sum]) -> int:
        """The value of a part from the sums that its moves lead to."""

    def add(self, values: Sequence[int]) -> Sum:
        """The sum of some parts."""

    def mover_wins(self, position: Sum) -> bool:
        """Whether the role to move wins."""

    def describe(self, position: Sum) -> str:
        """The sum in a few words."""


class _Normal:
    """Nimbers and nim-sums."""

    def value(self, options: set[Sum]) -> int:
        return mex(nimber for (nimber,) in options)

    def add(self, values: Sequence[int]) -> Sum:
        return (reduce(xor, values, 0),)

    def mover_wins(self, position: Sum) -> bool:
        return position != (0,)

    def describe(self, position: Sum) -> str:
        return f"nim-sum {position[0]}"


class _Misere:
    """Forms, numbered as they are found."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._forms: dict[frozenset[Sum], int] = {}
        self._options: list[frozenset[Sum]] = []
        self._kinds: list[Nimber | None] = []
        self._wins: dict[Sum, bool] = {}

    def value(self, options: set[Sum]) -> int:
        key = frozenset(options)
        found = self._forms.get(key)
        if found is None:
            found = self._forms[key] = len(self._options)
            self._options.append(key)
            kinds = [self._kind(option) for option in key]
            tame = {kind for kind in kinds if kind is not None}
            self._kinds.append(None if None in kinds else misere_kind(tame))
        return found

    def add(self, values: Sequence[int]) -> Sum:
        return tuple(sorted(values))

    def mover_wins(self, position: Sum) -> bool:
        kind = self._kind(position)
        if kind is not None:
            return mover_wins(kind)
        found = self._wins.get(position)
        if found is None:
            self._pulse()
            if len(self._wins) >= MOST_PARTS:
                raise TooEntangledError("in misère play the parts have too many different sums")
            found = self._wins[position] = any(not self.mover_wins(after) for after in self._moves(position))
        return found

    def describe(self, position: Sum) -> str:
        kind = self._kind(position)
        if kind is None:
            return f"wild, so {len(self._wins):,} sums of parts were searched"
        return f"nim-sum {kind.value}" + (", fickle" if kind.fickle else "")

    def _kind(self, position: Sum) -> Nimber | None:
        """The kind of a sum of tame forms; None if one is not tame."""
        kinds = [self._kinds[form] for form in position]
        tame = [kind for kind in kinds if kind is not None]
        return sum_of(tame) if len(tame) == len(kinds) else None

    def _moves(self, position: Sum) -> set[Sum]:
        return {
            self.add((*position[:place], *position[place + 1 :], *option))
            for place, form in enumerate(position)
            if not place or form != position[place - 1]
            for option in self._options[form]
        }


class _Parts:
    """The values of parts, each found once."""

    def __init__(self, steps: Sequence[Step], convention: _Convention, pulse: Pulse) -> None:
        self._steps = steps
        self._convention = convention
        self._pulse = pulse
        self._values: dict[tuple[Bits, Bits], int | None] = {}
        self._open: set[tuple[Bits, Bits]] = set()

    def __len__(self) -> int:
        return len(self._values)

    def options(self, left: Bits, now: Bits) -> dict[int, Sum]:
        """The moves of a position, as steps, and the sum that each leads to."""
        return {
            number: self.total(left, step.after(now))
            for number in members(left)
            if (step := self._steps[number]).is_legal(now)
        }

    def total(self, left: Bits, now: Bits) -> Sum:
        """The sum of the parts of a position in which no other steps than those left are possible."""
        values = [self._value(own, scope, now) for own, scope in find_parts(self._steps, left, now)]
        return self._convention.add([value for value in values if value is not None])

    def _value(self, left: Bits, scope: Bits, now: Bits) -> int | None:
        """The value of a part; None if it has no move."""
        key = left, now & scope
        if key in self._values:
            return self._values[key]
        if key in self._open:
            raise GameError("play can cycle")
        self._pulse()
        if len(self._values) >= MOST_PARTS:
            raise TooEntangledError("positions fall into too many different parts")
        self._open.add(key)
        try:
            options = set(self.options(left, now).values())
        finally:
            self._open.remove(key)
        self._values[key] = found = self._convention.value(options) if options else None
        return found


def falling_apart(game: CircuitRules, pulse: Pulse) -> FallingApart | None:
    """The solver of a game; None if it is not proved to be impartial. Raises whatever ``pulse`` raises."""
    try:
        proof = find_last_move(game, pulse)
    except TooEntangledError:
        return None
    return None if isinstance(proof, str) else FallingApart(game, proof, pulse)


class FallingApart:
    """Solves positions of an impartial game by their parts, and keeps what it found for the next position."""

    def __init__(self, game: CircuitRules, proof: LastMoveGame, pulse: Pulse) -> None:
        """``pulse`` is called often, and may raise to stop."""
        self.pulse = pulse
        """Called often during computation; may raise to stop."""
        self._game = game
        self._proof = proof
        self._steps = proof.rules.steps
        self._everything = (1 << len(self._steps)) - 1
        self._convention: _Convention = (
            _Normal() if proof.convention is Convention.NORMAL else _Misere(self._call_pulse)
        )
        self._parts = _Parts(self._steps, self._convention, self._call_pulse)

    def _call_pulse(self) -> None:
        """Call the current `pulse`."""
        self.pulse()

    @property
    def method(self) -> str:
        """How positions are solved, in a few words."""
        return f"values of the parts into which positions fall, {self._proof.convention} play"

    def solve(self, state: State) -> Values:
        """The values of a position. Raises `GameError` if there are too many parts, or whatever `pulse` raises."""
        mover, now = self._read(state)
        try:
            wins, best = self._decide(now)
        except RecursionError:
            raise TooEntangledError("the game is too long for the stack") from None
        proof = self._proof
        goals = (proof.winner, proof.loser) if wins == (mover == 0) else (proof.loser, proof.winner)
        what = self._convention.describe(self._parts.total(self._everything, now))
        return Values(
            tuple((float(goal), float(goal)) for goal in goals),
            True,
            {mover: self._moves(mover, best)} if best else {},
            f"positions fall into {len(self._parts):,} different parts; {what}, {proof.convention} play",
            len(self._parts),
            len(self._parts),
        )

    def hardest_moves(self, state: State, rng: Random) -> tuple[Move, ...]:
        """In a lost position the moves that leave the smallest share of winning replies; else none."""
        mover, now = self._read(state)
        wins, moves = self._decide(now)
        if wins:
            return ()
        shares: dict[int, float] = {}
        for number in rng.sample(moves, min(len(moves), max(1, MOST_REPLIES // len(moves)))):
            after = self._steps[number].after(now)
            won, replies = self._decide(after)
            every = sum(step.is_legal(after) for step in self._steps)
            shares[number] = len(replies) / every if won and every else 1.0
        least = min(shares.values())
        return self._moves(mover, [number for number, share in shares.items() if share == least])

    def _read(self, state: State) -> tuple[int, Bits]:
        """The role that moves, and the fluents that are true, without the turn."""
        bits = self._game.bits_of(state)
        order = self._proof.order
        tick = order.clock.tick_of(bits)
        assert tick is not None
        now = bits_of(np.flatnonzero(bits).tolist()) & ~order.clock.fluents
        return order.movers[order.clock.phase(tick)], now

    def _decide(self, now: Bits) -> tuple[bool, list[int]]:
        """Whether the role to move wins, and the moves, as steps, that keep that result."""
        wins = self._convention.mover_wins(self._parts.total(self._everything, now))
        options = self._parts.options(self._everything, now)
        return wins, [number for number, after in options.items() if self._convention.mover_wins(after) != wins]

    def _moves(self, role: int, steps: Sequence[int]) -> tuple[Move, ...]:
        numbers = self._proof.rules.moves[role]
        return tuple(self._game.move_texts[role][number] for step in steps for number in numbers[step])
