"""Reports of decompositions: subgames with their fluents, moves and local concepts, and what connects them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludens.analysis.budget import Budget, Pulse, TooEntangledError
from ludens.analysis.game_values import GameValues
from ludens.analysis.gates.supports import bits_of
from ludens.analysis.impartial import (
    Convention,
    Edges,
    Impartial,
    Partizan,
    find_impartial,
    find_partizan,
    impartial_edges,
)
from ludens.analysis.last_move import find_last_move
from ludens.analysis.subgames.decompose import LARGE, decompose
from ludens.analysis.subgames.ends import Atom, EndRules
from ludens.analysis.subgames.joints import Joint, find_joints
from ludens.analysis.subgames.moving_turn import find_moving_turn, find_parts_besides
from ludens.analysis.subgames.parts import Component, Composition, Decomposition, Kind
from ludens.analysis.subgames.positions import Subgames
from ludens.analysis.subgames.residual import Residual, find_residual
from ludens.analysis.symmetry import Symmetries, find_symmetries
from ludens.analysis.syntactic.lifted import lifted_decomposition, lifted_whole
from ludens.analysis.syntactic.roles import has_corresponding_rules
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError, OutOfTimeError, State
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import Term
from ludens.gdl.turn_taking import find_turns
from ludens.gdl.write import kif

SECONDS = 20.0
"""The default time limit of a report."""
SMALL = 20_000
"""Impartiality is checked exactly if the product of fluents and moves is not larger."""
MOST_NAMES = 4
"""The most moves of a part, or fluents, that a note names."""


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
    """Whether the roles alternate and all have the same moves in it; None if that is unknown, or it is not a
    subgame."""
    alike: int | None = None
    """The index, from 0, of the first component that is the same game under other names; None if there is none."""
    symmetric_moves: tuple[tuple[str, ...], ...] = ()
    """Groups of moves that are interchangeable by a symmetry of the rules."""
    value: str | None = None
    """The combinatorial value of its position, with the first role as Left; None if it has none, or is unknown."""

    def as_json(self) -> dict[str, Any]:
        """The component as JSON values."""
        found: dict[str, Any] = {"kind": str(self.kind), "fluents": list(self.fluents), "moves": list(self.moves)}
        if self.kind is Kind.GAME:
            found |= {
                "concepts": list(self.concepts),
                "impartial": self.impartial,
                "alike": self.alike,
                "symmetric_moves": [list(moves) for moves in self.symmetric_moves],
                "value": self.value,
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
    convention: Convention | None = None
    """Which role wins a sum of impartial games; None if the game is not proved to be one."""
    joints: tuple[Joint, ...] = ()
    """How goals and the end join the subgames, where that has a known structure."""

    @property
    def subgames(self) -> int:
        """The number of subgames."""
        return sum(part.kind is Kind.GAME for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """The decomposition as JSON values."""
        return {
            "subgames": self.subgames,
            "composition": str(self.composition),
            "convention": None if self.convention is None else str(self.convention),
            "method": self.method,
            "joints": [joint.as_json() for joint in self.joints],
            "notes": list(self.notes),
            "components": [part.as_json() for part in self.parts],
        }


def report(game: GdlGame, seconds: float = SECONDS, state: State | None = None) -> Report:
    """Decompose a game, or what is left of it from a state on, and report what is found within a time limit; on the
    rules with variables if they do not ground."""
    game = game.compiled()
    if not isinstance(game, CircuitRules):
        return lifted_report(game, "the rules do not ground", seconds)
    budget = Budget(seconds)
    notes: list[str] = []
    settled: Mapping[Term, bool] = {}
    try:
        if state is not None:
            residual = find_residual(game, game.convert(state), budget)
            notes = [_describe_settled(residual)]
            game, settled = residual.game, residual.settled
        whole = decompose(game, budget, settled)
    except (TooEntangledError, OutOfTimeError) as error:
        return _whole_report(game, f"the game stays whole: {error}")
    notes.append(whole.note)
    found = _Findings({}, None, "", {})
    symmetries, concepts = Symmetries({}, {}, ()), {}
    joints: tuple[Joint, ...] = ()
    try:
        concepts = local_concepts(whole)
        subgames = _list_positions(game, whole, budget)
        if subgames is not None:
            found = _check_impartial(game, subgames, budget)
            joints = (len(whole.games) > 1 and find_joints(subgames, budget)) or ()
        if state is None:  # the symmetries of a position may be others than those of the game
            symmetries = find_symmetries(game.compilation.program, budget)
    except OutOfTimeError as error:
        notes.append(f"{error}: local concepts, impartiality or symmetries may be missing")
    if found.convention is None:
        found = _with_last_move(found, game, budget)
    syntactic = _corresponds(game, budget)
    alternating = _alternates(whole)
    alike = symmetries.equivalents(whole.components)
    parts = []
    for number, part in enumerate(whole.components):
        impartial = None
        if part.kind is Kind.GAME and alternating is not None:
            impartial = alternating and found.impartial.get(part.numbers, syntactic)
        parts.append(
            ReportedPart(
                part.kind,
                tuple(map(kif, part.fluents)),
                _moves(part),
                tuple(concepts.get(number, ())),
                impartial,
                alike[number],
                symmetries.groups(part),
                found.values.get(part.numbers),
            )
        )
    turn = _describe_moving_turn(game, whole, settled, budget)  # last, since it may use up the budget
    notes += [turn, found.sentence, *_describe_links(whole)]
    return Report(tuple(parts), whole.composition, "ground", tuple(filter(None, notes)), found.convention, joints)


def _whole_report(game: CircuitRules, note: str) -> Report:
    """The report of a game of which nothing could be found."""
    circuit = game.circuit
    moves = dict.fromkeys(str(move) for own in game.move_texts[: circuit.players] for move in own)
    part = ReportedPart(Kind.GAME, tuple(map(kif, circuit.fluents)), tuple(moves))
    return Report((part,), Composition.CHOICE, "ground", (note,))


def _alternates(whole: Decomposition) -> bool | None:
    """Whether one role at a time chooses, and not always the same (definition 4); None if the phases are unknown."""
    if not whole.phases:
        return None
    choosers = {phase.choosers for phase in whole.phases}
    return len(choosers) > 1 and all(len(each) == 1 for each in choosers)


def lifted_report(game: GdlGame, reason: str, seconds: float = SECONDS) -> Report:
    """The report of rules that cannot be analysed ground, for a reason, within a time limit."""
    budget = Budget(seconds)
    try:
        alternating = find_turns(game.sheet, [game.role_terms[role] for role in game.roles]) is not None
        found = lifted_decomposition(game.sheet, budget)
    except OutOfTimeError:
        note = f"the game stays whole: {reason}, and the paper's heuristics on the rules with variables did not end"
        return Report((ReportedPart(*lifted_whole(game.sheet)),), Composition.CHOICE, "lifted", (note,))
    syntactic = _corresponds(game, budget) if alternating and len(game.roles) > 1 else None
    parts = [
        ReportedPart(kind, fluents, moves, (), syntactic if kind is Kind.GAME else None)
        for kind, fluents, moves in found
    ]
    note = f"{reason}, so the rules were decomposed with variables, by the paper's heuristics"
    if sum(part.kind is Kind.GAME for part in parts) < 2:
        note = f"the game stays whole: {note}, which find no subgames"
    return Report(tuple(parts), Composition.CHOICE, "lifted", (note,))


def _corresponds(game: GdlGame, pulse: Pulse) -> bool | None:
    """True if the text of the rules shows that all roles have the same moves; None if it does not, or not in time."""
    try:
        return has_corresponding_rules(game.sheet, pulse) or None
    except GameError:
        return None


def _moves(part: Component) -> tuple[str, ...]:
    return tuple(dict.fromkeys(move for _, move in part.moves))


@dataclass(frozen=True, slots=True)
class _Findings:
    """What was found about impartiality."""

    impartial: dict[tuple[int, ...], bool]
    """For the subgames that were checked on all positions."""
    convention: Convention | None
    sentence: str
    """About the whole game."""
    values: dict[tuple[int, ...], str]
    """The combinatorial values of the subgames, where there are some."""


def _list_positions(game: CircuitRules, whole: Decomposition, pulse: Pulse) -> Subgames | None:
    """The subgames with all their positions; None if there are no subgames, or they are not small."""
    if not whole.games or not whole.turns:
        return None
    if any(len(part.fluents) * len(part.moves) > SMALL for part in whole.parts):
        return None
    try:
        return Subgames(game, whole, pulse=pulse)
    except OutOfTimeError:
        raise
    except GameError:
        return None


def _check_impartial(game: CircuitRules, subgames: Subgames, pulse: Pulse) -> _Findings:
    """Check the subgames on all their positions."""
    if len(game.roles) < 2:
        return _Findings({}, None, "", {})
    found = {local.component.numbers: impartial_edges(local) is not None for local in subgames.locals}
    proof = find_impartial(subgames)
    if isinstance(proof, Impartial):
        sentence = f"a sum of impartial games in {proof.convention} play: Sprague-Grundy theory applies"
        if proof.convention is Convention.MISERE:
            return _Findings(found, proof.convention, sentence, {})
        return _Findings(found, proof.convention, sentence, _name_values(subgames, (proof.edges, proof.edges), pulse))
    partizan = find_partizan(subgames)
    if isinstance(partizan, Partizan):
        sentence = "a sum of partizan games in normal play: the theory of combinatorial games applies"
        return _Findings(found, None, sentence, _name_values(subgames, partizan.edges, pulse))
    return _Findings(found, None, f"Sprague-Grundy theory does not apply: {proof}", {})


def _with_last_move(found: _Findings, game: CircuitRules, pulse: Pulse) -> _Findings:
    """The same for a game that is no sum of impartial games at first, if it is proved to be one from each move on."""
    if len(game.circuit.gates) > LARGE:
        return found
    try:
        proof = find_last_move(game, pulse)
    except (TooEntangledError, OutOfTimeError):
        return found
    if isinstance(proof, str):
        return found
    sentence = f"impartial in {proof.convention} play: decided by the parts into which moves take a position"
    return replace(found, convention=proof.convention, sentence=sentence)


def _name_values(
    subgames: Subgames, edges: tuple[tuple[Edges, ...], tuple[Edges, ...]], pulse: Pulse
) -> dict[tuple[int, ...], str]:
    """The names of the subgames' values, as far as there are not too many different ones."""
    values = GameValues(pulse)
    found = {}
    try:
        for local, left, right in zip(subgames.locals, *edges, strict=True):
            found[local.component.numbers] = values.name(values.of_positions(left, right)[0])
    except TooEntangledError:
        pass
    return found


