"""Human players at other machines: their players, and the informations that each may receive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludens.core import Message, Role
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.guests.lobby import Guest
from ludens.protocols.ggtp.language.grammar import word
from ludens.protocols.ggtp.language.output import tell
from ludens.protocols.ggtp.language.wording import moves_text, result_text, seconds_text
from ludens.protocols.ggtp.plays.messages import message_text
from ludens.protocols.ggtp.plays.play import Play, PlayedTurn


class People:
    """The guests by the players that they play."""

    def __init__(self) -> None:
        self.guests: dict[Role, Guest] = {}
        """The guest who plays a player."""

    def role_of(self, guest: Guest) -> Role | None:
        """The player that a guest plays."""
        return next((role for role, other in self.guests.items() if other is guest), None)

    def seat(self, role: Role, guest: Guest, rule: ChosenRule) -> None:
        """Let a guest play a player."""
        self.guests[role] = guest
        tell(guest.write, f"you are {word(role)} in {rule.text}")

    def unseat(self, role: Role) -> None:
        """Remove the guest from a player."""
        guest = self.guests.pop(role, None)
        if guest is not None:
            tell(guest.write, f"you are not {word(role)} any more")

    def tell(self, text: str) -> None:
        """Send a text to all."""
        for guest in self.guests.values():
            tell(guest.write, text)

    def tell_turn(self, turn: PlayedTurn, role: Role | None = None) -> None:
        """Report a turn to one player or all, as far as each may know it."""
        for player, guest in self._those(role):
            for text in _news(turn, player):
                tell(guest.write, text)

    def tell_position(self, play: Play, delays: dict[Role, float | None], role: Role | None = None) -> None:
        """Report to one player or all their legal moves and time, or the result."""
        for player, guest in self._those(role):
            if play.state.is_terminal:
                tell(guest.write, result_text(play.state))
            elif player in play.waiting_for:
                delay = delays.get(player)
                tell(guest.write, moves_text({player: play.legal[player]}))
                if delay is not None:
                    tell(guest.write, f"you have {seconds_text(delay)} s")

    def tell_message(self, message: Message) -> None:
        """Send a message to its recipients."""
        for role in message.to:
            if role in self.guests:
                tell(self.guests[role].write, message_text(message))

    def _those(self, role: Role | None) -> Iterable[tuple[Role, Guest]]:
        return [(other, guest) for other, guest in self.guests.items() if role in (None, other)]


def _news(turn: PlayedTurn, role: Role) -> Iterator[str]:
    if role in turn.lost:
        yield f"{turn.lost[role]} came too late, another player was first"
    if not turn.state.game.hidden:
        yield from (f"{word(mover)} plays {move}" for mover, move in turn.steps)
        return
    if role in turn.chosen and role in dict(turn.steps):
        reason = turn.refusal(role)
        yield f"{word(role)} plays {turn.chosen[role]}" + ("" if reason is None else f", which is refused: {reason}")
    yield from turn.state.percepts(role)
