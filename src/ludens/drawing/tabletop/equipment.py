"""From the equipment of a tabletop game to panels: boards, hands and piles, dice and scores."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ludens.core import Move, Role
from ludens.drawing.hints import Hints
from ludens.drawing.looks.cards import card_name, is_deck, is_domino
from ludens.drawing.looks.chessmen import LETTERS
from ludens.drawing.looks.pieces import has_face, is_painted
from ludens.drawing.model import Board, Facts, Panel, Picture, Piece, Row, Scores
from ludens.drawing.sight import TableSeen
from ludens.drawing.tabletop import boards as table_boards
from ludens.drawing.tabletop.chains import arrange_chain
from ludens.drawing.tabletop.chosen_dice import dice_in_moves
from ludens.drawing.tabletop.files import read_picture
from ludens.drawing.tabletop.numbers import Numbers, format_value, is_shown
from ludens.drawing.tabletop.own_backs import backs_in_moves
from ludens.drawing.tabletop.seating import TABLE_PARTS, Seating, is_card_table, is_sheet
from ludens.drawing.words import Namer
from ludens.tabletop import Area, Assortment, Dice, Element, Position, TabletopGame
from ludens.tabletop.drawing import BACK
from ludens.tabletop.material.equipment import OTHERS

_Place = Position | Assortment
_FACE_DOWN = Piece("face down", "", is_hidden=True)
_ALIASES = ("title", "unit")
"""Attributes by which moves may name elements."""
_MOST_IN_A_ROW = 30


class TableReader:
    """Makes pictures of the visible part of a game's tables."""

    def __init__(self, game: TabletopGame, hints: Hints) -> None:
        self.game = game
        self.hints = hints
        self._namer = Namer(game.roles, hints.colours, hints.pieces)
        areas = [area for area in game.inventory.areas.values() if table_boards.is_board(area)]
        self._boards = {area.name: table_boards.empty_board(area, hints, game.source) for area in areas}
        self._areas = {area.name: area for area in areas}
        self._has_owners = any(element.attributes.get("player") for element in game.inventory.elements)
        self._decks = {
            assortment.name
            for assortment in game.inventory.assortments.values()
            if hints.parts.get(assortment.name) == "cards" or is_deck([one.name for one in assortment.elements])
        }
        self._has_cards = any(not element.is_endless and self._is_card(element) for element in game.inventory.elements)

    # One table

    def picture(self, seen: TableSeen, role: Role | None, moves: Sequence[Move] = ()) -> Picture:
        """All panels of the visible part of a table: the others' things, boards, common things, the role's own things;
        empty places too if one of the role's moves names them."""
        named = {spot for spots in self.clicks(moves, seen, role).values() for spot in spots}
        others: list[Row] = []
        middle: list[Row] = []
        own: list[Row] = []
        for place in self._row_places():
            row = self._row(place, seen, role, named)
            if row.pieces or self._place_spot(place) in named:
                whose = own if place.owner == role and role else others if place.owner else middle
                whose.append(row)
        boards: list[Panel] = [self._fill_board(area, seen, role) for area in self._areas.values()]
        if self.hints.look == "backgammon":
            boards = [table_boards.backgammon(self.game, self._namer, seen)]
        if self.hints.look == "columns":
            boards = [table_boards.columns(self.game, self._namer, seen)]
        dice = list(self._dice(seen, role, named))
        numbers = list(Numbers(self.game, self.hints, seen).panels(self._namer.colours, named))
        if not boards and is_card_table(self.game.roles, (*others, *own)):
            stage = seen.stage.split()
            seating = Seating(self.game.roles, self._namer.colours, role, stage[-1] if stage else "", self.hints.parts)
            sheets = [panel for panel in numbers if isinstance(panel, Scores) and is_sheet(panel)]
            table = seating.around((*others, *own), middle, [panel for panel in numbers if panel not in sheets])
            return Picture((*table, *dice, *sheets, *self._remarks(seen)))
        if boards:
            others = [replace(row, is_above=row.kind == "pieces" and row.seat >= 0) for row in others]
        panels = (*boards, *others, *middle, *dice, *own)
        return Picture((*panels, *numbers, *self._remarks(seen)))

    def _row_places(self) -> Iterator[_Place]:
        """The places that are not boards, without those that the card omits."""
        inventory = self.game.inventory
        for area in inventory.areas.values():
            if area.name not in self._boards and self.hints.parts.get(area.name) != "none":
                yield from area.positions
        for place in inventory.assortments.values():
            if not place.is_endless and self.hints.parts.get(place.name) != "none":
                yield place

    def _fill_board(self, area: Area, seen: TableSeen, role: Role | None) -> Board:
        contents = {}
        flags = {}
        for position in area.positions:
            pieces = tuple(self._piece(element, role) for element in seen.lying(position))
            if pieces:
                contents[table_boards.spot_of(position)] = pieces
            owner = next((seen.attributes.get(f"{position}.{word}") for word in ("owner", "held")), None)
            if owner in self._namer.colours:
                flags[table_boards.spot_of(position)] = self._namer.colours[owner]
        return replace(self._boards[area.name], contents=contents, flags=flags)

    def _row(self, place: _Place, seen: TableSeen, role: Role | None, named: Container[str]) -> Row:
        lying = seen.lying(place)
        kind = self._row_kind(place, lying)
        pieces = tuple(
            replace(self._piece(element, role), spot=self._element_spot(element, place))
            if element is not None
            else _FACE_DOWN
            if kind == "cards"
            else self._piece(element, role)
            for element in lying
        )
        if place.visibility == OTHERS and place.owner == role:
            backs = [self._back_spot(place, number) for number, _ in enumerate(lying)]
            pieces = tuple(
                replace(piece, spot=spot, name=f"face down, number {number}") if spot in named else piece
                for number, (piece, spot) in enumerate(zip(pieces, backs, strict=True), 1)
            )
        if kind == "chain":
            pieces = tuple(Piece(f"domino {word}", word) for word in arrange_chain([piece.kind for piece in pieces]))
        is_seen = None not in lying
        is_pile = self._is_pile(place, lying)
        if not is_pile and is_seen and (isinstance(place, Assortment) or len(lying) > _MOST_IN_A_ROW):
            pieces = _merge_equal(pieces)
        seat = self.game.roles.index(place.owner) if place.owner in self.game.roles else -1
        title = _whose(place.name, place.owner)
        return Row(place.name, title, pieces, kind, self._place_spot(place), is_pile, seat)

    def _part(self, place: _Place) -> str:
        """The card's name for a place, if any."""
        return self.hints.parts.get(place.area.name if isinstance(place, Position) else place.name, "")

    def _is_pile(self, place: _Place, lying: Sequence[Element | None]) -> bool:
        """True if only the top is visible: for stacks, except open assortments."""
        lies_open = isinstance(place, Assortment) and None not in lying
        return place.is_stack and not lies_open and len(lying) > 1 and self._part(place) != "spread"

    def _row_kind(self, place: _Place, lying: Iterable[Element | None]) -> str:
        part = self._part(place)
        if part and part not in TABLE_PARTS:
            return part
        names = [element.name for element in lying if element]
        if (names and all(map(is_domino, names))) or self.hints.look == "dominoes":
            return "dominoes"
        if self.hints.look == "mahjong":
            return "tiles"
        if not self._boards or not self._has_owners:
            return "cards"
        known = [element for element in lying if element]
        return "cards" if (all(map(self._is_card, known)) if known else self._has_cards) else "pieces"

    def _is_card(self, element: Element) -> bool:
        """True for elements that belong to no player and have no picture as a piece: their names are written on."""
        return not element.attributes.get("player") and not has_face(self._namer.piece([element.name]))

    def _dice(self, seen: TableSeen, role: Role | None, named: Container[str]) -> Iterator[Row]:
        markers = [marker for marker in self.game.inventory.markers if isinstance(marker, Dice)]
        for marker in sorted(markers, key=lambda marker: marker.owner == role):
            if value := seen.value(marker):
                pieces = tuple(
                    Piece(
                        "hidden die" if face == BACK else f"die {face}",
                        str(face),
                        is_hidden=face == BACK,
                        spot=spot if (spot := _die_spot(marker, number)) in named else "",
                    )
                    for number, face in enumerate(value)
                )
                yield Row(marker.name, _whose(marker.name, marker.owner), pieces, "dice")

    def _piece(self, element: Element | None, role: Role | None) -> Piece:
        """The piece of an element; a back if it is unknown, in the opponent's colour if only it can own it."""
        roles = self.game.roles
        if element is None:
            if self._has_owners and role is not None and len(roles) == 2:
                other = roles[1 - roles.index(role)]
                return Piece(f"{other}, hidden", "", self._namer.colours[other], 1 - roles.index(role), is_hidden=True)
            return _FACE_DOWN
        piece = replace(self._namer.piece([element.name]), is_word=not self._is_playing_card(element))
        if found := read_picture(self.game.source, element.attributes.get("image", element.attributes.get("picture"))):
            piece = replace(piece, image=found.href)
        if self.hints.look == "mahjong":
            return Piece(element.name, element.name.lower())
        player = element.attributes.get("player")
        if player in roles:
            word = str(element.attributes.get("title") or element.attributes.get("unit") or element.name)
            kind = self._kind_on_board(element, player, piece)
            colour = self._namer.colours[player]
            piece = replace(piece, kind=kind, seat=roles.index(player), colour=colour, name=f"{player} {word}")
        elif not piece.is_word and (name := card_name(piece.kind)):
            piece = replace(piece, name=name)
        return piece

    def _is_playing_card(self, element: Element) -> bool:
        """True for elements of a deck, or with a suit and a rank: others may be called ``c4`` without being clubs."""
        deck = element.assortment.name if element.assortment else ""
        return deck in self._decks or {"suit", "rank"} <= element.attributes.keys()

    def _kind_on_board(self, element: Element, player: str, piece: Piece) -> str:
        look = next((board.look for board in self._boards.values()), "")
        name = element.name
        if look == "chess" and name.lower() in LETTERS:
            return LETTERS[name.lower()]
        if look == "shogi":
            return f"shogi {name}"
        if name in self.hints.pieces or not self._boards:
            return piece.kind if self._boards else str(element.attributes.get("title") or piece.kind)
        if isinstance(sort := element.attributes.get("sort"), str) and is_painted(sort):
            return f"{sort} {''.join(filter(str.isdigit, name))}"
        if len(name) > 1 and name[0] == player[0]:
            return f"counter {name[1:]}"
        return piece.kind

    # Words

    def _remarks(self, seen: TableSeen) -> Iterator[Facts]:
        """The attributes of the table, as lines: in the card's sentences if it has some."""
        if self.hints.says:
            known = _Words(
                {
                    name.removeprefix("table."): self.hints.words.get(text := format_value(value), text)
                    for name, value in seen.attributes.items()
                    if name.startswith("table.") and value not in ("", (), None, False)
                }
            )
            if sentences := tuple(filter(None, map(known.fill, self.hints.says))):
                yield Facts("", sentences)
            return
        lines = []
        for name, value in seen.attributes.items():
            of, _, what = name.rpartition(".")
            if of == "table" and is_shown(self.hints, what, value):
                lines.append(f"{what.replace('_', ' ')}: {format_value(value)}")
        if lines:
            yield Facts("", (", ".join(sorted(lines)),))

    # Moves

    def _place_spot(self, place: _Place) -> str:
        return f"place:{place.name}"

    def _element_spot(self, element: Element, place: _Place) -> str:
        return f"{place.name}:{element.name}"

    def _back_spot(self, place: _Place, number: int) -> str:
        return f"{place.name}:#{number + 1}"

    def clicks(self, moves: Iterable[Move], seen: TableSeen, role: Role | None) -> dict[Move, tuple[str, ...]]:
        """The spots of each move: the places and elements that its text names, in order, or else backs in the role's
        own hand, or cells of the score sheet, or dice."""
        names = Names(self._spots(seen, role))
        spots = {move: names.find_spots(move) for move in moves}
        for place in self._row_places():
            if place.visibility == OTHERS and place.owner == role:
                backs = [self._back_spot(place, number) for number, _ in enumerate(seen.lying(place))]
                spots |= backs_in_moves([move for move, own in spots.items() if not own], backs)
        elsewhere = [move for move, own in spots.items() if not own]
        spots |= Numbers(self.game, self.hints, seen).clicks(elsewhere, role) if elsewhere else {}
        if self.hints.look not in table_boards.WITH_OWN_SPOTS:
            spots |= dice_in_moves([move for move, own in spots.items() if not own], list(self._faces(seen)))
        return spots

    def _faces(self, seen: TableSeen) -> Iterator[tuple[str, str]]:
        """What dice show, with their spots."""
        for marker in self.game.inventory.markers:
            if isinstance(marker, Dice):
                for number, face in enumerate(seen.value(marker) or ()):
                    if face != BACK:
                        yield str(face), _die_spot(marker, number)

    def _spots(self, seen: TableSeen, role: Role | None) -> Mapping[str, str]:
        """The names that a move can contain, with their spots."""
        spots: dict[str, str] = {}
        for place in sorted(self._row_places(), key=lambda place: (place.owner == role, place.owner is None)):
            spots[place.name] = self._place_spot(place)
            if place.owner in (None, role):
                area = place.area.name if isinstance(place, Position) else place.name
                spots.setdefault(area, self._place_spot(place))
            lying = seen.lying(place)
            for element in lying[-1:] if self._is_pile(place, lying) else lying:
                if (
                    element is not None
                ):  # the role's own things last, so that they take precedence over others of the same name
                    for name in (element.name, *(element.attributes.get(word) for word in _ALIASES)):
                        if isinstance(name, str):
                            spots[name] = self._element_spot(element, place)
        for board in self._areas.values():
            for position in board.positions:
                spots[position.name] = table_boards.spot_of(position)
                for element in seen.lying(position):
                    if element is not None and not element.is_endless:
                        spots.setdefault(element.name, table_boards.spot_of(position))
        if self.hints.look in table_boards.WITH_OWN_SPOTS:
            spots = table_boards.special_spots(self.hints.look, role)
        return spots


