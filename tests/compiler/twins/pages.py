"""A small page with a twin, and copies of it with a mistake each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludens.tabletop import Action, FinishPlay, Rule, Set, Stage, Table, Twin, alternate

HEAP = 7
RULES = """
(role first) (role second) (other first second) (other second first)
(init (heap 7)) (init (turn first)) (init (turns 0))
{numbers}
(<= (legal ?p (take 1)) (true (turn ?p)) (true (heap ?n)) (minus ?n 1 ?m))
(<= (legal ?p (take 2)) (true (turn ?p)) (true (heap ?n)) (minus ?n 2 ?m))
(<= (legal ?p noop) (role ?p) (true (turn ?q)) (distinct ?p ?q))
(<= (next (heap ?m)) (does ?p (take ?k)) (true (heap ?n)) (minus ?n ?k ?m))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (turns ?n)) (true (turns ?m)) (minus ?n 1 ?m))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (turn ?q)) (other ?p ?q) (true (heap 0)))
(<= (goal ?p 0) (true (turn ?p)))
(<= (goal ?p 0) (role ?p) (not (true (heap 0))))
"""


def rules() -> str:
    """Take one or two from a heap; who takes the last one wins."""
    numbers = [f"(minus {n} {k} {n - k})" for n in range(1, HEAP + 1) for k in range(1, n + 1)]
    return RULES.format(numbers=" ".join(numbers))


class Heap(Rule):
    """Take one or two from a heap; who takes the last one wins."""

    name = "Heap"
    players = ("Ann", "Bob")
    zero_sum = True

    def equipment(self, table: Table) -> None:
        """Nothing but numbers."""

    def setup(self, table: Table) -> Action:
        """Seven."""
        return Set(table, heap=HEAP, turn=0)

    def turns(self) -> list[Stage]:
        """In turn."""
        return alternate(self.players, self.take)

    def take(self, table: Table) -> Sequence[Action]:
        """One or two."""
        heap, turn = table.get("heap"), table.get("turn")
        return [Set(table, heap=heap - n, turn=turn + 1).named(f"take {n}") for n in (1, 2) if n <= heap]

    def result(self, table: Table) -> FinishPlay | None:
        """The last one wins."""
        return None if table.get("heap") else FinishPlay(winners=[table.current_player])

    def twin(self) -> Twin:
        """The same in GDL."""
        return Twin(rules=self.twin_rules(), facts=self.twin_facts, moves=self.twin_moves)

    def twin_rules(self) -> str:
        """As they are."""
        return rules()

    def twin_facts(self, table: Table) -> Iterable[str] | None:
        """The heap, and whose turn it is."""
        player = ("first", "second")[self.players.index(table.current_player)]
        return [f"(heap {table.get('heap')})", f"(turn {player})", f"(turns {table.get('turn')})"]

    def twin_moves(self, table: Table, role: str, move: str) -> tuple[str, str] | None:
        """Without brackets."""
        if move == "noop":
            return None
        return self.players[role == "second"], move.strip("()")


class WrongGoals(Heap):
    """The twin lets the other win."""

    def twin_rules(self) -> str:
        """With other goals."""
        wins, loses = "(<= (goal ?p 100) (true (turn ?q)) (other ?p ?q)", "(<= (goal ?p 0) (true (turn ?p))"
        swapped = rules().replace(wins, "(<= (goal ?p 100) (true (turn ?p))")
        return swapped.replace(loses, "(<= (goal ?p 0) (true (turn ?q)) (other ?p ?q)")


class WrongMoves(Heap):
    """The twin does not know that two can be taken."""

    def twin_rules(self) -> str:
        """Without a move."""
        return "\n".join(line for line in rules().splitlines() if "(take 2)" not in line)


class WrongFacts(Heap):
    """The page counts turns otherwise."""

    def twin_facts(self, table: Table) -> Iterable[str] | None:
        """Always the first turn."""
        found = super().twin_facts(table)
        assert found is not None
        return [fact for fact in found if not fact.startswith("(turns")] + ["(turns 0)"]


class LateEnd(Heap):
    """The twin goes on for one more turn."""

    def twin_rules(self) -> str:
        """The end is later."""
        return rules().replace("(<= terminal (true (heap 0)))", "(<= terminal (true (turns 7)))")


class UnknownFact(Heap):
    """A fact that the twin does not have."""

    def twin_facts(self, table: Table) -> Iterable[str] | None:
        """With a misspelling."""
        return ["(heep 7)"]


class LateTwin(Heap):
    """The twin covers the last turns, and points decide."""

    def twin(self) -> Twin:
        """With points by whose turn it is."""
        return Twin(
            rules=self.twin_rules(),
            facts=self.twin_facts,
            moves=self.twin_moves,
            watched=["(turn first)", "(turn second)"],
            points=self.twin_points,
        )

    def result(self, table: Table) -> FinishPlay | None:
        """The same as points."""
        if table.get("heap"):
            return None
        return FinishPlay(points={player: int(player == table.current_player) for player in self.players})

    def twin_facts(self, table: Table) -> Iterable[str] | None:
        """Only small heaps."""
        return super().twin_facts(table) if table.get("heap") < HEAP - 2 else None

    def twin_points(self, table: Table, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Who has just taken the last."""
        return flags[:, ::-1].astype(np.float64)


class Twinless(Rule):
    """A page without a twin."""

    players = ("Ann", "Bob")

    def equipment(self, table: Table) -> None:
        """None is needed."""

    def turns(self) -> list[Stage]:
        """One after the other."""
        return alternate(self.players, self.end)

    def end(self, table: Table) -> list[Action]:
        """The first wins."""
        return [FinishPlay(winners=[table.current_player]).named("win")]

    def result(self, table: Table) -> FinishPlay | None:
        """The action is the end."""
        return None
