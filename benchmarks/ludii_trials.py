"""Replay Ludii's random trials with the games of the library that have the same names.

``python -m benchmarks.ludii_trials FOLDER`` takes a folder of trials as Ludii keeps them in
``Player/res/random_trials`` (``NAME/RandomTrial_0.txt``) and prints one line for each that has a namesake: how many
positions have as many legal moves as theirs, and whether end and ranking agree. Their sites have numbers, row by row.
Which of our coordinates these are is inferred: of all ways to turn and mirror the board, one must make every move of
the trial a legal move of ours.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import ludens
from benchmarks.playthroughs import Place, split
from ludens.core import Game, GameError, Move, State
from ludens.games.library import entries

SIZES = range(3, 20)
"""Sizes of boards that are tried."""
_ONCE = "theirs counts promotions of a pawn to different pieces once"
Sites = tuple[int, ...]
"""Where a move of theirs leads from and to; one number if it is the same."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One file."""

    name: str
    moves: Sequence[tuple[int, Sites]]
    """Mover and sites of each move after the board was set up; no sites: a pass."""
    counts: Sequence[int]
    """Legal moves before each of them."""
    ranks: Sequence[float]
    """The rank of each player at the end; empty if the trial was cut off."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a trial was replayed."""

    positions: int
    difference: str
    """Empty if everything agreed."""
    remark: str = ""
    """What had to be counted in another way."""


def plain(name: str) -> str:
    """A name as our library writes it: ``nine_mens_morris``."""
    return re.sub(r"\W+", "_", name.replace("'", "").lower()).strip("_")


def read(text: str) -> Trial:
    """A trial. Raises `GameError` if it has options, which mean other rules."""
    game = re.search(r"^game=.*/(.*)\.lud$", text, re.MULTILINE)
    options = re.search(r"^START GAME OPTIONS\n(.*?)END GAME OPTIONS", text, re.MULTILINE | re.DOTALL)
    if game is None or options is None or options[1]:
        raise GameError("no trial of Ludii without options")
    made = [
        (int(found[1]), _sites(found[0]))
        for found in re.finditer(r"^Move=\[Move:mover=(\d+).*$", text, re.MULTILINE)
        if found[1] != "0"  # setting up the board
    ]
    counts = [int(count) for count in re.findall(r"^LEGAL MOVES LIST SIZE = (\d+)$", text, re.MULTILINE)]
    ranks = re.search(r"^rankings=(.*)$", text, re.MULTILINE)
    return Trial(
        plain(game[1]), made, counts[-len(made) :], [float(rank) for rank in ranks[1].split(",")[1:]] if ranks else []
    )


def _sites(line: str) -> Sites:
    head = re.match(r"Move=\[Move:mover=\d+(?:,from=(\d+))?(?:,to=(\d+))?", line)
    if head is None or head[2] is None or "[Pass:" in line:
        return ()
    ends = [int(site) for site in head.groups() if site is not None]
    return tuple(dict.fromkeys(ends))


Reading = Callable[[int], Place]
"""Our coordinates of a site."""


def readings(game: Game) -> Iterator[Reading]:
    """All ways to number the squares of a board of the size that the first moves suggest."""
    state = game.initial_state()
    places = [split(str(move))[1] for role in game.roles for move in state.legal_moves(role)]
    values = sorted({value for place in places for value in place}) or [1]
    widths = range(max(1, values[-1] - 2), values[-1] + 4)
    for width, first, flip_x, flip_y, turned in itertools.product(widths, (0, 1), (0, 1), (0, 1), (0, 1)):

        def read_site(
            site: int, width: int = width, first: int = first, flips: Place = (flip_x, flip_y), turned: int = turned
        ) -> Place:
            x, y = site % width, site // width
            x, y = (width - 1 - x if flips[0] else x), (width - 1 - y if flips[1] else y)
            return (y + first, x + first) if turned else (x + first, y + first)

        yield read_site


