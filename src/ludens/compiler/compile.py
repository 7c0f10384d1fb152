"""Runs all stages: compiles a rule sheet to a circuit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from ludens.compiler.circuit.chance_roles import ordered_roles
from ludens.compiler.circuit.circuit import Circuit, build_circuit
from ludens.compiler.circuit.collector import collector_at_rest
from ludens.compiler.ground.grounder import GroundBudget, GroundProgram, GrowingError, TooLargeError, ground
from ludens.compiler.rules.condense import Condenser
from ludens.compiler.rules.merge import merge
from ludens.compiler.rules.narrow import narrow
from ludens.compiler.rules.restrict import restrict
from ludens.compiler.rules.separate import separate
from ludens.gdl.chance.core_form import core_form
from ludens.gdl.logic.clauses import Clause, clauses
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import arguments, is_ground, signature

FIRST_TRY = GroundBudget(seconds=20.0, rules=600_000)
SECOND_TRY = GroundBudget(seconds=60.0, rules=2_000_000)
"""What grounding may cost before it is tried with arguments separated and narrowed, then with demands, and at last
with all the budget there is: each makes some rule sheets much smaller and others larger."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The result of one stage."""

    name: str
    seconds: float
    result: str
    """Its size in words, such as ``90 clauses``."""


@dataclass(frozen=True)
class Compilation:
    """A compiled rule sheet, and the stages of its compilation."""

    circuit: Circuit
    program: GroundProgram
    stages: tuple[Stage, ...]


@collector_at_rest()
def compile_rules(sheet: RuleSheet, budget: GroundBudget | None = None) -> Compilation:
    """Compile a rule sheet. Raises `TooLargeError` if its ground rules are too many."""
    stages = []
    started = monotonic()

    def finish(name: str, result: str) -> None:
        nonlocal started
        now = monotonic()
        stages.append(Stage(name, now - started, result))
        started = now

    split = list(clauses(core_form(sheet).rules, sheet.source))
    finish("read", f"{len(sheet.rules)} rules, {len(split)} clauses")
    merged = merge(split)
    condensed = list(Condenser().condense(merged))
    finish("condense", f"{len(condensed)} clauses")

    separated: list[Clause] = []

    def attempts() -> Iterator[tuple[list[Clause], GroundBudget]]:
        nonlocal separated
        yield condensed, FIRST_TRY
        condenser = Condenser()
        separated = narrow(list(condenser.prejoin(condenser.condense(separate(merged)))))
        finish("separate", f"{len(separated)} clauses")
        yield separated, SECOND_TRY
        restricted = restrict(condensed)
        finish("restrict", f"{len(restricted)} clauses")
        yield restricted, SECOND_TRY
        yield separated, whole

    whole = budget or GroundBudget()
    too_slow: TooLargeError | None = None
    for attempt, limit in attempts():
        tried = limit.within(whole)
        try:
            if limit is whole and too_slow is not None:
                raise too_slow
            program = ground(attempt, tried, blame=limit is whole)
            break
        except GrowingError as error:
            raise GrowingError(error.reason, error.clause, sheet.source) from None
        except TooLargeError as error:
            if limit is whole:
                raise TooLargeError(error.reason, error.clause, sheet.source) from None
            if error.limit == "seconds" and tried.seconds == whole.seconds and attempt is separated:
                too_slow = error  # the last attempt has the same clauses and no more time
            finish("ground", f"given up: {error}")
    sizes = f"{program.instances} rules, {program.size} of them different"
    finish("ground", f"{sizes}, {len(program.fluents)} fluents, {len(program.moves)} moves")
    named = [rule.head for rule in sheet.rules if signature(rule.head) == ("role", 1) and is_ground(rule.head)]
    moving = (role for role, _ in program.moves.values())
    circuit = build_circuit(program, ordered_roles([arguments(head)[0] for head in named], moving))
    finish("circuit", f"{len(circuit.gates)} nodes, {len(circuit.loops)} loops")
    return Compilation(circuit, program, tuple(stages))
