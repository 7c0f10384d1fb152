from __future__ import annotations

import keyword
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.check import check_rules
from ludens.gdl.keywords import KEYWORDS, LOGIC, RESERVED
from ludens.gdl.read import Syntax, read_rules, read_term
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.source import GdlError, Level
from ludens.gdl.terms import Term, Variable
from ludens.gdl.write import infix, kif, write_infix, write_kif
from tests.thorough import examples

# -- rules that read back ---------------------------------------------------------------------------------------

ODD = "-_+*/<>=.,:'\"\\!#%&|~@^$[]{}`?"
AWKWARD_NAMES = [
    *keyword.kwlist,
    *KEYWORDS,
    "none",
    "self",
    "relations",
    "delta",
    "keys",
    "tick",
    "fact",
    "0",
    "007",
    "-1",
    "1.5",
    "a-b",
    "White",
    "X",
    "_",
    "_x",
    "<=x",
    ":-",
    "%",
    "/*",
    "*/",
    "//",
    "'",
    "''",
    "\\",
    "\\'",
    '"',
    ".",
    ",",
    "|",
    "&",
    "~",
    "é",
    "漢",
    "\x00",
    "not_",
    "orb",
    "random",
    "nil",
    "e\u0301",
]


def is_name(text: str) -> bool:
    reserved = text.lower() in RESERVED
    return not text.startswith("?") and text.lower() not in LOGIC and (not reserved or text.islower())


NAMES = st.one_of(
    st.sampled_from(AWKWARD_NAMES),
    st.text(alphabet=string.ascii_letters + string.digits + "-_", min_size=1, max_size=4),
    st.text(alphabet=ODD + "aZ0éЖ\x00", min_size=1, max_size=4),
).filter(is_name)
POOLS = st.lists(NAMES, min_size=1, max_size=6, unique_by=str.lower)
"""Names for one rule sheet: no two of them may differ by case alone, because those are one name."""

PLAIN_VARIABLES = st.one_of(
    st.sampled_from(["x", "y", "xy_1", "_", "_x", "1", "x-y", "not", "or", "true", "é", "+", "*", "x1"]),
    st.text(alphabet=string.ascii_lowercase + string.digits + "_-+*/^$!@", min_size=1, max_size=3),
).map(Variable)
ODD_VARIABLES = st.text(alphabet=ODD + "ab0é", min_size=1, max_size=3).map(Variable)

PLACES = st.sampled_from("012345")
"""Stand for the names of a pool while terms are drawn: strategies that depend on nothing drawn before are fast."""


