"""Replay OpenSpiel's playthrough files with the games of the library that have the same names.

``python -m benchmarks.playthroughs FOLDER`` takes a folder of files as OpenSpiel keeps them in
``open_spiel/integration_tests/playthroughs`` and prints one line for each that has a namesake. Nobody writes down how
their actions are called here: the names are inferred. Coordinates may change places, run the other way and begin
elsewhere, and of all such translations one must make the legal moves of every state the same, and the ends, too.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ludens
from ludens.core import Game, GameError, IllegalMoveError, Move, Role, State
from ludens.drawing.notation import writer_of
from ludens.games.library import entries

Shape = tuple[str, ...]
"""A move without its coordinates."""
Place = tuple[int, ...]
_MOST_TRANSLATIONS = 2_000
"""Moves of one file that are tried until the search for a translation is given up."""
_NOBODY = -4
"""The player of states that a file leaves out."""
_MOST_ORDERS = 6
"""Orders of the roles that are tried: at chess their first player is black."""
_LEFT_OUT = {"mnk": {"k": "5"}}
"""Parameters that files leave out, with their defaults."""
_IN_ORDER = {"goofspiel": ("num_cards", "points_order"), "nim": ("pile_sizes", "is_misere")}
"""The parameters that ours has, where they are not just numbers."""
_WORDS = {"is_misere": {"True": "misere", "False": "normal"}}
_TWO_IN_ONE = "they make one move of ours in two"
_KNOWN = {
    "amazons": f"another size, and {_TWO_IN_ONE}",
    "checkers": "another rule: a draw after 40 turns without a capture, in ours after 80 without a man's move either",
    "chinese_checkers": "not comparable: holes have numbers instead of coordinates",
    "goofspiel": "another rule: theirs plays the last card by itself",
    "kriegspiel": "another size: four by four from a set-up of its own",
    "nim": "not comparable: they name what is taken, ours what is left",
    "nine_mens_morris": "not comparable: points have numbers instead of coordinates",
    "oshi_zumo": "another rule: they may bid nothing",
    "pentago": "not comparable: one letter for quarter and direction",
    "phantom_go": "another rule: in theirs a point that was refused as suicide may be tried again in the same turn",
    "quoridor": "another size: ours is for two",
    "ultimate_tic_tac_toe": f"not comparable: {_TWO_IN_ONE}",
}
"""Why games are known to differ, or cannot be compared by the names of their moves."""


@dataclass(frozen=True, slots=True)
class Step:
    """A state of a file: what each player may do, and what was done."""

    legal: Mapping[int, Sequence[str]]
    done: Mapping[int, str]
    returns: Sequence[float]
    is_terminal: bool
    is_chance: bool


@dataclass(frozen=True, slots=True)
class Playthrough:
    """One file."""

    name: str
    parameters: Mapping[str, str]
    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a replay came."""

    states: int
    difference: str
    """Empty if everything agreed."""


def name_of(text: str) -> str:
    """The game of a playthrough file."""
    name = re.search(r'^GameType\.short_name = "(.*)"$', text, re.MULTILINE)
    if name is None:
        raise GameError("this is no playthrough file: it has no short_name")
    return name[1]


def read(text: str) -> Playthrough:
    """A playthrough file."""
    head, *states = re.split(r"^# State \d+$", text, flags=re.MULTILINE)
    given = re.search(r"^GetParameters\(\) = \{(.*)\}$", head, re.MULTILINE)
    parameters = dict(part.split("=", 1) for part in given[1].split(",") if "=" in part) if given else {}
    return Playthrough(name_of(head), parameters, [_step(state) for state in states])


