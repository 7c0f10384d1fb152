"""Who plays which role with how much time, as the command line says it: ``red=flat``, ``red=2.5``, ``2.5``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ludens.core import Clock, Game, PlayerError, Role

DEFAULT_PLAYER = "auto"
"""The default player."""
_LONGEST = 86_400.0


def names_by_role(game: Game, texts: Sequence[str]) -> dict[Role, str]:
    """The player of every role, given as ``ROLE=PLAYER``; the default where none is. Raises `PlayerError`."""
    names: dict[Role, str] = {}
    for text in texts:
        role, name = _split(game, text)
        if role is None:
            raise PlayerError(f"{text!r} is not ROLE=PLAYER with a role of {game.name} ({', '.join(game.roles)})")
        if role in names:
            raise PlayerError(f"{role} has two players, {names[role]} and {name}; name one for each role")
        names[role] = name
    return dict.fromkeys(game.roles, DEFAULT_PLAYER) | names


def clocks_by_role(
    game: Game, names: Mapping[Role, str], play: Sequence[str], start: Sequence[str]
) -> dict[Role, Clock]:
    """The clock of every role, given as ``S`` for all or ``ROLE=S``; people have none unless theirs is given."""
    plays = _seconds_by_role(game, names, play, Clock().play, "--clock", 0.01)
    starts = _seconds_by_role(game, names, start, Clock().start, "--start-clock", 0.0)
    return {role: Clock(plays[role], starts[role]) for role in game.roles}


def _seconds_by_role(
    game: Game, names: Mapping[Role, str], texts: Sequence[str], default: float, option: str, least: float
) -> dict[Role, float]:
    general, special = default, {}
    for text in texts:
        role, value = _split(game, text)
        if role is None and "=" in value:
            raise PlayerError(f"{option} {text!r} names no role of {game.name} ({', '.join(game.roles)})")
        seconds = _seconds(value, option, least)
        if role is None:
            general = seconds
        else:
            special[role] = seconds
    unset = {role: math.inf if names[role] == "human" else general for role in game.roles}
    return unset | special


def _split(game: Game, text: str) -> tuple[Role | None, str]:
    """The role and what it gets; no role if the text names none."""
    spelled = {role.lower(): role for role in game.roles}
    role, equals, rest = text.partition("=")
    if equals and role.lower() in spelled:
        return spelled[role.lower()], rest
    return None, text


def _seconds(text: str, option: str, least: float) -> float:
    if text == "none":
        return math.inf
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not least <= seconds <= _LONGEST:
        raise PlayerError(f"{option} {text!r} is not S or ROLE=S with {least:g} to {_LONGEST:g} seconds, nor 'none'")
    return seconds
