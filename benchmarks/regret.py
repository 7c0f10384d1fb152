"""How good the moves of the search are: ``python -m benchmarks.regret POSITIONS.json SETTINGS… [--make GAME…]``.

``--make`` plays matches of each game and writes positions of them. Otherwise each setting, such as
``exploration=0.1,lanes=8``, chooses a move in every position with the same CPU time. A chosen move is worth what the
position after it is worth to the mover by a reference search with ``--reference`` CPU seconds; the references are two
searches with different settings, whose mean counts unless one of them is a proof. Regret is the difference from the
best move that any setting chose. Values of moves are kept in POSITIONS.values.json.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import ludens
from ludens.core import Deadline, State
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.players import make_player
from ludens.players.evaluation.choose import learnt_weights
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.mcts import MctsPlayer
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.roots import best_first
from ludens.players.search.settings import RootMove, with_estimates
from ludens.players.space.compiled import CompiledSpace

REFERENCES = ("", "exploration=0.05,lanes=8")
SLICE_SECONDS = 0.004
LONGEST_MATCH = 200
LEARNING_SECONDS = 60
CUTOFF = 20


class Laboratory:
    """A game with its evaluation, and searches on it by their settings."""

    def __init__(self, name: str) -> None:
        game = ludens.load(name, wait=True)
        assert isinstance(game, BatchGame), f"{name} is not compiled"
        self.game = game
        self.weights: FluentWeights | None = None
        if Batch(game, 512, seed=1).playouts(CUTOFF).ended.mean() <= 0.5:
            self.weights = learnt_weights(CompiledSpace(game), Deadline(LEARNING_SECONDS))
        self._searches: dict[tuple[str, int], BlockSearch] = {}

    def search(self, text: str, role: int) -> BlockSearch:
        """The search with these settings, in which a role chooses."""
        if (text, role) not in self._searches:
            options = dict(part.split("=") for part in text.split(",") if part)
            weights = None if options.pop("guess", "on") == "off" else self.weights
            player = make_player(",".join(["mcts:threads=1", *(f"{name}={value}" for name, value in options.items())]))
            assert isinstance(player, MctsPlayer)
            settings = player._search_settings(10_000 if weights is None else CUTOFF)
            if weights is not None and options.get("lookahead") == "on":
                settings = with_estimates(settings)
            settings = replace(settings, memory=int(options.get("memory", 200)))
            self._searches[text, role] = BlockSearch(self.game, role, settings, 1, weights)
        return self._searches[text, role]

    def look(self, text: str, state: State, role: int, seconds: float) -> list[RootMove]:
        """The moves of a role, best first, after some CPU seconds of search in an empty tree."""
        search = self.search(text, role)
        search._plant(state)
        began = time.thread_time()
        while (left := seconds - (time.thread_time() - began)) > 0 and not search.is_settled:
            search.run(min(left, SLICE_SECONDS), 1 << 40)
            if search.fill > 0.99:
                break
        return best_first(search.root_moves())

    def state_after(self, moves: list[dict[str, str]]) -> State:
        """The position after joint moves."""
        state = self.game.initial_state()
        for joint in moves:
            state = state.play(joint)
        return state

    def mover(self, state: State) -> int:
        """The only role with a choice; -1 if there is none, or several."""
        choosing = [n for n, role in enumerate(self.game.roles) if len(state.legal_moves(role)) > 1]
        return choosing[0] if len(choosing) == 1 else -1

    def worth(self, state: State, role: int, seconds: float) -> float:
        """The value of a position for a role, by the references."""
        if state.is_terminal:
            return float(state.goals[self.game.roles[role]])
        found = []
        for text in REFERENCES:
            best = self.look(text, state, role, seconds)
            search = self.search(text, role)
            low, high = search._tree.bounds(search._tree.root, role)
            if high - low < 0.1:
                return low
            found.append(self._value_for(search, best, role))
        return float(np.mean(found))

    def _value_for(self, search: BlockSearch, moves: list[RootMove], role: int) -> float:
        tree = search._tree
        chooser = tree.chooser(tree.root)
        if chooser == role and len(moves) > 1:
            return moves[0].mean
        edges = tree.edges[tree.edges_of(tree.root, chooser).start : tree.edges_of(tree.root, chooser).stop]
        best = edges[np.argmax(edges["tries"])]
        mean = float(best["total"]) / max(1, int(best["tries"]))
        return mean if chooser == role else 100.0 - mean


def make_positions(names: list[str], count: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Positions of matches at a short clock after a random opening, from a fifth of the match to its end."""
    rng = random.Random(seed)
    found = []
    for name in names:
        lab = Laboratory(name)
        began = time.process_time()
        missing = count
        while missing > 0:
            match: list[dict[str, str]] = []
            state = lab.game.initial_state()
            while not state.is_terminal and len(match) < LONGEST_MATCH:
                role = lab.mover(state)
                joint = {each: rng.choice(state.legal_moves(each)) for each in lab.game.roles}
                if role >= 0 and len(match) >= 4:
                    joint[lab.game.roles[role]] = lab.look("", state, role, seconds)[0].move
                match.append(joint)
                state = state.play(joint)
            for share in (rng.uniform(0.2, 0.6), rng.uniform(0.6, 0.98)):
                moves = match[: int(share * len(match))]
                while moves and lab.mover(lab.state_after(moves)) < 0:
                    moves = moves[:-1]
                if lab.mover(lab.state_after(moves)) >= 0:
                    found.append({"game": name, "moves": moves})
                    missing -= 1
        print(f"{name}: {time.process_time() - began:.1f} CPU seconds", flush=True)
    return found


