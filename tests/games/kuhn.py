"""Kuhn poker by information sets: the equilibrium, and what strategies are worth against each other."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ludens.analysis.probability import Policy, exact_probability
from ludens.core import PerceptView, Role, State
from ludens.gdl.game import GdlGame, GdlState

CARDS = ("jack", "queen", "king")
InformationSet = tuple[str, tuple[str, ...]]
"""The own card, and what was done so far."""
Strategy = Mapping[tuple[Role, InformationSet], Mapping[str, float]]


def information_set(state: State, role: Role) -> InformationSet:
    assert isinstance(state, GdlState)
    view = state.view(role)
    assert isinstance(view, PerceptView)
    told = [text for v in view.history for text in v.percepts]
    return told[0].removeprefix("(dealt ").removesuffix(")"), tuple(told[1:])


def equilibrium(alpha: Fraction) -> Strategy:
    """The equilibrium in which the first role bets a jack with probability alpha, from 0 to 1/3."""
    bet = {"jack": alpha, "queen": Fraction(0), "king": 3 * alpha}
    call = {"jack": Fraction(0), "queen": alpha + Fraction(1, 3), "king": Fraction(1)}
    found: dict[tuple[Role, InformationSet], Mapping[str, float]] = {}
    for card in CARDS:
        found["first", (card, ())] = _two("bet", "check", bet[card])
        found["first", (card, ("check", "bet"))] = _two("call", "fold", call[card])
    for card, calls, bets in (("jack", 0, Fraction(1, 3)), ("queen", Fraction(1, 3), 0), ("king", 1, 1)):
        found["second", (card, ("bet",))] = _two("call", "fold", Fraction(calls))
        found["second", (card, ("check",))] = _two("bet", "check", Fraction(bets))
    return found


def _two(one: str, other: str, chance: Fraction) -> Mapping[str, float]:
    return {one: float(chance), other: float(1 - chance)}


def policy_of(strategy: Strategy) -> Policy:
    def policy(state: State) -> Mapping[Role, Mapping[str, float]]:
        choosing = [role for role in state.game.roles if len(state.legal_moves(role)) > 1]
        return {role: strategy[role, information_set(state, role)] for role in choosing}

    return policy


def expected_chips(game: GdlGame, strategy: Strategy) -> float:
    """What the first role wins on average."""
    policy = policy_of(strategy)

    def chance_of(goal: int) -> float:
        return exact_probability(game.initial_state(), lambda last: last.goals["first"] == goal, policy=policy).value

    return sum(chips * chance_of(50 + 25 * chips) for chips in (-2, -1, 1, 2))


def best_reply_chips(game: GdlGame, strategy: Strategy, role: Role) -> float:
    """What a role wins on average that plays best against the other's strategy, trying all its pure strategies."""
    own = [key for key in strategy if key[0] == role]
    best = -2.0
    for number in range(1 << len(own)):
        pure = dict(strategy)
        for n, key in enumerate(own):
            moves = sorted(strategy[key])
            pure[key] = {moves[number >> n & 1]: 1.0}
        chips = expected_chips(game, pure)
        best = max(best, chips if role == "first" else -chips)
    return best
