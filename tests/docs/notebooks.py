"""Notebooks of the guide without Jupyter: their cells run one after another, and what they show is compared."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def code_cells(notebook: Path) -> Iterator[tuple[str, str | None]]:
    """The source of each cell of code, and the text that it shows, if the notebook has one."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            shown = [output["data"]["text/plain"] for output in cell["outputs"] if "data" in output]
            yield "".join(cell["source"]), "".join(shown[0]) if shown else None


def run_cell(source: str, namespace: dict[str, Any]) -> str | None:
    """Run a cell; returns the text of its last expression, as a notebook shows it. Commands of IPython are left out."""
    lines = [line for line in source.splitlines() if not line.startswith("%")]
    tree = ast.parse("\n".join(lines))
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), namespace)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), "cell", "exec"), namespace)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    return None if value is None else repr(value)
