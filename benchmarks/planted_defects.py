"""Plants defects in rule sheets, each of a known kind, by transforming their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from ludens.compiler.backends import make_game
from ludens.core import BEST_GOAL, GameError, random_joint_move
from ludens.core.batch import Batch
from ludens.design.findings import Code
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.rules import Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.terms import Term, Variable, arguments, functor, signature
from ludens.gdl.write import kif, write_kif
from ludens.players.decomposition.solve_state import solve_state

_TRIES = 40
_SURE = 0.9
"""The share of random playouts that a role wins from a start that counts as unfair; that it wins is proved, too."""
_PROOF_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Planted:
    """A sheet with a defect."""

    game: str
    kind: str
    sheet: RuleSheet
    codes: frozenset[Code]
    """The findings that name this defect; one of them must be there."""
    subject: str = ""
    """What the finding must be about; any if empty."""


Plant = Callable[[RuleSheet, Random], "tuple[list[Rule], set[Code], str] | None"]


def plant(name: str, sheet: RuleSheet, kind: str, rng: Random) -> Planted | None:
    """Plant a defect of a kind; None if this sheet has no place for it."""
    made = KINDS[kind](sheet, rng)
    if made is None:
        return None
    rules, codes, subject = made
    text = write_kif(rules)
    return Planted(name, kind, read_rules(text, name=f"{name} with {kind}"), frozenset(codes), subject)


def _first(rule: Rule) -> Term:
    """The first argument of a head: the role of a move or goal, or a fluent."""
    return arguments(rule.head)[0]


def _second(rule: Rule) -> Term:
    """The second argument of a head: a move, or the value of a goal."""
    return arguments(rule.head)[1]


def _roles(sheet: RuleSheet) -> list[Term]:
    return [role for rule in _named(sheet, "role") if (role := _first(rule)) != "random"]


def _named(sheet: RuleSheet, name: str) -> list[Rule]:
    return [rule for rule in sheet.rules if functor(rule.head) == name]


def _without(sheet: RuleSheet, *names: str) -> list[Rule]:
    return [rule for rule in sheet.rules if functor(rule.head) not in names]


def _blink() -> list[Rule]:
    """Two fluents that are true in turn, so never together."""
    return [
        Rule(("init", "planted_day")),
        Rule(("next", "planted_night"), (Holds(("true", "planted_day")),)),
        Rule(("next", "planted_day"), (Holds(("true", "planted_night")),)),
    ]


_NEVER: tuple[Condition, ...] = (Holds(("true", "planted_day")), Holds(("true", "planted_night")))


def _clock(last: int) -> list[Rule]:
    old, new = Variable("planted_n"), Variable("planted_m")
    steps = [Rule(("planted_succ", str(n), str(n + 1))) for n in range(last)]
    body = (Holds(("true", ("planted_clock", old))), Holds(("planted_succ", old, new)))
    return [*steps, Rule(("init", ("planted_clock", "0"))), Rule(("next", ("planted_clock", new)), body)]


def _disabled_rule(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A rule that already was there gets conditions that never hold together."""
    heads = [signature(rule.head) for rule in sheet.rules if rule.body]
    places = [
        n
        for n, rule in enumerate(sheet.rules)
        if rule.body and heads.count(signature(rule.head)) > 1 and functor(rule.head) in ("next", "goal")
    ]
    if not places:
        return None
    place = rng.choice(places)
    rule = sheet.rules[place]
    rules = list(sheet.rules)
    rules[place] = replace(rule, body=(*rule.body, *_NEVER))
    return [*rules, *_blink()], {Code.DEAD_RULE}, kif(rule.head)


