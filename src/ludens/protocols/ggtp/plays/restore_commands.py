"""The commands that restore a session from a play file, with the whole tree of turns.

Turns are written in the order of play, with ``select_branch`` wherever a turn does not follow the one before. Counting
then restores their numbers, and a play without branches looks as in the paper. Time used belongs to turns rather than
players, so that every branch has its own clocks.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.language.grammar import escape, word
from ludens.protocols.ggtp.language.options import MESSAGES, OFF, ON, RuleOptions, format_value
from ludens.protocols.ggtp.language.wording import seconds_text
from ludens.protocols.ggtp.plays.messages import names_of
from ludens.protocols.ggtp.plays.play import Play
from ludens.protocols.ggtp.questions import Questions
from ludens.protocols.ggtp.seats import Seats


def restore_commands(
    rule_options: RuleOptions, rule: ChosenRule | None, seats: Seats, questions: Questions, play: Play | None
) -> list[str]:
    """The commands that restore a session."""
    options = rule_options.changed_values
    was_talk_allowed = play is not None and any(play.messages.values()) and not play.game.messages
    talks_no_more = was_talk_allowed and MESSAGES not in options
    if talks_no_more:  # messages must be allowed while the file is read
        options[MESSAGES] = ON
    found = [f"set_option {name} {value}" for name, value in options.items()]
    if rule is not None:
        found.append(f"set_rule {rule.text}")
        found += [f"set_rule_option {name} {format_value(rule.values[name])}" for name in rule.changed]
    for role, link in seats.links.items():
        if link.is_guest:
            found.append(f"# {word(role)} is played by {link.name}, from elsewhere")
            continue
        found.append(f"set_engine {word(role)} {link.name}")
        settings = seats.settings[role].items()
        found += [f"set_engine_option {word(role)} {name} {value}" for name, value in settings]
    for role, own in questions.clocks.own.items():
        found.append(f"set_clock {word(role)} {seconds_text(own.move)} {seconds_text(own.game)}")
    if play is not None:
        found += _play_lines(questions, play)
    if talks_no_more:
        found.append(f"set_option {MESSAGES} {OFF}")
    return found


def _play_lines(questions: Questions, play: Play) -> Iterator[str]:
    """All turns in the order in which they were played, so that they get the same order when the file is read.

    Numbers count from 1 again, since those of deleted turns are missing.
    """
    numbers = {0: 0}
    at = 0
    yield "start"
    yield from _notes(questions, play, 0, 0)
    for turn in play.turns.values():
        if turn.parent != at:
            yield f"select_branch {numbers[turn.parent]}"
        yield from (f"force_play {word(role)} {move}" for role, move in turn.steps)
        at = turn.id
        numbers[at] = len(numbers)
        yield from _notes(questions, play, at, numbers[at])
    if play.current != at:
        yield f"select_branch {numbers[play.current]}"
    if not play.state.is_race:
        yield from (f"force_play {word(role)} {move}" for role, move in play.offers.items())


def _notes(questions: Questions, play: Play, turn: int, number: int) -> Iterator[str]:
    """The names and comments of a turn, under its number in the file."""
    if turn in play.names:
        yield f"name_branch {number} {play.names[turn]}"
    if turn in play.comments:
        yield f"comment_branch {number} {escape(play.comments[turn], '')}"
    for message in play.messages.get(turn, ()):
        yield f"say {word(message.sender)} {names_of(message)} {message.text}"
    for role in play.game.roles:
        used = questions.clocks.used(turn, role)
        if used and questions.control(role).game:
            yield f"set_used {word(role)} {seconds_text(used)}"
