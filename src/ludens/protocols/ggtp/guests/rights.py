"""The rights of guests: a Supervisor may do all but use files, an observer only ask, a player play its own player."""

from __future__ import annotations

from ludens.core import Role
from ludens.protocols.ggtp.competition.rule import GAME
from ludens.protocols.ggtp.engines.registry import engine_class, is_command
from ludens.protocols.ggtp.guests.lobby import Guest
from ludens.protocols.ggtp.language.grammar import CommandError, match_name, word
from ludens.protocols.ggtp.language.options import takes_any_text
from ludens.protocols.ggtp.network.hello import OBSERVER, PLAYER
from ludens.protocols.ggtp.rules import need_library_rule
from ludens.protocols.ggtp.session import Session

FOR_PLAYERS = frozenset(
    {
        "get_version",
        "quit",
        "list_commands",
        "known_command",
        "get_rule",
        "list_rule_options",
        "get_rule_option",
        "list_rule_option_choices",
        "list_players",
        "get_engine",
        "list_possible_moves",
        "get_result",
        "get_table",
        "get_last_move",
        "list_played_moves",
        "play",
        "get_clock",
        "say",
    }
)
"""Commands of guests who play."""
ASKING = FOR_PLAYERS - {"play", "say"} | {
    "list_options",
    "get_option",
    "list_option_choices",
    "list_rules",
    "list_engines",
    "list_branches",
    "get_branch",
    "get_comment",
    "list_messages",
    "list_guests",
}
"""Commands of guests who watch: they change nothing."""
FILES = frozenset({"load_file", "save_file", "close_file"})
"""Commands about files of the machine where the Rules are."""
MOVES = frozenset({"get_last_move", "list_played_moves"})
"""Commands that reveal all moves, which are secret in games with hidden information."""
VIEWS = frozenset({"list_possible_moves", "get_result", "get_table"})
"""Commands with ``[[player] table]``."""


def check_rights(session: Session, guest: Guest, command: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments of a guest's command, completed. Raises `CommandError` if it is not permitted."""
    if guest.kind == OBSERVER:
        if command not in ASKING:
            raise CommandError(f"Observers only ask; {command} is not for them.")
    elif guest.kind == PLAYER:
        return _for_player(session, guest, command, arguments)
    elif command in FILES:
        raise CommandError("Files are only for the Supervisor at the machine where the Rules are.")
    elif command == "set_rule":
        need_library_rule(arguments[0])
    elif command == "set_rule_option" and session.need_rule().is_competition:
        _need_library_matches(*arguments)
    elif command == "set_engine" and is_command(arguments[1]):
        raise CommandError("Programs are only for the Supervisor at the machine where the Rules are.")
    elif command == "set_engine_option":
        _need_harmless_option(session, *arguments)
    return arguments


def _need_library_matches(name: str, value: str) -> None:
    """Raises `CommandError` if the matches of a competition would be by a rule that is not of the library."""
    if name.lower() == GAME:
        need_library_rule(value)


def _need_harmless_option(session: Session, player: str, name: str, value: str) -> None:
    """Raises `CommandError` for options of engines on this machine that may name programs or files."""
    link = session.seats.links.get(session.role(player))
    if link is None or link.is_guest:  # guests take care of themselves
        return
    if is_command(link.name):
        raise CommandError("Options of programs are only for the Supervisor at the machine where the Rules are.")
    harmful = [option.name for option in engine_class(link.name).options if takes_any_text(option)]
    if match_name(name, harmful) is not None:
        raise CommandError(f"Option {name} is only for the Supervisor at the machine where the Rules are.")


def _for_player(session: Session, guest: Guest, command: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    if command not in FOR_PLAYERS:
        raise CommandError(f"Players only play and ask; {command} is not for them.")
    if command in MOVES and session.need_play().game.hidden:
        raise CommandError("Some moves are hidden; get_table shows what you know.")
    if command in VIEWS:
        role = _role_of_guest(session, guest)
        if arguments and arguments[0] != "1":
            _need_own_role(session, role, arguments[0])
        return (role,)
    if command in ("play", "say"):
        _need_own_role(session, _role_of_guest(session, guest), arguments[0])
    return arguments


def _role_of_guest(session: Session, guest: Guest) -> Role:
    role = session.people.role_of(guest)
    if role is None:
        raise CommandError(f"You play nobody yet. A Supervisor says set_engine PLAYER {guest.name} to let you.")
    return role


def _need_own_role(session: Session, role: Role, named: str) -> None:
    if session.role(named) != role:
        raise CommandError(f"You are {word(role)}.")
