"""Branches of a play: lines of turns beside the current one, called by the number or the name of a turn."""

from __future__ import annotations

from ludens.protocols.ggtp.language.grammar import CommandError, escape, shown, word
from ludens.protocols.ggtp.plays.play import Play, PlayedTurn


def find_turn(play: Play, text: str) -> int:
    """The turn that a number or a name means, 0 for the start. Raises `CommandError` if there is none."""
    named = [number for number, name in play.names.items() if name == word(text)]
    if named:
        return named[0]
    if text.isdecimal() and len(text) < 10 and (int(text) == 0 or int(text) in play.turns):
        return int(text)
    raise CommandError(f"No branch {shown(text)}. Use list_branches to see all; every number of a turn is one.")


def name_turn(play: Play, number: int, name: str) -> None:
    """Give a turn a name, so that its branch can be called by it. Raises `CommandError` if it cannot be one."""
    name = word(name)
    if name.isdecimal():
        raise CommandError("A name is not a number.")
    if play.names.get(number) != name and name in play.names.values():
        raise CommandError(f"Another branch is called {shown(name)}.")
    play.names[number] = name


def delete_turn(play: Play, number: int) -> None:
    """Delete a turn and all after it. Raises `CommandError` if the play is there now."""
    if number in play.line or number == 0:
        raise CommandError("The play is in this branch. Use select_branch to go elsewhere first.")
    play.delete(number)


def turn_text(play: Play, number: int) -> str:
    """A turn as it can be called: its number, and its name if it has one."""
    return f"{number}={play.names[number]}" if number in play.names else str(number)


def branches_text(play: Play) -> str:
    """All branches, a line for each: where it ends, where it leaves an earlier one, and its moves from there."""
    parents = {turn.parent for turn in play.turns.values()}
    lines = []
    covered = {0}
    for end in play.turns:
        if end not in parents or end in play.names:
            turns = [play.turns[number] for number in play.path(end) if number not in covered]
            covered.update(turn.id for turn in turns)
            lines.append(_branch_text(play, turns))
    return "\n".join(["", *lines]) if lines else "none"


def _branch_text(play: Play, turns: list[PlayedTurn]) -> str:
    start = turns[0].parent
    return f"{turn_text(play, turns[-1].id)}{f' from {start}' if start else ''}: {format_turns(turns)}"


def format_turns(turns: list[PlayedTurn]) -> str:
    """The moves of some turns, as a list; tries that the rule refused are marked."""
    return ", ".join(
        f"{escape(word(role))} {escape(move)}{'' if turn.refusal(role) is None else ' (refused)'}"
        for turn in turns
        for role, move in turn.steps
    )
