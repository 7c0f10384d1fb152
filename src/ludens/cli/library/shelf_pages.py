"""The pages about games in docs, made from their cards: the matrix ``games.md`` and a page for each game.

Measurements are kept from the existing matrix unless repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ludens.cli.library.shelf_facts import Facts
from ludens.core import Answer, GameError
from ludens.core.files import write_file
from ludens.games.cards import Card
from ludens.games.library import GDL, SHELF, TABLETOP_SHELF, Choice, Entry, entries

MATRIX = "games.md"
PAGES = "games"
"""The folder of the pages, beside the matrix."""

_FIRST = ("game", "players", "form")
_MEASURED = (
    "backend", "chance", "hidden", "at once", "fluents", "moves", "turns", "choices", "playouts/s", "all players but",
)  # fmt: skip
_LAST = ("checked against",)
_UNKNOWN = ("?",) * len(_MEASURED)
_HEAD = """\
# Games

{count} games come with ludens, {gdl} in GDL and {tabletop} in Python ({both} in both forms).
Each name in the table links to the page of the game.

```console
$ ludens show nim:1,2
…
first may play: (reduce a 0)  (reduce b 0)  (reduce b 1)
…
```

`ludens games` lists all games, `ludens show NAME` shows one, `ludens play NAME` lets you play it.

| column | meaning |
|---|---|
| players | number of roles, for the default parameters |
| form | `gdl`: a rule sheet, or a program that writes one; `tabletop`: Python rules; `:…`: the game has parameters |
| backend | `circuit`: compiled to machine code; `Python`: the rules themselves run |
| chance, hidden, at once | random events; hidden information; simultaneous moves (`maybe`: not decided) |
| fluents, moves | size of the compiled game |
| turns, choices | mean length of random matches, and mean number of legal moves where a role has a choice |
| playouts/s | random matches per CPU second with AVX-512; compare rows, not machines |
| all players but | [players](players.md) that do not support the game; all others were tested and returned a move |
| checked against | summary; the page of the game has the details |

`ludens games --write docs` generates this page and the pages of the games. `--measure new` (or `all`, or the name of a
game) measures the columns from `backend` to `all players but`; `?` means not measured yet.

"""
_AT_ONCE = {Answer.YES: "yes", Answer.NO: "-", Answer.UNKNOWN: "maybe"}
_TRUST = (
    (("OpenSpiel",), "OpenSpiel"),
    (("python-chess",), "python-chess"),
    (("python-shogi", "cshogi"), "a shogi library"),
    (("published",), "published numbers"),
    (
        ("in Python", "independent", "written for the test", "value iteration", "enumeration"),
        "a program in the tests",
    ),
)
"""Words of a card's ``checked``, and what they stand for in the matrix."""


