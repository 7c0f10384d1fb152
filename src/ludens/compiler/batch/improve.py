"""Playouts with the smaller circuits that invariants allow: play, hypothesise, prove, and rebuild the program."""

from __future__ import annotations

import numpy as np

from ludens.compiler.batch.playout import PlayoutMachine, PlayoutProgram, improved_program
from ludens.compiler.circuit.invariants import Improvement, improve
from ludens.compiler.circuit.signals import Words
from ludens.compiler.circuit.turns import turn_phases

SAMPLES = 32
"""How often the lanes are sampled for states that suggest invariants."""


def improve_playouts(program: PlayoutProgram, seconds: float) -> tuple[PlayoutProgram, Improvement]:
    """A program with the same playouts for the same seeds and fewer operations, found within a time limit in seconds.

    It has the places of the given one, so that a machine can change over to its code at any time, but not back: it does
    not keep fluents that nothing reads.
    """
    improvement = improve(turn_phases(program.circuit), _sample_states(program), seconds)
    return improved_program(program, improvement.phases), improvement


def _sample_states(program: PlayoutProgram) -> Words:
    """States of random playouts, from early in the match and later."""
    machine = PlayoutMachine(program, 1, program.machine_code() if program.is_assembled else ())
    found = []
    for sample in range(SAMPLES):
        machine.run_rounds(1 + sample // 2)
        found.append(machine.fluents)
    return np.concatenate(found, axis=1)
