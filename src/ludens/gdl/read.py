"""Reading GDL: a text in either syntax becomes a `RuleSheet`, or a `GdlError` with all that is wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from ludens.gdl.expressions import MAX_CHARACTERS, Expression, Group, Problems, Word
from ludens.gdl.infix import read_infix_expressions
from ludens.gdl.keywords import LOGIC, RESERVED
from ludens.gdl.kif import read_kif_expressions
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.source import GdlError, Source, Span
from ludens.gdl.terms import Term, Variable

Syntax = Literal["kif", "infix"]
_COMMENTS_AND_BLANKS = re.compile(r"(?:\s+|[;%][^\n]*|/\*.*?\*/)*", re.DOTALL)
_NEVER_IN_NAMES = re.compile(r"[\s();]")
_USUAL_NAME = re.compile(r"[A-Za-z0-9_+*/<>=-]+", re.ASCII)


def read_rules(text: str, *, name: str = "<text>", syntax: Syntax | None = None) -> RuleSheet:
    """Read a rule sheet; the syntax is found from the text unless it is given. Raises `GdlError`."""
    source = Source(text.removeprefix("\ufeff"), name)
    problems = Problems(source)
    if len(source.text) > MAX_CHARACTERS:
        problems.error("GDL005", f"the rule sheet has more than {MAX_CHARACTERS:,} characters", Span(0, 1))
        raise GdlError(problems.found, source)
    read = read_kif_expressions if (syntax or guess_syntax(source.text)) == "kif" else read_infix_expressions
    expressions = read(source, problems)
    spelling = _common_spelling(expressions, problems)
    builder = _Builder(problems, spelling)
    rules = [rule for expression in expressions if (rule := builder.rule(expression)) is not None]
    if problems.errors:
        raise GdlError(problems.found, source)
    return RuleSheet(tuple(rules), source, tuple(problems.found), spelling)


def read_file(path: Path) -> RuleSheet:
    """Read a rule sheet from a file. Raises `GdlError`, or `OSError` if there is no reading it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return read_rules(text, name=str(path))


def read_term(text: str, spelling: Mapping[str, str] | None = None) -> Term:
    """Read one term in KIF or infix, such as a move; names are spelled as ``spelling`` says. Raises `GdlError`."""
    source = Source(text, "<term>")
    problems = Problems(source)
    syntax = guess_syntax(text)
    read = read_kif_expressions if syntax == "kif" or "(" not in text else read_infix_expressions
    expressions = read(source, problems)
    builder = _Builder(problems, dict(spelling or {}))
    terms = [builder.term(expression) for expression in expressions]
    if len(terms) != 1 and not problems.errors:
        problems.error("GDL006", f"expected one term, but found {len(terms)}", Span(0, max(1, len(text))))
    if problems.errors:
        raise GdlError(problems.found, source)
    return terms[0]


def guess_syntax(text: str) -> Syntax:
    """KIF if the first thing in the text, comments aside, is a parenthesis."""
    blanks = _COMMENTS_AND_BLANKS.match(text)
    start = blanks.end() if blanks else 0
    return "kif" if start == len(text) or text[start] in "()" else "infix"


def _common_spelling(expressions: Iterable[Expression], problems: Problems) -> dict[str, str]:
    """How each name is spelled: as at its first occurrence, since GDL compares names without regard to case."""
    spelling = {keyword: keyword for keyword in RESERVED}
    stack = list(reversed(list(expressions)))
    while stack:
        expression = stack.pop()
        if isinstance(expression, Group):
            stack.extend(reversed(expression.items))
            continue
        text = expression.text
        if text.startswith("?"):
            continue
        known = spelling.setdefault(text.lower(), text)
        if known != text and text.lower() not in RESERVED:
            problems.warning(
                "GDL010",
                f"{text!r} was spelled {known!r} before; names are the same whatever their case",
                expression.span,
                "other systems compare with case: use one spelling",
            )
    return spelling


