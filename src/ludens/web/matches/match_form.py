"""The form for a new match: validates what a client sends and makes a setup of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core import NO_CLOCK, Clock, LudensError, Option, OptionValue, Player, Role
from ludens.players.registry import player_class, player_classes, stands_alone
from ludens.web.hosting.setup import HUMAN, SEEDS, Seat, Setup, new_seed
from ludens.web.settings import Limits

START_SECONDS = 1.0
"""The default start clock of players: short, since people wait for them."""
_LONGEST_HUMAN_CLOCK = 86_400.0
_MOST_MEGABYTES = 512
"""The maximum of any option called memory: it is the server's memory."""


def offered_players() -> dict[str, type[Player]]:
    """The players that a client may choose, by name; files and other machines are excluded."""
    return {name: kind for name, kind in player_classes().items() if _is_offered(kind)}


def _is_offered(kind: type[Player]) -> bool:
    return kind.name != HUMAN and stands_alone(kind)


def offered_options(kind: type[Player]) -> list[Option]:
    """The options that a client may set; free text is excluded, since it may name files."""
    return [option for option in kind.options if not isinstance(option.default, str) or option.choices]


def players_as_json() -> list[dict[str, Any]]:
    """All players with their options, for the form."""
    return [
        {
            "name": name,
            "description": kind.description,
            "options": [option.as_json() | {"maximum": _most(option)} for option in offered_options(kind)],
        }
        for name, kind in offered_players().items()
    ]


def seed_from(data: Mapping[str, Any]) -> int:
    """The seed that a client has chosen, or a new one. Raises `LudensError` if it is invalid."""
    seed = data.get("seed")
    if seed is None:
        return new_seed()
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < SEEDS:
        raise LudensError(f"the seed is a whole number from 0 to {SEEDS - 1}")
    return seed


def setup_from(
    data: Mapping[str, Any],
    game: str,
    roles: Sequence[Role],
    limits: Limits,
    *,
    own_rules: bool,
    first: Role = "",
    seed: int | None = None,
) -> Setup:
    """The match that a client describes; if it names no seats, with a person who is ``first`` with this ``seed``.

    Raises `LudensError` if it is invalid.
    """
    if len(roles) > limits.seats:
        raise LudensError(f"{game} has {len(roles)} roles; the limit here is {limits.seats}")
    wanted = data.get("seats", _default_seats(roles, first or roles[0]))
    if not isinstance(wanted, dict) or set(wanted) != set(roles):
        raise LudensError(f"the roles of {game} are {', '.join(roles)}; each needs a player")
    return Setup(
        game=game,
        own_rules=own_rules,
        seats={role: _seat(role, wanted[role], limits) for role in roles},
        seed=seed_from(data) if seed is None else seed,
        undo=data.get("undo") is True,
        is_seed_chosen=data.get("seed") is not None,
    )


def _default_seats(roles: Sequence[Role], first: Role) -> dict[Role, Any]:
    """A person in the seat that begins, against the usual players."""
    return {role: {"player": HUMAN if role == first else "auto"} for role in roles}


def _seat(role: Role, data: Any, limits: Limits) -> Seat:
    if not isinstance(data, dict) or not isinstance(data.get("player"), str):
        raise LudensError(f"{role} needs a player")
    name = data["player"]
    if name == HUMAN:
        clock = data.get("clock")
        return Seat(HUMAN, NO_CLOCK if clock is None else Clock(_seconds(clock, 1.0, _LONGEST_HUMAN_CLOCK), math.inf))
    kind = player_class(name)
    if kind is None or not _is_offered(kind):
        raise LudensError(f"there is no player {name!r} (players: {', '.join(offered_players())})")
    clock = Clock(_seconds(data.get("clock", 1.0), 0.05, limits.clock_seconds), START_SECONDS)
    options = _options(kind, data.get("options", {}))
    settings = ",".join(f"{key}={value}" for key, value in options.items())
    return Seat(f"{name}:{settings}" if settings else name, clock)


def _options(kind: type[Player], data: Any) -> dict[str, OptionValue]:
    """Options that differ from their defaults. Raises `PlayerError` for values that are not allowed."""
    if not isinstance(data, dict):
        raise LudensError("options are an object of names and values")
    offered = {option.name: option for option in offered_options(kind)}
    changed: dict[str, OptionValue] = {}
    for name, value in data.items():
        option = offered.get(name)
        if option is None:
            raise LudensError(f"player {kind.name!r} has no option {name!r} that can be set here")
        option.check(value)
        most = _most(option)
        if most is not None and isinstance(value, int | float) and value > most:
            raise LudensError(f"option {name!r} is at most {most:g} here")
        if value != option.default:
            changed[name] = value
    return changed


def _most(option: Option) -> float | None:
    return _MOST_MEGABYTES if option.name == "memory" else option.maximum


def _seconds(value: Any, least: float, most: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise LudensError(f"a clock must have {least:g} to {most:g} seconds per move")
    return float(value)
