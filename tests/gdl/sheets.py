"""Rule sheets and small tools for the tests of the validator."""

from __future__ import annotations

from ludens.gdl.check import check_rules
from ludens.gdl.read import read_rules
from ludens.gdl.source import Level, Problem

SOUND = """
(role white)
(role black)
(init (control white))
(init (step 0))
(succ 0 1)
(succ 1 2)
(other white black)
(other black white)
(<= (legal ?p (add ?n)) (true (control ?p)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?p wait) (true (control ?q)) (other ?p ?q))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (step ?n)) (does ?p (add ?n)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
(<= terminal (true (step 2)))
"""
"""A game without any problem: two roles count to two in turns."""


def problems(text: str) -> list[Problem]:
    return check_rules(read_rules(text))


def codes(text: str) -> set[str]:
    return {problem.code for problem in problems(text)}


def errors(text: str) -> set[str]:
    return {problem.code for problem in problems(text) if problem.level is Level.ERROR}


def marked(text: str, code: str) -> list[str]:
    """What the problems with a code point at."""
    spans = [problem.span for problem in problems(text) if problem.code == code]
    return [text[span.start : span.end] if span is not None else "" for span in spans]
