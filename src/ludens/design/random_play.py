"""Random play: thousands of matches at once on a compiled game, otherwise one by one."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.core import Deadline, Game, GameError, Move, OutOfTimeError, Role, State, random_joint_move
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, Flags
from ludens.gdl.game import GdlState
from ludens.gdl.write import kif

MOST_TURNS = 1_000
"""Turns after which a match counts as endless."""
_MOST_MATCHES = 60_000
_FIRST_LANES, _MOST_LANES = 64, 4_096
_MOST_HASHES = 2_000_000
_KEPT = 400
"""Final and stuck states that are kept."""
_PATIENCE = 2.0
"""How much longer than planned the first round may take, in parts of the plan, so that endless play is noticed."""
_PROBES = 64
"""Turns for which positions are kept, for the gallery and for questions about single states."""


@dataclass(slots=True)
class RandomPlay:
    """What happened in random matches."""

    roles: tuple[Role, ...]
    lengths: list[int] = field(default_factory=list)
    """Turns of each match that ended."""
    goals: list[tuple[int, ...]] = field(default_factory=list)
    """The goals of each match that ended, by role."""
    endless: int = 0
    """Matches that had not ended after `MOST_TURNS`."""
    stuck: int = 0
    """Matches in which a role had no move before the end."""
    unfinished: int = 0
    """Matches that were given up for lack of time; they count nowhere."""
    states: int = 0
    choices: Counter[int] = field(default_factory=Counter)
    """How often a role that had a choice had so many moves."""
    choices_by_turn: dict[int, list[int]] = field(default_factory=dict)
    """By turn: the sum of these numbers, and how many there were."""
    choosers: Counter[Role] = field(default_factory=Counter)
    """How often each role had a choice."""
    legal: dict[Role, Counter[Move]] = field(default_factory=dict)
    """In how many states each move was legal."""
    fluents: Counter[str] = field(default_factory=Counter)
    """In how many states, final ones included, each fluent was true."""
    initial: tuple[str, ...] = ()
    """The fluents of the initial state."""
    looked_at: int = 0
    """How many states these are."""
    all_fluents: frozenset[str] = frozenset()
    """The fluents that the compiler could not rule out."""
    all_moves: dict[Role, tuple[Move, ...]] = field(default_factory=dict)
    """The moves that the compiler could not rule out."""
    hashes: Counter[int] = field(default_factory=Counter)
    """How often each position occurred, as far as they were counted."""
    tree_logs: list[float] = field(default_factory=list)
    """For each match the logarithm (base 10) of the product of its numbers of joint moves: Knuth's estimate."""
    finals: list[State] = field(default_factory=list)
    """Some final states."""
    stuck_states: list[State] = field(default_factory=list)
    """Some states in which a role had no move."""
    probes: list[tuple[int, State]] = field(default_factory=list)
    """Some positions on the way, with their turns."""
    error: str = ""
    """Why the sample ended, if the rules failed."""

    @property
    def matches(self) -> int:
        """Matches that ended, got stuck or were endless."""
        return len(self.lengths) + self.endless + self.stuck


def play_randomly(game: Game, deadline: Deadline, seed: int, play: RandomPlay) -> None:
    """Play random matches until the deadline, or until there are plenty; ``play`` has them also if interrupted."""
    play.legal = {role: Counter() for role in game.roles}
    with deadline.enforced():
        try:
            start = game.initial_state()
            play.initial = tuple(map(kif, start.facts)) if isinstance(start, GdlState) else ()
            if isinstance(game, BatchGame):
                _Rounds(game, deadline, seed, play).run()
            else:
                _one_by_one(game, deadline, Random(seed), play)
        except OutOfTimeError:
            pass
        except GameError as error:
            play.error = str(error)


