"""Commands of a play: moves, tables and results, undo and redo."""

from __future__ import annotations

from collections.abc import Callable

from ludens.protocols.ggtp.handlers.kinds import DONE, Handler, engine_answer
from ludens.protocols.ggtp.language.grammar import CommandError, shown, unescape, word
from ludens.protocols.ggtp.language.wording import moves_text, result_text, table_text, view_text
from ludens.protocols.ggtp.plays.branches import format_turns
from ludens.protocols.ggtp.plays.messages import message_text
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.steps import Steps
from ludens.referee.latency import set_aside


def _start(session: Session) -> str:
    session.start()
    if session.lobby.members():  # remote guests should not wait for the garbage collector
        set_aside(session.need_rule().game)
    return DONE


def _view_command(command: str, of_rules: Callable[[Session], str], of_human: Callable[[Session, str], str]) -> Handler:
    """A command with ``[[player] table]``: one argument that is a number is a table, otherwise a player.

    Without a player the Rules answer, whose only table is the first; human players have one table, too.
    """

    def answer(session: Session, *arguments: str) -> Steps[str]:
        session.need_play()
        player, table = "", "1"
        if len(arguments) == 2:
            player, table = arguments
        elif arguments and arguments[0].isdecimal():
            table = arguments[0]
        elif arguments:
            player = arguments[0]
        role = session.role(player) if player else None
        if role in session.seats.links and not session.seats.in_competition:
            reply = yield from engine_answer(session, player, f"{command} {table}")
            return unescape(reply) if command == "get_table" else reply
        if table != "1":
            raise CommandError(
                f"There is no table {shown(table)}; {word(role) if role else 'the Rules'}: table 1 only."
            )
        return of_human(session, role) if role else of_rules(session)

    return answer


def _possible_moves(session: Session) -> str:
    play = session.need_play()
    return moves_text({role: play.legal[role] for role in play.to_move})


def _possible_moves_of(session: Session, role: str) -> str:
    return moves_text({role: session.need_play().legal.get(role, ())})


def _get_last_move(session: Session) -> str:
    last = session.need_play().last
    if last is None:
        raise CommandError("No move was made yet.")
    return format_turns([last])


def _list_played_moves(session: Session) -> str:
    play = session.need_play()
    return format_turns([play.turns[number] for number in play.line])


def _play(session: Session, player: str, move: str) -> str:
    play = session.need_unfinished_play()
    role = session.role(player)
    if role in session.seats.links:
        raise CommandError(
            f"{word(role)} is played by {session.seats.engine_name(role)}. Use force_play to move for it."
        )
    turn = play.offer(role, move)
    session.questions.stop(role)
    if turn is None:
        session.record()
        return DONE
    session.show_turn(turn)
    reason = turn.refusal(role)
    if reason is not None:
        raise CommandError(f"{shown(move)} is refused: {reason}.")
    return DONE


def _force_play(session: Session, player: str, move: str) -> str:
    play = session.need_play()
    role = "random" if player == "random" and player not in play.game.roles else session.role(player)
    turn = play.force(role, move)
    session.questions.excuse(role)
    if role in session.seats.links:
        session.inbox.forget(session.seats.links[role])
    if turn is not None:
        session.show_turn(turn)
    return DONE


def _genmove(session: Session) -> str:
    play = session.need_unfinished_play()
    if not (play.is_automatic or any(role in session.seats.links for role in play.waiting_for)):
        raise CommandError("No engine is to move.")
    session.paused = False
    session.ask_engines(play)
    return DONE


def _undo(session: Session) -> str:
    session.undo()
    return DONE


def _redo(session: Session) -> str:
    session.redo()
    return DONE


def _wait(session: Session) -> str:
    session.wait(guests=True)
    return DONE


def _say(session: Session, player: str, players: str, text: str) -> str:
    session.say(session.role(player), players, text)
    return DONE


def _list_messages(session: Session) -> str:
    play = session.need_play()
    said = [message_text(message) for turn in (0, *play.line) for message in play.messages.get(turn, ())]
    return "\n".join(["", *said]) if said else "none"


COMMANDS: dict[str, Handler] = {
    "start": _start,
    "list_possible_moves": _view_command("list_possible_moves", _possible_moves, _possible_moves_of),
    "get_result": _view_command(
        "get_result",
        lambda session: result_text(session.need_play().state),
        lambda session, role: result_text(session.need_play().state),
    ),
    "get_table": _view_command(
        "get_table",
        lambda session: table_text(session.need_play().state),
        lambda session, role: view_text(session.need_play().state, role),
    ),
    "get_last_move": _get_last_move,
    "list_played_moves": _list_played_moves,
    "play": _play,
    "force_play": _force_play,
    "genmove": _genmove,
    "undo": _undo,
    "redo": _redo,
    "wait": _wait,
    "say": _say,
    "list_messages": _list_messages,
}
