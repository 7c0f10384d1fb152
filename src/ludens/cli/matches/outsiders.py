"""Programs of others as opponents: players behind HTTP by their URL, GTP and UCI programs by command."""

from __future__ import annotations

from ludens.core import Clock, Game, GameError, Player
from ludens.gdl.game import GdlGame
from ludens.gdl.write import write_kif
from ludens.protocols.ggp.controller import GRACE
from ludens.protocols.ggp.remote import RemotePlayer, Terms
from ludens.protocols.ggp.wire import Address
from ludens.protocols.gtp.player import GtpPlayer
from ludens.protocols.uci.player import UciPlayer


def make_outsider(text: str, game: Game, clock: Clock, seed: int) -> Player | None:
    """The player behind a URL, ``gtp:COMMAND`` or ``uci:COMMAND``; after ``;``, options of a UCI program
    (``uci:stockfish; Skill Level=3``). None for other texts."""
    kind, _, rest = text.partition(":")
    if kind == "gtp":
        return GtpPlayer(command=rest.strip())
    if kind == "uci":
        command, _, settings = rest.partition(";")
        return UciPlayer(command=command.strip(), settings=settings.strip())
    if "://" not in text or (kind == "http" and not rest.startswith("//")):  # http:URL is asked in words
        return None
    if not isinstance(game, GdlGame):
        raise GameError(f"{game.name} has no rules in GDL, which is what players behind HTTP are sent")
    rules = tuple(write_kif([rule]).strip() for rule in game.sheet.rules)
    terms = Terms(f"gauntlet.{seed}", rules, clock.start, clock.play)
    return RemotePlayer(Address.parse(text), text, terms, GRACE)