class _Rounds:
    """Rounds of matches on a batch. A round that the deadline cuts off counts nowhere, since short matches would be
    over-represented."""

    def __init__(self, game: BatchGame, deadline: Deadline, seed: int, play: RandomPlay) -> None:
        self.game, self.deadline, self.play, self.seed = game, deadline, play, seed
        rng = np.random.default_rng(seed)
        self.multipliers = rng.integers(1, 2**63, game.packed_width, np.uint64) | np.uint64(1)
        self.rng = Random(seed)
        self.grace = _PATIENCE * deadline.remaining()
        self.legal = [np.zeros(len(game.move_texts[n]), np.int64) for n in range(len(game.roles))]
        self.true = np.zeros(len(game.fluent_texts), np.int64)
        play.all_moves = {role: tuple(game.move_texts[n]) for n, role in enumerate(game.roles)}
        hidden = set(game.percept_numbers)
        play.all_fluents = frozenset(text for n, text in enumerate(game.fluent_texts) if n not in hidden)

    def run(self) -> None:
        try:
            self._play_rounds()
        finally:
            for role, texts, counts in zip(self.game.roles, self.game.move_texts, self.legal, strict=False):
                self.play.legal[role].update({texts[n]: int(counts[n]) for n in np.flatnonzero(counts).tolist()})
            texts = self.game.fluent_texts
            self.play.fluents.update({texts[n]: int(self.true[n]) for n in np.flatnonzero(self.true).tolist()})

    def _play_rounds(self) -> None:
        lanes, number = _FIRST_LANES, 0
        while self.play.matches < _MOST_MATCHES:  # the time of one round is known after it
            before = self.deadline.remaining()
            if before <= 0 or not self._round(lanes, self.seed + number):
                break
            number += 1
            if before - self.deadline.remaining() < before / 8:
                lanes = min(2 * lanes, _MOST_LANES)

    def _round(self, lanes: int, seed: int) -> bool:
        """Play one match in each lane; False if time ran out."""
        play, batch = self.play, Batch(self.game, lanes, seed=seed)
        going = np.ones(lanes, np.bool_)
        lengths, logs = np.zeros(lanes, np.int64), np.zeros(lanes)
        goals = np.zeros((lanes, len(self.game.roles)), np.int64)
        stuck_lanes = np.zeros(lanes, np.bool_)
        for turn in range(MOST_TURNS + 1):
            ended = going & batch.terminal
            if ended.any():
                lengths[ended], goals[ended] = turn, batch.goals[ended]
                self._keep(batch, ended, play.finals)
                self.true += batch.observation[ended].sum(axis=0)
                play.looked_at += int(ended.sum())
                going &= ~ended
            if not going.any() or turn == MOST_TURNS:
                break
            stuck = going & batch.stuck
            if stuck.any():
                self._keep(batch, stuck, play.stuck_states)
                stuck_lanes |= stuck
                going &= ~stuck
                if not going.any():
                    break
            if self.deadline.remaining() <= (0.0 if play.matches else -self.grace):
                play.unfinished += lanes
                return False
            self._count_turn(batch, going, turn, logs)
            moves = batch.random_moves()
            if (idle := batch.stuck & ~batch.terminal).any():  # lanes that no longer count must not stop the others
                batch.restart(idle)
                moves[idle] = batch.random_moves()[idle]
                if (batch.stuck & ~batch.terminal).any():
                    break
            batch.advance(moves)
        over = ~going & ~stuck_lanes
        play.lengths += lengths[over].tolist()
        play.goals += [tuple(row) for row in goals[over].tolist()]
        play.tree_logs += logs[over].tolist()
        play.stuck += int(stuck_lanes.sum())
        play.endless += int(going.sum())
        return True

    def _count_turn(self, batch: Batch, going: Flags, turn: int, logs: NDArray[np.float64]) -> None:
        play = self.play
        play.states += int(going.sum())
        play.looked_at += int(going.sum())
        self.true += batch.observation[going].sum(axis=0)
        sums = play.choices_by_turn.setdefault(turn, [0, 0])
        for number, role in enumerate(self.game.roles):
            legal = batch.legal(role)
            counts = legal.sum(axis=1)
            self.legal[number] += legal[going].sum(axis=0)
            chosen = counts[going & (counts > 1)]
            play.choosers[role] += len(chosen)
            sums[0] += int(chosen.sum())
            sums[1] += len(chosen)
            found, times = np.unique(chosen, return_counts=True)
            play.choices.update(dict(zip(found.tolist(), times.tolist(), strict=True)))
            logs[going] += np.log10(np.maximum(counts[going], 1))
        if len(play.hashes) < _MOST_HASHES:
            packed = batch.packed_states[going].astype(np.uint64)
            keys, times = np.unique((packed * self.multipliers).sum(axis=1, dtype=np.uint64), return_counts=True)
            play.hashes.update(dict(zip(keys.tolist(), times.tolist(), strict=True)))
        if turn < _PROBES and len(play.probes) < _KEPT:
            lane = self.rng.choice(np.flatnonzero(going).tolist())
            play.probes.append((turn, self.game.unpack(batch.packed_states[[lane]])[0]))

    def _keep(self, batch: Batch, which: Flags, kept: list[State]) -> None:
        room = _KEPT - len(kept)
        if room > 0:
            kept += self.game.unpack(batch.packed_states[which][:room])


def _one_by_one(game: Game, deadline: Deadline, rng: Random, play: RandomPlay) -> None:
    most = MOST_TURNS
    while play.matches < _MOST_MATCHES and deadline.remaining() > 0:
        state, turn, log = game.initial_state(), 0, 0.0
        while not state.is_terminal and turn < most:
            if deadline.remaining() <= 0:
                play.unfinished += 1
                return
            _count_state(state, turn, play)
            log += sum(math.log10(max(1, len(state.legal_moves(role)))) for role in game.roles)
            if len(play.probes) < _KEPT and turn < _PROBES and rng.random() < 0.2:
                play.probes.append((turn, state))
            moves = random_joint_move(state, rng)
            if not moves or (isinstance(state, GdlState) and len(moves) < len(game.roles)):
                play.stuck += 1
                play.stuck_states.append(state)
                break
            state = state.sample(moves, rng)
            turn += 1
        else:
            if state.is_terminal:
                play.lengths.append(turn)
                play.goals.append(tuple(state.goals[role] for role in game.roles))
                play.tree_logs.append(log)
                play.finals += [state] if len(play.finals) < _KEPT else []
                _count_fluents(state, play)
            else:
                play.endless += 1


def _count_state(state: State, turn: int, play: RandomPlay) -> None:
    play.states += 1
    sums = play.choices_by_turn.setdefault(turn, [0, 0])
    for role in play.roles:
        moves = state.legal_moves(role)
        play.legal[role].update(moves)
        if len(moves) > 1:
            play.choosers[role] += 1
            play.choices[len(moves)] += 1
            sums[0] += len(moves)
            sums[1] += 1
    _count_fluents(state, play)
    if len(play.hashes) < _MOST_HASHES:
        play.hashes[hash(state.position)] += 1


def _count_fluents(state: State, play: RandomPlay) -> None:
    play.looked_at += 1
    if isinstance(state, GdlState):
        play.fluents.update(map(kif, state.facts))
