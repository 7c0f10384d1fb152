"""``ludens convert``: a rule sheet from one syntax to the other."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.console import GameArgument
from ludens.core import GameError
from ludens.games import library
from ludens.gdl.read import guess_syntax
from ludens.gdl.write import write_infix, write_kif


class Target(StrEnum):
    """The syntaxes that rules can be written in."""

    KIF = "kif"
    INFIX = "infix"


def convert(
    game: GameArgument,
    to: Annotated[Target | None, typer.Option("--to", help="The syntax to write; the other one if left out.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Write a rule sheet in the other syntax (KIF prefix or Prolog-like infix). Comments are left behind."""
    sheet = library.find(game).rule_sheet()
    target = to or (Target.INFIX if guess_syntax(sheet.source.text) == "kif" else Target.KIF)
    text = write_kif(sheet.rules) if target is Target.KIF else write_infix(sheet.rules)
    if output is None:
        print(text, end="")
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GameError(f"cannot write {output}: {error.strerror or error}") from None
