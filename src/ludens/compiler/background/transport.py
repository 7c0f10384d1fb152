"""Compiled games as bytes, for the way from the process that compiles to the one that plays, and for the cache.

A game goes in pieces, each a pickle of its own: Python's lock is held while one is read, and a player in another thread
must not wait for all of them. Machine code goes as it is; addresses, locks and ctypes are made again on arrival. Gates
from which machine code was made stay behind.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from typing import Any

from ludens.compiler.batch.game import CircuitGame, Evaluator
from ludens.compiler.batch.step_code import Step, StepGates
from ludens.compiler.batch.steps import BatchSteps
from ludens.compiler.circuit.gates import Gates
from ludens.compiler.native.assembly import Assembled
from ludens.compiler.native.computation import interpret
from ludens.compiler.native.machine_code import MachineCode
from ludens.gdl.game import GdlMove
from ludens.gdl.rules import RuleSheet

_LEFT_BEHIND = {"compilation", "batch_steps", "facts"}
"""What a game can make again if it is asked for."""


def freeze(game: CircuitGame) -> list[bytes]:
    """A compiled game as bytes, with the steps that searches begin with."""
    known: dict[int, str] = {id(game.sheet): "sheet"}
    parts: list[tuple[str, object]] = [("circuit", game.circuit)]
    parts += [(name, getattr(game.batch_steps, name)) for name in game.first_steps]
    state = {name: value for name, value in vars(game).items() if name not in _LEFT_BEHIND}
    pieces = []
    for name, part in [*parts, ("game", state)]:
        file = io.BytesIO()
        _Pickler(file, known).dump((name, part))
        pieces.append(file.getvalue())
        known.setdefault(id(part), name)
    return pieces


def thaw(pieces: Sequence[bytes], sheet: RuleSheet, name: str) -> CircuitGame:
    """The game of `freeze`, for the same rules."""
    known: dict[str, Any] = {"sheet": sheet}
    for piece in pieces:
        part, value = _Unpickler(io.BytesIO(piece), known).load()
        known[part] = value
    game = CircuitGame.__new__(CircuitGame)
    vars(game).update(known["game"])
    game.name = name
    steps = BatchSteps(game.circuit)
    vars(steps).update({part: known[part] for part in game.first_steps})
    vars(game)["batch_steps"] = steps
    return game


class _Pickler(pickle.Pickler):
    """Refers to parts that are sent before, and sends by recipe what cannot be sent as it is."""

    def __init__(self, file: io.BytesIO, known: dict[int, str]) -> None:
        super().__init__(file, protocol=5)
        self._known = known

    def persistent_id(self, value: object) -> str | None:
        return self._known.get(id(value))

    def reducer_override(self, value: object) -> Any:
        recipe = _RECIPES.get(type(value))
        return NotImplemented if recipe is None else recipe(value)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, known: dict[str, Any]) -> None:
        super().__init__(file)
        self._known = known

    def persistent_load(self, name: str) -> Any:
        return self._known[name]


def _code_recipe(code: MachineCode) -> tuple[object, ...]:
    if isinstance(code.owner, tuple):  # the interpreter's
        return interpret, (code.owner[0],)
    memory: Any = code.owner
    return _load_code, (bytes(memory[: code.size]), code.slots)


def _load_code(code: bytes, slots: int) -> MachineCode:
    return Assembled(code, slots, 0).load()


def _step_recipe(step: Step) -> tuple[object, ...]:
    phases = [_without_gates(phase) if phase.is_assembled else phase for phase in step.phases]
    return Step, (phases, list(step.code.owners), step.operations)


def _without_gates(phase: StepGates) -> StepGates:
    return StepGates(
        Gates(),
        {},
        [],
        (),
        phase.fluents,
        phase.first_choice,
        phase.random_bits,
        phase.first_output,
        phase.output_rows,
    )


def _evaluator_recipe(evaluator: Evaluator) -> tuple[object, ...]:
    return Evaluator, (evaluator.inputs, evaluator.outputs, evaluator.code)


def _move_recipe(move: GdlMove) -> tuple[object, ...]:
    return _make_move, (str(move), move.term)


def _make_move(text: str, term: Any) -> GdlMove:
    """The move without writing its term once more, which takes most of the time for games with many moves."""
    move = str.__new__(GdlMove, text)
    move.term = term
    return move


_RECIPES: dict[type, Callable[[Any], tuple[object, ...]]] = {
    MachineCode: _code_recipe,
    Step: _step_recipe,
    Evaluator: _evaluator_recipe,
    GdlMove: _move_recipe,
}
