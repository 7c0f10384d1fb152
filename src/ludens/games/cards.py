"""Cards: descriptions of games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from ludens.core.errors import GameError


@dataclass(frozen=True, slots=True)
class Hints:
    """How a game is best drawn, the table ``[drawing]`` of its card (docs/drawing.md); all of it may be left out."""

    look: str = ""
    """The style of its board, such as ``go``."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """The colour of each role or content whose name is not a colour."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """The meaning of contents, in words: ``wp = "white pawn"``."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """The meaning of fluents by name, if it is not detected: ``heap = "heaps"``, ``tried = "none"``."""
    turned: bool = False
    """True if the second of two roles sees the board from the other side, as in chess."""
    rows: str = ""
    """``down`` if the first row is the topmost."""
    lean: str = ""
    """``left`` if rows of hexagons lean to the left."""
    edges: str = ""
    """The colours of the left, right, lower and upper edge of a board of hexagons."""
    blocks: int = 0
    """Squares between thick lines, as in sudoku."""
    wall_length: int = 0
    """The length of walls in squares."""
    says: tuple[str, ...] = ()
    """Sentences about the table instead of its attributes, which they name: ``{declarer} plays {game}``. A sentence is
    left out while one of its attributes has no value."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Values of attributes in words: ``NT = "no trumps"``."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What each kind of piece is worth, for the material of each role: ``queen = "9"``."""
    numbers: str = ""
    """How squares are numbered, along a row and from row to row: ``left up`` begins at the lower right corner."""


@dataclass(frozen=True, slots=True)
class Notation:
    """How moves are written for people, the table ``[notation]`` of a card (docs/notation.md); all of it may be left
    out."""

    style: str = ""
    """``short`` to write only the piece and where it goes, as in chess; empty to write every place of a move."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """The letter of each kind of piece, in the style ``short``."""
    joins: Mapping[str, str] = field(default_factory=dict)
    """What joins the places of a move, by its verb: ``jump = "x"``."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Texts for whole moves, ``"(castle kingside)" = "O-O"``, or for words in them, ``queen = "=Q"``."""
    check: str = ""
    """Conditions as in ``[endings]``: a move after which they hold ends with ``+``."""
    mate: str = ""
    """Conditions as in ``[endings]``: a move after which they hold ends with ``#``."""
    record: str = ""
    """The format in which matches of the game are exchanged: ``pgn`` or ``sgf``."""


