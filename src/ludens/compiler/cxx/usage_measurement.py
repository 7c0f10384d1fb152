"""A profile of how queries are used, measured by the generated program itself."""

from __future__ import annotations

import time
from dataclasses import replace

from ludens.compiler.cxx.build import shared_library
from ludens.compiler.cxx.native import NativeGame
from ludens.compiler.cxx.prepare import Prepared
from ludens.compiler.cxx.project import CodeOptions, generate
from ludens.compiler.cxx.usage import Profile, sample_relations

PLAYOUT_LIMIT = 500
"""The maximum length of a measured playout in joint moves."""


def measure_profile(prepared: Prepared, seconds: float = 1.0) -> Profile:
    """Sample states for the sizes of relations, then compile with counters and play for about a number of seconds.

    Raises `GameError` if there is no compiler.
    """
    sampled = sample_relations(prepared, seconds)
    # Everything is memoised for the measurement: a table shows which calls are the first of their kind in a state.
    project = generate(prepared, sampled, CodeOptions(memo="on", queries=False, abi=True, instrument=True))
    native = NativeGame(shared_library(project, prepared.name), project.layout, prepared.name)
    start = native.initial()
    due = time.monotonic() + seconds
    states = seed = 0
    while not seed or time.monotonic() < due:
        seed += 1
        states += native.playouts(start, seed, 1, PLAYOUT_LIMIT).steps + 1
    counts = {query.key: native.query_profile(number) for number, query in enumerate(project.counted)}
    return replace(sampled, states=states, queries=counts)
