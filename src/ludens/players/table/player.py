"""A perfect player: looks up every move in a table of all positions."""

from __future__ import annotations

from pathlib import Path
from random import Random

from ludens.core import Clock, Deadline, Decision, Game, MoveReport, Option, Player, Role, Thinking, View
from ludens.players.table.table import Rating, Table, best_ratings, read_table


class TablePlayer(Player):
    """Plays by a table. Wins come soon and losses late; among equal moves it sets the opponent the hardest problem."""

    name = "table"
    description = "plays perfectly by a table of all positions, written by `ludens solve GAME --table FILE`"
    options = (Option("file", "", "the table"),)

    def check(self, game: Game) -> None:
        """Open the file."""
        self._read(game)

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Open the file."""
        self._rng, self._role = Random(seed), role
        self._table = self._read(game)

    def _read(self, game: Game) -> Table:
        path = Path(str(self.settings["file"]))
        table = read_table(path)
        table.check(path, game)
        return table

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The best move of the table; a random one where the table does not have the position."""
        legal = view.legal_moves
        self.channel.publish(Decision(legal[0]))
        table, role = self._table, self._role
        state = view.sample(self._rng)
        ratings = [rating for rating in table.rate_moves(state, role) if rating.move in legal]
        if not ratings:
            return Decision(self._rng.choice(list(legal)), Thinking(note="not in the table: a random move"))
        best = best_ratings(table, ratings, role)
        self.channel.publish(Decision(best[0].move))
        self._rng.shuffle(best)
        chosen = max(best, key=lambda rating: self._difficulty(rating, deadline)) if len(best) > 1 else best[0]
        ratings.sort(key=lambda rating: (rating is chosen, table.preference(rating.entry, role)), reverse=True)
        return Decision(chosen.move, self._thinking(ratings))

    def _difficulty(self, rating: Rating, deadline: Deadline) -> float:
        """The share of the opponent's replies that are mistakes; 0 without time to look."""
        table, state = self._table, rating.after
        others = [role for role in table.roles if role != self._role]
        if not others or deadline.remaining() <= 0 or len(state.legal_moves(others[0])) < 2:
            return 0.0
        values = [table.preference(reply.entry, others[0])[0] for reply in table.rate_moves(state, others[0])]
        return sum(value < max(values) for value in values) / max(1, len(values))

    def _thinking(self, ratings: list[Rating]) -> Thinking:
        own, entry = self._table.roles.index(self._role), ratings[0].entry
        distance = "play never ends" if entry.distance is None else f"{entry.distance + 1} moves to the end"
        reports = tuple(
            MoveReport(
                rating.move,
                rating.entry.goals[own],
                proven=True,
                plies=None if rating.entry.distance is None else rating.entry.distance + 1,
            )
            for rating in ratings
        )
        note = f"{entry.goals[own]:g} by the table, {distance}"
        return Thinking(note=note, nodes=len(self._table), value=entry.goals[own], moves=reports)
