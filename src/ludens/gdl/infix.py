"""Infix syntax, ``next(F) :- true(F), not terminal.``, read into the same expressions as KIF.

It accepts what the papers and the Stanford books write: ``,`` or ``&`` between conditions, ``;`` or ``|`` for
alternatives, ``not``, ``~`` or ``\\+`` for negation, a full stop behind each rule or none, ``%`` comments, and quotes
around names that would not read as names otherwise. Variables begin with a capital letter, an underscore or ``?``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludens.gdl.expressions import MAX_DEPTH, Expression, Group, Problems, Word
from ludens.gdl.source import Source, Span

_TOKEN = re.compile(
    r"""(?P<blank>\s+|%[^\n]*|/\*.*?\*/)
      | (?P<arrow>:-|<=|:=)
      | (?P<not>~|\\\+)
      | (?P<quoted>'(?:[^'\\\n]|\\.)*')
      | (?P<name>[?]?[\w+*/^$!@-]+)
      | (?P<mark>[(),&;|.])
      | (?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)
NAME = re.compile(r"[a-z0-9]\w*", re.ASCII)
"""Constants that stand in infix text without quotes."""
VARIABLE = re.compile(r"[A-Z_]\w*", re.ASCII)
"""Variables that stand in infix text without a question mark."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    span: Span


class _SyntaxError(Exception):
    """Leaves the rule that is being read; the problem is noted already."""


class _Reader:
    def __init__(self, source: Source, problems: Problems) -> None:
        self.problems = problems
        self.tokens: list[_Token] = []
        for match in _TOKEN.finditer(source.text):
            kind = match.lastgroup or "bad"
            if kind != "blank":
                self.tokens.append(_Token(kind, match.group(), Span(*match.span())))
        end = len(source.text)
        self.tokens.append(_Token("end", "", Span(max(0, end - 1), end)))
        self.position = 0
        self.depth = 0

    def rules(self) -> list[Expression]:
        done: list[Expression] = []
        while self.now.kind != "end" and not self.problems.full:
            try:
                done.append(self.rule())
            except _SyntaxError:
                self.depth = 0
                self.skip_to_next_rule()
        return done

    @property
    def now(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        token = self.now
        if token.kind != "end":
            self.position += 1
        return token

    def at(self, *marks: str) -> bool:
        return self.now.kind == "mark" and self.now.text in marks

    def fail(self, expected: str) -> _SyntaxError:
        found = f"found {self.now.text!r}" if self.now.kind != "end" else "the text ends"
        self.problems.error("GDL004", f"expected {expected}, but {found}", self.now.span)
        return _SyntaxError()

    def skip_to_next_rule(self) -> None:
        while self.now.kind != "end":
            if self.take().text == ".":
                return

    def rule(self) -> Expression:
        start = self.now.span.start
        head = self.term()
        items: list[Expression] = [head]
        if self.now.kind == "arrow":
            arrow = self.take()
            body = [] if self.at(".") or self.now.kind == "end" else self.conditions()
            items = [Word("<=", arrow.span), head, *body]
        end = self.tokens[self.position - 1].span.end
        if self.at("."):
            self.take()
        elif self.now.kind not in ("name", "quoted", "end"):
            raise self.fail("',', '.' or ':-'")
        return head if len(items) == 1 else Group(tuple(items), Span(start, end))

    def conditions(self) -> list[Expression]:
        found = [self.alternatives()]
        while self.at(",", "&"):
            self.take()
            found.append(self.alternatives())
        return found

    def alternatives(self) -> Expression:
        """One condition, or several with ``;`` between them, which bind tighter than ``,`` only in parentheses."""
        first = self.condition()
        if not self.at("|", ";"):
            return first
        found = [first]
        while self.at("|", ";"):
            self.take()
            found.append(self.condition())
        return _join("or", found)

    def condition(self) -> Expression:
        self.descend()
        try:
            if self.now.kind == "not" or (
                self.now.kind == "name" and self.now.text.lower() == "not" and not self.calls()
            ):
                word = self.take()
                inner = self.condition()
                return Group((Word("not", word.span), inner), Span(word.span.start, inner.span.end))
            if self.at("("):
                return self.parenthesised()
            return self.term()
        finally:
            self.depth -= 1

    def parenthesised(self) -> Expression:
        self.take()
        branches = [self.conjunction()]
        while self.at("|", ";"):
            self.take()
            branches.append(self.conjunction())
        self.close()
        return branches[0] if len(branches) == 1 else _join("or", branches)

    def conjunction(self) -> Expression:
        found = [self.condition()]
        while self.at(",", "&"):
            self.take()
            found.append(self.condition())
        return found[0] if len(found) == 1 else _join("and", found)

    def calls(self) -> bool:
        """True if the name at hand is followed directly by its arguments."""
        after = self.tokens[self.position + 1]
        return after.text == "(" and after.span.start == self.now.span.end

    def term(self) -> Expression:
        self.descend()
        if self.now.kind not in ("name", "quoted"):
            raise self.fail("a name or a variable")
        has_arguments = self.calls()
        name = self.take()
        word = Word(_meaning(name), name.span)
        if not has_arguments:
            self.depth -= 1
            return word
        self.take()
        items: list[Expression] = [word]
        formula = word.text.lower() in ("not", "or", "and")
        if not self.at(")"):
            items.append(self.condition() if formula else self.term())
            while self.at(","):
                self.take()
                items.append(self.condition() if formula else self.term())
        end = self.now.span.end
        self.close()
        self.depth -= 1
        return Group(tuple(items), Span(name.span.start, end))

    def close(self) -> None:
        if not self.at(")"):
            raise self.fail("',' or ')'")
        self.take()

    def descend(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.problems.error("GDL003", f"terms are nested more than {MAX_DEPTH} deep", self.now.span)
            raise _SyntaxError


def _meaning(token: _Token) -> str:
    if token.kind == "quoted":
        return re.sub(r"\\(.)", r"\1", token.text[1:-1])
    if VARIABLE.fullmatch(token.text):
        return "?" + token.text
    return token.text


def _join(word: str, parts: list[Expression]) -> Group:
    span = Span(parts[0].span.start, parts[-1].span.end)
    return Group((Word(word, Span(span.start, span.start)), *parts), span)


def read_infix_expressions(source: Source, problems: Problems) -> list[Expression]:
    """The rules of a text as expressions. A rule that cannot be read is reported and reading goes on behind it."""
    return _Reader(source, problems).rules()