class _Builder:
    """Turns expressions into rules, terms and conditions."""

    def __init__(self, problems: Problems, spelling: Mapping[str, str]) -> None:
        self.problems = problems
        self.spelling = spelling
        self._unusual: set[str] = set()

    def rule(self, expression: Expression) -> Rule | None:
        if isinstance(expression, Word) or not self._is(expression, "<="):
            head = self.atom(expression)
            return None if head is None else Rule(head, (), expression.span, expression.span)
        assert isinstance(expression, Group)
        if len(expression.items) < 2:
            self.problems.error("GDL007", "a rule needs a head behind '<='", expression.span)
            return None
        head = self.atom(expression.items[1])
        body = [self.condition(item) for item in expression.items[2:]]
        if not body:
            hint = "write the head alone, without '<='"
            self.problems.warning("GDL011", "this rule has no conditions", expression.span, hint)
        if head is None or None in body:
            return None
        conditions = tuple(condition for condition in body if condition is not None)
        return Rule(head, conditions, expression.span, expression.items[1].span)

    def condition(self, expression: Expression) -> Condition | None:
        if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Word):
            match expression.items[0].text.lower():
                case "not":
                    return self._not(expression)
                case "distinct":
                    return self._distinct(expression)
                case "or" | "and" as word:
                    return self._junction(word, expression)
        atom = self.atom(expression)
        return None if atom is None else Holds(atom, expression.span)

    def _not(self, group: Group) -> Condition | None:
        if len(group.items) != 2:
            self.problems.error("GDL008", "'not' takes exactly one condition", group.span)
            return None
        inner = self.condition(group.items[1])
        return None if inner is None else Not(inner, group.span)

    def _distinct(self, group: Group) -> Condition | None:
        if len(group.items) != 3:
            self.problems.error("GDL008", "'distinct' takes exactly two terms", group.span)
            return None
        return Distinct(self.term(group.items[1]), self.term(group.items[2]), group.span)

    def _junction(self, word: str, group: Group) -> Condition | None:
        if len(group.items) == 1:
            self.problems.warning("GDL012", f"this '{word}' is empty", group.span)
        inner = [self.condition(item) for item in group.items[1:]]
        if None in inner:
            return None
        conditions = tuple(condition for condition in inner if condition is not None)
        return Or(conditions, group.span) if word == "or" else And(conditions, group.span)

    def atom(self, expression: Expression) -> Term | None:
        """A relation with its arguments; reports what cannot be one."""
        first = expression.items[0] if isinstance(expression, Group) and expression.items else expression
        if isinstance(first, Group):
            self.problems.error("GDL009", "expected the name of a relation here", first.span)
            return None
        if first.text.startswith("?"):
            hint = "a variable can stand for a term, not for a relation"
            self.problems.error("GDL013", f"variable {first.text} stands where a relation must", first.span, hint)
            return None
        if first.text.lower() in LOGIC:
            message = f"{first.text!r} is a reserved word and cannot stand here"
            self.problems.error("GDL014", message, first.span)
            return None
        term = self.term(expression)
        return "terminal" if term == ("terminal",) else term

    def term(self, expression: Expression) -> Term:
        if isinstance(expression, Word):
            return self._word(expression)
        if not expression.items:
            self.problems.error("GDL009", "empty parentheses mean nothing", expression.span)
            return ""
        name, *rest = expression.items
        if isinstance(name, Group) or name.text.startswith("?"):
            self.problems.error("GDL009", "expected a name behind the parenthesis", name.span)
            return ""
        if not rest:
            hint = f"write {name.text} without parentheses; ({name.text}) is another thing than {name.text}"
            self.problems.warning("GDL015", f"({name.text}) has no arguments", expression.span, hint)
        if name.text.lower() in LOGIC:
            self.problems.error("GDL014", f"{name.text!r} is a reserved word and cannot stand here", name.span)
        return (self._word(name), *(self.term(item) for item in rest))

    def _word(self, word: Word) -> Term:
        if word.text.startswith("?"):
            if len(word.text) == 1:
                self.problems.error("GDL009", "a variable needs a name behind the question mark", word.span)
            return Variable(word.text[1:].lower())
        if not word.text or _NEVER_IN_NAMES.search(word.text):
            self.problems.error("GDL017", f"{word.text!r} cannot be a name", word.span, "no blanks, ';' or parentheses")
        if not _USUAL_NAME.fullmatch(word.text) and word.text not in self._unusual:
            self._unusual.add(word.text)
            hint = "letters, digits, '_' and '-' are safe everywhere"
            self.problems.warning("GDL016", f"unusual characters in the name {word.text!r}", word.span, hint)
        if word.text.lower() in LOGIC:
            self.problems.error("GDL014", f"{word.text!r} is a reserved word and cannot stand here", word.span)
        return self.spelling.get(word.text.lower(), word.text)

    @staticmethod
    def _is(group: Group, word: str) -> bool:
        return bool(group.items) and isinstance(group.items[0], Word) and group.items[0].text == word
