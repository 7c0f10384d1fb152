"""How sampled worlds are distributed, against brute force: ``python -m benchmarks.world_distribution``.

In small games all histories that a player would have perceived as it did perceive a match are enumerated, and the
probability of each position is computed. Worlds are drawn, and compared by a chi-square test; p must exceed 0.001.

Where worlds are determinisations (cards, dice), what others choose counts only as far as they could choose it, so that
positions have the probability of their deals. Where worlds are particles (secret places, GDL-II), others are assumed to
choose at random.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import ludens
from ludens.core import Game, JointMove, Role, State, joint_moves, random_joint_move
from ludens.tabletop import TabletopState
from ludens.testing import contents

OUTCOMES = 10_000
"""Outcomes of chance in a turn, at most."""
FIREWORKS = Path(__file__).parents[1] / "tests" / "tabletop" / "fireworks.py"
LEAST = 0.001
"""The least p that counts as agreement."""


@dataclass(frozen=True, slots=True)
class Case:
    """A position of a game, after some turns of a random match, and whether others choose at random."""

    game: str
    role: int
    turns: int
    seed: int
    weighs: bool


CASES = (
    Case("kuhn_poker@tabletop", 0, 2, 1, False),
    Case("leduc_poker@tabletop", 1, 3, 1, False),
    Case("memory:2,3,2", 0, 3, 1, False),
    Case("dominoes:2,block,2", 0, 4, 1, False),
    Case(f"{FIREWORKS}:hand=1,colours=1", 1, 3, 2, False),
    Case("liars_dice:dice=2,game=round,faces=3", 0, 2, 1, False),
    Case("phantom_go:2", 1, 5, 1, True),
    Case("phantom_go:3", 1, 4, 2, True),
    Case("kriegspiel:30", 0, 3, 1, True),
    Case("kuhn_poker", 0, 3, 1, True),
    Case("leduc_poker", 1, 3, 1, True),
    Case("monty_hall", 0, 2, 1, True),
    Case("kriegspiel_tic_tac_toe", 1, 4, 1, True),
    Case("phantom_connect_four", 0, 4, 1, True),
)
"""Cards (also with a pass and with hints), dice, an umpire, and GDL-II."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How worlds agree with brute force."""

    positions: int
    """The positions that are possible."""
    impossible: int
    """Worlds that are not among them."""
    chi_square: float
    p: float


def play_match(game: Game, turns: int, seed: int) -> list[tuple[JointMove, State]]:
    """The joint moves chosen in a random match, each with the state that followed."""
    rng = Random(seed)
    state = game.initial_state()
    found: list[tuple[JointMove, State]] = []
    while len(found) < turns and not state.is_terminal:
        chosen = random_joint_move(state, rng)
        after = state.sample(chosen, rng)
        found.append((chosen, after))
        state = after
    return found


def perceived(state: State, role: Role) -> tuple[object, ...]:
    """What a role perceived of the last turn, sees now and can do."""
    seen = getattr(state.view(role), "observation", None)
    return list(state.percepts(role)), seen, sorted(map(str, state.legal_moves(role)))


def enumerate_positions(
    game: Game, role: Role, match: Sequence[tuple[JointMove, State]], weighs: bool
) -> dict[Hashable, float]:
    """The probabilities of all positions in which the role would have perceived a match as it did."""
    worlds: list[tuple[State, float]] = [(game.initial_state(), 1.0)]
    for chosen, real in match:
        expected = perceived(real, role)
        found: list[tuple[State, float]] = []
        for state, weight in worlds:
            options = [one for one in joint_moves(state) if one.get(role) == chosen.get(role)]
            for option in options:
                share = weight / len(options) if weighs else weight
                for outcome in state.chance_outcomes(option, OUTCOMES):
                    after = state.play(outcome.joint_move)
                    if perceived(after, role) == expected:
                        found.append((after, share * outcome.probability))
        worlds = found
    total = math.fsum(weight for _, weight in worlds)
    positions: dict[Hashable, float] = defaultdict(float)
    for state, weight in worlds:
        positions[position_key(state)] += weight / total
    return dict(positions)


def position_key(state: State) -> Hashable:
    """What lies where by name, or the facts of a state in GDL."""
    return repr(contents(state)) if isinstance(state, TabletopState) else state.position


def compare(case: Case, draws: int) -> Agreement:
    """Draw worlds for a case, and compare them with brute force."""
    game = ludens.load(case.game)
    role = game.roles[case.role]
    match = play_match(game, case.turns, case.seed)
    expected = enumerate_positions(game, role, match, case.weighs)
    view, rng = match[-1][1].view(role), Random(case.seed)
    drawn = Counter(position_key(view.sample(rng)) for _ in range(draws))
    return agreement(expected, drawn)


def agreement(expected: Mapping[Any, float], drawn: Counter[Any]) -> Agreement:
    """A chi-square test. Positions that are expected less than five times are counted together."""
    total = drawn.total()
    common = [key for key, share in expected.items() if share * total >= 5]
    pairs = [(expected[key] * total, drawn[key]) for key in common]
    rest = set(expected).difference(common)
    if rest:
        pairs.append((math.fsum(expected[key] for key in rest) * total, sum(drawn[key] for key in rest)))
    statistic = math.fsum((count - mean) ** 2 / mean for mean, count in pairs)
    impossible = sum(count for key, count in drawn.items() if key not in expected)
    return Agreement(len(expected), impossible, statistic, p_value(statistic, len(pairs) - 1))


def p_value(statistic: float, degrees: int) -> float:
    """The probability of a chi-square statistic of this size or more, by Wilson and Hilferty's approximation."""
    if degrees == 0:
        return 1.0
    spread = 2 / (9 * degrees)
    normal = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(normal / math.sqrt(2))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=3000)
    given = parser.parse_args()
    print("| game | turns | possible positions | draws | impossible | chi-square | p |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        found = compare(case, given.draws)
        print(
            f"| `{Path(case.game).name}` | {case.turns} | {found.positions} | {given.draws} | {found.impossible} "
            f"| {found.chi_square:.1f} | {found.p:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
