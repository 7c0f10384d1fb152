"""How well ``ismcts`` plays Kuhn poker, information set by information set: ``python -m benchmarks.hidden``.

The player is asked for a move in each of the twelve information sets. Its strategy there is how likely it is to play
each move; what that is worth, and how much a perfect opponent could win, is then computed exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from fractions import Fraction

from tests.games.kuhn import InformationSet, Strategy, best_reply_chips, equilibrium, expected_chips, information_set

import ludens
from ludens.core import Clock, Deadline, Role, joint_moves
from ludens.gdl.game import GdlGame, GdlState
from ludens.players.ismcts import IsmctsPlayer


def main() -> None:
    """Print the strategy and its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clock", type=float, default=1.0, metavar="S", help="seconds for each information set")
    parser.add_argument("--observers", choices=("multiple", "single"), default="multiple")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = ludens.load("kuhn_poker", wait=True)
    assert isinstance(game, GdlGame)
    strategy = measured_strategy(game, given.clock, given.observers, given.seed)
    for (role, (card, told)), moves in sorted(strategy.items()):
        chances = ", ".join(f"{move} {chance:.2f}" for move, chance in moves.items())
        print(f"{role:7} {card:6} {' '.join(told) or '-':10} {chances}")
    perfect = equilibrium(Fraction(1, 3))
    as_first = {key: (strategy if key[0] == "first" else perfect)[key] for key in perfect}
    as_second = {key: (strategy if key[0] == "second" else perfect)[key] for key in perfect}
    first, second = expected_chips(game, as_first), -expected_chips(game, as_second)
    print(f"against equilibrium: {first:+.4f} chips as first ({first + 1 / 18:+.4f} beside the value of -1/18),")
    print(f"                     {second:+.4f} chips as second ({second - 1 / 18:+.4f} beside the value of +1/18)")
    replies = [best_reply_chips(game, strategy, role) for role in game.roles]
    print(f"a perfect opponent wins {replies[0]:+.4f} as first and {replies[1]:+.4f} as second;")
    print(f"exploitability {sum(replies) / 2:.4f} chips a hand")


def measured_strategy(game: GdlGame, seconds: float, observers: str, seed: int) -> Strategy:
    """What the player would do in each information set."""
    found: dict[tuple[Role, InformationSet], Mapping[str, float]] = {}
    for state in _states(game.initial_state()):
        for role in game.roles:
            key = role, information_set(state, role) if len(state.legal_moves(role)) > 1 else ("", ())
            if key[1][0] and key not in found:
                player = IsmctsPlayer(observers=observers)
                player.start(game, role, seed, Clock(seconds, 10))
                player.choose(state.view(role), Deadline(seconds))
                policy = player.policy()
                found[key] = {move: policy.get(move, 0.0) for move in state.legal_moves(role)}
    return found


def _states(state: GdlState) -> list[GdlState]:
    """All states behind one, itself included."""
    found = [state]
    for here in found:
        for joint_move in joint_moves(here):
            found += [here.play(outcome.joint_move) for outcome in here.chance_outcomes(joint_move)]
    return found


if __name__ == "__main__":
    main()
