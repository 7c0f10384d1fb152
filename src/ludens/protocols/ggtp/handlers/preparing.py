"""Commands that prepare a play: the rule, the players, the engines and their options."""

from __future__ import annotations

from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.registry import PROCESS, engine_names
from ludens.protocols.ggtp.handlers.kinds import DONE, Handler, engine_answer
from ludens.protocols.ggtp.language.grammar import format_list
from ludens.protocols.ggtp.language.options import choices, format_value
from ludens.protocols.ggtp.language.wording import pairs_text
from ludens.protocols.ggtp.network.hello import PLAYER
from ludens.protocols.ggtp.rules import choose_rule, rule_names, with_option
from ludens.protocols.ggtp.seats import HUMAN
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.steps import Steps


def _list_rules(session: Session) -> str:
    return format_list(rule_names())


def _set_rule(session: Session, text: str) -> str:
    session.set_rule(choose_rule(text, session.backend))
    return DONE


def _get_rule(session: Session) -> str:
    return session.need_rule().text


def _list_rule_options(session: Session) -> str:
    return pairs_text((name, format_value(value)) for name, value in session.need_rule().values.items())


def _get_rule_option(session: Session, name: str) -> str:
    rule = session.need_rule()
    return format_value(rule.values[rule.option(name).name])


def _list_rule_option_choices(session: Session, name: str) -> str:
    return choices(session.need_rule().option(name))


def _set_rule_option(session: Session, name: str, value: str) -> str:
    session.change_rule(with_option(session.need_rule(), name, value))
    return DONE


def _list_players(session: Session) -> str:
    return pairs_text((role, session.seats.engine_name(role)) for role in session.need_rule().game.roles)


def _list_engines(session: Session) -> str:
    guests = [guest.name for guest in session.lobby.members() if isinstance(guest, EngineLink) or guest.kind == PLAYER]
    return format_list((HUMAN, *engine_names(), PROCESS, *guests))


def _set_engine(session: Session, player: str, engine: str) -> Steps[str]:
    role = session.role(player)
    if engine.lower() == HUMAN:
        session.disconnect(role)
    else:
        yield from session.connect(role, engine)
    return DONE


def _get_engine(session: Session, player: str) -> str:
    return session.seats.engine_name(session.role(player))


def _list_engine_options(session: Session, player: str) -> Steps[str]:
    return engine_answer(session, player, "list_options")


def _get_engine_option(session: Session, player: str, name: str) -> Steps[str]:
    return engine_answer(session, player, f"get_option {name}")


def _list_engine_option_choices(session: Session, player: str, name: str) -> Steps[str]:
    return engine_answer(session, player, f"list_option_choices {name}")


def _set_engine_option(session: Session, player: str, name: str, value: str) -> Steps[str]:
    link = session.seats.links.get(role := session.role(player))
    yield from engine_answer(session, player, f"set_option {name} {value}")
    if session.seats.links.get(role) is link:  # another engine may have taken the seat meanwhile
        settings = session.seats.settings[role]
        settings.pop(name, None)
        settings[name] = value
    return DONE


COMMANDS: dict[str, Handler] = {
    "list_rules": _list_rules,
    "set_rule": _set_rule,
    "get_rule": _get_rule,
    "list_rule_options": _list_rule_options,
    "get_rule_option": _get_rule_option,
    "list_rule_option_choices": _list_rule_option_choices,
    "set_rule_option": _set_rule_option,
    "list_players": _list_players,
    "list_engines": _list_engines,
    "set_engine": _set_engine,
    "get_engine": _get_engine,
    "list_engine_options": _list_engine_options,
    "get_engine_option": _get_engine_option,
    "list_engine_option_choices": _list_engine_option_choices,
    "set_engine_option": _set_engine_option,
}
