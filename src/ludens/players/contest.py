"""Choose the search for a game of two players by quick matches during the start clock."""

from __future__ import annotations

import time

from ludens.core import Clock, Deadline, Game
from ludens.core.batch_game import BatchGame
from ludens.players.alphabeta import AlphaBetaPlayer
from ludens.players.evaluation.choose import lead_weights
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.mcts import MctsPlayer
from ludens.players.packed.self_play import can_learn
from ludens.players.search.trial import gain_by_switching, share_of_points
from ludens.players.space.compiled import CompiledSpace

_LEARNING_SHARE, _LEAD_LEARNING_SHARE = 0.3, 0.4
"""The share of the start clock for learning to evaluate positions, if it was not learnt before; the same for a lead."""
_TRYING_SHARE = 0.75
"""The share of the start clock after which quick matches end. They take no longer than this many moves of the play
clock, or seconds if that is more."""
_TRYING_MOVES, _LEAST_TRIAL = 20, 8.0
_LEAST_GAIN = -50.0
"""The gain in quick matches from which `alphabeta` plays for a lead: it gains more with more time for a move. At
skirmish it was -37 with 12 ms, -4 with 50 ms, and with half a second it won both matches by 50 points."""

Contender = MctsPlayer | AlphaBetaPlayer


def choose_search(game: Game, clock: Clock, memory: int) -> tuple[Contender, str]:
    """The player whose search won quick matches, and the reason in one line; `mcts` where none can be played."""
    default = MctsPlayer(memory=memory)
    if not isinstance(game, BatchGame) or len(game.roles) != 2 or game.chance or game.hidden:
        return default, ""
    began = time.monotonic()
    is_opposed = can_learn(game)
    share = _LEARNING_SHARE if is_opposed else _LEAD_LEARNING_SHARE
    weights = lead_weights(CompiledSpace(game), Deadline(share * clock.start))
    if weights is None:
        return default, ""
    left = _TRYING_SHARE * clock.start - (time.monotonic() - began)
    deadline = Deadline(min(left, max(_TRYING_MOVES * clock.play, _LEAST_TRIAL)))
    if not is_opposed:
        return _try_rivalry(game, default, AlphaBetaPlayer(memory=memory, others="rival"), weights, deadline)
    contenders: list[Contender] = [
        MctsPlayer(memory=memory, lookahead="off"),
        MctsPlayer(memory=memory, lookahead="on"),
        AlphaBetaPlayer(memory=memory),
    ]
    return _knock_out(game, contenders, weights, deadline)


def _try_rivalry(
    game: BatchGame, default: MctsPlayer, challenger: AlphaBetaPlayer, weights: FluentWeights, deadline: Deadline
) -> tuple[Contender, str]:
    """The challenger, which plays for a lead, if a role gets more points by it; goals have no constant sum."""
    gain = gain_by_switching(game, (challenger.rival(game, weights), default.rival(game, None)), deadline)
    if gain is None:
        return default, "no time for quick matches"
    if gain < _LEAST_GAIN:
        return default, f"alphabeta, which plays for a lead, got {gain:+.0f} points in quick matches against mcts"
    return challenger, f"alphabeta plays for a lead, with {gain:+.0f} points in quick matches against mcts"


def _knock_out(
    game: BatchGame, contenders: list[Contender], weights: FluentWeights, deadline: Deadline
) -> tuple[Contender, str]:
    """The winner, and whom it beat. A challenger with half of the points or more replaces the best one so far."""
    best, note = contenders[0], "no time for quick matches"
    for played, challenger in enumerate(contenders[1:], start=1):
        rounds = len(contenders) - played
        rivals = challenger.rival(game, weights), best.rival(game, weights)
        share = share_of_points(game, rivals, Deadline(deadline.remaining() / rounds))
        if share is None:
            continue
        winner = challenger if share >= 0.5 else best
        note = f"{_title(winner)} won {max(share, 1 - share):.0%} of the points in quick matches against "
        note += _title(best if winner is challenger else challenger)
        best = winner
    return best, note


def _title(player: Contender) -> str:
    return "mcts with estimates of moves" if player.settings.get("lookahead") == "on" else player.name
