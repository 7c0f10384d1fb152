"""What import-linter's contracts do not say: that they see every file, and that no modules import each other,
not even for types."""

from __future__ import annotations

from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

import ludens

LATE = {
    "ludens.compiler.batch.game": {
        "ludens.compiler.batch.facts.circuit_facts",
        "ludens.compiler.batch.lanes",
        "ludens.compiler.batch.worlds",
    },
    "ludens.core.batch_game": {"ludens.core.block_callbacks"},
}
"""Imports inside functions that close a circle: a game makes the lanes and worlds that are made of its states."""


@cache
def imports() -> dict[str, set[str]]:
    graph = grimp.build_graph("ludens", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_the_contracts_see_every_file() -> None:
    folder = Path(ludens.__file__).parent
    files = {path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py")}

    assert imports().keys() == {".".join(path.parts).removesuffix(".__init__") for path in files}


def test_no_modules_import_each_other() -> None:
    needed = {module: imported - LATE.get(module, set()) for module, imported in imports().items()}

    order = list(TopologicalSorter(needed).static_order())  # raises CycleError with the circle

    assert len(order) == len(needed)
