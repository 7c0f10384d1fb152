from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import LudensError, joint_moves
from ludens.gdl.reference import Budget
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.terms import Term, Variable, arguments, signature, variables
from ludens.gdl.write import write_kif
from tests.gdl.naive import model
from tests.gdl.reasoner import WAYS, load
from tests.thorough import examples

pytestmark = pytest.mark.usefixtures("each_reasoner")

X, Y, Z, W = (Variable(name) for name in "xyzw")
CONSTANTS: list[Term] = ["a", "b", "c"]
VALUES: list[Term] = [*CONSTANTS, *CONSTANTS, ("f", "a"), ("g", "a", "b"), ("f", ("f", "b"))]
PATTERNS: list[Term] = [X, X, X, Y, Y, Z, W, "a", "b", ("f", X), ("g", X, Y), ("f", Z)]
BASES = (("d", 1), ("e", 2))
LAYERS = ((("p", 1), ("q", 2)), (("s", 1), ("t", 2)), (("u", 2),))
DERIVED = [relation for layer in LAYERS for relation in layer]

Draft = tuple[int, list[Term]]
"""Number of a relation, to be taken modulo those that may stand there, and more than enough arguments."""


def atom(draft: Draft, allowed: list[tuple[str, int]]) -> Term:
    name, arity = allowed[draft[0] % len(allowed)]
    return (name, *draft[1][:arity])


def bind(term: Term, bound: set[Variable]) -> Term:
    """A term with a constant in place of each variable that has no value."""
    if isinstance(term, Variable):
        return term if term in bound else "a"
    return tuple(bind(part, bound) for part in term) if isinstance(term, tuple) else term


def safe_rule(
    head: Draft, positive: list[Draft], checks: list[tuple[int, Draft, Draft]], either: list[Draft], level: int
) -> Rule:
    """A rule that is safe and stratified: own layer and below may be needed, layers below negated."""
    below = [*BASES, *(relation for layer in LAYERS[:level] for relation in layer)]
    grows = any(isinstance(term, tuple) for term in head[1])
    needed = below if grows else [*below, *LAYERS[level]]
    body: list[Condition] = [Holds(atom(draft, needed)) for draft in positive]
    alternatives = [atom(draft, needed) for draft in either]
    bound = {variable for draft in positive for variable in variables(atom(draft, needed))}
    lasting = set(bound)
    if alternatives:
        body.append(Or(tuple(Holds(alternative) for alternative in alternatives)))
        lasting |= set.intersection(*(set(variables(alternative)) for alternative in alternatives))
    for kind, one, other in checks:
        first, second = bind(atom(one, below), lasting), bind(atom(other, below), lasting)
        left, right = bind(one[1][0], lasting), bind(other[1][0], lasting)
        kinds: list[Condition] = [
            Not(Holds(first)),
            Distinct(left, right),
            Or((Not(Holds(first)), And((Holds(second), Distinct(left, right))))),
            Not(Or((Holds(first), Not(Holds(second))))),
            Not(And((Holds(first), Holds(second)))),
            Not(Distinct(left, left)),
        ]
        body.append(kinds[kind])
    return Rule(bind(atom(head, list(LAYERS[level])), lasting), tuple(body))


DRAFTS = st.tuples(st.integers(0, 11), st.lists(st.sampled_from(PATTERNS), min_size=2, max_size=2))
FLAT_DRAFTS = st.tuples(st.integers(0, 11), st.lists(st.sampled_from([X, Y, Z, "a"]), min_size=2, max_size=2))
SAFE_RULES = st.builds(
    safe_rule,
    FLAT_DRAFTS | DRAFTS,
    st.lists(DRAFTS, min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 5), DRAFTS, DRAFTS), max_size=2),
    st.lists(DRAFTS, max_size=2),
    st.integers(0, 2),
)
PROGRAMS = st.lists(SAFE_RULES, min_size=1, max_size=7).map(tuple)
FACTS = st.frozensets(
    st.builds(
        lambda number, values: (BASES[number][0], *values[: BASES[number][1]]),
        st.integers(0, 1),
        st.lists(st.sampled_from(VALUES), min_size=2, max_size=2),
    ),
    max_size=12,
)
OBSERVED = " ".join(
    f"(<= ({{relation}} (saw ({name} {names}))) ({name} {names}))"
    for name, names in ((name, " ".join(["?x", "?y"][:arity])) for name, arity in DERIVED)
)


