"""Backgammon: one game, checker by checker, with hits, bearing off, gammons and backgammons; the cube is an option."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.games.tabletop.twins.backgammon import backgammon_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Dice,
    Do,
    Element,
    EngineTwin,
    FinishPlay,
    Move,
    Option,
    Pass,
    Position,
    Roll,
    Rule,
    Set,
    Stage,
    Table,
    stage,
)

START = {24: 2, 13: 5, 8: 3, 6: 5}
"""The initial places of each player's checkers, counted from its own home."""
HIGHEST_CUBE = 64
"""The highest number on the doubling cube."""
BAR, OFF = 25, 0
"""The numbers of the places before and behind the 24 points, as a player counts."""
Board = tuple[int, ...]
"""A player's checkers on `OFF`, the 24 points and `BAR`, as it counts them."""
Step = tuple[int, int]
"""The place of the checker and the die."""


class Backgammon(Rule):
    """Bring your checkers home and bear them off before the other."""

    name = "Backgammon"
    players = ("White", "Black")
    points_range = (-3, 3)
    options = (Option("cube", False, "whether there is a doubling cube"),)

    def equipment(self, table: Table) -> None:
        """24 points, a bar and a tray for each, checkers and two dice."""
        if self.settings["cube"]:
            self.points_range = (-3 * HIGHEST_CUBE, 3 * HIGHEST_CUBE)
        table.add(Area.track("points", [str(n) for n in range(1, 25)]))
        for player in self.players:
            table.add(Area(f"places {player}", [f"bar {player}", f"off {player}"]))
        table.add(Assortment("checkers", [Element("W", player="White"), Element("B", player="Black")], endless=True))
        table.add(Dice("dice", 2, ordered=True))

    def setup(self, table: Table) -> Action:
        """The usual starting position."""
        action: Action = Set(table, left=())
        if self.settings["cube"]:
            action += Set(table, cube=1, cube_owner="", dropped="")
        for player in self.players:
            for point, count in START.items():
                for _ in range(count):
                    action += Move(table.element(player=player), to=self.place(table, player, point))
        return action

    def turns(self) -> list[Stage]:
        """Both roll to decide who begins; then they roll and move in turn."""
        white, black = self.players
        stages = [stage("opening", (player, self.opening, "opening")) for player in (self.starting_player,)]
        for player, other in ((white, black), (black, white)):
            stages.append(stage(f"roll {player}", (player, self.roll, f"move {player}"), start=False))
            stages.append(stage(f"move {player}", (player, self.move, f"roll {other}"), start=False))
            if self.settings["cube"]:
                stages.append(stage(f"answer {other}", (other, self.answer, f"throw {player}"), start=False))
                stages.append(stage(f"throw {player}", (player, self.throw, f"move {player}"), start=False))
        return stages

    # The board as a player counts it

    def place(self, table: Table, player: str, number: int) -> Position:
        """The place with a player's number."""
        if number == BAR:
            return table.position(f"bar {player}")
        if number == OFF:
            return table.position(f"off {player}")
        return table.position(str(number if player == "White" else 25 - number))

    def board(self, table: Table, player: str) -> Board:
        """A player's checkers by its own numbers."""
        own = table.element(player=player)
        lying = [table[self.place(table, player, number)] for number in range(26)]
        return tuple(len(stack) if stack and stack[0] is own else 0 for stack in lying)

    # Dice

    def opening(self, table: Table) -> list[Action]:
        """One die each; the higher begins with both."""
        return [(Roll(table.dice()) + Do(self.begin)).named("roll for the beginning")]

    def begin(self, table: Table) -> Action:
        """Who begins, or another roll."""
        white, black = table.value(table.dice())
        if white == black:
            return Pass().then("opening")
        return self.ready(table, self.players[0] if white > black else self.players[1])

    def roll(self, table: Table) -> list[Action]:
        """Roll both dice, or offer to double the stake first."""
        player = table.current_player
        if self.settings["cube"] and table.get("cube") < HIGHEST_CUBE and table.get("cube_owner") in ("", player):
            return [*self.throw(table), Pass().then(f"answer {self.opponent(player)}").named("double")]
        return self.throw(table)

    def throw(self, table: Table) -> list[Action]:
        """Roll both dice."""
        return [(Roll(table.dice()) + Do(self.use_dice)).named("roll")]

    def answer(self, table: Table) -> list[Action]:
        """Play on for twice the stake and own the cube, or lose the stake as it is."""
        player = table.current_player
        take = Set(table, cube=2 * table.get("cube"), cube_owner=player)
        return [take.named("take"), Set(table, dropped=player).named("drop")]

    def use_dice(self, table: Table) -> Action:
        """Let the current player use the dice."""
        return self.ready(table, table.current_player)

    def ready(self, table: Table, player: str) -> Action:
        """The player's turn to use the dice; passed if no die can be used."""
        one, two = table.value(table.dice())
        left = (one,) * 4 if one == two else (max(one, two), min(one, two))
        own, other = self.board(table, player), self.board(table, self.opponent(player))
        if steps(own, other, left):
            return Set(table, left=left).then(f"move {player}")
        return Set(table, left=()).then(f"roll {self.opponent(player)}")

    def opponent(self, player: str) -> str:
        """The other player."""
        return self.players[1 - self.players.index(player)]

    # Moves

    def move(self, table: Table) -> list[Action]:
        """Move one checker by one die, so that as many dice as possible are used."""
        return [Do(self.step, *step).named(text) for text, step in self.step_texts(table).items()]

    def step_texts(self, table: Table) -> dict[str, Step]:
        """The steps of the current player by their texts."""
        player = table.current_player
        own, other = self.board(table, player), self.board(table, self.opponent(player))
        named: dict[str, Step] = {}
        for source, die in steps(own, other, table.get("left")):
            start = "bar" if source == BAR else str(source)
            target = max(source - die, OFF)
            text = f"{start}/{target or 'off'}"
            if text in named:
                text += f" by {die}"
            named[text] = source, die
        return named

    def step(self, table: Table, source: int, die: int) -> Action:
        """Move a checker, perhaps hit one, and pass the turn if no die is left."""
        player = table.current_player
        opponent = self.opponent(player)
        checker, enemy = table.element(player=player), table.element(player=opponent)
        target = self.place(table, player, max(source - die, OFF))
        action: Action = Pass()
        if target.name.isdecimal() and enemy in table[target]:
            action = Move(enemy, to=self.place(table, opponent, BAR), source=target)
        action += Move(checker, to=target, source=self.place(table, player, source))
        left = list(table.get("left"))
        left.remove(die)
        own, other = after(self.board(table, player), self.board(table, opponent), source, die)
        if steps(own, other, tuple(left)):
            return (action + Set(table, left=tuple(left))).then(f"move {player}")
        return (action + Set(table, left=())).then(f"roll {opponent}")

    def twin(self) -> EngineTwin:
        """An engine in C++."""
        return backgammon_twin(self, self.board, self.step_texts)

    def result(self, table: Table) -> FinishPlay | None:
        """Fifteen checkers off win, twice or three times if the other has borne none off."""
        cube = table.get("cube", 1)
        if dropped := table.get("dropped"):
            winner = self.opponent(dropped)
            points = {winner: cube, dropped: -cube}
            return FinishPlay(winners=[winner], points=points, reason=f"{dropped} did not take the doubled stake")
        for player in self.players:
            if len(table[f"off {player}"]) == sum(START.values()):
                loser = self.opponent(player)
                other = self.board(table, loser)
                stake = cube * (1 if other[OFF] else 3 if any(other[19:]) else 2)
                points = {player: stake, loser: -stake}
                return FinishPlay(winners=[player], points=points, reason=f"{player} has borne off all checkers")
        return None


