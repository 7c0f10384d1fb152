"""Passes that run out of memory raise MemoryError, and can be called again."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys

import numpy as np
import pytest

from ludens.compiler.ground.flat_rules import FlatRules
from ludens.compiler.passes.library import ADDRESS, COUNT, allocating_function
from ludens.core.process import environment

ENDLESS = 2**58
"""More items than any machine has room for."""

_find_components = allocating_function("find_components", COUNT, ADDRESS, COUNT, ADDRESS, COUNT, *[ADDRESS] * 4)

SWEEP = """
import ctypes, gc, json, resource
from dataclasses import replace
from ludens.compiler.circuit.circuit import build_circuit
from ludens.compiler.circuit.gates import Gates
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.compile import compile_rules
from ludens.compiler.native.cover import cover
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.registers import allocate_registers
from ludens.games.library import find

ctypes.CDLL(None).mallopt(-3, 1 << 12)  # memory that was freed is not kept for the next large array
compilation = compile_rules(find("checkers").playable_sheet())
program, circuit = compilation.program, compilation.circuit
outputs = [literal for literal in circuit.next if literal > 1]
found = cover(circuit.gates, outputs)
nodes = {node: slot for slot, node in enumerate(sorted({int(node) for node in found.rows[:, 2:].flat}), 1)}
passes = {
    "circuit": lambda: len(build_circuit(program, circuit.roles).gates),
    "copy": lambda: Translation(chain, {}).literal(last),
    "cover": lambda: len(cover(circuit.gates, outputs).rows),
    "registers": lambda: len(allocate_registers(found, nodes, [], Avx512()).rows),
}
chain = replace(circuit, gates=Gates())
last = chain.gates.new_input()
for _ in range(1 << 15):
    last = chain.gates.both(last, chain.gates.new_input())
status = open("/proc/self/status")
results = {}
for name, compute in passes.items():
    right, outcomes = compute(), []
    for megabytes in [0.0] + [0.05 * 1.3**step for step in range(20)]:
        gc.collect()
        status.seek(0)
        used = next(int(line.split()[1]) for line in status if line.startswith("VmData")) * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (used + int(megabytes * 2**20), resource.RLIM_INFINITY))
        try:
            outcomes.append(compute() == right)
        except MemoryError:
            outcomes.append(None)
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    results[name] = outcomes
print(json.dumps(results))
"""


def test_too_many_items_are_refused_and_the_next_call_works() -> None:
    nothing = ctypes.create_string_buffer(64)

    with pytest.raises(MemoryError):
        _find_components(nothing, ENDLESS, nothing, 0, nothing, nothing, nothing, nothing)

    order, _ = FlatRules.of({2: [(1,)], 3: [(2,)]}).order(np.array([3], np.int32), marked=[])
    assert [atoms for atoms, _ in order.components()] == [[2], [3]]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
def test_passes_end_with_an_error_or_the_right_result_however_little_memory_there_is() -> None:
    found = subprocess.run(
        [sys.executable, "-c", SWEEP], capture_output=True, text=True, env=environment(), check=False
    )

    assert found.returncode == 0, found.stderr
    outcomes = json.loads(found.stdout)
    assert {name: set(seen) - {None} for name, seen in outcomes.items()} == {name: {True} for name in outcomes}
    assert None in outcomes["circuit"]
    assert None in outcomes["copy"]
