"""Reading GDL: a text in either syntax becomes a `RuleSheet`, or a `GdlError` with all that is wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from ludens.core import GameError
from ludens.gdl.keywords import LOGIC, RESERVED
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule, RuleSheet
from ludens.gdl.source import GdlError, Source, Span
from ludens.gdl.syntax.expressions import MAX_CHARACTERS, Expression, Group, Problems, Word
from ludens.gdl.syntax.infix import read_infix_expressions
from ludens.gdl.syntax.kif import read_kif_expressions
from ludens.gdl.terms import Term, Variable

Syntax = Literal["kif", "infix"]
_BLANKS = re.compile(r"(?:\s+|[;%][^\n]*|/\*.*?\*/)*+", re.DOTALL)
_LONE_WORDS = re.compile(rf"(?:[\w+-]++[ \t]*+(?=[\r\n;]){_BLANKS.pattern})*+", re.DOTALL)
_QUOTED_WORD = re.compile(r"\s*[?]?'(?:[^'\\\n]|\\[^\n])+'\s*")
_LONE_RETURN = re.compile(r"\r(?!\n)")
"""Line ends of old machines: without them a comment would not end."""
_NEVER_IN_NAMES = re.compile(r"[\s();]")
_USUAL_NAME = re.compile(r"[A-Za-z0-9_+*/<>=-]+", re.ASCII)


def read_rules(text: str, *, name: str = "<text>", syntax: Syntax | None = None) -> RuleSheet:
    """Read a rule sheet; the syntax is detected unless it is given. Raises `GdlError`."""
    # Concatenated files have byte order marks in the middle, too; they are invisible.
    source = Source(_LONE_RETURN.sub("\n", text.removeprefix("\ufeff").replace("\ufeff", " ")), name)
    problems = Problems(source)
    if len(source.text) > MAX_CHARACTERS:
        message = f"the rule sheet has more than {MAX_CHARACTERS:,} characters"
        problems.error("GDL005", message, Span(0, 1), "describe the game with fewer facts and more rules")
        raise GdlError(problems.found, source)
    expressions = _expressions(source, problems, syntax)
    spelling = _common_spelling(expressions, problems)
    builder = _Builder(problems, spelling)
    rules = [rule for expression in expressions if (rule := builder.rule(expression)) is not None]
    if problems.errors:
        raise GdlError(problems.found, source)
    return RuleSheet(tuple(rules), source, tuple(problems.found), spelling)


def read_file(path: Path) -> RuleSheet:
    """Read a rule sheet from a file: UTF-8, or Latin-1 as in old ones.

    Raises `GdlError` for what is wrong in the text, `GameError` if the file cannot be read or is no text.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GameError(f"cannot read {path}: {error.strerror or error}") from None
    if b"\0" in data:
        raise GameError(f"cannot read {path}: it is not a text file in UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return read_rules(text, name=str(path))


def read_term(text: str, spelling: Mapping[str, str] | None = None) -> Term:
    """Read one term in KIF or infix, such as a move; names are spelled as ``spelling`` says. Raises `GdlError`."""
    source = Source(text, "<term>")
    problems = Problems(source)
    is_bare_word = "(" not in text and not _QUOTED_WORD.fullmatch(text)
    expressions = _expressions(source, problems, "kif" if is_bare_word else None)
    builder = _Builder(problems, dict(spelling or {}))
    terms = [builder.term(expression) for expression in expressions]
    if len(terms) != 1 and not problems.errors:
        message = f"expected one term, but found {len(terms)}"
        problems.error("GDL006", message, Span(0, max(1, len(text))), "write it as (mark 1 1) or mark(1,1)")
    if problems.errors:
        raise GdlError(problems.found, source)
    return terms[0]


def detect_syntax(text: str) -> Syntax:
    """KIF if the text is empty or begins with a parenthesis, comments and words on lines of their own aside."""
    start = _end_of(_BLANKS, text, 0)
    first = _end_of(_LONE_WORDS, text, start)
    return "kif" if start == len(text) or text.startswith(("(", ")"), first) else "infix"


def _expressions(source: Source, problems: Problems, syntax: Syntax | None) -> list[Expression]:
    """The expressions of a text, in the given syntax or the detected one."""
    if (syntax or detect_syntax(source.text)) == "infix":
        return read_infix_expressions(source, problems)
    return read_kif_expressions(source, problems, 0 if syntax else _end_of(_BLANKS, source.text, 0))


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


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
                f"{text!r} was spelled {known!r} before; case does not matter",
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
            hint = "write (<= head condition condition)"
            self.problems.error("GDL007", "a rule needs a head after '<='", expression.span, hint)
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
            hint = "write a 'not' for each condition, or (not (or ...))"
            self.problems.error("GDL008", "'not' takes exactly one condition", group.span, hint)
            return None
        inner = self.condition(group.items[1])
        return None if inner is None else Not(inner, group.span)

    def _distinct(self, group: Group) -> Condition | None:
        if len(group.items) != 3:
            hint = "write a 'distinct' for each pair"
            self.problems.error("GDL008", "'distinct' takes exactly two terms", group.span, hint)
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
        """A relation with its arguments; reports anything else as an error."""
        first = expression.items[0] if isinstance(expression, Group) and expression.items else expression
        if isinstance(first, Group):
            hint = "a relation is a name, or (name argument ...)"
            self.problems.error("GDL009", "expected the name of a relation here", first.span, hint)
            return None
        if first.text.startswith("?"):
            hint = "a variable can stand for a term, not for a relation"
            self.problems.error("GDL013", f"variable {first.text} stands where a relation must", first.span, hint)
            return None
        if first.text.lower() in LOGIC:
            self._reserved(first)
            return None
        term = self.term(expression)
        return "terminal" if term == ("terminal",) else term

    def term(self, expression: Expression) -> Term:
        if isinstance(expression, Word):
            return self._word(expression)
        if not expression.items:
            self.problems.error("GDL009", "empty parentheses mean nothing", expression.span, "remove them")
            return ""
        name, *rest = expression.items
        if isinstance(name, Group) or name.text.startswith("?"):
            hint = "a term is a name, a variable, or (name argument ...)"
            self.problems.error("GDL009", "expected a name after the parenthesis", name.span, hint)
            return ""
        if not rest:
            hint = f"write {name.text} without parentheses; ({name.text}) differs from {name.text}"
            self.problems.warning("GDL015", f"({name.text}) has no arguments", expression.span, hint)
        return (self._word(name), *(self.term(item) for item in rest))

    def _word(self, word: Word) -> Term:
        if not word.text or _NEVER_IN_NAMES.search(word.text):
            self.problems.error("GDL017", f"{word.text!r} cannot be a name", word.span, "no blanks, ';' or parentheses")
        if word.text == "?":
            message = "a variable needs a name after the question mark"
            self.problems.error("GDL009", message, word.span, "write ?x")
        if word.text.startswith("?"):
            return Variable(word.text[1:].lower())
        if not _USUAL_NAME.fullmatch(word.text) and word.text not in self._unusual:
            self._unusual.add(word.text)
            hint = "letters, digits, '_' and '-' are safe everywhere"
            self.problems.warning("GDL016", f"unusual characters in the name {word.text!r}", word.span, hint)
        if word.text.lower() in LOGIC:
            self._reserved(word)
        return self.spelling.get(word.text.lower(), word.text)

    def _reserved(self, word: Word) -> None:
        hint = "it builds conditions of a rule; choose another name for a relation or a term"
        self.problems.error("GDL014", f"{word.text!r} is a reserved word and cannot stand here", word.span, hint)

    @staticmethod
    def _is(group: Group, word: str) -> bool:
        return bool(group.items) and isinstance(group.items[0], Word) and group.items[0].text == word
