from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.logic.strata import Signature
from ludens.gdl.read import read_rules
from ludens.gdl.reasoner.joins import JoinCompiler, UnsafeClauseError
from ludens.gdl.reasoner.relations import Relation
from ludens.gdl.rules import NOWHERE, Condition, Distinct, Holds, Not, Rule
from ludens.gdl.source import Source
from ludens.gdl.terms import Term, Variable, signature, variables
from ludens.gdl.write import kif
from tests.gdl.naive import model
from tests.thorough import examples


def clause_of(text: str) -> Clause:
    sheet = read_rules(text)
    [clause] = clauses(sheet.rules, sheet.source)
    return clause


def facts_of(text: str) -> set[Term]:
    return {rule.head for rule in read_rules(text, syntax="kif").rules}


class Database:
    """Facts in relations, as joins want them."""

    def __init__(self, clause: Clause, facts: Iterable[Term]) -> None:
        self.numbers: dict[Signature, int] = {}
        for atom in (clause.head, *clause.positive, *clause.negative):
            self.numbers.setdefault(signature(atom), len(self.numbers))
        self.relations = [Relation() for _ in self.numbers]
        for fact in facts:
            if signature(fact) in self.numbers:
                self.relations[self.numbers[signature(fact)]].insert([fact])


Sample = Callable[[Term], Relation | None]


def no_sample(_: Term) -> None:
    """Nothing is known about any relation."""


def silence() -> None:
    """A clock that never rings."""


def compiler_for(database: Database, sample: Sample = no_sample, tick: Callable[[], None] = silence) -> JoinCompiler:
    return JoinCompiler(database.numbers, sample, tick, set())


def join(
    clause: Clause, facts: Iterable[Term], sample: Sample = no_sample, tick: Callable[[], None] = silence
) -> set[Term]:
    database = Database(clause, facts)
    return set(compiler_for(database, sample, tick).compile(clause)(database.relations, None))


def delta_join(clause: Clause, facts: Iterable[Term], place: int, delta: Iterable[Term]) -> set[Term]:
    database = Database(clause, facts)
    fresh = Relation()
    fresh.insert(delta)
    return set(compiler_for(database).compile(clause, place)(database.relations, fresh))


def said_to_have(**sizes: int) -> Sample:
    """Samples that make a join believe that relations have so many facts, whatever they really have, and that
    nothing but the last argument tells them apart."""

    def sample(atom: Term) -> Relation | None:
        name, arity = signature(atom)
        if name not in sizes:
            return None
        relation = Relation()
        relation.insert((name, *["0"] * (arity - 1), str(number)) for number in range(sizes[name]))
        return relation

    return sample


FACTS = """
(p a) (p b) (p (f a)) (p (f b)) (p (f (g a b)))
(q a a) (q a b) (q b a) (q (f a) b) (q c (f c)) (q c c)
(r a) (r (f a)) on (s)
"""


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("(<= (h ?x) (p ?x))", "(h a) (h b) (h (f a)) (h (f b)) (h (f (g a b)))"),
        ("(<= (h ?x) (p (f ?x)))", "(h a) (h b) (h (g a b))"),
        ("(<= (h ?x ?y) (p (f (g ?x ?y))))", "(h a b)"),
        ("(<= (h ?x) (q ?x ?x))", "(h a) (h c)"),
        ("(<= (h ?x) (q ?x (f ?x)))", "(h c)"),
        ("(<= (h ?x) (q ?x ?y) (q ?y ?x))", "(h a) (h b) (h c)"),
        ("(<= (h ?x ?y) (q ?x ?y) (distinct ?x ?y))", "(h a b) (h b a) (h (f a) b) (h c (f c))"),
        ("(<= (h ?x ?y) (q ?x ?y) (q ?y ?x) (distinct ?x ?y))", "(h a b) (h b a)"),
        ("(<= (h ?x) (p ?x) (not (r ?x)))", "(h b) (h (f b)) (h (f (g a b)))"),
        ("(<= (h ?x) (p (f ?x)) (not (r (f ?x))))", "(h b) (h (g a b))"),
        ("(<= (h (f ?x) k) (r ?x))", "(h (f a) k) (h (f (f a)) k)"),
        ("(<= h (q ?x ?y) (r ?x))", "h"),
        ("(<= h (q ?x ?y) (q ?y z))", ""),
        ("(<= (h ?x) (r ?x) on)", "(h a) (h (f a))"),
        ("(<= (h ?x) (r ?x) off)", ""),
        ("(<= (h ?x) (r ?x) (not on))", ""),
        ("(<= (h ?x) (r ?x) (not off))", "(h a) (h (f a))"),
        ("(<= (h ?x) (r ?x) (s))", "(h a) (h (f a))"),
        ("(<= (h ?x) (r ?x) s)", ""),
        ("(<= (h ?x) (r ?x) (q b ?y) (p ?z))", "(h a) (h (f a))"),
        ("(<= (h ?x) (r ?x) (q d ?y))", ""),
        ("(<= (h ?x) (p ?x) (q ?x ?y) (distinct ?y a) (distinct ?y b))", ""),
        ("(<= (h ?x) (p ?x) (q ?x ?y) (distinct ?y a))", "(h a) (h (f a))"),
        ("(<= (h ?x) (q ?x ?y) (not (q ?y ?x)) (not (r ?y)))", "(h (f a)) (h c)"),
        ("(<= (h (nil)) on)", "(h (nil))"),
        ("(<= (h ?x) (p ?x) (distinct (f ?x) (f a)) (distinct ?x (f (g a b))))", "(h b) (h (f a)) (h (f b))"),
    ],
)
def test_join_finds_exactly_what_the_rule_says(rule: str, expected: str) -> None:
    assert join(clause_of(rule), facts_of(FACTS)) == facts_of(expected)