@dataclass(frozen=True, slots=True)
class Row:
    """A game in one of its forms."""

    choice: Choice
    measured: tuple[str, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the matrix."""
        card = self.choice.card
        form = self.choice.form + (":…" if card.parameters else "")
        first = (f"[{self.choice.text}]({PAGES}/{self.choice.entry.name}.md)", str(card.players or "any"), form)
        return (*first, *self.measured, trust(card))


def trust(card: Card) -> str:
    """What a game was checked against, in a few words."""
    found = [short for words, short in _TRUST if any(word in card.checked for word in words)]
    return ", ".join(found) or "positions by hand"


def choices() -> list[Choice]:
    """Every game that comes with ludens, in each of its forms, without the user's own."""
    found = []
    for entry in entries().values():
        for form in sorted(entry.forms, key=lambda form: form != entry.default_form):
            if entry.forms[form].parent in (SHELF, TABLETOP_SHELF):
                found.append(_choice(entry, form))
    return found


def _choice(entry: Entry, form: str) -> Choice:
    return Choice(entry.name if form == entry.default_form else f"{entry.name}@{form}", entry, form, ())


def games_to_measure(folder: Path) -> list[str]:
    """The games without measurements in the matrix in a folder."""
    before = _read_measurements(folder / MATRIX)
    return [choice.text for choice in choices() if before.get(choice.text, _UNKNOWN) == _UNKNOWN]


def write_pages(folder: Path, measured: Mapping[str, Facts]) -> list[Path]:
    """Write the matrix and all pages; returns the paths. Raises `GameError` if that fails.

    ``measured`` has new measurements by name of game.
    """
    try:
        cells = _read_measurements(folder / MATRIX) | {name: _cells(facts) for name, facts in measured.items()}
        rows = [Row(choice, cells.get(choice.text, _UNKNOWN)) for choice in choices()]
        texts = {folder / MATRIX: matrix(rows)}
        for row in rows:
            if row.choice.form == row.choice.entry.default_form:
                texts[folder / PAGES / f"{row.choice.entry.name}.md"] = page(row.choice)
        (folder / PAGES).mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            write_file(path, text)
    except OSError as error:
        raise GameError(f"cannot write pages into {folder}: {error.strerror or error}") from None
    return list(texts)


def matrix(rows: Iterable[Row]) -> str:
    """The page with all games."""
    rows = list(rows)
    names = {row.choice.entry.name: row.choice.entry.forms for row in rows}
    head = _HEAD.format(
        count=len(names),
        gdl=sum("gdl" in forms for forms in names.values()),
        tabletop=sum("tabletop" in forms for forms in names.values()),
        both=sum(len(forms) > 1 for forms in names.values()),
    )
    titles = (*_FIRST, *_MEASURED, *_LAST)
    lines = [_line(titles), _line("---" for _ in titles), *(_line(row.cells) for row in rows)]
    return head + "\n".join(lines) + "\n"


def page(choice: Choice) -> str:
    """The page of a game."""
    card, name = choice.card, choice.entry.name
    parts = [f"# {card.title}", f"`ludens play {name}` · {_in_short(choice)} · [all games](../{MATRIX})", card.rules]
    sections = [
        ("Moves", card.moves),
        ("End of the game", card.end),
        ("Scoring", card.scoring),
        ("Parameters", _parameters(card, name)),
        ("Sources", card.source),
        ("How it was checked", card.checked),
    ]
    parts += [f"## {title}\n\n{_sentence(text)}" for title, text in sections if text]
    others = [form for form in choice.entry.forms if form != choice.form]
    for form in others:
        other = _choice(choice.entry, form)
        if other.card != card:
            parts.append(f"## `{name}@{form}`\n\n{other.card.rules}\n\nChecked: {_sentence(other.card.checked)}")
    return "\n\n".join(parts) + "\n"


def _in_short(choice: Choice) -> str:
    card = choice.card
    players = {None: "any number of roles", 1: "one role"}.get(card.players, f"{card.players} roles")
    forms = " and ".join("GDL" if form == GDL else "Python" for form in choice.entry.forms)
    return f"{players} · rules in {forms} · {', '.join(card.tags)}"


def _parameters(card: Card, name: str) -> str:
    if not card.choices:
        return card.parameters
    return f"{_sentence(card.parameters)}\n\nFor example " + ", ".join(f"`{name}:{word}`" for word in card.choices)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _read_measurements(path: Path) -> dict[str, tuple[str, ...]]:
    """The measured cells of the existing matrix, by the name of the game."""
    found: dict[str, tuple[str, ...]] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for cells in (line.strip("| ").split(" | ") for line in lines if line.startswith("| [")):
        if len(cells) == len(_FIRST) + len(_MEASURED) + len(_LAST):
            found[cells[0][1:].partition("]")[0]] = tuple(cells[len(_FIRST) : -len(_LAST)])
    return found


def _cells(facts: Facts) -> tuple[str, ...]:
    flags = ("yes" if facts.chance else "-", "yes" if facts.hidden else "-", _AT_ONCE[facts.simultaneous])
    counts = (f"{count:,}" if count is not None else "-" for count in (facts.fluents, facts.moves))
    means = (f"{facts.turns:.1f}", f"{facts.choices:.1f}", _round(facts.playouts))
    return (facts.backend, *flags, *counts, *means, ", ".join(facts.without) or "-")


def _round(rate: float) -> str:
    """The rate to two digits: measurements on a busy machine are no more precise."""
    return f"{float(f'{rate:.2g}'):,.0f}" if rate >= 10 else f"{rate:.2g}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
