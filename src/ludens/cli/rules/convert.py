"""``ludens convert``: a rule sheet from one syntax to the other, or from the stochastic dialect to GDL-II."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import GameArgument
from ludens.core.files import write_file
from ludens.games import library
from ludens.gdl.chance.gdl_ii import to_gdl_ii
from ludens.gdl.read import detect_syntax
from ludens.gdl.write import write_infix, write_kif


class Target(StrEnum):
    """The formats to write."""

    KIF = "kif"
    INFIX = "infix"
    GDL_II = "gdl-ii"


def convert(
    game: GameArgument,
    to: Annotated[
        Target | None, typer.Option("--to", help="The syntax to write, by default the other one; or gdl-ii, in KIF.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Write a rule sheet in the other syntax (KIF prefix or Prolog-like infix). Comments are dropped.

    With --to gdl-ii, random variables become moves of the role random, with the same probabilities.
    """
    sheet = library.find(game).rule_sheet()
    target = to or (Target.INFIX if detect_syntax(sheet.source.text) == "kif" else Target.KIF)
    rules = to_gdl_ii(sheet) if target is Target.GDL_II else sheet.rules
    text = write_infix(rules) if target is Target.INFIX else write_kif(rules)
    if output is None:
        print(text, end="")
        return
    write_file(output, text)
