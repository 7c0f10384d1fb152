from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludens.gdl.check import check_rules, simulate
from ludens.gdl.read import Syntax, read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import Holds, Not, Rule, RuleSheet
from ludens.gdl.source import GdlError, Level
from ludens.gdl.terms import Term
from tests.gdl.sheets import SOUND, codes
from tests.thorough import part_of

WORDS = (
    *("role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees", "random"),
    *("?x", "?y", "?X", "white", "p", "q", "f", "0", "1", "100", "101", "-1", "cell", "dice", "percept"),
)
TOKENS = (*WORDS, "(", ")", "(", ")", "<=", "not", "or", "and", "distinct", "(<=", "\n", ";")
INFIX_TOKENS = (
    *WORDS,
    "X",
    "Y",
    "(",
    ")",
    ",",
    ".",
    ":-",
    "~",
    "&",
    "|",
    "'a b'",
    "%",
    "not",
    "or",
    "distinct",
)

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(text: str, syntax: Syntax | None = None) -> None:
    """Read and check a text: nothing but `GdlError` may happen, and every problem can be shown."""
    try:
        sheet = read_rules(text, syntax=syntax)
    except GdlError:
        return
    for problem in check_rules(sheet):
        assert problem.message
        assert problem.render(sheet.source)
        assert problem.span is None or 0 <= problem.span.start <= problem.span.end <= len(text)


def group(names: list[str], items: st.SearchStrategy[str], least: int = 1) -> st.SearchStrategy[str]:
    inner = st.lists(items, min_size=least, max_size=3)
    return st.builds(lambda name, parts: f"({' '.join([name, *parts])})", st.sampled_from(names), inner)


NAMES = [word for word in WORDS if not word.startswith("?")]
TERMS = st.recursive(st.sampled_from(WORDS), lambda inner: group(NAMES, inner), max_leaves=4)
ATOMS = st.one_of(st.sampled_from(NAMES), group(NAMES, TERMS))
DISTINCT = st.builds("(distinct {} {})".format, TERMS, TERMS)
CONDITIONS = st.recursive(
    st.one_of(ATOMS, DISTINCT),
    lambda inner: st.one_of(st.builds("(not {})".format, inner), group(["or", "and"], inner, least=0)),
    max_leaves=4,
)
RULES = st.builds(lambda head, body: f"(<= {head} {' '.join(body)})", ATOMS, st.lists(CONDITIONS, max_size=4))


@relaxed
@given(st.lists(st.sampled_from(TOKENS), max_size=60))
def test_soup_of_tokens_is_read_or_refused(tokens: list[str]) -> None:
    check(" ".join(tokens), syntax="kif")


@relaxed
@given(st.lists(st.sampled_from(INFIX_TOKENS), max_size=40))
def test_soup_of_infix_tokens_is_read_or_refused(tokens: list[str]) -> None:
    check(" ".join(tokens), syntax="infix")


@settings(relaxed, max_examples=part_of(300))
@given(st.lists(st.one_of(RULES, ATOMS), max_size=8))
def test_balanced_nonsense_is_checked(rules: list[str]) -> None:
    check("\n".join(rules))


@settings(relaxed, max_examples=part_of(200))
@given(st.data())
def test_mutated_sheet_is_checked(data: st.DataObject) -> None:
    tokens = SOUND.replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(tokens) - 1))
        length = data.draw(st.integers(0, 2))
        tokens[place : place + length] = data.draw(st.lists(st.sampled_from(TOKENS), max_size=2))
    check(" ".join(tokens))


@settings(relaxed, max_examples=part_of(150))
@given(st.data())
def test_sheet_without_errors_can_be_played(data: st.DataObject) -> None:
    tokens = SOUND.replace("(", " ( ").replace(")", " ) ").split()
    words = [place for place, token in enumerate(tokens) if token not in ("(", ")", "<=", "not")]
    for place in data.draw(st.lists(st.sampled_from(words), min_size=1, max_size=3)):
        tokens[place] = data.draw(st.sampled_from([*WORDS, "?p", "?q", "?m", "?n", "step", "succ", "control"]))
    try:
        sheet = read_rules(" ".join(tokens))
    except GdlError:
        return
    if not any(problem.level is Level.ERROR for problem in check_rules(sheet)):
        report = simulate(ReferenceGame(sheet, "mutant"), 2, max_steps=20)
        assert "GDL420" not in {problem.code for problem in report.problems}


def test_deep_rules_that_no_text_stands_behind_are_refused() -> None:
    term: Term = "x"
    condition: Holds | Not = Holds("p")
    for _ in range(5000):
        term = ("f", term)
        condition = Not(condition)
    deep = [Rule(("p", term)), Rule("p", (Holds(("q", term)),)), Rule("p", (condition,))]
    for rule in deep:
        problems = check_rules(RuleSheet((rule,)))
        assert "GDL321" in {problem.code for problem in problems}


def test_long_chain_of_relations_is_checked() -> None:
    chain = "".join(f"(<= (p{number} ?x) (p{number + 1} ?x))\n" for number in range(2000))
    text = "(<= (init ?x) (p0 ?x))" + chain + "(<= (p2000 ?x) (true ?x))"
    assert "GDL223" in codes(text)
