"""Positions that say something about a game: typical ones, and the extremes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludens.core import LudensError, State
from ludens.design.drama import drama_of
from ludens.design.examined import Examined
from ludens.design.strong_play import StrongMatch
from ludens.drawing import draw


@dataclass(frozen=True, slots=True)
class Plate:
    """A drawn position."""

    caption: str
    svg: str
    text: str


def gallery(seen: Examined) -> list[Plate]:
    """Draw the positions; those that cannot be drawn are left out."""
    plates: dict[State, Plate] = {}
    for caption, state in _choose(seen):
        if state in plates:
            continue
        try:
            drawing = draw(seen.game, state, clickable=False)
        except (LudensError, RecursionError):
            continue
        plates[state] = Plate(caption, drawing.inline, drawing.text)
    return list(plates.values())


def _choose(seen: Examined) -> Iterator[tuple[str, State]]:
    yield "The start", seen.game.initial_state()
    ended = sorted((match for match in seen.strong if match.goals is not None), key=lambda match: match.length)
    if ended:
        middle = ended[len(ended) // 2]
        yield f"The middle of a typical match, turn {middle.length // 2}", middle.states[middle.length // 2]
        yield f"The end of a typical match: {_result(middle)}", middle.states[-1]
        yield f"The end of the shortest match, turn {ended[0].length}: {_result(ended[0])}", ended[0].states[-1]
        yield f"The end of the longest match, turn {ended[-1].length}: {_result(ended[-1])}", ended[-1].states[-1]
        yield from _most(ended)
    if seen.play.stuck_states:
        yield "Stuck: a role has no move here", seen.play.stuck_states[0]
    if not ended and seen.play.finals:
        yield "The end of a random match", seen.play.finals[0]


def _most(ended: list[StrongMatch]) -> Iterator[tuple[str, State]]:
    """The widest choice, and the deepest hole that a winner climbed out of."""
    choices = [(choice.moves, choice.turn, match) for match in ended for choice in match.choices]
    if choices:
        moves, turn, match = max(choices, key=lambda item: item[0])
        yield f"The widest choice: {moves} moves, turn {turn}", match.states[turn]
    stories = [(story, match) for match in ended if (story := drama_of(match)) is not None and story.is_comeback]
    if stories:
        story, match = max(stories, key=lambda item: item[0].deficit)
        assert match.goals is not None
        winner = match.goals.index(max(match.goals))
        worst = min(range(len(story.values)), key=lambda n: story.values[n][winner])
        value = story.values[worst][winner]
        caption = f"{match.roles[winner]} expects {value:.0f} here, turn {story.turns[worst]}, and wins"
        yield caption, match.states[story.turns[worst]]


def _result(match: StrongMatch) -> str:
    assert match.goals is not None
    return ", ".join(f"{role} {goal}" for role, goal in zip(match.roles, match.goals, strict=True))
