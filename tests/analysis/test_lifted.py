from __future__ import annotations

import pytest

from ludens.analysis.subgames.parts import Kind
from ludens.analysis.syntactic.lifted import lifted_decomposition
from ludens.games.library import find


def parts(name: str) -> list[tuple[Kind, tuple[str, ...], tuple[str, ...]]]:
    return lifted_decomposition(find(name).rule_sheet())


def test_heaps_of_nim_are_subgames_without_grounding() -> None:
    assert parts("nim:3,4") == [
        (Kind.CONTROL, ("(control _)",), ()),
        (Kind.GAME, ("(heap a _)",), ("(reduce a _)",)),
        (Kind.GAME, ("(heap b _)",), ("(reduce b _)",)),
        (Kind.NOOP, (), ("noop",)),
    ]


def test_lines_join_the_columns_of_connect_four() -> None:
    assert sum(kind is Kind.GAME for kind, _, _ in parts("connect_four")) == 1


@pytest.mark.parametrize(("name", "subgames"), [("double_tic_tac_toe", 2), ("tic_tac_toe", 1), ("othello", 1)])
def test_number_of_subgames_without_grounding(name: str, subgames: int) -> None:
    assert sum(kind is Kind.GAME for kind, _, _ in parts(name)) == subgames