@pytest.mark.parametrize(
    ("rule", "variable"),
    [
        ("(<= (h ?x) on)", "x"),
        ("(<= (h ?x ?y) (p ?x))", "y"),
        ("(<= (h ?x) (not (p ?x)))", "x"),
        ("(<= h (p ?x) (distinct ?x ?y))", "y"),
        ("(<= (h ?x) (p ?x) (distinct ?x ?y))", "y"),
        ("(<= h (distinct ?y a) on)", "y"),
        ("(<= h (not (p ?y)) (not (r ?y)))", "y"),
        ("(<= (h ?x) (p ?x) (not (q ?x ?y)) (distinct ?y a))", "y"),
        ("(<= (h (f ?z)) (p ?x))", "z"),
    ],
)
def test_clause_with_a_variable_that_gets_no_value_is_refused(rule: str, variable: str) -> None:
    with pytest.raises(UnsafeClauseError) as caught:
        join(clause_of(rule), facts_of(FACTS))
    assert caught.value.variable == Variable(variable)
    assert caught.value.clause == clause_of(rule)


@pytest.mark.parametrize("head", ["h", "(h ?x)", "(h ?x ?z)"])
def test_variable_of_one_negated_literal_alone_means_no_instance_whatever_the_head(head: str) -> None:
    rule = clause_of(f"(<= {head} (p ?x) (r ?z) (not (q ?x ?y)))")
    found = join(rule, facts_of("(p a) (p k) (r a) (q a b)"))
    assert found == {{"h": "h", "(h ?x)": ("h", "k"), "(h ?x ?z)": ("h", "k", "a")}[head]}


def test_repeated_variable_of_one_negated_literal_alone_means_no_instance() -> None:
    rule = clause_of("(<= (h ?x) (p ?x) (not (q ?y ?y)))")
    assert join(rule, facts_of("(p a) (q a b)")) == {("h", "a")}
    assert join(rule, facts_of("(p a) (q a b) (q b b)")) == set()


def test_negated_literal_with_a_repeated_free_variable_looks_at_both_places() -> None:
    rule = clause_of("(<= (h ?x) (p ?x) (not (t ?x ?y ?y)))")
    assert join(rule, facts_of("(p a) (p b) (t a c d) (t b c c)")) == {("h", "a")}


def test_delta_literal_reads_from_the_delta_only() -> None:
    rule = clause_of("(<= (t ?x ?z) (t ?x ?y) (e ?y ?z))")
    facts = facts_of("(t a b) (t b c) (e b c) (e c d)")
    assert delta_join(rule, facts, 0, facts_of("(t b c)")) == facts_of("(t b d)")
    assert delta_join(rule, facts, 1, facts_of("(e b c)")) == facts_of("(t a c)")
    assert delta_join(rule, facts, 1, []) == set()


def test_delta_literal_without_variables_is_looked_up_in_the_delta() -> None:
    rule = clause_of("(<= (h ?x) (p ?x) on)")
    facts = facts_of("(p a) on")
    assert delta_join(rule, facts, 1, []) == set()
    assert delta_join(rule, facts, 1, ["on"]) == {("h", "a")}


