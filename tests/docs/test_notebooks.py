"""The notebooks of the guide do what they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.docs.notebooks import code_cells, run_cell

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs").rglob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_show_what_the_notebook_says(notebook: Path) -> None:
    namespace: dict[str, Any] = {}
    compared = 0
    for source, expected in code_cells(notebook):
        shown = run_cell(source, namespace)
        if expected is not None:
            assert shown == expected, source
            compared += 1

    assert compared >= 5


def test_the_last_expression_of_a_cell_is_shown() -> None:
    namespace: dict[str, Any] = {}

    assert run_cell("%load_ext ludens\na = 2\na + 1", namespace) == "3"
    assert run_cell("b = a", namespace) is None
