"""Playthroughs: all that can be observed in one seeded match of a game in Python, as text.

``python -m tests.games.tabletop.playthrough [NAME…]`` writes them anew; the tests compare. A change in a file is a
change of rules, or of what players see, and has to be meant.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import ludens
from ludens.core import State, random_joint_move
from ludens.games.library import TABLETOP_SHELF

NAMES = sorted(path.stem for path in TABLETOP_SHELF.glob("*.py") if not path.name.startswith("_"))
"""The games in Python that come with ludens."""
FOLDER = Path(__file__).parent / "playthroughs"
SHOWN = 30
"""Turns that are written out; of the rest a digest is kept."""
MOST_TURNS = 250
MOST_MOVES = 12
"""Legal moves that are written out."""


def lines(name: str) -> Iterator[str]:
    """A match turn by turn: what each role can do, what is done, and what each role perceives."""
    game = ludens.load(f"{name}@tabletop")
    rng = Random(f"playthrough of {name}")
    state: State = game.initial_state()
    for _ in range(MOST_TURNS):
        if state.is_terminal:
            break
        found = []
        for role in game.roles:
            legal = state.legal_moves(role)
            if legal:
                more = f" … ({len(legal)})" if len(legal) > MOST_MOVES else ""
                found.append(f"  {role} can: {', '.join(legal[:MOST_MOVES])}{more}")
        chosen = state.resolve(random_joint_move(state, rng), rng)
        state = state.play(chosen)
        found += [f"> {role}: {move}" for role, move in chosen.items()]
        found += [f"  {role} perceives: {' | '.join(state.percepts(role))}" for role in game.roles]
        yield "\n".join(found)
    end = "end" if state.is_terminal else "so far"
    yield f"{end}: goals {dict(state.goals)}, points {dict(state.points)}\n{state}"


def playthrough(name: str) -> str:
    """The text of a playthrough."""
    found = list(lines(name))
    digest = hashlib.sha256("\n".join(found).encode()).hexdigest()
    turns, end = found[:-1], found[-1]
    left = len(turns) - SHOWN
    more = [f"… {left} more turns"] if left > 0 else []
    text = "\n\n".join([*turns[:SHOWN], *more, end, f"digest of all turns: {digest}"])
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def write(names: list[str]) -> None:
    """Write the files of some games, or of all."""
    for name in names or NAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:])