def find_move(legal: Sequence[Move], sites: Sites, reading: Reading) -> Move | None:
    """Our move that means the same sites: all coordinates, or as many as it has; None if that is not exactly one."""
    if not sites:
        return legal[0] if len(legal) == 1 else None
    wanted = tuple(value for site in sites for value in reading(site))
    for size in (len(wanted), 1):
        alike = [move for move in legal if split(str(move))[1] == wanted[:size]]
        if len(alike) == 1:
            return alike[0]
    return None


def _how_many(legal: Sequence[Move], sites: Sites, reading: Reading) -> str:
    """Whether the sites mean no move of ours, or several, such as promotions: theirs chooses the piece in a turn."""
    wanted = tuple(value for site in sites for value in reading(site))
    count = sum(split(str(move))[1] == wanted for move in legal)
    return f"{count} moves, theirs another turn to choose," if count > 1 else "no move"


def follow(game: Game, order: Sequence[str], trial: Trial, reading: Reading) -> Outcome:
    """Replay a trial on a game under one reading of its sites."""
    state: State = game.initial_state()
    remark = ""
    for number, ((mover, sites), count) in enumerate(zip(trial.moves, trial.counts, strict=True)):
        if state.is_terminal:
            found = Outcome(number, "only ours is over") if sites else _end(state, order, trial, number)
            return replace(found, remark=remark)
        role = order[(mover - 1) % len(order)]
        legal = state.legal_moves(role)
        if len(legal) != count:
            if len({split(str(move))[1] for move in legal}) != count:
                return Outcome(number, f"{count} legal moves, ours {len(legal)}", remark)
            remark = _ONCE
        move = find_move(legal, sites, reading)
        if move is None:
            return Outcome(number, f"ours has {_how_many(legal, sites, reading)} for {sites}", remark)
        state = state.play({other: own[0] for other in game.roles if (own := state.legal_moves(other))} | {role: move})
    return replace(_end(state, order, trial, len(trial.moves)), remark=remark)


def _end(state: State, order: Sequence[str], trial: Trial, number: int) -> Outcome:
    if not trial.ranks or not state.is_terminal:
        return Outcome(number, "" if not trial.ranks and not state.is_terminal else "only one of both is over")
    goals = [state.goals[role] for role in order]
    pairs = itertools.combinations(range(len(goals)), 2)
    agrees = all((goals[a] > goals[b]) == (trial.ranks[a] < trial.ranks[b]) for a, b in pairs)
    return Outcome(number, "" if agrees else f"goals {goals}, ranks {list(trial.ranks)}")


def sized(trial: Trial) -> Game:
    """Our game, in the size that has as many first moves as the trial, if there is one."""
    usual = ludens.load(trial.name, backend="interpreter")
    for size in ("", *(f":{number}" for number in SIZES)):
        try:
            game = ludens.load(trial.name + size, backend="interpreter")
        except GameError:
            continue
        state = game.initial_state()
        if any(len(state.legal_moves(role)) == trial.counts[0] for role in game.roles):
            return game
    return usual


def replay(trial: Trial) -> Outcome:
    """The best outcome under any reading and order of roles."""
    game = ludens.load(trial.name, backend="interpreter")
    if game.chance or game.hidden:
        return Outcome(0, "not compared: chance or hidden information")
    game = sized(trial)
    best = Outcome(-1, "other players")
    for order in itertools.permutations(game.roles):
        for reading in readings(game):
            found = follow(game, order, trial, reading)
            if not found.difference:
                return found
            best = max(best, found, key=lambda outcome: outcome.positions)
    return best


def main() -> None:
    """Print a line for each trial with a namesake."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    agreed = total = 0
    for path in sorted(parser.parse_args().folder.glob("**/RandomTrial_*.txt")):
        if plain(path.parent.name) not in entries():
            continue
        try:
            found = replay(read(path.read_text(encoding="utf-8")))
        except GameError as error:
            found = Outcome(0, str(error))
        total += 1
        agreed += not found.difference
        title = f"{path.parent.name}/{path.stem}"
        remark = f" ({found.remark})" if found.remark else ""
        print(f"{title:<50}{found.positions:>5}  {found.difference or 'agrees'}{remark}", flush=True)
    print(f"{agreed} of {total} trials agree in every position")


if __name__ == "__main__":
    main()
