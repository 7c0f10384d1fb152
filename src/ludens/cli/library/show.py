"""``ludens show GAME``: its card, its roles and its initial position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import ludens
from ludens.cli.terminal.console import GameArgument, JsonOption, MovesOption, console, print_json, printable
from ludens.cli.terminal.painter import Painter
from ludens.core import Answer, Facts, Game
from ludens.games import library
from ludens.games.positions import starting_state
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import signature
from ludens.tabletop import TabletopGame


def show(
    game: GameArgument,
    moves: MovesOption = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the position as a drawing to FILE.")
    ] = None,
    facts: Annotated[
        bool, typer.Option("--facts", help="Compile the rules and prove what can be proved: a few seconds.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a game's card, its roles, what is known of it, its first position (or the one after --moves) and some
    counts.
    """
    choice = library.find(game)
    loaded = ludens.load(game, backend="interpreter")  # compiling takes longer than what is asked for
    state = starting_state(loaded, None, moves)
    if svg is not None:
        from ludens.cli.terminal.pictures import write_position  # noqa: PLC0415 - only if something is drawn

        write_position(loaded, state, svg)
    counts = _counts(loaded)
    card = choice.card
    known = _facts(game, loaded, proved=facts)
    legal = {role: list(state.legal_moves(role)) for role in loaded.roles}
    if as_json:
        written = {"title": card.title, "rules": card.rules, "source": card.source, "tags": list(card.tags)}
        print_json(
            {"name": loaded.name, "form": choice.form, "forms": sorted(choice.entry.forms), **written}
            | {"roles": list(loaded.roles), "parameters": card.parameters, "choices": list(card.choices)}
            | {"options": _options(loaded), "counts": counts, "legal": legal, "facts": known.as_json()}
        )
        return
    console.print(f"[bold]{printable(card.title)}[/bold]  [dim]{printable(choice.full_name)}[/dim]")
    for text in (card.rules, card.source and f"Source: {card.source}", card.checked and f"Checked: {card.checked}"):
        if text:
            console.print(printable(text))
    if card.parameters:
        console.print(f"Parameters: {printable(card.parameters)}")
    if card.choices:
        console.print(f"Choices: {printable('  '.join(f'{choice.entry.name}:{word}' for word in card.choices))}")
    for option in _options(loaded):
        allowed = f", {option['allowed']}" if option["allowed"] else ""
        console.print(printable(f"Option {option['name']}: {option['description']} ({option['value']}{allowed})"))
    if card.tags:
        console.print(f"Tags: {printable(' '.join(card.tags))}")
    console.print(f"Roles: {printable(', '.join(loaded.roles))}")
    for name, fact in known:
        if facts or fact.answer is not Answer.UNKNOWN:
            console.print(f"{name.replace('_', ' ').capitalize()}: {fact.answer} [dim]({printable(fact.reason)})[/dim]")
    console.print("\n" + printable(Painter(loaded, as_in_rules=True).draw(state)) + "\n")
    for role, offered in ((role, offered) for role, offered in legal.items() if offered):
        more = f" … ({len(offered)} in all)" if len(offered) > 8 else ""
        console.print(f"{printable(role)} may play: {printable('  '.join(offered[:8]))}{more}")
    console.print("  ".join(f"{name} {count}" for name, count in counts.items()), style="dim")


def _facts(name: str, loaded: Game, *, proved: bool) -> Facts:
    """What the text of the rules shows; what can be proved of the compiled game, if that is asked for."""
    if not proved:
        return loaded.facts
    from ludens.analysis.facts import facts_of  # noqa: PLC0415 - compilers take half a second to import

    return facts_of(ludens.load(name, wait=True) if isinstance(loaded, GdlGame) else loaded)


def _options(game: Game) -> list[dict[str, object]]:
    """The options of a game in Python, with their values."""
    if not isinstance(game, TabletopGame):
        return []
    return [
        {
            "name": option.name,
            "value": game.rule.settings[option.name],
            "description": option.description,
            "allowed": option.allowed,
        }
        for option in game.rule.all_options
    ]


def _counts(game: Game) -> dict[str, object]:
    if not isinstance(game, GdlGame):
        return {}
    rules = game.sheet.rules
    return {
        "dialect": str(game.dialect),
        "rules": sum(bool(rule.body) for rule in rules),
        "facts": sum(not rule.body for rule in rules),
        "relations": len({signature(rule.head) for rule in rules}),
        "initial_fluents": len(game.initial_state().facts),
    }
