"""Draws all pictures of the guide into a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

import ludens
from benchmarks.pictures.canvas import PALE, Canvas
from benchmarks.pictures.circuits import line_circuit, stages
from benchmarks.pictures.diagrams import (
    cluster,
    game_controller,
    general_gaming,
    layers,
    pipeline,
    player_calls,
    protocols,
)
from benchmarks.pictures.lanes import fluents, steps, words
from benchmarks.pictures.speed import speed
from ludens.analysis.drawing import plain_svg
from ludens.analysis.report import report
from ludens.games.library import find
from ludens.gdl.game import GdlGame

GAMES = ("tic_tac_toe", "connect_four", "othello")


def whole() -> Canvas:
    """From rules to gates to matches, side by side."""
    canvas = Canvas(990, 240, "Rules become gates, and gates play 64 matches at once")
    rules = find("tic_tac_toe").path.read_text(encoding="utf-8").split("; ---- lines", 1)[1]
    for place, line in enumerate(rules.splitlines()[2:12]):
        canvas.text(18, 72 + 16 * place, line, size=11, code=True)
    canvas.arrow(262, 140, 292)
    canvas.put(line_circuit(), 304, 54, 0.46)
    canvas.arrow(652, 140, 682)
    canvas.put(fluents(), 690, 66, 0.9)
    for x, text in ((18, "rules"), (312, "become gates"), (690, "that play many matches at once")):
        canvas.text(x, 34, text, size=18, fill=PALE)
    canvas.text(690, 216, "29 fluents of 64 matches of tic-tac-toe", size=11, fill=PALE)
    return canvas


def nim() -> str:
    """The dependency graph of Nim, like figure 2 of the paper on decomposition."""
    game = ludens.load("nim:1,2,3", backend="circuit")
    assert isinstance(game, GdlGame)
    return plain_svg(report(game), game.name)


def draw(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {
        "ludens": whole(),
        "line": line_circuit(),
        "stages": stages(GAMES),
        "words": words(),
        "lanes": steps(),
        "speed": speed(),
        "pipeline": pipeline(),
        "layers": layers(),
        "ggp": game_controller(),
        "ggtp": general_gaming(),
        "player": player_calls(),
        "cluster": cluster(),
        "protocols": protocols(),
    }
    for name, canvas in pictures.items():
        canvas.write(folder / f"{name}.svg")
    (folder / "nim.svg").write_text(nim(), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    draw(parser.parse_args().folder)
