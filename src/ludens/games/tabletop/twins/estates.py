"""Estates for its engine."""

from __future__ import annotations

from ludens.games.tabletop.shared import estates_board as board
from ludens.games.tabletop.shared.estates_board import NUMBER, SQUARES
from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

MOST_PLAYERS, NOBODY = 5, -1
STAGES = ("turn", "answer", "buy", "auction")
SORTS = ("", board.STREET, board.STATION, board.TAX, board.FATE, board.TO_PRISON)
WORDS = ("roll", "pay bail and roll", "accept", "decline", "buy", "decline")
BID, BUILD, OFFER, SWAP = 6, 100, 1000, 10000
OFFERS, BIDS = (1.0, 1.5, 2.0), (0.0, 0.5, 0.75, 1.0, 1.25)


def estates_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    groups = {group: number for number, group in enumerate(sorted({square.group for square in SQUARES}))}
    cheapest = sorted(SQUARES, key=lambda square: (square.price, NUMBER[square.name]))
    settings = [len(rule.players), rule.settings["rounds"], int(rule.settings["trade"])]
    for square in SQUARES:
        sort = SORTS.index(square.sort) if square.sort in SORTS else 0
        settings += [sort, square.price, groups[square.group], cheapest.index(square)]
    return EngineTwin(package=PACKAGE, engine="estates", settings=settings, position=position, move=move)


def position(table: Table) -> list[int]:
    """The stage, who is to act, the offer, what is auctioned, players, landlords and houses."""
    players = table.players
    stage = STAGES.index(table.stage.split()[0])
    seats = {player: seat for seat, player in enumerate(players)} | {"": NOBODY}
    is_auction = STAGES[stage] == "auction"
    found = [stage, 0 if is_auction else seats[table.current_player]]
    found += [table.get(name) for name in ("turn", "doubles")]
    found.append(int(table.get("offered")))
    if STAGES[stage] == "answer":
        other, wanted, given, price = table.get("offer")
        found += [seats[other], NUMBER[wanted], NUMBER[given] if given else NOBODY, price]
    else:
        found += [NOBODY, NOBODY, NOBODY, 0]
    seller, name = table.get("auction") if is_auction else ("", "")
    found += [seats[seller], NUMBER[name] if name else NOBODY]
    out, missing = table.get("out"), [0] * (MOST_PLAYERS - len(players))
    places = {piece.attributes["player"]: table.where[piece.index] for piece in table.inventory.elements}
    found += [*(int(player in out) for player in players), *missing]
    found += [*(table.value(table.score(f"money {player}")) for player in players), *missing]
    found += [*(NOBODY if player in out else NUMBER[str(places[player])] for player in players), *missing]
    found += [*(table.get("prison", of=player) for player in players), *missing]
    streets = [table.position(square.name) if square.can_be_owned else None for square in SQUARES]
    found += [seats[table.get("landlord", of=street)] if street else NOBODY for street in streets]
    return found + [table.get("houses", of=street) if street else 0 for street in streets]


def move(table: Table, player: str, number: int) -> str:
    """A word, a bid, a house, or an offer."""
    if number >= SWAP:
        wanted, given = divmod(number - SWAP, len(SQUARES))
        return f"offer {SQUARES[given].name} for {SQUARES[wanted].name}"
    if number >= OFFER:
        square, part = divmod(number - OFFER, len(OFFERS))
        return f"offer {int(SQUARES[square].price * OFFERS[part])} for {SQUARES[square].name}"
    if number >= BUILD:
        return f"build on {SQUARES[number - BUILD].name}"
    if number >= BID:
        amount = int(SQUARES[NUMBER[table.get("auction")[1]]].price * BIDS[number - BID])
        return f"bid {amount}" if amount else "pass"
    if number == 0 and table.get("prison", of=player):
        return "roll for a double"
    return WORDS[number]
