"""All that an examination has found out, in the order in which it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludens.core import Game, Role
from ludens.core.interval import Interval
from ludens.design.contests import Contest
from ludens.design.coverage import Coverage
from ludens.design.drama import Drama
from ludens.design.random_play import RandomPlay
from ludens.design.strong_play import StrongMatch
from ludens.design.usage import Usage


@dataclass(frozen=True, slots=True)
class Perfect:
    """The value of the game under perfect play."""

    bounds: Mapping[Role, tuple[float, float]]
    is_exact: bool


@dataclass(slots=True)
class Examined:
    """What was seen of a game."""

    game: Game
    play: RandomPlay
    perfect: Perfect | None = None
    seats_alike: bool = False
    """Whether it is proved that all roles can change places, the start included."""
    leaves: int = 0
    """Leaves a move of the strong players."""
    strong: list[StrongMatch] = field(default_factory=list)
    stories: list[Drama] = field(default_factory=list)
    ladder: list[Contest] = field(default_factory=list)
    kinds: list[Usage] = field(default_factory=list)
    things: list[Usage] = field(default_factory=list)
    restricted: dict[str, Contest] = field(default_factory=dict)
    """What a side scored that must not make a kind of move."""
    coverage: Coverage = field(default_factory=Coverage)
    interaction: Interval | None = None
    """How often a choice changes what another role can do next."""
    interaction_sample: int = 0
    faulty_goals: dict[str, int] = field(default_factory=dict)
    """What is wrong with the goals of final states, and in how many."""
    finals: int = 0
    """Final states whose goals were looked at."""
    notes: list[str] = field(default_factory=list)
    """What was left out and why."""
