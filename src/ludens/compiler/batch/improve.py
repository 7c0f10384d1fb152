"""Playouts with the smaller circuits that invariants allow: play, guess, prove, and build the program again."""

from __future__ import annotations

import numpy as np

from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, improved_program
from ludens.compiler.circuit.invariants import Improvement, improve
from ludens.compiler.circuit.signals import Words
from ludens.compiler.circuit.turns import turn_phases

SAMPLES = 32
"""How many times the lanes are looked at, for states from which invariants are guessed."""


def improve_playouts(program: PlayoutProgram, seconds: float) -> tuple[PlayoutProgram, Improvement]:
    """A program with the same playouts for the same seeds and fewer operations, as far as so many seconds allow.

    It has the places of the given one, so that a machine can change over to its code at any time, but not back: it does
    not keep fluents that nothing reads.
    """
    improvement = improve(turn_phases(program.circuit), _reached(program), seconds)
    return improved_program(program, improvement.phases), improvement


def _reached(program: PlayoutProgram) -> Words:
    """States of random playouts, from early in the match and later."""
    machine = PlayoutMachine(program, 1, program.machine_code() if program.is_assembled else ())
    found = []
    for sample in range(SAMPLES):
        machine.run_rounds(1 + sample // 2)
        found.append(machine.fluents)
    return np.concatenate(found, axis=1)