def test_delta_literal_that_binds_nothing_needed_is_looked_up_in_the_delta() -> None:
    rule = clause_of("(<= (h ?x) (p ?x) (q ?y ?z))")
    facts = facts_of("(p a) (q b c)")
    assert delta_join(rule, facts, 1, []) == set()
    assert delta_join(rule, facts, 1, facts_of("(q k k)")) == {("h", "a")}


def test_index_keeps_up_with_facts_that_come_later() -> None:
    clause = clause_of("(<= (h ?x) (p ?x) (q ?x b))")
    database = Database(clause, facts_of("(p a) (p b) (q a b)"))
    derive = compiler_for(database).compile(clause)
    assert set(derive(database.relations, None)) == {("h", "a")}
    database.relations[database.numbers["q", 2]].insert(facts_of("(q b b) (q a b)"))
    assert sorted(derive(database.relations, None), key=kif) == [("h", "a"), ("h", "b")]


# -- long bodies: Python nests no more than 20 loops in a function ------------------------------------------------

LENGTHS = [15, 16, 20, 21, 61, 100]


def successors(size: int) -> set[Term]:
    return {("s", str(number), str((number + 1) % size)) for number in range(size)}


@pytest.mark.parametrize("length", LENGTHS)
def test_long_chain_of_literals_is_followed(length: int) -> None:
    body = " ".join(f"(s ?x{number} ?x{number + 1})" for number in range(length))
    found = join(clause_of(f"(<= (h ?x0 ?x{length}) {body})"), successors(7))
    assert found == {("h", str(start), str((start + length) % 7)) for start in range(7)}


@pytest.mark.parametrize("length", LENGTHS)
def test_long_chain_that_the_head_needs_nothing_of_is_tested(length: int) -> None:
    body = " ".join(f"(s ?x{number} ?x{number + 1})" for number in range(length))
    chain = {("s", str(number), str(number + 1)) for number in range(length)}
    assert join(clause_of(f"(<= h {body})"), chain) == {"h"}
    assert join(clause_of(f"(<= h {body})"), chain - {("s", "3", "4")}) == set()
    assert join(clause_of(f"(<= (h ?y) (p ?y) {body})"), chain | {("p", "a")}) == {("h", "a")}


@pytest.mark.parametrize("length", LENGTHS)
def test_many_existence_tests_inside_each_other_are_nested(length: int) -> None:
    body = " ".join(
        f"(s ?x{number} ?x{number + 1}) (b ?x{number} ?y{number}) (c ?y{number} ?z{number})" for number in range(length)
    )
    facts = successors(5) | {("b", str(number), "k") for number in range(5)} | {("c", "k", "m")}
    head = f"(h ?x0 ?x{length})"
    assert len(join(clause_of(f"(<= {head} {body})"), facts)) == 5
    assert join(clause_of(f"(<= {head} {body} (c ?z0 ?w))"), facts) == set()


def test_two_hundred_literals_without_common_variables() -> None:
    body = " ".join(f"(p ?x{number})" for number in range(200))
    assert join(clause_of(f"(<= (h ?x0) {body})"), facts_of("(p a) (p b)")) == facts_of("(h a) (h b)")
    assert join(clause_of(f"(<= h {body} off)"), facts_of("(p a) (p b)")) == set()


def test_two_hundred_ground_literals() -> None:
    body = " ".join(f"(p {number}) (not (p n{number}))" for number in range(200))
    facts = {("p", str(number)) for number in range(200)}
    assert join(clause_of(f"(<= h {body})"), facts) == {"h"}
    assert join(clause_of(f"(<= h {body})"), facts | {("p", "n77")}) == set()


def test_head_with_hundreds_of_variables() -> None:
    names = " ".join(f"?x{number}" for number in range(120))
    body = " ".join(f"(p{number} ?x{number})" for number in range(120))
    facts = {(f"p{number}", str(number)) for number in range(120)}
    assert join(clause_of(f"(<= (h {names}) {body})"), facts) == {("h", *map(str, range(120)))}


@pytest.mark.parametrize("depth", [10, 50, 96])
def test_deep_terms_are_taken_apart_and_built(depth: int) -> None:
    def deep(inside: str) -> str:
        return "(f " * depth + inside + ")" * depth

    rule = clause_of(f"(<= (h {deep('?x')}) (p {deep('?x')}) (not (q {deep('?x')})))")
    found = join(rule, facts_of(f"(p {deep('a')}) (p {deep('b')}) (p (f a)) (q {deep('b')}) (p a)"))
    assert found == facts_of(f"(h {deep('a')})")


