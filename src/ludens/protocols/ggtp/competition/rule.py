"""The options of a competition as a rule, and the game that they make."""

from __future__ import annotations

from collections.abc import Mapping

from ludens.arena.specification import Format
from ludens.core import Option, OptionValue
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.competition.game import CompetitionGame
from ludens.protocols.ggtp.language.grammar import CommandError, word

NAME = "tournament"
"""The name of the rule."""
MOST_PLAYERS = 1000
GAME, PLAYERS, FORMAT, ROUNDS, REPETITIONS, PARALLEL = "game", "players", "format", "rounds", "repetitions", "parallel"
OPTIONS = (
    Option(GAME, "tic_tac_toe", "the rule of the matches"),
    Option(PLAYERS, "2", f"how many players, 1 to {MOST_PLAYERS}, or their names separated by commas"),
    Option(FORMAT, str(Format.ROUND_ROBIN), "who meets whom", choices=tuple(map(str, Format))),
    Option(ROUNDS, 0, "rounds of swiss and ladder; 0 for as many as it takes", 0, 10_000),
    Option(REPETITIONS, 1, "matches of each encounter, with seats rotated", 1, 10_000),
    Option(PARALLEL, 1, "matches that are played at the same time", 1, 100),
)
_WITH_ROUNDS = (Format.SWISS, Format.LADDER)


def competition_game(values: Mapping[str, OptionValue], matches: ChosenRule) -> CompetitionGame:
    """The competition with these options; whether they fit together is checked when it starts."""
    if matches.is_competition:
        raise CommandError("The game of a competition is one that is played in matches, not a competition.")
    form = Format(str(values[FORMAT]))
    settings = {
        "games": (str(values[GAME]),),
        "format": form,
        "seats": len(matches.game.roles),
        "rounds": int(values[ROUNDS]) if form in _WITH_ROUNDS else 0,
        "repetitions": int(values[REPETITIONS]),
    }
    return CompetitionGame(_players(str(values[PLAYERS])), settings, matches, int(values[PARALLEL]))


def _players(text: str) -> tuple[str, ...]:
    """``player_1`` and so on, or names."""
    if text.isascii() and text.isdecimal():
        count = int(text[:9])
        names = tuple(f"player_{number}" for number in range(1, min(count, MOST_PLAYERS + 1) + 1))
    else:
        names = tuple(word(name.strip()) for name in text.split(","))
    if not 1 <= len(names) <= MOST_PLAYERS or len({name.lower() for name in names}) < len(names) or not all(names):
        raise CommandError(f"Players are a number from 1 to {MOST_PLAYERS}, or different names separated by commas.")
    return names
