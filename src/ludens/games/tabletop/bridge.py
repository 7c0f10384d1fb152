"""Contract Bridge: one deal with auction, play and duplicate scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from ludens.games.tabletop.shared.bridge_calls import promising_calls, sensible_call
from ludens.games.tabletop.shared.bridge_score import MOST_IMPS, STRAINS, Contract, match_points
from ludens.games.tabletop.shared.trick_twin import TrickRules
from ludens.games.tabletop.shared.tricks import TrickTaking
from ludens.tabletop import Action, Do, Element, FinishPlay, Option, Pass, Set, Show, Stage, Table, french_deck, stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOBODY, BOTH = "none", "both"
SIDES = {"NS": ("North", "South"), "EW": ("East", "West")}
BIDS = tuple(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS)
PASS, DOUBLE, REDOUBLE = "pass", "X", "XX"
EACH = 13
RANKS = range(2, 15)


class Bridge(TrickTaking):
    """Two partnerships; declarer plays dummy's cards as well as its own."""

    name = "Contract Bridge"
    players = ("North", "East", "South", "West")
    partners = tuple(SIDES.values())
    options = (Option("vulnerable", NOBODY, "which side is vulnerable", choices=(NOBODY, *SIDES, BOTH)),)

    def equipment(self, table: Table) -> None:
        """The cards."""
        table.add(french_deck())
        self.lay_tricks(table)

    def setup(self, table: Table) -> Action:
        """Thirteen cards each."""
        return (self.shuffle_and_deal(table, EACH) + Set(table, calls=())).named("deal")

    def turns(self) -> list[Stage]:
        """Calls in turn, then cards; dummy's are played by its partner."""
        calls = [
            stage(f"call {player}", (player, self.call, f"call {after}"))
            for player, after in zip(self.players, (*self.players[1:], self.players[0]), strict=True)
        ]
        dummies = [
            stage(f"dummy {player}", (partner, self.card, f"dummy {player}"), start=False)
            for side in SIDES.values()
            for player, partner in zip(side, side[::-1], strict=True)
        ]
        return [*calls, *self.card_stages(), *dummies]

    # The auction

    def call(self, table: Table) -> list[Action]:
        """Pass, bid higher, double the opponents or redouble."""
        calls = table.get("calls")
        last = next((number for number in range(len(calls) - 1, -1, -1) if calls[number] in BIDS), None)
        legal = [PASS]
        if last is None:
            legal += BIDS
        else:
            legal += BIDS[BIDS.index(calls[last]) + 1 :]
            since = calls[last + 1 :]
            is_theirs = (len(calls) - last) % 2 == 1
            if is_theirs and DOUBLE not in since:
                legal.append(DOUBLE)
            elif not is_theirs and DOUBLE in since and REDOUBLE not in since:
                legal.append(REDOUBLE)
        return [Do(self.say, call).named(call) for call in legal]

    def say(self, table: Table, call: str) -> Action:
        """Make a call; three passes after a bid end the auction."""
        calls = (*table.get("calls"), call)
        action: Action = Set(table, calls=calls)
        if len(calls) > 3 and calls[-3:] == (PASS,) * 3 and calls[-4:] != (PASS,) * 4:
            return action + Do(self.settle)
        return action

    def settle(self, table: Table) -> Action:
        """Declarer is the first of its side to have named the strain; the player to its left leads."""
        calls = table.get("calls")
        last = max(number for number, call in enumerate(calls) if call in BIDS)
        strain = calls[last][1:]
        first = next(
            number
            for number, call in enumerate(calls)
            if number % 2 == last % 2 and call in BIDS and call[1:] == strain
        )
        doubled = 4 if REDOUBLE in calls[last:] else 2 if DOUBLE in calls[last:] else 1
        declarer = table.next_player(first, after=self.starting_player)
        contract = Set(table, declarer=declarer, level=int(calls[last][0]), strain=strain, doubled=doubled)
        return contract.then(f"play {table.next_player(after=declarer)}")

    # Playing

    def trump(self, table: Table) -> str:
        """The suit of the contract; in no trumps none."""
        strain: str = table.get("strain")
        return strain

    def turn_of(self, table: Table, player: str) -> str:
        """Dummy's hand is played by declarer."""
        return f"{'dummy' if player in table.partners(table.get('declarer')) else 'play'} {player}"

    def play(self, table: Table, card: Element) -> Action:
        """After the opening lead, dummy lays its cards open."""
        action = super().play(table, card)
        if table[self.trick] or self.tricks(table):
            return action
        (dummy,) = table.partners(table.get("declarer"))
        return Show(table[self.hands[dummy]]) + action

    def tricks(self, table: Table) -> int:
        """How many tricks have been taken."""
        return sum(len(table[table.hand(player, "won")]) for player in self.players) // len(self.players)

    def after_trick(self, table: Table, winner: str) -> Action:
        """The winner's hand leads."""
        return Pass().then(self.turn_of(table, winner))

    # The twin

    def trick_rules(self) -> TrickRules:
        """Plain tricks."""
        return TrickRules(dict.fromkeys("CDHS", RANKS))

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The score of the contract by the tricks of declarer's side."""
        import numpy as np  # noqa: PLC0415 - rules are loaded without it

        side = self.declaring_side(table)
        own = np.array([player in side for player in self.players])
        tricks = self.won_by_seat(flags)[:, own].sum(axis=(1, 2)) // len(self.players)
        scores = np.array([self.contract_score(table, count) for count in range(EACH + 1)], np.float64)
        points: NDArray[np.float64] = scores[tricks][:, None] * np.where(own, 1.0, -1.0)
        return points

    # Sensible players

    def ranks(self, table: Table, player: str) -> dict[str, list[int]]:
        """The ranks of each suit of a hand."""
        found: dict[str, list[int]] = {suit: [] for suit in "CDHS"}
        for card in table[self.hands[player]]:
            found[card.suit].append(card.rank)
        return found

    def promising(self, table: Table, moves: Sequence[str]) -> Sequence[str]:
        """Calls that the hand and the partner's bids suggest."""
        if not table.stage.startswith("call"):
            return moves
        return promising_calls(self.ranks(table, table.current_player), table.get("calls"), moves)

    def sensible_action(self, table: Table, actions: Sequence[Action], rng: Random) -> Action:
        """Call by points and long suits."""
        if not table.stage.startswith("call"):
            return actions[int(rng.random() * len(actions))]
        call = sensible_call(self.ranks(table, table.current_player), table.get("calls"))
        return next(action for action in actions if action.name == call)

    # The end

    def declaring_side(self, table: Table) -> tuple[str, ...]:
        """Declarer and its partner."""
        declarer = table.get("declarer")
        return (declarer, *table.partners(declarer))

    def contract_score(self, table: Table, tricks: int) -> int:
        """The score of declarer's side for a number of tricks."""
        contract = Contract(table.get("level"), table.get("strain"), table.get("doubled"))
        return contract.score(tricks, self.is_vulnerable(self.declaring_side(table)))

    def result(self, table: Table) -> FinishPlay | None:
        """Score the contract when all cards are played, or nothing if all have passed."""
        if table.get("calls") == (PASS,) * 4:
            return FinishPlay(points=dict.fromkeys(self.players, 0))
        if any(table[hand] for hand in self.hands.values()) or table[self.trick]:
            return None
        side = self.declaring_side(table)
        tricks = sum(len(table[table.hand(player, "won")]) for player in side) // len(self.players)
        score = self.contract_score(table, tricks)
        return FinishPlay(points={player: score if player in side else -score for player in self.players})

    def is_vulnerable(self, side: Sequence[str]) -> bool:
        """True if a side is vulnerable in this deal."""
        vulnerable = self.settings["vulnerable"]
        return vulnerable == BOTH or set(SIDES.get(vulnerable, ())) == set(side)

    def goals(self, points: Mapping[str, float]) -> Sequence[int]:
        """Fifty, plus or minus a share by international match points, so that slams do not dominate."""
        return [round(50 + 50 * match_points(int(points[player])) / MOST_IMPS) for player in self.players]