def _die_spot(dice: Dice, number: int) -> str:
    return f"{dice.name}:{number}"


def _whose(name: str, owner: Role | None) -> str:
    """The readable name of a thing: ``North's hand`` for ``hand North``."""
    what = name.removesuffix(f" {owner}")
    return f"{owner}'s {what}" if owner and what != name else name


def _merge_equal(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Merge equal pieces into one with a count."""
    counts: dict[Piece, int] = {}
    for piece in pieces:
        counts[piece] = counts.get(piece, 0) + 1
    return tuple(replace(piece, count=count) for piece, count in counts.items())


class _Words(dict[str, str]):
    """Values by name, for sentences that name them."""

    def fill(self, sentence: str) -> str:
        """The sentence with its values; empty if one of them is missing."""
        names = re.findall(r"\{(\w+)\}", sentence)
        if not all(name in self for name in names):
            return ""
        return re.sub(r"\{(\w+)\}", lambda found: self[found[1]], sentence)


class Names:
    """Finds names of places and things in the text of a move, the longest first."""

    def __init__(self, spots: Mapping[str, str]) -> None:
        self._spots = spots
        names = sorted(filter(None, spots), key=len, reverse=True)
        self._whole = re.compile("|".join(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in names) or "(?!)")
        squares = [name for name in names if len(name) <= 4 and not name.isalpha()]
        one = "|".join(map(re.escape, squares)) or "(?!)"
        self._run = re.compile(rf"(?<![^\W_])(?:[A-Z]?)((?:{one}){{2,}})(?=[a-z+=]?(?![^\W_]))")
        self._one = re.compile(one)

    def find_spots(self, text: str) -> tuple[str, ...]:
        """The spots of all names in a text, in order; names of squares may be adjacent: ``e2e4``."""
        spots: list[tuple[int, str]] = []
        taken: list[tuple[int, int]] = []
        for match in self._whole.finditer(text):
            spots.append((match.start(), self._spots[match[0]]))
            taken.append(match.span())
        for run in self._run.finditer(text):
            if not any(start < run.end() and run.start() < end for start, end in taken):
                for match in self._one.finditer(text, run.start(1), run.end(1)):
                    spots.append((match.start(), self._spots[match[0]]))
        return tuple(spot for _, spot in sorted(spots))
