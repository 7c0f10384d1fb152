"""The setup of a match: game, players and clocks, as the form sends it and the disk stores it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom
from typing import Any

import ludens
from ludens.core import Clock, Game, GameError, Role
from ludens.games import library
from ludens.games.library import Choice

HUMAN = "human"
"""The player of a seat that a person takes by its link."""
SEEDS = 2**53
"""The number of seeds: too many to search for the one that dealt the visible cards, and all exact in JavaScript."""
_LIBRARY_NAME = re.compile(r"[\w\- ]{1,80}(:[^/\\\0]{0,400})?(@\w{1,20})?")
_MEMORY = re.compile(r"\bmemory=(\d+)")
_OWN_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a role, and how long it may think."""

    player: str
    """`HUMAN`, or a player with its options as `make_player` reads it."""
    clock: Clock


@dataclass(frozen=True, slots=True)
class Setup:
    """One match, before it begins."""

    game: str
    """The name in the library, with parameters; or the client's name for its own rules."""
    own_rules: bool
    """True if a client wrote the rules; they are in the match's folder then."""
    seats: Mapping[Role, Seat]
    seed: int
    undo: bool
    """True if people may take moves back."""
    is_seed_chosen: bool = False
    """True if a client chose the seed, and could predict dice and cards."""

    @property
    def people(self) -> tuple[Role, ...]:
        """The roles that people play."""
        return tuple(role for role, seat in self.seats.items() if seat.player == HUMAN)

    @property
    def megabytes(self) -> int:
        """The total of the players' explicit ``memory`` options; 0 if there are none."""
        options = (_MEMORY.search(seat.player) for seat in self.seats.values())
        return sum(int(option[1]) for option in options if option)

    def rematch(self, seed: int) -> tuple[Setup, dict[Role, Role]]:
        """The same match once more, in which everybody moves on to the next role; and the new role of each old one."""
        roles = list(self.seats)
        new_roles = dict(zip(roles, [*roles[1:], roles[0]], strict=True))
        seats = {new: self.seats[old] for old, new in new_roles.items()}
        again = replace(self, seats={role: seats[role] for role in roles}, seed=seed, is_seed_chosen=False)
        return again, new_roles

    def as_json(self) -> dict[str, Any]:
        """The setup as JSON values."""
        return {
            "game": self.game,
            "own_rules": self.own_rules,
            "seats": {
                role: {
                    "player": seat.player,
                    "play": None if seat.clock.play == math.inf else seat.clock.play,
                    "start": None if seat.clock.start == math.inf else seat.clock.start,
                }
                for role, seat in self.seats.items()
            },
            "seed": self.seed,
            "undo": self.undo,
            "is_seed_chosen": self.is_seed_chosen,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Setup:
        """The setup that `as_json` described."""

        def seconds(value: float | None) -> float:
            return math.inf if value is None else value

        return Setup(
            game=data["game"],
            own_rules=data["own_rules"],
            seats={
                role: Seat(seat["player"], Clock(seconds(seat["play"]), seconds(seat["start"])))
                for role, seat in data["seats"].items()
            },
            seed=data["seed"],
            undo=data["undo"],
            is_seed_chosen=data["is_seed_chosen"],
        )


def new_seed() -> int:
    """A seed that nobody can guess."""
    return SystemRandom().randrange(SEEDS)


def rules_path(folder: Path, setup_name: str) -> Path:
    """The file of a client's own rules in the folder of a match."""
    return folder / f"{setup_name}.kif"


def own_rules_path(records: Path, rules_hash: str) -> Path:
    """The folder of clients' rules, beside the records of their matches."""
    return records / "rules" / f"{rules_hash}.kif"


def load(game: str, own_rules: Path | None, backend: str = "auto") -> Game:
    """The game of a match, interpreted until players want it compiled. Raises `GameError`."""
    return ludens.load(own_rules or library_choice(game).text, backend=backend)


def library_choice(text: str) -> Choice:
    """The game of the library that a client names; never a file. Raises `GameError`."""
    if not _LIBRARY_NAME.fullmatch(text):
        raise GameError("a game is chosen by its name in the library, such as connect_four or nim:3,4,5")
    choice = library.find(text)
    if not choice.in_library:
        raise GameError(f"there is no game {text!r} in the library")
    return choice


def is_tame(choice: Choice) -> bool:
    """True if compiling the game is known to be safe: no parameters, or those that its card proposes."""
    return not choice.parameters or ",".join(choice.parameters) in choice.card.choices


def own_name(text: str) -> str:
    """The client's name for its own rules. Raises `GameError` if it is not a valid file name."""
    if not _OWN_NAME.fullmatch(text):
        raise GameError("the name of your rules needs lower-case letters, digits and _, a letter first")
    return text