def _describe_settled(residual: Residual) -> str:
    gone = sum(map(len, residual.whole.circuit.moves)) - residual.moves
    return f"from this position on, {len(residual.settled)} fluents cannot change, and {gone} moves are impossible"


def _describe_moving_turn(
    game: CircuitRules, whole: Decomposition, settled: Mapping[Term, bool], budget: Budget
) -> str:
    """A sentence about a turn that depends on the moves, and the parts of a game in one piece that it joins."""
    if not whole.phases or len(whole.games) > 1 or len(whole.circuit.gates) > LARGE:
        return ""
    turn = find_moving_turn(whole)
    if not turn:
        return ""
    names = ", ".join(kif(whole.circuit.fluents[n]) for n in turn[:MOST_NAMES]) + " …" * (len(turn) > MOST_NAMES)
    try:
        parts = find_parts_besides(game, turn, settled, budget)
    except (TooEntangledError, OutOfTimeError):
        parts = []
    if len(parts) < 2:
        return f"whose turn it is depends on the moves ({names}), so a move in one part would act in all"
    moves = [_moves(part) for part in parts]
    listed = "; ".join(" ".join(own[:MOST_NAMES]) + " …" * (len(own) > MOST_NAMES) for own in moves)
    return f"only the turn, which depends on the moves ({names}), joins {len(parts)} parts: {listed}"


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