def _step(text: str) -> Step:
    values = dict(re.findall(r"^([A-Za-z]+(?:\(\d*\))?) = (.*)$", text, re.MULTILINE))
    player = int(values.get("CurrentPlayer()", _NOBODY))
    legal = {int(number): ast.literal_eval(found) for number, found in _of_players(values)}
    if "StringLegalActions()" in values and player >= 0:
        legal[player] = ast.literal_eval(values["StringLegalActions()"])
    alone = re.search(r'^# Apply action "(.*)"$', text, re.MULTILINE)
    joint = re.search(r"^# Apply joint action (\[.*\])$", text, re.MULTILINE)
    done = {player: alone[1]} if alone else dict(enumerate(ast.literal_eval(joint[1]))) if joint else {}
    returns = ast.literal_eval(values.get("Returns()", "[]"))
    is_chance = values.get("IsChanceNode()") == "True"
    return Step(legal, done, returns, values.get("IsTerminal()") == "True", is_chance)


def _of_players(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if match := re.fullmatch(r"StringLegalActions\((\d+)\)", name):
            yield match[1], value


_LAST_SIGN = re.compile(r"(?<=\d[a-z])\+$|(?<=^[a-z]\d)[hv]$")
"""A promotion at shogi, the direction of a wall."""
_WORD = re.compile(r"^\(\w+|\b[a-z](?=,)")
"""The name of a term, or a letter in a list: no coordinates, however short."""


def split(move: str) -> tuple[Shape, Place]:
    """A move's words, and its coordinates: numbers, and single letters as numbers. Signs of captures are left out."""
    words: list[str] = []
    place: list[int] = []
    if sign := _LAST_SIGN.search(move):
        words.append(sign[0])
        move = move[: sign.start()]
    words += [word.strip("(") for word in _WORD.findall(move)]
    move = _WORD.sub("", move)
    for token in re.findall(r"[A-Za-z_]+|\d+", re.sub(r"(?<=\d)x(?=[a-z])", " ", move)):
        for part in [token] if len(token) > 2 or not token.isalpha() else token:  # ab is two letters
            if part.isdecimal() or (len(part) == 1 and part.isalpha()):
                place.append(int(part) if part.isdecimal() else ord(part.lower()) - ord("a") + 1)
            else:
                words.append(part)
    return (*words, str(len(place))), tuple(place)


@dataclass(frozen=True, slots=True)
class Translation:
    """Moves of one shape to moves of another: which coordinate each of ours is, in which direction, from where."""

    shape: Shape
    sources: tuple[int, ...]
    signs: tuple[int, ...]
    offsets: tuple[int, ...]

    def __call__(self, place: Place) -> tuple[Shape, Place]:
        """The move in our words."""
        mapped = zip(self.sources, self.signs, self.offsets, strict=True)
        return self.shape, tuple(sign * place[source] + offset for source, sign, offset in mapped)


def translations(theirs: Sequence[Place], shape: Shape, ours: set[Place]) -> Iterator[Translation]:
    """All translations that make one set of coordinates the other."""
    wanted, given = len(next(iter(ours))), len(theirs[0])
    columns = list(zip(*ours, strict=True))
    for sources in itertools.permutations(range(given), wanted):
        for signs in itertools.product((1, -1), repeat=wanted):
            offsets = tuple(
                min(column) - min(sign * place[source] for place in theirs)
                for source, sign, column in zip(sources, signs, columns, strict=True)
            )
            found = Translation(shape, sources, signs, offsets)
            if len({found(place)[1] for place in theirs}) == len(theirs) and {found(p)[1] for p in theirs} == ours:
                yield found


def _groups(moves: Iterable[str]) -> dict[Shape, list[Place]]:
    groups: dict[Shape, list[Place]] = defaultdict(list)
    for move in moves:
        shape, place = split(move)
        groups[shape].append(place)
    return groups


Known = Mapping[tuple[int, Shape], Translation]
"""The translations so far, for each player and shape of theirs."""


def extend(known: Known, player: int, theirs: Sequence[str], ours: Sequence[str]) -> Iterator[Known]:
    """All ways to translate also these moves, so that they are just ours."""
    left = {shape: set(places) for shape, places in _groups(ours).items()}
    new = []
    for shape, places in _groups(theirs).items():
        translation = known.get((player, shape))
        if translation is None:
            new.append((shape, places))
        elif not all(_take(left, *translation(place)) for place in places):
            return
    left = {shape: places for shape, places in left.items() if places}
    if len(left) > len(new) and len({shape[-1] for shape in left}) == len(new):  # a capture has no word of its own
        left = _by_length(left)
    if len(new) != len(left):
        return
    for order in itertools.permutations(left):
        choices = [list(translations(own, to, left[to])) for (_, own), to in zip(new, order, strict=True)]
        for chosen in itertools.product(*choices):
            yield {**known, **{(player, shape): made for (shape, _), made in zip(new, chosen, strict=True)}}


def _take(left: dict[Shape, set[Place]], shape: Shape, place: Place) -> bool:
    """Take a move away, or one with the same coordinates and other words; returns whether there is one."""
    for other in sorted(left, key=lambda own: own != shape):
        if other[-1] == shape[-1] and place in left[other]:
            left[other].remove(place)
            return True
    return False


def _by_length(groups: Mapping[Shape, set[Place]]) -> dict[Shape, set[Place]]:
    merged: dict[Shape, set[Place]] = {}
    for shape, places in groups.items():
        first = next((other for other in merged if other[-1] == shape[-1]), shape)
        merged[first] = merged.get(first, set()) | places
    return merged


def follow_names(game: Game, roles: Sequence[Role], file: Playthrough) -> Outcome:
    """Replay a file whose moves are written as people write ours, such as ``Nf3`` at chess."""
    state, writer = game.initial_state(), writer_of(game)
    for number, step in enumerate(file.steps):
        if step.is_terminal or state.is_terminal:
            return end_of(state, roles, number, step)
        moves = {}
        for n, role in enumerate(roles):
            named = {text: move for move, text in writer.texts(state, role).items()}
            theirs = {text.rstrip("+#") for text in step.legal.get(n, named)}
            if theirs != set(named):
                return Outcome(number, f"other moves in state {number}: {_both(step, state, roles)}")
            done = step.done.get(n if step.legal else _NOBODY, "").rstrip("+#")
            if done in named or len(named) == 1:
                moves[role] = named[done] if done in named else next(iter(named.values()))
        if not step.done:
            return Outcome(number + 1, "")
        try:
            state = state.play(moves)
        except IllegalMoveError:
            return Outcome(number, f"in state {number} ours has no move for {list(step.done.values())}")
    return Outcome(len(file.steps), "")


class Replay:
    """The search for a translation by which a file and a game agree."""

    def __init__(self, game: Game, roles: Sequence[Role], file: Playthrough) -> None:
        self._roles, self._file = roles, file
        self._left = _MOST_TRANSLATIONS
        self.best = Outcome(-1, "nothing was tried")
        """The furthest that any translation came."""
        self._follow(game.initial_state(), 0, {})

    def _follow(self, state: State, number: int, known: Known) -> bool:
        step = self._file.steps[number]
        if step.is_terminal or (state.is_terminal and (step.legal or step.done)):
            found = end_of(state, self._roles, number, step)
            return self._note(found.states, found.difference)
        if not step.done and not step.legal:
            return self._note(number, "")  # the file ends here
        for translated in self._readings(state, known, sorted(step.legal.items())):
            self._left -= 1
            if self._left < 0:
                return False
            if not step.done or number + 1 >= len(self._file.steps):
                return self._note(number + 1, "")
            joint = self._joint_move(state, step, translated)
            if joint is None:
                return self._note(number, f"in state {number} ours has no move for {list(step.done.values())}")
            if self._follow(state.play(joint), number + 1, translated):
                return True
        return self._note(number, f"other moves in state {number}: {_both(step, state, self._roles)}")

    def _joint_move(self, state: State, step: Step, known: Known) -> dict[str, Move] | None:
        """What was done, in our moves. Files leave out most of some states; then whoever can have done it did it."""
        joint = {role: moves[0] for role in self._roles if (moves := state.legal_moves(role))}
        for player, text in step.done.items():
            shape, place = split(text)
            players = [player] if step.legal else sorted(range(len(self._roles)), key=lambda n: self._idles(state, n))
            found = []
            for n in players:
                wanted = known[n, shape](place) if (n, shape) in known else None
                own = [(split(str(move)), move) for move in state.legal_moves(self._roles[n])]
                alike = [(self._roles[n], move) for read, move in own if wanted and read[1] == wanted[1]]
                same = [(self._roles[n], move) for _, move in own if not wanted and str(move) == text]
                found += [(self._roles[n], move) for read, move in own if read == wanted] or alike or same
            if not found:
                return None
            joint |= found[:1]
        return joint

    def _idles(self, state: State, player: int) -> bool:
        return len(state.legal_moves(self._roles[player])) <= 1

    def _readings(self, state: State, known: Known, players: Sequence[tuple[int, Sequence[str]]]) -> Iterator[Known]:
        if not players:
            yield known
            return
        (player, theirs), *others = players
        for found in extend(known, player, theirs, [str(move) for move in state.legal_moves(self._roles[player])]):
            yield from self._readings(state, found, others)

    def _note(self, states: int, difference: str) -> bool:
        if not difference or states > self.best.states:
            self.best = Outcome(states, difference)
        return not difference


def end_of(state: State, roles: Sequence[Role], number: int, step: Step) -> Outcome:
    """Whether both are over, and rank the roles alike."""
    if step.is_terminal != state.is_terminal:
        return Outcome(number, f"in state {number} only {'theirs' if step.is_terminal else 'ours'} is over")
    goals = [state.goals[role] for role in roles]
    pairs = itertools.combinations(range(len(goals)), 2)
    agrees = all(_sign(goals[a] - goals[b]) == _sign(step.returns[a] - step.returns[b]) for a, b in pairs)
    return Outcome(number + 1, "" if agrees else f"goals {goals}, their returns {list(step.returns)}")


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _both(step: Step, state: State, roles: Sequence[str]) -> str:
    found = [f"{len(theirs)} and {len(state.legal_moves(roles[n]))}" for n, theirs in sorted(step.legal.items())]
    return f"theirs and ours, {', '.join(found)}"


def namesakes(file: Playthrough) -> Iterator[str]:
    """Names of our games that may be the file's: with its numbers as parameters, in any order, or without."""
    if file.name not in entries():
        return
    yield file.name
    parameters = {**file.parameters, **_LEFT_OUT.get(file.name, {})}
    if file.name in _IN_ORDER:
        values = [_WORDS.get(name, {}).get(parameters[name], parameters[name]) for name in _IN_ORDER[file.name]]
        yield f"{file.name}:{','.join(values).replace(';', ',')}"
    numbers = [value for value in parameters.values() if value.isdecimal()]
    for count in range(1, min(3, len(numbers)) + 1):
        for chosen in dict.fromkeys(itertools.permutations(numbers, count)):
            yield f"{file.name}:{','.join(chosen)}"


def replay(file: Playthrough) -> tuple[str, Outcome]:
    """The namesake that agrees, or the one that came furthest, and how it went."""
    if any(step.is_chance for step in file.steps):
        return file.name, Outcome(0, "not compared: chance")
    best = file.name, Outcome(-1, "no game of that size")
    for name in namesakes(file):
        try:
            game = ludens.load(name)
        except GameError:
            continue
        if len(game.roles) != len(file.steps[0].returns):
            continue
        for roles in itertools.islice(itertools.permutations(game.roles), _MOST_ORDERS):
            for found in (follow_names(game, roles, file), Replay(game, roles, file).best):
                if not found.difference:
                    return name, found
                best = max(best, (name, found), key=lambda entry: entry[1].states)
    return best


def main() -> None:
    """Print a line for each file with a namesake."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    agreed = total = 0
    for path in sorted(parser.parse_args().folder.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        if name_of(text) not in entries():
            continue
        name, found = replay(read(text))
        total += 1
        agreed += not found.difference
        why = _KNOWN.get(name.partition(":")[0], "") if found.difference else ""
        print(
            f"{path.stem:<44}{name:<24}{found.states:>5}  {found.difference or 'agrees'}", why, sep="; " if why else ""
        )
    print(f"{agreed} of {total} files agree in every state")


if __name__ == "__main__":
    main()