@dataclass(frozen=True, slots=True)
class ReadySetup:
    """A ready set-up for a game that begins with one, a table ``[[setups]]`` of its card."""

    name: str
    """What people choose."""
    moves: tuple[str, ...]
    """A role's moves from the beginning of a match, in order."""
    parameters: tuple[str, ...] = ()
    """The parameters of the game that it is for, such as ``small``, and an empty text for none; all if left out."""
    roles: tuple[str, ...] = ()
    """The roles that it is for; all if left out."""

    def fits(self, parameters: Sequence[str], role: str) -> bool:
        """True if it is for this role of a game with these parameters."""
        is_of_game = not self.parameters or ",".join(parameters) in self.parameters
        return is_of_game and (not self.roles or role in self.roles)


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a game, read from ``NAME.toml`` next to its rules."""

    title: str
    players: int | None = None
    """The number of roles; None if it depends on parameters or is not given."""
    kind: str = "other"
    """``board``, ``card``, ``dice``, ``puzzle``, ``matrix``, ``heap`` or ``other``."""
    rules: str = ""
    """How it is played, in a sentence or two."""
    moves: str = ""
    """What the texts of moves mean."""
    end: str = ""
    """When a match is over, unless ``rules`` says so."""
    scoring: str = ""
    """The goals, unless ``rules`` gives them."""
    source: str = ""
    """Where the rules come from."""
    tags: tuple[str, ...] = ()
    checked: str = ""
    """What the rules have been checked against."""
    parameters: str = ""
    """The parameters after the colon in ``nim:3,4,5``; empty if there are none."""
    choices: tuple[str, ...] = ()
    """Suggested parameters, such as ``level3`` of ``sokoban:level3``; the first is the default."""
    picture: str = ""
    """How a board is best drawn: ``grid``, ``hex``, ``graph``, ``track``, ``cards``; empty if there is none."""
    default_form: str = "gdl"
    """The default form if there are two: ``gdl`` or ``tabletop``."""
    mid_turn: tuple[str, ...] = ()
    """Names of fluents that mark a state inside a turn, such as a jump that must be continued."""
    endings: Mapping[str, str] = field(default_factory=dict)
    """Why a match is over, in words: from conditions as in rules, ``(line ?role)``, to phrases, ``{role} has three in a
    row``. The first whose conditions hold in the last state counts; an empty phrase says nothing."""
    repetition: Mapping[str, Any] = field(default_factory=dict)
    """In games in GDL that end by repetition: ``times`` a position has to occur, and the ``counters`` of turns, which
    are no part of it (`ludens.gdl.repetition`)."""
    setups: tuple[ReadySetup, ...] = ()
    """Ready set-ups, which the page offers as buttons."""
    drawing: Hints = field(default_factory=Hints)
    """How the game is best drawn."""
    notation: Notation = field(default_factory=Notation)
    """How its moves are written."""


_KINDS = {str: "a text", bool: "true or false", int: "a number", dict: "a table of texts", list: "a list of texts"}
_TABLES: dict[str, type[Hints | Notation]] = {"drawing": Hints, "notation": Notation}
"""Tables of a card with keys of their own."""
_LISTS = ("tags", "choices", "mid_turn")
_PICTURES = ("", "grid", "hex", "graph", "track", "cards")
_CHOICES = {"style": ("", "short"), "record": ("", "pgn", "sgf")}
"""The values of keys of ``[notation]`` that are names."""


def read_card(path: Path) -> Card:
    """The card in a TOML file, with the file's name as title if it has none. Raises `GameError` if the file is not a
    card."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GameError(f"{path} is not a card: {error}") from None
    known = {field.name for field in fields(Card)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise GameError(f"{path}: a card has no key {unknown[0]!r} (it has {', '.join(sorted(known))})")
    data.setdefault("title", path.stem.replace("_", " "))
    for name, kind in _TABLES.items():
        data[name] = kind(**_read_table(path, name, kind, data.get(name, {})))
    data["setups"] = tuple(_read_setup(path, setup) for setup in _tables(path, data.get("setups", [])))
    for key, value in data.items():
        if key == "setups" or key in _TABLES:
            continue
        if key == "players":
            is_right = isinstance(value, int) and value > 0
        elif key in _LISTS:
            is_right = isinstance(value, list) and all(isinstance(word, str) for word in value)
        elif key == "endings":
            is_right = isinstance(value, dict) and all(isinstance(phrase, str) for phrase in value.values())
        elif key == "repetition":
            is_right = _is_repetition(value)
        elif key == "picture":
            is_right = value in _PICTURES
        else:
            is_right = isinstance(value, str)
        if not is_right:
            raise GameError(f"{path}: the card's {key} cannot be {value!r}")
    return Card(**(data | {key: tuple(data.get(key, ())) for key in _LISTS}))


def _is_repetition(value: Any) -> bool:
    if not isinstance(value, dict) or not {"times"} <= value.keys() <= {"times", "counters"}:
        return False
    counters = value.get("counters", [])
    are_names = isinstance(counters, list) and all(isinstance(name, str) for name in counters)
    return type(value["times"]) is int and value["times"] > 1 and are_names


def _tables(path: Path, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise GameError(f"{path}: the card's setups are tables, [[setups]], not {value!r}")
    return value


def _read_setup(path: Path, data: Any) -> ReadySetup:
    known = {field.name for field in fields(ReadySetup)}
    if not isinstance(data, dict) or not {"name", "moves"} <= data.keys() <= known:
        raise GameError(
            f"{path}: a set-up of the card has a name and moves, perhaps parameters and roles, not {data!r}"
        )
    lists = {key: value for key, value in data.items() if key != "name"}
    are_texts = all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in lists.values()
    )
    if not isinstance(data["name"], str) or not are_texts or not data["moves"]:
        raise GameError(f"{path}: a set-up of the card has a text as name, and lists of texts, not {data!r}")
    return ReadySetup(data["name"], **{key: tuple(texts) for key, texts in lists.items()})


def _read_table(path: Path, table: str, of: type[Hints | Notation], data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise GameError(f"{path}: the card's {table} is a table, [{table}], not {data!r}")
    kinds = {key.name: dict if key.default is MISSING else type(key.default) for key in fields(of)}
    for key, value in data.items():
        if key not in kinds:
            raise GameError(f"{path}: the card's {table} has no key {key!r} (it has {', '.join(sorted(kinds))})")
        kind = list if kinds[key] is tuple else kinds[key]
        is_right = type(value) is kind
        if kind is dict and is_right:
            is_right = all(isinstance(word, str) for word in value.values())
        if kind is list and is_right:
            is_right = all(isinstance(text, str) for text in value)
        if not is_right:
            raise GameError(f"{path}: the card's {key} for {table} is {_KINDS[kind]}, not {value!r}")
        if table == "notation" and value not in _CHOICES.get(key, (value,)):
            known = ", ".join(filter(None, _CHOICES[key]))
            raise GameError(f"{path}: the card's {key} for notation is one of {known}, not {value!r}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
