"""A player that plays an equilibrium: from a policy file, or by solving the game in the start clock."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    Move,
    MoveReport,
    Option,
    OutOfTimeError,
    Player,
    Role,
    Thinking,
    View,
)
from ludens.players.equilibrium.policy import Policy, Shares, read_policy, shares_of
from ludens.players.equilibrium.solver import Solver
from ludens.players.equilibrium.tree import build_tree

MOST_NODES = 2_000_000
"""Histories of a game that is solved in the start clock."""
_START_SHARE = 0.8
"""The share of the start clock that is used."""
_COMPILING_SHARE = 0.4
"""The share in which the compiled game is waited for."""
_BUILDING_SHARE = 0.5
"""The share of that for enumerating the game."""
_EXACT = 1e-4
"""An exploitability, in points, that is good enough."""


def solve_within(game: Game, seconds: float, most_nodes: int = MOST_NODES) -> Solver:
    """Enumerate a game and solve it as well as the time allows. Raises `GameError` if it is too large for that."""
    began = time.monotonic()

    def check(nodes: int, sets: int) -> None:
        if time.monotonic() - began > _BUILDING_SHARE * seconds:
            raise OutOfTimeError(f"{game.name} has too many histories to enumerate in time: {nodes:,} so far")

    solver = Solver(build_tree(game, most_nodes, check), threads=1)
    batch = 1
    while True:
        solver.run(batch)
        spent = time.monotonic() - began
        if spent > seconds or solver.assess().exploitability < _EXACT:
            return solver
        rate = solver.iterations / max(1e-9, spent)
        batch = max(1, min(solver.iterations, int(rate * (seconds - spent))))


class EquilibriumPlayer(Player):
    """Draws its moves by the probabilities of an equilibrium."""

    name = "equilibrium"
    description = "plays an equilibrium, found at the start or by `ludens equilibrium GAME --out FILE`"
    file_is_optional = True
    options = (Option("file", "", "the policy; without one the game is solved in the start clock"),)

    def check(self, game: Game) -> None:
        """Read the file, if there is one."""
        self._read(game)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Read the policy or find one."""
        self._rng = Random(seed)
        self._policy = self._read(game)
        began = time.monotonic()
        game = game if self._policy else game.compiled(_COMPILING_SHARE * clock.start)
        left = _START_SHARE * clock.start - (time.monotonic() - began)
        self._solver = None if self._policy else solve_within(game, left)
        if self._solver is not None:
            self._strategy = self._solver.strategy
            self._exploitability: float | None = self._solver.assess(self._strategy).exploitability
        else:
            assert self._policy is not None
            self._exploitability = self._policy.exploitability

    def _read(self, game: Game) -> Policy | None:
        if not self.settings["file"]:
            return None
        policy = read_policy(Path(str(self.settings["file"])))
        policy.check(game)
        return policy

    def shares(self, view: View) -> Shares | None:
        """The probabilities of the moves in a view; None if nothing is known there."""
        if self._policy is not None:
            return self._policy.shares(view)
        assert self._solver is not None
        number = self._solver.tree.set_of(view)
        return None if number is None else shares_of(self._solver.tree, number, self._strategy)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A move drawn by the policy; a random one where the policy has nothing to say."""
        legal = view.legal_moves
        if len(legal) == 1:
            return Decision(legal[0], Thinking(note="the only move"))
        self.channel.publish(Decision(legal[0]))
        shares = self.shares(view)
        known = {} if shares is None else {move: share for move, share in shares.items() if move in legal}
        if not sum(known.values()) > 0:
            return Decision(self._rng.choice(list(legal)), Thinking(note="not in the policy: a random move"))
        moves = list(known)
        move: Move = self._rng.choices(moves, [known[each] for each in moves])[0]
        ranked = sorted(moves, key=lambda each: known[each], reverse=True)
        reports = tuple(MoveReport(each, share=known[each]) for each in ranked)
        backend = "" if self._solver is None else self._solver.tree.game.backend
        return Decision(move, Thinking(note=self._note(), moves=reports, backend=backend))

    @property
    def exploitability(self) -> float | None:
        """What a role gains on average by the best response to the policy, in points; None if it is not known."""
        return self._exploitability

    def _note(self) -> str:
        if self._exploitability is None:
            return "by the policy"
        return f"by the policy, exploitable by {self._exploitability:.2g} points"

    def stop(self) -> None:
        """Release the tree."""
        self._solver = None