def test_names_do_not_meet_the_names_of_the_generated_code() -> None:
    names = [
        "relations",
        "delta",
        "keys",
        "tick",
        "rounds",
        "fact1",
        "value1",
        "def",
        "None",
        "'",
        '"',
        "\\",
        "{x}",
        "\x00",
        "\ud800",
    ]
    facts: set[Term] = {("p", name) for name in names}
    found = join(clause_of("(<= (h ?relations ?delta ?def) (p ?relations) (p ?delta) (p ?def))"), facts)
    assert len(found) == len(names) ** 3
    for name in names:
        rule = Clause(("h", name, Variable(name)), (("p", Variable(name)), ("p", name)), (), (), NOWHERE)
        assert join(rule, facts) == {("h", name, other) for other in names}


# -- the clock ----------------------------------------------------------------------------------------------------


class OutOfTime(Exception):  # noqa: N818 - it is an alarm, not an error
    pass


def ring() -> None:
    raise OutOfTime


NUMBERS: set[Term] = {(name, str(number)) for name in "pq" for number in range(3000)}
HOLES: set[Term] = {("hole", str(number)) for number in range(8)}
NINE_PIGEONS = " ".join(
    f"(hole ?x{one}) " + " ".join(f"(distinct ?x{one} ?x{other})" for other in range(one)) for one in range(9)
)
"""Conditions that cannot be met, but need many tries to find out."""


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (h ?x ?y) (p ?x) (q ?y))",
        "(<= (h ?x ?y ?z) (p ?x) (q ?y) (q ?z) (distinct ?y ?z))",
        f"(<= (h ?x0 ?x8) {NINE_PIGEONS})",
        f"(<= (h ?x0) {NINE_PIGEONS})",
        f"(<= h {NINE_PIGEONS})",
    ],
)
def test_long_loops_look_at_the_clock(rule: str) -> None:
    with pytest.raises(OutOfTime):
        join(clause_of(rule), NUMBERS | HOLES, tick=ring)


def test_loops_in_the_second_function_of_a_long_join_look_at_the_clock() -> None:
    chain = " ".join(f"(s ?x{number} ?x{number + 1})" for number in range(14))
    rule = clause_of(f"(<= (h ?x0 ?y ?z) {chain} (p ?y) (q ?z))")
    with pytest.raises(OutOfTime):
        join(rule, {*NUMBERS, ("s", "0", "0")}, said_to_have(s=1, p=10, q=100), ring)


def test_many_short_tests_in_a_long_loop_look_at_the_clock() -> None:
    facts: set[Term] = {(name, str(number)) for name, count in (("p", 20_000), ("q", 50)) for number in range(count)}
    rule = clause_of("(<= (h ?x) (p ?x) (q ?y) (distinct ?x ?y) (not (t ?x ?y)) (not (q ?y)))")
    with pytest.raises(OutOfTime):
        join(rule, facts, said_to_have(p=1, q=100), ring)


# -- against the oracle -------------------------------------------------------------------------------------------

VARIABLES = [Variable(name) for name in "xyzw"]
X, Y, Z, W = VARIABLES
PATTERNS: list[Term] = [
    X,
    X,
    Y,
    Y,
    Z,
    W,
    "a",
    "b",
    ("f", X),
    ("f", Y),
    ("g", X, Y),
    ("g", Z, Z),
    ("f", "a"),
    ("f", ("f", Z)),
]
VALUES: list[Term] = ["a", "b", "c", ("f", "a"), ("f", "b"), ("g", "a", "b"), ("g", "c", "c"), ("f", ("f", "a"))]
ARITIES = {"n": 0, "d": 1, "e": 2, "t": 3}


def atoms(arguments: list[Term]) -> st.SearchStrategy[Term]:
    several = st.lists(st.sampled_from(arguments), min_size=3, max_size=3)
    return st.builds(
        lambda name, parts: (name, *parts[: ARITIES[name]]) if ARITIES[name] else name,
        st.sampled_from("ndeet"),
        several,
    )


def bind(term: Term, bound: set[Variable]) -> Term:
    """A term with a constant in place of each variable that has no value."""
    if isinstance(term, Variable):
        return term if term in bound else "a"
    return tuple(bind(part, bound) for part in term) if isinstance(term, tuple) else term


def safe_rule(head: list[Term], positive: list[Term], negative: list[Term], distinct: list[tuple[Term, Term]]) -> Rule:
    bound = {variable for atom in positive for variable in variables(atom)}
    body: list[Condition] = [Holds(atom) for atom in positive]
    body += [Not(Holds(bind(atom, bound))) for atom in negative]
    body += [Distinct(bind(left, bound), bind(right, bound)) for left, right in distinct]
    return Rule(("h", *(bind(term, bound) for term in head)), tuple(body))


