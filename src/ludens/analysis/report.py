"""Reports of decompositions: subgames with their fluents, moves and local concepts, and what connects them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludens.analysis.gates.supports import bits_of
from ludens.analysis.impartial import find_impartial, impartial_edges
from ludens.analysis.subgames.decompose import Component, Composition, Decomposition, Kind, decompose
from ludens.analysis.subgames.ends import Atom, EndRules
from ludens.analysis.subgames.positions import Subgames
from ludens.analysis.symmetry import find_symmetries
from ludens.analysis.syntactic.lifted import lifted_decomposition
from ludens.analysis.syntactic.roles import has_corresponding_rules
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import Term
from ludens.gdl.write import kif

SMALL = 20_000
"""Impartiality is checked exactly if the product of fluents and moves is not larger."""


@dataclass(frozen=True, slots=True)
class ReportedPart:
    """One component, for display."""

    kind: Kind
    fluents: tuple[str, ...]
    moves: tuple[str, ...]
    """The moves without the roles."""
    concepts: tuple[str, ...] = ()
    """Local concepts, negated ones as ``(not …)``."""
    impartial: bool | None = None
    """Whether all roles have the same moves in it; None if that is unknown, or it is not a subgame."""
    alike: int | None = None
    """The index, from 0, of the first component that is the same game under other names; None if there is none."""
    symmetric_moves: tuple[tuple[str, ...], ...] = ()
    """Groups of moves that are interchangeable by a symmetry of the rules."""

    def as_json(self) -> dict[str, Any]:
        """The component as JSON values."""
        found: dict[str, Any] = {"kind": str(self.kind), "fluents": list(self.fluents), "moves": list(self.moves)}
        if self.kind is Kind.GAME:
            found |= {
                "concepts": list(self.concepts),
                "impartial": self.impartial,
                "alike": self.alike,
                "symmetric_moves": [list(moves) for moves in self.symmetric_moves],
            }
        return found


@dataclass(frozen=True, slots=True)
class Report:
    """A decomposition, for display."""

    parts: tuple[ReportedPart, ...]
    composition: Composition
    method: str
    """``ground`` or ``lifted``."""
    notes: tuple[str, ...] = ()
    """Further results, one sentence each."""

    @property
    def subgames(self) -> int:
        """The number of subgames."""
        return sum(part.kind is Kind.GAME for part in self.parts)

    def as_json(self) -> list[dict[str, Any]]:
        """The components as JSON values."""
        return [part.as_json() for part in self.parts]


def report(game: GdlGame) -> Report:
    """Decompose a game and report the result; on the rules with variables if they do not ground."""
    game = game.compiled()
    syntactic = has_corresponding_rules(game.sheet)
    if not isinstance(game, CircuitRules):
        return _lifted_report(game, syntactic)
    whole = decompose(game)
    exact, sentence = _check_impartial(game, whole)
    concepts = local_concepts(whole)
    symmetries = find_symmetries(game.compilation.program)
    alike = symmetries.equivalents(whole.components)
    parts = []
    for number, part in enumerate(whole.components):
        impartial = exact.get(part.numbers, syntactic or None) if part.kind is Kind.GAME else None
        parts.append(
            ReportedPart(
                part.kind,
                tuple(map(kif, part.fluents)),
                _moves(part),
                tuple(concepts.get(number, ())),
                impartial,
                alike[number],
                symmetries.groups(part),
            )
        )
    notes = [note for note in (whole.note, sentence, *_describe_links(whole)) if note]
    return Report(tuple(parts), whole.composition, "ground", tuple(notes))


def _lifted_report(game: GdlGame, syntactic: bool) -> Report:
    parts = [
        ReportedPart(kind, fluents, moves, (), (syntactic or None) if kind is Kind.GAME else None)
        for kind, fluents, moves in lifted_decomposition(game.sheet)
    ]
    note = "the rules do not ground, so they were decomposed with variables, by the paper's heuristics"
    return Report(tuple(parts), Composition.CHOICE, "lifted", (note,))


def _moves(part: Component) -> tuple[str, ...]:
    return tuple(dict.fromkeys(move for _, move in part.moves))


def _check_impartial(game: CircuitRules, whole: Decomposition) -> tuple[dict[tuple[int, ...], bool], str]:
    """The subgames that were checked exactly, and a sentence about the whole game."""
    if len(game.roles) < 2 or not whole.games or not whole.turns:
        return {}, ""
    if any(len(part.fluents) * len(part.moves) > SMALL for part in whole.parts):
        return {}, ""
    try:
        subgames = Subgames(game, whole)
    except GameError:
        return {}, ""
    found = {local.component.numbers: impartial_edges(local) is not None for local in subgames.locals}
    proof = find_impartial(subgames)
    if isinstance(proof, str):
        return found, f"Sprague-Grundy theory does not apply: {proof}"
    return found, f"a sum of impartial games in {proof.convention} play: Sprague-Grundy theory applies"


def _describe_links(whole: Decomposition) -> Iterator[str]:
    """Yield sentences about what connects the subgames."""
    if len(whole.games) < 2:
        return
    ends = whole.supports.of(whole.circuit.terminal)
    touching = [part for part in whole.games if bits_of(part.numbers) & ends]
    if any(part.kind is Kind.COUNTER for part in whole.components) and ends & whole.clock.fluents:
        yield "a counter of turns may end all subgames together"
    if len(touching) > 1:
        yield "the subgames decide together when the game is over"


def local_concepts(whole: Decomposition) -> dict[int, list[str]]:
    """For each component, by its number, the local concepts of goals and of the end, with their signs."""
    if whole.ends is None:
        return {}
    masks = [bits_of(part.numbers) for part in whole.components]
    found: dict[int, list[str]] = {}
    for number, concepts in whole.ends.concepts(sorted(whole.ends.ends), masks).items():
        names = [
            (kif(_name(whole.ends, abs(signed), whole.circuit.fluents)), signed > 0) for signed in sorted(concepts)
        ]
        found[number] = sorted(name if positive else f"(not {name})" for name, positive in names)
    return found


def _name(ends: EndRules, atom: Atom, fluents: Sequence[Term]) -> Term:
    if atom in ends.fluents:
        return ("true", fluents[ends.fluents[atom]])
    return ends.names.get(atom, "?")