def _dead_move(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A kind of move that is never legal."""
    role = rng.choice(_roles(sheet))
    rules = [*sheet.rules, *_blink(), Rule(("legal", role, "planted_leap"), _NEVER)]
    return rules, {Code.DEAD_RULE, Code.UNREACHABLE_PART}, "planted_leap"


def _unreachable_goal(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A role that cannot get the best goal."""
    role = rng.choice(_roles(sheet))
    best = [rule for rule in _named(sheet, "goal") if _second(rule) == "100"]
    if len(_roles(sheet)) < 2 or not best:
        return None
    rules: list[Rule] = []
    for rule in sheet.rules:
        if rule not in best:
            rules.append(rule)
        elif isinstance(_first(rule), Variable):
            rules.append(replace(rule, body=(*rule.body, Distinct(_first(rule), role))))
        elif _first(rule) != role:
            rules.append(rule)
    if len(rules) == len(sheet.rules) and all(not isinstance(_first(rule), Variable) for rule in best):
        return None
    return rules, {Code.UNREACHABLE_GOAL, Code.UNFAIR}, ""


def _no_end(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """Matches do not end."""
    rules = [replace(rule, body=(*rule.body, *_NEVER)) if rule.head == "terminal" else rule for rule in sheet.rules]
    return [*rules, *_blink()], {Code.ENDLESS, Code.STUCK}, ""


def _circles(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """Every turn leads back to the start."""
    back = [Rule(("next", _first(rule)), rule.body) for rule in _named(sheet, "init")]
    return [*_without(sheet, "next"), *back], {Code.ENDLESS}, ""


def _no_move(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A role has no move after some turns."""
    role, last = rng.choice(_roles(sheet)), rng.choice((1, 2))
    late = Not(Holds(("true", ("planted_clock", str(last)))))
    rules = []
    for rule in sheet.rules:
        if functor(rule.head) != "legal" or (not isinstance(_first(rule), Variable) and _first(rule) != role):
            rules.append(rule)
        elif isinstance(_first(rule), Variable):
            rules.append(replace(rule, body=(*rule.body, Or((Distinct(_first(rule), role), late)))))
        else:
            rules.append(replace(rule, body=(*rule.body, late)))
    return [*rules, *_clock(last)], {Code.STUCK}, ""


def _new_move(sheet: RuleSheet, rng: Random, move: str) -> list[Rule] | None:
    """Rules that make a new move legal wherever some rule gives a role a move of several words."""
    found = [rule for rule in _named(sheet, "legal") if isinstance(_second(rule), tuple)]
    return [Rule(("legal", _first(rule), move), rule.body) for rule in found] or None


def _ending_move(sheet: RuleSheet, rng: Random, move: str, own: str, others: str) -> list[Rule] | None:
    made = _new_move(sheet, rng, move)
    if made is None or len(_roles(sheet)) < 2:
        return None
    role = Variable("planted_r")
    done = Holds(("true", ("planted_done", role)))
    goals = [
        replace(rule, body=(*rule.body, Not(Holds("planted_over")))) if functor(rule.head) == "goal" else rule
        for rule in sheet.rules
    ]
    return [
        *goals,
        *made,
        Rule(("next", ("planted_done", role)), (Holds(("does", role, move)),)),
        Rule("planted_over", (done,)),
        Rule("terminal", (Holds("planted_over"),)),
        Rule(("goal", role, own), (done,)),
        Rule(("goal", role, others), (Holds("planted_over"), Holds(("role", role)), Not(done))),
    ]


def _winning_move(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A move that wins at once."""
    rules = _ending_move(sheet, rng, "planted_bolt", "100", "0")
    return None if rules is None else (rules, {Code.DOMINANT}, "planted_bolt")


def _losing_move(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A move that loses at once."""
    rules = _ending_move(sheet, rng, "planted_slip", "0", "100")
    return None if rules is None else (rules, {Code.NEVER_USED}, "planted_slip")


def _no_winner(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """All get the same."""
    if len(_roles(sheet)) < 2:
        return None
    role = Variable("planted_r")
    rules = [*_without(sheet, "goal"), Rule(("goal", role, "50"), (Holds(("role", role)),))]
    return rules, {Code.UNDECIDED}, ""


def _missing_goal(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """The losers have no goal."""
    values = sorted({kif(_second(rule)) for rule in _named(sheet, "goal")})
    if len(values) < 2 or "0" not in values:
        return None
    rules = [rule for rule in sheet.rules if not (functor(rule.head) == "goal" and _second(rule) == "0")]
    return rules, {Code.FAULTY_GOALS}, ""


def _blocked_square(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """A square, column or number that no move may name."""
    game = make_game(sheet, "original", "interpreter")
    moves = {move.term for role in game.roles for move in game.initial_state().legal_moves(role)}
    places = []
    for rule in _named(sheet, "legal"):
        name = functor(_second(rule)) if isinstance(_second(rule), tuple) else ""
        for number, part in enumerate(arguments(_second(rule)) if name else ()):
            values = sorted(
                {kif(arguments(one)[number]) for one in moves if signature(one) == signature(_second(rule))}
            )
            if isinstance(part, Variable) and len(values) > 3:
                places.append((name, number, rng.choice(values)))
    if not places:
        return None
    name, number, value = rng.choice(places)
    rules = []
    for rule in sheet.rules:
        if functor(rule.head) == "legal" and isinstance(_second(rule), tuple) and functor(_second(rule)) == name:
            part = arguments(_second(rule))[number]
            if isinstance(part, Variable):
                rules.append(replace(rule, body=(*rule.body, Distinct(part, value))))
            elif part != value:
                rules.append(rule)
        else:
            rules.append(rule)
    return rules, {Code.UNREACHABLE_PART, Code.STUCK}, ""


def _unfair_start(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """The start is a position that one role wins in nearly all random playouts."""
    game = make_game(sheet, "original", wait=True)
    if len(game.roles) < 2 or game.chance:
        return None
    for state in _positions(game, rng):
        batch = Batch(game, 512, seed=rng.getrandbits(20))
        batch.set_states([state])
        goals = batch.playouts().goals
        wins = (goals == goals.max(axis=1, keepdims=True)).mean(axis=0)
        if wins.max() > _SURE and wins.min() < 1 - _SURE and _is_won(state, game.roles[int(wins.argmax())]):
            start = [Rule(("init", fact)) for fact in sorted(state.facts, key=kif)]
            return [*_without(sheet, "init"), *start], {Code.UNFAIR}, game.roles[int(wins.argmax())]
    return None


def _is_won(state: GdlState, role: str) -> bool:
    """Whether search proves that a role wins."""
    found = solve_state(state, _PROOF_SECONDS, by_parts=False)
    return found.exact and found.bounds[role][0] == BEST_GOAL


def _positions(game: GdlGame, rng: Random) -> Iterator[GdlState]:
    """Positions some turns into random matches in which everybody still has something to do."""
    for _ in range(_TRIES):
        state = game.initial_state()
        for _ in range(rng.randint(1, 12)):
            if state.is_terminal:
                break
            after = state.sample(random_joint_move(state, rng), rng)
            assert isinstance(after, GdlState)
            if after.is_terminal:
                break
            state = after
            yield state


def _unfair_bell(sheet: RuleSheet, rng: Random) -> tuple[list[Rule], set[Code], str] | None:
    """After a few turns a bell rings, the match is over, and one role has won."""
    if len(_roles(sheet)) < 2:
        return None
    winner, last = rng.choice(_roles(sheet)), rng.randint(3, 5)
    role, rings = Variable("planted_r"), Holds(("true", ("planted_clock", str(last))))
    rules = [
        replace(rule, body=(*rule.body, Not(rings))) if functor(rule.head) == "goal" else rule for rule in sheet.rules
    ]
    rules += [
        *_clock(last),
        Rule("terminal", (rings,)),
        Rule(("goal", winner, "100"), (rings,)),
        Rule(("goal", role, "0"), (rings, Holds(("role", role)), Distinct(role, winner))),
    ]
    return rules, {Code.UNFAIR, Code.UNREACHABLE_GOAL}, ""


KINDS: dict[str, Plant] = {
    "unfair start": _unfair_start,
    "unfair bell": _unfair_bell,
    "disabled rule": _disabled_rule,
    "dead move": _dead_move,
    "winning move": _winning_move,
    "losing move": _losing_move,
    "no end": _no_end,
    "circles": _circles,
    "no move": _no_move,
    "unreachable goal": _unreachable_goal,
    "blocked square": _blocked_square,
    "no winner": _no_winner,
    "missing goal": _missing_goal,
}
"""All kinds of defects."""


def plant_one(games: Sequence[tuple[str, RuleSheet]], number: int, seed: int) -> Planted:
    """The defect of a number: games and kinds take turns; a kind that has no place in a game gives way to the next."""
    rng, kinds = Random(f"{seed}/{number}"), list(KINDS)
    name, sheet = games[number % len(games)]
    for place in range(len(kinds)):
        kind = kinds[(number + number // len(games) + place) % len(kinds)]
        try:
            planted = plant(name, sheet, kind, rng)
        except GameError:
            continue
        if planted is not None:
            return planted
    raise GameError(f"no defect can be planted in {name}")