def steps(own: Board, other: Board, left: Sequence[int]) -> list[Step]:
    """The first steps of the plays that use as many dice as possible, and the higher die if only one can be used."""
    if not left:
        return []
    best: dict[Step, int] = {}
    for die in dict.fromkeys(left):
        rest = list(left)
        rest.remove(die)
        for source in sources(own, other, die):
            best[source, die] = 1 + longest(*after(own, other, source, die), tuple(rest))
    if not best:
        return []
    most = max(best.values())
    longest_first = [step for step, length in best.items() if length == most]
    if most == 1 and len(set(left)) == 2:
        highest = max(die for _, die in longest_first)
        longest_first = [step for step in longest_first if step[1] == highest]
    return sorted(longest_first, reverse=True)


def longest(own: Board, other: Board, left: tuple[int, ...]) -> int:
    """How many of the dice can be used."""
    most = 0
    for die in dict.fromkeys(left):
        rest = list(left)
        rest.remove(die)
        for source in sources(own, other, die):
            most = max(most, 1 + longest(*after(own, other, source, die), tuple(rest)))
            if most == len(left):
                return most
    return most


def sources(own: Board, other: Board, die: int) -> list[int]:
    """The places from which a checker can move by a die."""
    if own[BAR]:
        return [BAR] if other[die] < 2 else []
    places = [source for source in range(die + 1, 25) if own[source] and other[25 - source + die] < 2]
    if not any(own[7:]):
        if own[die]:
            places.append(die)
        elif not any(own[die:]):
            places += [max((source for source in range(1, die) if own[source]), default=0)]
    return [source for source in places if source]


def after(own: Board, other: Board, source: int, die: int) -> tuple[Board, Board]:
    """Both boards after a step."""
    mine, theirs = list(own), list(other)
    target = max(source - die, OFF)
    mine[source] -= 1
    mine[target] += 1
    if target != OFF and theirs[25 - target]:
        theirs[25 - target] -= 1
        theirs[BAR] += 1
    return tuple(mine), tuple(theirs)