def compound(children: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(lambda name, parts: (name, *parts), PLACES, st.lists(children, max_size=3))


def rules_with(variables: st.SearchStrategy[Variable]) -> st.SearchStrategy[list[Rule]]:
    def junctions(children: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        several = st.lists(children, max_size=3).map(tuple)
        return st.builds(Not, children) | st.builds(Or, several) | st.builds(And, several)

    terms = st.recursive(PLACES | variables, compound, max_leaves=4)
    atoms = PLACES | compound(terms)
    literals = st.builds(Holds, atoms) | st.builds(Distinct, terms, terms)
    bodies = st.lists(st.recursive(literals, junctions, max_leaves=4), max_size=3).map(tuple)
    return st.lists(st.builds(Rule, atoms, bodies), min_size=1, max_size=3)


def named(term: Term, pool: list[str]) -> Term:
    """A term with names of the pool where the places were."""
    if isinstance(term, tuple):
        return tuple(named(part, pool) for part in term)
    return term if isinstance(term, Variable) else pool[int(term) % len(pool)]


def named_atom(atom: Term, pool: list[str]) -> Term:
    found = named(atom, pool)
    return "terminal" if found == ("terminal",) else found


def named_condition(condition: Condition, pool: list[str]) -> Condition:
    match condition:
        case Holds(atom):
            return Holds(named_atom(atom, pool))
        case Distinct(left, right):
            return Distinct(named(left, pool), named(right, pool))
        case Not(inner):
            return Not(named_condition(inner, pool))
        case Or(inner) | And(inner):
            return type(condition)(tuple(named_condition(part, pool) for part in inner))


def sheet_of(rules: list[Rule], pool: list[str]) -> tuple[Rule, ...]:
    return tuple(
        Rule(named_atom(rule.head, pool), tuple(named_condition(part, pool) for part in rule.body)) for rule in rules
    )


SHEETS = st.builds(sheet_of, rules_with(PLAIN_VARIABLES), POOLS)
SHEETS_WITH_ODD_VARIABLES = st.builds(sheet_of, rules_with(ODD_VARIABLES), POOLS)
TERMS = st.builds(named, compound(st.recursive(PLACES | PLAIN_VARIABLES, compound, max_leaves=4)), POOLS)

checked = examples(150, derandomize=True)
robust = examples(400, derandomize=True)
"""The same texts in every run, so that many more of them found nothing new after the first time."""


@pytest.mark.smoke
@checked
@given(SHEETS)
def test_rules_written_in_kif_read_back(rules: tuple[Rule, ...]) -> None:
    assert read_rules(write_kif(rules), syntax="kif").rules == rules


@checked
@given(SHEETS_WITH_ODD_VARIABLES)
def test_rules_with_odd_variables_written_in_kif_read_back(rules: tuple[Rule, ...]) -> None:
    assert read_rules(write_kif(rules), syntax="kif").rules == rules


@checked
@given(SHEETS)
def test_rules_written_in_infix_read_back(rules: tuple[Rule, ...]) -> None:
    assert read_rules(write_infix(rules)).rules == rules


@checked
@given(SHEETS_WITH_ODD_VARIABLES)
def test_rules_with_odd_variables_written_in_infix_read_back(rules: tuple[Rule, ...]) -> None:
    assert read_rules(write_infix(rules)).rules == rules


@checked
@given(SHEETS)
def test_rules_survive_the_way_through_both_syntaxes(rules: tuple[Rule, ...]) -> None:
    through_infix = read_rules(write_infix(rules)).rules
    assert write_kif(through_infix) == write_kif(rules)
    assert write_infix(read_rules(write_kif(rules), syntax="kif").rules) == write_infix(rules)


@checked
@given(TERMS)
def test_compound_term_reads_back_from_either_syntax(term: Term) -> None:
    assert read_term(kif(term)) == term
    assert read_term(infix(term)) == term


@checked
@given(SHEETS, st.data())
def test_layout_does_not_change_the_rules(rules: tuple[Rule, ...], data: st.DataObject) -> None:
    blanks = st.sampled_from([" ", "\t", "\r\n ", "\n ", " ; (comment\n ", "  "])
    text = re.sub(r"\s+|(?<=[()])|(?=[()])", lambda _: data.draw(blanks), write_kif(rules))
    assert read_rules(text, syntax="kif").rules == rules


@checked
@given(SHEETS, st.data())
def test_names_in_another_case_are_merged_to_the_first_spelling(rules: tuple[Rule, ...], data: st.DataObject) -> None:
    seen: set[str] = set()

    def respell(match: re.Match[str]) -> str:
        word = match.group()
        first = word.lower() not in seen
        seen.add(word.lower())
        if first and word.lower() not in RESERVED:
            return word
        other = data.draw(st.sampled_from([word, word.upper(), word.lower(), word.swapcase()]))
        return other if other.lower() == word.lower() else word

    text = re.sub(r"[^\s();]+", respell, write_kif(rules))
    assert read_rules(text, syntax="kif").rules == rules


# -- texts that are no rules: 10,000 of them --------------------------------------------------------------------

TOKENS = [
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "<=",
    ":-",
    "?x",
    "?",
    "??y",
    "X",
    "_",
    "a",
    "B",
    "p",
    "1",
    ";",
    "%",
    "'",
    '"',
    "\\",
    "\\+",
    "~",
    "not",
    "or",
    "and",
    "distinct",
    "true",
    "role",
    "init",
    "next",
    "terminal",
    "random",
    ".",
    ",",
    "|",
    "&",
    ":=",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\x00",
    "\ufeff",
    "é",
    "'q r'",
    "(<= ",
    "p(",
    "or(",
    "not(",
    "()",
    "= ",
    "-",
    "[",
    "]",
    "\u2028",
    "\ud800",
]
SOUP = st.builds(
    lambda tokens, glue: glue.join(tokens),
    st.lists(st.sampled_from(TOKENS), max_size=25),
    st.sampled_from(["", " ", "\n"]),
)
A_KIF_SHEET = """(role white) (role random)
(init (cell 1 b))
(<= (legal ?w (mark ?x)) (true (cell ?x b)) (or (true (control ?w)) (not (q ?w))))
(<= (next (cell ?x ?w)) (does ?w (mark ?x)) (distinct ?w random)) ; comment
(<= (goal white 100) terminal)
"""
AN_INFIX_SHEET = """role(white). init(cell(1,b)). % comment
legal(W, mark(X)) :- true(cell(X,b)), (true(control(W)) ; \\+ q(W)).
next(cell(X,'W')) :- does(W, mark(X)) & distinct(W, 'random x') /* more */ .
goal(white,100) :- terminal, not or(a, and(b,c)).
"""


@st.composite
def mutations(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([A_KIF_SHEET, AN_INFIX_SHEET]))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 1, 2, 10, 100]))
        replacement = draw(st.one_of(st.just(""), st.sampled_from(TOKENS), st.just(text[start : start + 7])))
        text = text[:start] + replacement + text[start + length :]
    return text


def outcome(text: str, syntax: Syntax | None) -> RuleSheet | GdlError:
    try:
        return read_rules(text, syntax=syntax)
    except GdlError as error:
        return error


def check_reader(text: str, syntax: Syntax | None) -> None:
    """The reader takes a text, or says with a place in the text why not; what it takes, the validator can check."""
    found = outcome(text, syntax)
    if isinstance(found, GdlError):
        assert any(problem.level is Level.ERROR for problem in found.problems)
        assert all(spot.span and 0 <= spot.span.start <= spot.span.end <= len(text) for spot in found.problems)
        assert str(found)
    else:
        assert all(warning.level is Level.WARNING for warning in found.warnings)
        assert read_rules(write_kif(found.rules), syntax="kif").rules == found.rules
        assert all(problem.render(found.source) for problem in check_rules(found))


def check_term(text: str) -> None:
    """The reader takes a text as a term, or refuses it."""
    try:
        term = read_term(text)
    except GdlError:
        return
    assert read_term(kif(term)) == term


@robust
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    check_reader(text, None)
    check_term(text)


@robust
@given(SOUP)
def test_token_soup_in_kif_is_read_or_refused(text: str) -> None:
    check_reader(text, "kif")


@robust
@given(SOUP)
def test_token_soup_in_infix_is_read_or_refused(text: str) -> None:
    check_reader(text, "infix")


@robust
@given(SOUP)
def test_token_soup_is_a_term_or_refused(text: str) -> None:
    check_term(text)
    check_reader(text, None)


@robust
@given(mutations())
def test_mutated_rules_are_read_or_refused(text: str) -> None:
    check_reader(text, None)


@robust
@given(st.binary(max_size=80))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    for text in (data.decode("latin-1"), data.decode("utf-8", errors="replace")):
        check_reader(text, "kif")
        check_reader(text, "infix")
