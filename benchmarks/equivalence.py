"""Does ``ludens equivalent`` tell mutants of rule sheets apart, and recognise copies under other names?

    python -m benchmarks.equivalence --mutants 1000 --copies 200 --seconds 5

A mutant has one rule changed: a condition removed or negated, a constant replaced, or the rule removed. It is told
apart if a play proves the difference, and settled as well if all reachable states agree. A copy is scrambled and
reordered.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from ludens.analysis.equivalence.compare import DIFFERENT, EQUIVALENT, UNDECIDED, compare_games
from ludens.compiler.backends import make_game
from ludens.core import Game, LudensError
from ludens.games import library
from ludens.gdl.check import check_rules
from ludens.gdl.read import read_rules
from ludens.gdl.rules import Condition, Holds, Not, Rule, RuleSheet
from ludens.gdl.scramble import scramble_sheet
from ludens.gdl.source import Level
from ludens.gdl.terms import Term, arguments, functor
from ludens.gdl.write import write_kif

_SHEETS = 40
_TRIES = 200


def sheets() -> list[tuple[str, RuleSheet]]:
    """The shortest rule sheets of the library."""
    found = []
    for name, entry in library.entries().items():
        if library.GDL in entry.forms:
            found.append((name, library.find(f"{name}@gdl").playable_sheet()))
    return sorted(found, key=lambda item: len(item[1].rules))[:_SHEETS]


def mutate(sheet: RuleSheet, rng: Random) -> RuleSheet | None:
    """A valid sheet with one rule changed; None if none was found."""
    names = sorted({name for rule in sheet.rules for name in _constants(rule.head)})
    for _ in range(_TRIES):
        rules = list(sheet.rules)
        place = rng.randrange(len(rules))
        changed = _changed(rules[place], names, rng)
        if changed is not None and functor(rules[place].head) in ("role", "base", "input"):
            continue
        rules[place : place + 1] = [] if changed is None else [changed]
        if tuple(rules) == sheet.rules:
            continue
        try:
            mutant = read_rules(write_kif(rules), name="mutant")
        except LudensError:
            continue
        if not any(problem.level is Level.ERROR for problem in check_rules(mutant)):
            return replace(mutant, repetition=sheet.repetition)
    return None


def _changed(rule: Rule, names: Sequence[str], rng: Random) -> Rule | None:
    """A rule with one change; None if it is to be removed."""
    kind = rng.choice(("drop", "negate", "constant", "constant", "remove"))
    body = list(rule.body)
    if kind == "remove" and functor(rule.head) not in ("role", "init"):
        return None
    if kind == "drop" and body:
        body.pop(rng.randrange(len(body)))
        return replace(rule, body=tuple(body))
    if kind == "negate" and body:
        number = rng.randrange(len(body))
        body[number] = _negated(body[number])
        return replace(rule, body=tuple(body))
    return replace(rule, head=_replaced(rule.head, names, rng))


def _negated(condition: Condition) -> Condition:
    if isinstance(condition, Not):
        return condition.condition
    return Not(condition) if isinstance(condition, Holds) else condition


def _constants(term: Term) -> Iterator[str]:
    for part in arguments(term):
        if isinstance(part, tuple):
            yield from _constants(part)
        elif isinstance(part, str):
            yield part


def _replaced(term: Term, names: Sequence[str], rng: Random) -> Term:
    """A term with one of its constants replaced."""
    places = [n for n, part in enumerate(arguments(term), start=1) if isinstance(part, str | tuple)]
    if not isinstance(term, tuple) or not places:
        return term
    place = rng.choice(places)
    part = term[place]
    new = _replaced(part, names, rng) if isinstance(part, tuple) else rng.choice(names)
    return (*term[:place], new, *term[place + 1 :])


def _game(sheet: RuleSheet, name: str) -> Game:
    return make_game(sheet, name, backend="interpreter")


def judge_mutants(count: int, seconds: float, seed: int) -> Counter[str]:
    """The answers for some mutants."""
    rng, originals = Random(seed), sheets()
    answers: Counter[str] = Counter()
    for number in range(count):
        name, sheet = originals[number % len(originals)]
        mutant = mutate(sheet, rng)
        if mutant is None:
            continue
        try:
            verdict = compare_games(_game(sheet, name), _game(mutant, "mutant"), seconds, same_names=True)
        except LudensError as error:
            answers["unplayable"] += 1
            print(f"{name}: {error}")
            continue
        proved = verdict.answer != DIFFERENT or verdict.difference is not None
        answers[verdict.answer if proved else "different, no play"] += 1
        if verdict.answer == UNDECIDED:
            texts = [{write_kif([rule]) for rule in rules} for rules in (sheet.rules, mutant.rules)]
            print(f"undecided: {name}: {texts[0] - texts[1]} became {texts[1] - texts[0]}")
    return answers


def judge_copies(count: int, seed: int) -> Counter[str]:
    """The answers for some scrambled and reordered copies."""
    originals = sheets()
    answers: Counter[str] = Counter()
    for number in range(count):
        name, sheet = originals[number % len(originals)]
        copy = scramble_sheet(sheet, seed + number)
        verdict = compare_games(
            _game(replace(sheet, repetition=None), name), _game(replace(copy, repetition=None), "copy")
        )
        answers[verdict.answer] += 1
        if verdict.answer != EQUIVALENT:
            print(f"not recognised: {name}")
    return answers


def main() -> None:
    """Print the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--copies", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    arguments_ = parser.parse_args()
    begin = time.process_time()
    print("copies:", dict(judge_copies(arguments_.copies, arguments_.seed)))
    print("mutants:", dict(judge_mutants(arguments_.mutants, arguments_.seconds, arguments_.seed)))
    print(f"{time.process_time() - begin:.0f} CPU seconds")


if __name__ == "__main__":
    main()