def measure(
    path: Path, texts: list[str], seconds: list[float], reference: float, only: list[str] | None
) -> dict[tuple[str, float], dict[str, list[float]]]:
    """The worth of the chosen moves, as regret, for each setting and time, by game."""
    positions = json.loads(path.read_text())
    kept = path.with_suffix(".values.json")
    values: dict[str, float] = json.loads(kept.read_text()) if kept.exists() else {}
    chosen: dict[tuple[str, float], list[tuple[str, int, str]]] = {(t, s): [] for t in texts for s in seconds}
    for name in dict.fromkeys(each["game"] for each in positions):
        if only and name not in only:
            continue
        lab = Laboratory(name)
        for number, each in enumerate(positions):
            if each["game"] != name:
                continue
            state = lab.state_after(each["moves"])
            role = lab.mover(state)
            for (text, time_), moves in chosen.items():
                move = lab.look(text, state, role, time_)[0].move
                moves.append((name, number, move))
                key = f"{number} {move}"
                if key not in values:
                    joint = {other: state.legal_moves(other)[0] for other in lab.game.roles}
                    joint[lab.game.roles[role]] = move
                    values[key] = lab.worth(state.play(joint), role, reference)
        kept.write_text(json.dumps(values))
    best: dict[int, float] = {}
    for key, value in values.items():
        number = int(key.split()[0])
        best[number] = max(best.get(number, 0.0), value)
    regrets: dict[tuple[str, float], dict[str, list[float]]] = {}
    for setting, rows in chosen.items():
        by_game = regrets.setdefault(setting, {})
        for name, number, move in rows:
            by_game.setdefault(name, []).append(best[number] - values[f"{number} {move}"])
    return regrets


def main() -> None:
    """Make positions, or measure settings on them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", type=Path)
    parser.add_argument("settings", nargs="*", default=[""])
    parser.add_argument("--make", nargs="+", metavar="GAME", help="write positions of these games")
    parser.add_argument("--only", nargs="+", metavar="GAME", help="use the positions of these games")
    parser.add_argument("--count", type=int, default=6, help="positions of each game")
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1], help="CPU seconds for each choice")
    parser.add_argument("--reference", type=float, default=2.0, help="CPU seconds of a reference search")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.make:
        found = make_positions(arguments.make, arguments.count, 0.03, arguments.seed)
        arguments.positions.write_text(json.dumps(found))
        return
    results = measure(arguments.positions, arguments.settings, arguments.seconds, arguments.reference, arguments.only)
    for (text, seconds), by_game in results.items():
        every = [regret for regrets in by_game.values() for regret in regrets]
        games = " ".join(f"{Path(name).stem[:12]} {np.mean(regrets):.1f}" for name, regrets in by_game.items())
        error = np.std(every) / len(every) ** 0.5
        print(f"{seconds:g} s {text or 'default'}: {np.mean(every):.2f} ± {error:.2f} | {games}", flush=True)


if __name__ == "__main__":
    main()
