"""Games, states and results as pictures and tables in Jupyter notebooks: ``%load_ext ludens``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from ludens.arena.results.crosstable import Crosstable
from ludens.core import Game, GameError, State, View
from ludens.core.batch import Batch
from ludens.drawing import draw
from ludens.players.minimax.solve import Solution
from ludens.referee.reading import Record

SHOWN_LANES = 6
"""How many positions of a batch are drawn."""

_SIDE_BY_SIDE = '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'


def register(shell: Any) -> None:
    """Register what is shown with an IPython shell."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind, show in FORMATS.items():
        formatter.for_type(kind, show)


def show_state(state: State) -> str:
    """The whole position, also what is hidden from players, and the result once the match is over."""
    goals = _as_table(("role", "goal"), state.goals.items()) if state.is_terminal else ""
    return _picture(state.game, state) + goals


def show_view(view: View) -> str:
    """What a role sees."""
    return _picture(view.game, view)


def show_game(game: Game) -> str:
    """Name, roles and backend beside the initial position."""
    rows = {
        "roles": ", ".join(game.roles),
        "chance": "yes" if game.chance else "no",
        "hidden information": "yes" if game.hidden else "no",
        "backend": game.backend,
    }
    table = _as_table(("", game.name), rows.items())
    return f"{_SIDE_BY_SIDE}<div>{table}</div><div>{_picture(game, game.initial_state())}</div></div>"


def show_batch(batch: Batch) -> str:
    """How many lanes there are and are over, and the first positions."""
    rows = {"lanes": f"{batch.size:,}", "over": f"{int(batch.terminal.sum()):,}", "fluents": len(batch.fluents)}
    states = batch.game.unpack(batch.packed_states[:SHOWN_LANES])
    pictures = "".join(f'<div style="width:10em">{_picture(batch.game, state)}</div>' for state in states)
    return f"{_as_table(('', repr(batch)), rows.items())}{_SIDE_BY_SIDE}{pictures}</div>"


def show_solution(solution: Solution) -> str:
    """The value for each role, and the moves that keep it."""
    rows = [
        (role, f"{low:g}" if low == high else f"{low:g} to {high:g}", ", ".join(map(str, solution.best.get(role, ()))))
        for role, (low, high) in solution.bounds.items()
    ]
    found = f"{'exact' if solution.exact else 'bounds'}, {solution.positions:,} positions, {solution.seconds:.2f} s"
    return _as_table(("role", "value", "best moves"), rows) + f"<p>{escape(found)}. {escape(solution.note)}</p>"


def show_record(record: Record) -> str:
    """Who played, every turn, and the result."""
    roles = record.start.roles
    heads = ("turn", *(f"{role}: {record.start.players[role]}" for role in roles))
    turns = [(turn.id, *(turn.moves.get(role, "") for role in roles)) for turn in record.line_to(record.last)]
    goals = (record.end or {}).get("goals") or {}
    return _as_table(heads, [*turns, ("goals", *(goals.get(role, "") for role in roles))])


def show_crosstable(table: Crosstable) -> str:
    """The points of every player, and its share of them against each other one."""
    rows = [
        (
            name,
            f"{table.points(name):g} of {table.played(name)}",
            *(_share(table, name, other) for other in table.players),
        )
        for name in table.players
    ]
    return _as_table(("", "points", *table.players), rows)


def _share(table: Crosstable, first: str, second: str) -> str:
    found = table.score(first, second)
    return "" if found is None else f"{found[0]:.0%} of {found[1]}"


FORMATS: Mapping[type, Callable[[Any], str]] = {
    State: show_state,
    View: show_view,
    Game: show_game,
    Batch: show_batch,
    Solution: show_solution,
    Record: show_record,
    Crosstable: show_crosstable,
}
"""How values of each type, and of its subclasses, are shown as HTML."""


def _picture(game: Game, seen: State | View) -> str:
    """The drawing; the text of the position where there is none, as for games of other libraries."""
    try:
        return draw(game, seen, clickable=False).svg
    except GameError:
        return f"<pre>{escape(str(seen))}</pre>"


def _as_table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    def row(cells: Iterable[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{row(heads, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"