RULES = st.builds(
    safe_rule,
    st.lists(st.sampled_from(PATTERNS), max_size=3),
    st.lists(atoms(PATTERNS), max_size=5),
    st.lists(atoms(PATTERNS), max_size=2),
    st.lists(st.tuples(st.sampled_from(PATTERNS), st.sampled_from(PATTERNS)), max_size=2),
)
FACT_SETS = st.frozensets(atoms(VALUES), max_size=25)


def compiled(rule: Rule, facts: Iterable[Term], seed: int) -> set[Term]:
    """What joins derive from a rule if they are told anything about the sizes of relations."""
    rng = Random(seed)
    sample = said_to_have(**{name: rng.choice([0, 1, 5, 100]) for name in "destn" if rng.random() < 0.8})
    found: set[Term] = set()
    for clause in clauses([rule], Source("")):
        found |= join(clause, facts, sample)
    return found


@examples(400, derandomize=True)
@given(RULES, FACT_SETS, st.integers(0, 9))
def test_join_agrees_with_the_oracle_in_whatever_order_it_goes(rule: Rule, facts: frozenset[Term], seed: int) -> None:
    expected = {fact for fact in model([rule], facts) if isinstance(fact, tuple) and fact[0] == "h"}
    assert compiled(rule, facts, seed) == expected


@examples(200, derandomize=True)
@given(RULES, FACT_SETS, FACT_SETS)
def test_deltas_of_all_literals_find_all_that_is_new(rule: Rule, old: frozenset[Term], new: frozenset[Term]) -> None:
    negated = {
        signature(part.condition.atom)
        for part in rule.body
        if isinstance(part, Not) and isinstance(part.condition, Holds)
    }
    fresh = {fact for fact in new - old if signature(fact) not in negated}
    for clause in clauses([rule], Source("")):
        everything = old | fresh
        found = join(clause, old)
        for place, atom in enumerate(clause.positive):
            delta = [fact for fact in fresh if signature(fact) == signature(atom)]
            found |= delta_join(clause, everything, place, delta)
        assert found == join(clause, everything)


@st.composite
def long_rules(draw: st.DrawFn) -> tuple[Rule, frozenset[Term]]:
    """A rule of 21 to 60 literals, each linked to one before by a one-to-one relation, in random order."""
    rng = Random(draw(st.integers(0, 10_000)))
    nodes: list[Term] = ["a", "b", "c", ("f", "a")]
    facts: set[Term] = set()
    for name in ("s", "t"):
        images = rng.sample(nodes, len(nodes))
        facts |= {(name, node, image) for node, image in zip(nodes, images, strict=True) if rng.random() < 0.95}
    facts |= {("d", node) for node in rng.sample(nodes, 3)} | {("n", node) for node in rng.sample(nodes, 1)}
    chain = [Variable("v0")]
    body: list[Condition] = [Holds(("d", chain[0]))]
    for number in range(1, rng.randint(20, 60)):
        known, new = rng.choice(chain[-6:]), Variable(f"v{number}")
        pair = (known, new) if rng.random() < 0.7 else (new, known)
        body.append(Holds((rng.choice("st"), *pair)))
        chain.append(new)
        if rng.random() < 0.1:
            body.append(Not(Holds(("n", rng.choice(chain)))))
        if rng.random() < 0.1:
            left, right = rng.sample(chain, 2)
            body.append(Distinct(left, right))
    rng.shuffle(body)
    return Rule(("h", *rng.sample(chain, rng.randint(0, 3))), tuple(body)), frozenset(facts)


@examples(60, derandomize=True)
@given(long_rules(), st.integers(0, 9))
def test_long_joins_agree_with_the_oracle(rule_and_facts: tuple[Rule, frozenset[Term]], seed: int) -> None:
    rule, facts = rule_and_facts
    expected = {fact for fact in model([rule], facts) if isinstance(fact, tuple) and fact[0] == "h"}
    assert compiled(rule, facts, seed) == expected


def test_all_orders_of_one_body_find_the_same() -> None:
    literals = ["(q ?x ?y)", "(p ?y)", "(not (r ?x))", "(distinct ?x ?y)", "(q ?y ?z)"]
    found = {
        frozenset(join(clause_of(f"(<= (h ?x ?z) {' '.join(order)})"), facts_of(FACTS)))
        for order in itertools.permutations(literals)
    }
    assert len(found) == 1
    assert found != {frozenset()}
