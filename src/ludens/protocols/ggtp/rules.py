"""Finds rules by name or path, with their options."""

from __future__ import annotations

from dataclasses import replace

import ludens
from ludens.core import Game, GameError, LudensError, Option, OptionValue, PlayerError
from ludens.games.library import TABLETOP, entries, find
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.competition import rule as competition
from ludens.protocols.ggtp.language.grammar import CommandError, match_name, sentence
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.loading import load_game

PARAMETERS = "parameters"
"""The option of rules that are made from parameters, such as ``3,4,5`` for Nim."""


def with_option(rule: ChosenRule, name: str, text: str) -> ChosenRule:
    """A rule with an option set."""
    option = rule.option(name)
    try:
        value = option.parse(_match_choice(option, text))
    except PlayerError as error:
        raise CommandError(sentence(error)) from None
    values = rule.values | {option.name: value}
    changed = (*(other for other in rule.changed if other != option.name), option.name)
    game = _game(rule.text, values, rule.backend)
    made = replace(rule, game=game, values=values, changed=changed)
    if isinstance(game, TabletopGame):  # the choices of one option may depend on another
        return replace(made, options=game.rule.all_options, values=dict(game.rule.settings))
    return made


def rule_names() -> list[str]:
    """All rules of the library, one with two forms under both, and competitions."""
    return [
        name if form == entry.default_form else f"{name}@{form}"
        for name, entry in entries().items()
        for form in sorted(entry.forms, key=lambda form: form != entry.default_form)
    ] + [competition.NAME]


def library_name(text: str) -> str:
    """The name or path, as everywhere in ludens, that a text means; class names such as ``TicTacToe`` work, too.

    A name with capitals means the rule in Python, if there is one. Raises `CommandError` if there is no such rule.
    """
    name, colon, parameters = text.partition(":")
    alike = [entry for known, entry in entries().items() if _normalise(known) == _normalise(name)]
    if alike and name != alike[0].name and "@" not in text:
        form = TABLETOP if TABLETOP in alike[0].forms and name != name.lower() else alike[0].default_form
        return f"{alike[0].name}{colon}{parameters}@{form}"
    try:
        find(text)
    except GameError as error:
        raise CommandError(sentence(error)) from None
    return text


def need_library_rule(text: str) -> None:
    """Raise `CommandError` unless a text names a rule of the library, as guests must.

    Rules in Python are programs, and paths are about this machine's files.
    """
    if text.lower() == competition.NAME:
        return
    try:
        choice = find(library_name(text))
    except GameError as error:
        raise CommandError(sentence(error)) from None
    if entries().get(choice.entry.name) != choice.entry:
        raise CommandError("Over the network, rules are those of the library; list_rules lists them.")


def choose_rule(text: str, backend: str) -> ChosenRule:
    """The rule that a text names, with default options. Raises `CommandError` if it cannot be loaded."""
    if text.lower() == competition.NAME:
        values = {option.name: option.default for option in competition.OPTIONS}
        game = _game(text, values, backend)
        return ChosenRule(text, game, competition.OPTIONS, values, backend=backend, is_competition=True)
    name = library_name(text)
    try:
        choice = find(name)
        game = ludens.load(name, backend=backend)
    except LudensError as error:
        raise CommandError(sentence(error)) from None
    if isinstance(game, TabletopGame):
        return ChosenRule(text, game, game.rule.all_options, dict(game.rule.settings), backend=backend)
    if choice.path.suffix != ".py":
        return ChosenRule(text, game, (), {}, backend=backend)
    option = Option(PARAMETERS, ",".join(choice.parameters), "what the rules are made from, separated by commas")
    return ChosenRule(text, game, (option,), {PARAMETERS: option.default}, backend=backend)


def _game(text: str, values: dict[str, OptionValue], backend: str) -> Game:
    """The game of a rule with these options."""
    if text.lower() == competition.NAME:
        return competition.competition_game(values, choose_rule(str(values[competition.GAME]), backend))
    try:
        choice = find(library_name(text))
        if choice.form == TABLETOP:
            settings = tuple(f"{name}={value}" for name, value in values.items())
            return load_game(choice.path, settings, choice.text)
        name = f"{choice.entry.name}:{values[PARAMETERS]}@{choice.form}"
        if find(name).entry != choice.entry:
            raise CommandError(f"{PARAMETERS} cannot be {values[PARAMETERS]}.")
        return ludens.load(name, backend=backend)
    except LudensError as error:
        raise CommandError(sentence(error)) from None


def _match_choice(option: Option, text: str) -> str:
    """A choice as the rule spells it."""
    return match_name(text, option.choices) or text


def _normalise(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())