def observe_in_legal_moves(rules: tuple[Rule, ...], facts: frozenset[Term], way: Budget, *, static: bool) -> set[Term]:
    if static:
        given_facts = write_kif(Rule(fact) for fact in facts)
    else:
        given_facts = write_kif(Rule(("init", fact)) for fact in facts)
        given_facts += "(<= (d ?x) (true (d ?x))) (<= (e ?x ?y) (true (e ?x ?y)))"
    game = load(f"(role r) {given_facts} {write_kif(rules)} {OBSERVED.format(relation='legal r')}", way)
    return {arguments(move.term)[0] for move in game.initial_state().legal_moves("r")}


def observe_in_next_state(rules: tuple[Rule, ...], facts: frozenset[Term], way: Budget) -> set[Term]:
    given_facts = write_kif(Rule(fact, (Holds(("does", "r", "go")),)) for fact in facts)
    game = load(f"(role r) (legal r go) {given_facts} {write_kif(rules)} {OBSERVED.format(relation='next')}", way)
    return {arguments(fact)[0] for fact in game.initial_state().play({"r": "go"}).facts}


def expected(rules: tuple[Rule, ...], facts: frozenset[Term]) -> set[Term]:
    return {fact for fact in model(rules, facts) if signature(fact) in DERIVED}


checked = examples(80, derandomize=True)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_rules_facts_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_legal_moves(rules, facts, way, static=True) == expected(rules, facts)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_state_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_legal_moves(rules, facts, way, static=False) == expected(rules, facts)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_moves_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_next_state(rules, facts, way) == expected(rules, facts)


A_GAME = """(role a) (role b) (init (cell 1 x)) (init (cell 2 y)) (init (control a))
(<= (legal ?r (move ?c ?d)) (true (control ?r)) (true (cell ?c ?m)) (adjacent ?c ?d) (not (blocked ?d)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(adjacent 1 2) (adjacent 2 3)
(<= (blocked ?d) (true (cell ?d ?m)) (distinct ?m y))
(<= (reach ?x ?y) (adjacent ?x ?y)) (<= (reach ?x ?y) (reach ?x ?z) (adjacent ?z ?y))
(<= (next (cell ?d ?m)) (does ?r (move ?c ?d)) (true (cell ?c ?m)))
(<= (next (control ?q)) (or (and (true (control ?r)) (role ?q)) (reach ?q ?r)) (distinct ?q ?r))
(<= (goal ?r 100) (role ?r) terminal) (<= terminal (true (cell 3 ?x)) (not (reach 3 1)))
"""
PIECES = [
    "(",
    ")",
    "?x",
    "?r",
    "(not ",
    "(or ",
    "(distinct ",
    "a",
    "true",
    "reach",
    "next",
    "legal",
    "does",
    "init",
    "(f ",
    "control",
    "",
    "role",
]


@st.composite
def mutated_games(draw: st.DrawFn) -> str:
    tokens = A_GAME.replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                tokens[place] = draw(st.sampled_from(PIECES))
            case 1:
                other = draw(st.integers(0, len(tokens) - 1))
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 2:
                tokens[place] = tokens[draw(st.integers(0, len(tokens) - 1))]
            case _:
                tokens.insert(place, draw(st.sampled_from(PIECES)))
    return " ".join(tokens)


def three_turns(text: str, budget: Budget) -> str:
    """What comes of playing a game: the message with which it is refused, or that it was played."""
    try:
        game = load(text, budget)
        state = game.initial_state()
        for _ in range(3):
            assert set(state.goals) == set(game.roles)
            state = state.play(next(iter(joint_moves(state)), {}))
    except LudensError as error:
        return str(error)
    return "played"


@examples(500, derandomize=True)
@given(mutated_games(), st.sampled_from([0, 500]))
def test_mutated_games_are_played_or_refused(text: str, bottom_up: int) -> None:
    assert three_turns(text, Budget(seconds=5, facts=50_000, bottom_up=bottom_up)) != ""
