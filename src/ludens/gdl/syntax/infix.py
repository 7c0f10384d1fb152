"""Infix syntax, ``next(F) :- true(F), not terminal.``, read into the same expressions as KIF.

It accepts what the papers and the Stanford books write: ``,`` or ``&`` between conditions, ``;`` or ``|`` for
alternatives, ``not``, ``~`` or ``\\+`` for negation, a full stop after each rule or none, ``%`` comments, and quotes
around names that would not read as names otherwise. Variables begin with a capital letter, an underscore or ``?``,
and may be quoted too: ``?'x.y'``. As in Prolog, ``,`` binds tighter than ``;``, and each ``_`` that stands alone is a
variable of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from ludens.gdl.source import Source, Span
from ludens.gdl.syntax.expressions import MAX_DEPTH, Expression, Group, Problems, Word, nesting

# Whatever is never closed is one token of its own: a hostile text must not be searched again from every quote in it.
_TOKEN = re.compile(
    r"""(?P<blank>\s+|%[^\n]*|/\*.*?\*/)
      | (?P<open_comment>/\*.*)
      | (?P<arrow>:-|<=|:=)
      | (?P<not>~|\\\+)
      | (?P<quoted>[?]?'(?:[^'\\\n]|\\[^\n])*+')
      | (?P<open_quote>[?]?'[^\n]*)
      | (?P<name>[?]?[\w+*/^$!@-]+)
      | (?P<mark>[(),&;|.])
      | (?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)")
NAME = re.compile(r"[a-z0-9]\w*", re.ASCII)
"""Constants that stand in infix text without quotes."""
VARIABLE = re.compile(r"[A-Z_]\w*", re.ASCII)
"""Variables that stand in infix text without a question mark."""
MARKED_VARIABLE = re.compile(r"[\w+*/^$!@-]+")
"""Variables that follow a question mark without quotes."""


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
        self.fresh_variables = _fresh_variables(self.tokens)

    def rules(self) -> list[Expression]:
        done: list[Expression] = []
        while self.now.kind != "end" and not self.problems.full:
            self.depth = 0
            try:
                done.append(self.rule())
            except _SyntaxError:
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

    def fail(self, expected: str, hint: str) -> _SyntaxError:
        found = f"found {self.now.text!r}" if self.now.kind != "end" else "the text ends"
        message = f"expected {expected}, but {found}"
        if self.now.kind == "open_quote":
            message, hint = "this quote is never closed", "close it on the same line; write \\' for a quote inside"
        elif self.now.kind == "open_comment":
            message, hint = "this comment is never closed", "add '*/' at its end"
        self.problems.error("GDL004", message, self.now.span, hint)
        return _SyntaxError()

    def skip_to_next_rule(self) -> None:
        while self.now.kind != "end":
            if self.take().text == ".":
                return

    def rule(self) -> Expression:
        rule = head = self.term()
        if self.now.kind == "arrow":
            arrow = self.take()
            body = [] if self.at(".") or self.now.kind == "end" else self.body()
            span = Span(head.span.start, self.tokens[self.position - 1].span.end)
            rule = Group((Word("<=", arrow.span), head, *body), span)
        if nesting(rule) > MAX_DEPTH:
            raise self.too_deep(rule.span)
        if self.at("."):
            self.take()
        elif self.now.kind not in ("name", "quoted", "end"):
            raise self.fail("',', '.' or ':-'", "a rule is a head, or 'head :- condition, condition', and a full stop")
        return rule

    def body(self) -> list[Expression]:
        branches = self.branches()
        return branches[0] if len(branches) == 1 else [_formula(branches)]

    def branches(self) -> list[list[Expression]]:
        """Alternatives, each a list of conditions."""
        found = [[self.condition()]]
        while self.at(",", "&", ";", "|"):
            if self.take().text in ";|":
                found.append([self.condition()])
            else:
                found[-1].append(self.condition())
        return found

    def condition(self) -> Expression:
        if self.now.kind == "not" or (self.now.text.lower() == "not" and not self.calls()):
            self.descend()
            word = self.take()
            inner = self.condition()
            self.depth -= 1
            return Group((Word("not", word.span), inner), Span(word.span.start, inner.span.end))
        if self.at("("):
            self.descend()
            self.take()
            formula = _formula(self.branches())
            self.close()
            return formula
        return self.term()

    def calls(self) -> bool:
        """True if the name at hand is followed directly by its arguments."""
        after = self.tokens[self.position + 1]
        return after.text == "(" and after.span.start == self.now.span.end

    def term(self) -> Expression:
        if self.now.kind not in ("name", "quoted"):
            hint = "names begin with a small letter or a digit, variables with a capital; others stand in 'quotes'"
            raise self.fail("a name or a variable", hint)
        has_arguments = self.calls()
        word = self.word(self.take())
        if not has_arguments:
            return word
        self.descend()
        self.take()
        items: list[Expression] = [word]
        read = self.condition if word.text.lower() in ("not", "or", "and") else self.term
        if not self.at(")"):
            items.append(read())
            while self.at(","):
                self.take()
                items.append(read())
        end = self.close()
        return Group(tuple(items), Span(word.span.start, end))

    def word(self, token: _Token) -> Word:
        text = token.text
        if token.kind == "quoted":
            mark, inside = text[:-1].split("'", 1)
            text = mark + _ESCAPE.sub(r"\1", inside)
            if not mark and text.startswith("?"):
                hint = "only variables begin with a question mark; they have it in front of the quotes"
                self.problems.error("GDL017", f"{text!r} cannot be a name", token.span, hint)
        elif text == "_":
            text = next(self.fresh_variables)
        elif VARIABLE.fullmatch(text):
            text = "?" + text
        return Word(text, token.span)

    def descend(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.too_deep(self.now.span)

    def close(self) -> int:
        """Leave a pair of parentheses; returns where it ends."""
        if not self.at(")"):
            raise self.fail("',' or ')'", "commas stand between arguments, and each '(' needs its ')'")
        self.depth -= 1
        return self.take().span.end

    def too_deep(self, span: Span) -> _SyntaxError:
        hint = "split the rule with auxiliary relations"
        self.problems.error("GDL003", f"this is nested more than {MAX_DEPTH} deep", span, hint)
        return _SyntaxError()


def _fresh_variables(tokens: list[_Token]) -> Iterator[str]:
    """Variables that occur nowhere in the text."""
    taken = {token.text.lower().strip("?'") for token in tokens}
    return (f"?_{number}" for number in count(1) if f"_{number}" not in taken)


def _formula(branches: list[list[Expression]]) -> Expression:
    return _join("or", [_join("and", branch) for branch in branches])


def _join(word: str, parts: list[Expression]) -> Expression:
    if len(parts) == 1:
        return parts[0]
    span = Span(parts[0].span.start, parts[-1].span.end)
    return Group((Word(word, Span(span.start, span.start)), *parts), span)


def read_infix_expressions(source: Source, problems: Problems) -> list[Expression]:
    """The rules of a text as expressions. A rule that cannot be read is reported, and reading continues after it."""
    return _Reader(source, problems).rules()
