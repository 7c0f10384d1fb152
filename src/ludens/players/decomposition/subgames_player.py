"""Play subgames that are too large to solve: an independent Monte-Carlo search for each, under a divided clock."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ludens.analysis.gates.supports import members
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import BEST_GOAL, Clock, Deadline, Decision, Game, Move, Player, Role, State, Thinking, View
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.players.decomposition.separation import Part, Separation
from ludens.players.mcts import MctsPlayer

MEMORY = 256
"""Memory for the trees of all subgames together, in megabytes."""


PLAYOUTS = 64
"""Random playouts for each of several moves with the same proven value."""
_SETTLE_SECONDS = 0.05
"""Seconds that must be left of a move's time to start them."""
_SLICE_SECONDS = 0.1
"""Seconds of pondering on one subgame before the next one's turn."""
_AT_ONCE = 0.001
"""If a round over all searches takes fewer seconds than this, none of them has anything left to find."""


class _Share(Deadline):
    """A part of a player's time; it ends no later than the whole."""

    def __init__(self, whole: Deadline, seconds: float) -> None:
        super().__init__(seconds)
        self._whole = whole

    def remaining(self) -> float:
        """Seconds left of the share."""
        return min(super().remaining(), self._whole.remaining())


@dataclass(frozen=True, slots=True)
class _SubgameChoice:
    """The decision in one subgame."""

    decision: Decision
    doing: frozenset[Move]
    """The moves of the whole game that make the chosen move in the subgame."""


class SubgamesPlayer(Player):
    """A player for each subgame; combines their choices."""

    name = "apart"
    description = "plays each subgame by itself; part of decomposition"

    def __init__(self, separation: Separation, memory: int = MEMORY) -> None:
        super().__init__()
        self._parts = separation.parts
        self._players = [MctsPlayer(memory=max(1, memory // len(self._parts))) for _ in self._parts]
        self.why = f"each searched by itself, since {separation.ending}"
        """The method, in a few words."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Start the player of each subgame."""
        assert isinstance(game, BatchGame)
        self._game = game
        self._texts = game.move_texts[game.roles.index(role)]
        self._role, self._number = role, game.roles.index(role)
        self._rng = Random(seed)
        until = time.monotonic() + clock.start
        for number, (part, player) in enumerate(zip(self._parts, self._players, strict=True)):
            share = max(0.0, until - time.monotonic()) / (len(self._parts) - number)
            player.start(part.game, role, seed + number, Clock(clock.play, share))

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """A move that combines the choices of the searches of all subgames."""
        began = time.monotonic()
        left = [each for each in self._positions(view) if len(each[2].legal_moves(self._role)) > 1]
        found: list[_SubgameChoice] = []
        moves = list(view.legal_moves)
        self.channel.publish(Decision(moves[0]))
        while left:
            part, player, own = left.pop()
            share = _Share(deadline, deadline.remaining() / (len(left) + 1))
            decision = player.choose(own.view(self._role), share)
            if deadline.remaining() > _SETTLE_SECONDS:
                decision = self._choose_by_playouts(part.game, own, decision)
            done = part.rules.actions[self._number, decision.move]
            found.append(_SubgameChoice(decision, frozenset(self._texts[n] for n in members(done))))
            moves = [move for move in moves if move in found[-1].doing] or moves
            self.channel.publish(Decision(moves[0], self._thinking(found, time.monotonic() - began)))
        return Decision(moves[0], self._thinking(found, time.monotonic() - began))

    def _choose_by_playouts(self, game: CircuitRules, own: State, decision: Decision) -> Decision:
        """Among moves with the same proven value that do not win, the one after which others are most likely to err:
        the best in random playouts."""
        reports = decision.thinking.moves
        if not reports or not reports[0].proven or reports[0].value == BEST_GOAL:
            return decision
        equal = [report.move for report in reports if report.proven and report.value == reports[0].value]
        others = {role: own.legal_moves(role)[0] for role in game.roles if role != self._role}
        if len(equal) == 1 or any(len(own.legal_moves(role)) > 1 for role in others):
            return decision
        batch = Batch(game, PLAYOUTS * len(equal), seed=self._rng.randrange(2**32))
        batch.set_states([own.play({**others, self._role: move}) for move in equal])
        means = batch.playouts().goals[:, self._number].reshape(len(equal), PLAYOUTS).mean(axis=1)
        return Decision(equal[int(means.argmax())], decision.thinking)

    def ponder(self, view: View, deadline: Deadline) -> None:
        """Let the searches of all subgames ponder."""
        while deadline.remaining() > 0:
            began = time.monotonic()
            for _, player, own in self._positions(view):
                player.ponder(own.view(self._role), _Share(deadline, _SLICE_SECONDS))
            if time.monotonic() - began < _AT_ONCE:
                return

    def stop(self) -> None:
        """Stop all searches."""
        for player in self._players:
            player.stop()

    def _positions(self, view: View) -> list[tuple[Part, MctsPlayer, State]]:
        """The nonterminal subgames."""
        state = self._game.convert(view.sample(self._rng))
        found = []
        for part, player in zip(self._parts, self._players, strict=True):
            own = part.rules.state(part.game, state)
            if not own.is_terminal:
                found.append((part, player, own))
        return found

    def _thinking(self, found: Sequence[_SubgameChoice], seconds: float) -> Thinking:
        thoughts = [each.decision.thinking for each in found]
        values = [thinking.value for thinking in thoughts if thinking.value is not None]
        proven = sum(bool(thinking.moves and thinking.moves[0].proven) for thinking in thoughts)
        worth = ", ".join(f"{value:.0f}" for value in values) or "nothing to choose"
        return Thinking(
            note=f"subgames separately: {worth}" + (f" ({proven} proven)" if proven else ""),
            iterations=sum(thinking.iterations for thinking in thoughts),
            seconds=seconds,
            nodes=sum(thinking.nodes for thinking in thoughts),
            value=sum(values) / len(values) if values else None,
            backend=next((thinking.backend for thinking in thoughts if thinking.backend), ""),
            extra={"subgames": len(found), "proven": proven},
        )
