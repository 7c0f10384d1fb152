"""A player against others of one kind, in sessions: ``python -m benchmarks.sessions leduc_poker@tabletop --hands 100``.

Where a single hand is mostly luck, a session of many, by the total of points, tells who plays better. The player takes
every seat in turn; all other seats are the opponent's, and a session is won by more points than they have on average.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import ludens
from ludens.core import Clock, Deadline, Game, Observation, Player, Role
from ludens.players.registry import make_player


def main() -> None:
    """Play sessions, and print how many were won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--player", default="ismcts", help="the player that is measured")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--hands", type=int, default=1, help="matches of a session")
    parser.add_argument("--clock", type=float, default=0.05, metavar="S", help="seconds for each move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = ludens.load(given.game, wait=True)
    won = drawn = 0
    leads: list[float] = []
    began = time.process_time()
    for session in range(given.sessions):
        lead = 0.0
        for hand in range(given.hands):
            number = session * given.hands + hand
            own = game.roles[number % len(game.roles)]
            players = {role: make_player(given.player if role == own else given.opponent) for role in game.roles}
            lead += hand_lead(game, players, own, given.clock, given.seed + number)
        leads.append(lead)
        won += lead > 0
        drawn += lead == 0
    mean = sum(leads) / len(leads) / given.hands
    who = f"{given.player} against {given.opponent} at {given.game}, {given.clock:g} s a move"
    result = f"won {won} of {given.sessions} sessions of {given.hands} ({drawn} drawn), {mean:+.2f} points a match"
    print(f"{who}: {result}; {time.process_time() - began:.0f} CPU s")


def hand_lead(game: Game, players: dict[Role, Player], own: Role, clock: float, seed: int) -> float:
    """How many points more a role has at the end of a match than the others on average."""
    rng = Random(seed)
    for role, player in players.items():
        player.start(game, role, rng.randrange(2**32), Clock(clock, 60))
    state = game.initial_state()
    while not state.is_terminal:
        chosen = {}
        for role, player in players.items():
            legal = state.legal_moves(role)
            if legal:
                chosen[role] = legal[0] if len(legal) == 1 else player.choose(state.view(role), Deadline(clock)).move
        if state.is_race:
            winner = state.race_winner(chosen, ()) or next(iter(chosen))
            chosen = {winner: chosen[winner]}
        state = state.sample(chosen, rng)
        for role, player in players.items():
            player.observe(Observation(0, state.view(role), chosen.get(role), None, tuple(state.percepts(role))))
    points = state.points
    others = [points[role] for role in game.roles if role != own]
    return points[own] - sum(others) / len(others)


if __name__ == "__main__":
    main()
