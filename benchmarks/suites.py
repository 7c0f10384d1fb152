"""What the test suites and algorithms of PettingZoo, Gymnasium and OpenSpiel say about games of ours, as a table.

``python -m benchmarks.suites`` runs all on 20 games; ``python -m benchmarks.suites tic_tac_toe uno`` on some. A cell is
``ok``, the reason why ludens refuses the game, or the error. Algorithms run on games that are small enough for them.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import ludens
from ludens.core import Game, GameError

GAMES = (
    "tic_tac_toe", "connect_four:5,4", "connect_four", "breakthrough:5", "othello", "hex:5", "clobber", "domineering",
    "chomp", "nim:1,2,3", "connect_four_3p", "rock_paper_scissors", "goofspiel", "pig:20", "kuhn_poker@gdl",
    "leduc_poker@gdl", "kriegspiel_tic_tac_toe", "eight_puzzle", "uno", "dominoes",
)  # fmt: skip
SMALL = ("tic_tac_toe", "nim:1,2,3", "chomp", "rock_paper_scissors", "kuhn_poker@gdl", "leduc_poker@gdl")
"""Games for algorithms that visit every history, or nearly so."""
TREES = ("nim:1,2,3", "rock_paper_scissors", "kuhn_poker@gdl", "leduc_poker@gdl")
"""Games whose histories can all be kept."""

Test = Callable[[Game, str], str]
"""What a suite or algorithm says about a game; empty if nothing."""


def pettingzoo_aec(game: Game, name: str) -> str:
    """``api_test``."""
    from pettingzoo.test import api_test  # noqa: PLC0415 - an extra

    from ludens.adapters import pettingzoo  # noqa: PLC0415

    api_test(pettingzoo.env(game), num_cycles=200)
    return ""


def pettingzoo_parallel(game: Game, name: str) -> str:
    """``parallel_api_test``."""
    from pettingzoo.test import parallel_api_test  # noqa: PLC0415 - an extra

    from ludens.adapters import pettingzoo  # noqa: PLC0415

    parallel_api_test(pettingzoo.parallel_env(game), num_cycles=50)
    return ""


def pettingzoo_seed(game: Game, name: str) -> str:
    """``seed_test``."""
    from pettingzoo.test import seed_test  # noqa: PLC0415 - an extra

    from ludens.adapters import pettingzoo  # noqa: PLC0415

    seed_test(lambda: pettingzoo.env(game), num_cycles=50)
    return ""


def gymnasium_check(game: Game, name: str) -> str:
    """``check_env``."""
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415 - an extra

    from ludens.adapters import gymnasium  # noqa: PLC0415

    check_env(gymnasium.env(game, render_mode="ansi"), skip_close_check=True)
    return ""


def openspiel_simulation(game: Game, name: str) -> str:
    """``random_sim_test``."""
    import pyspiel  # noqa: PLC0415 - an extra

    pyspiel.random_sim_test(_exported(game), num_sims=2, serialize=False, verbose=False)
    return ""


def openspiel_mcts(game: Game, name: str) -> str:
    """A match of ``mcts.MCTSBot`` against itself, where one player moves at a time."""
    import pyspiel  # noqa: PLC0415 - an extra
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415

    exported = _exported(game)
    kind = exported.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL or game.hidden:
        return "-"
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(exported, 2.0, 5, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = exported.new_initial_state()
    for _ in range(500):
        if state.is_terminal():
            break
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=weights)))
        else:
            state.apply_action(bot.step(state))
    return ""


def openspiel_minimax(game: Game, name: str) -> str:
    """``minimax.alpha_beta_search`` to the end finds the value that ``ludens solve`` finds."""
    import pyspiel  # noqa: PLC0415 - an extra
    from open_spiel.python.algorithms import minimax  # noqa: PLC0415

    from ludens.players.decomposition.solve_state import solve_state  # noqa: PLC0415

    if name not in SMALL or game.chance or game.hidden or len(game.roles) != 2 or game.facts.simultaneous.possible:
        return "-"
    exported = _exported(game)
    if exported.get_type().utility != pyspiel.GameType.Utility.ZERO_SUM:
        return "-"
    value, _ = minimax.alpha_beta_search(exported, maximum_depth=30)
    found = solve_state(game.initial_state(), 20.0, by_parts=True)
    ours = (found.bounds[game.roles[0]][0] - found.bounds[game.roles[1]][0]) / 200
    return "" if found.exact and abs(value - ours) < 1e-9 else f"{value}, ours {ours}"


def openspiel_cfr(game: Game, name: str) -> str:
    """Ten iterations of ``cfr.CFRPlusSolver``, and the exploitability of their average."""
    import pyspiel  # noqa: PLC0415 - an extra
    from open_spiel.python.algorithms import cfr, exploitability  # noqa: PLC0415

    if name not in TREES:
        return "-"
    exported = _exported(game)
    if exported.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        exported = pyspiel.convert_to_turn_based(exported)
    solver = cfr.CFRPlusSolver(exported)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    loss = exploitability.exploitability(exported, solver.average_policy())
    return "" if loss < 0.5 else f"exploitability {loss:.3f}"


def _exported(game: Game) -> Any:
    import pyspiel  # noqa: PLC0415 - an extra

    from ludens.adapters.openspiel_export import register  # noqa: PLC0415

    return pyspiel.load_game(register(game))


TESTS: Mapping[str, Test] = {
    "api_test": pettingzoo_aec,
    "parallel_api_test": pettingzoo_parallel,
    "seed_test": pettingzoo_seed,
    "check_env": gymnasium_check,
    "random_sim_test": openspiel_simulation,
    "MCTS": openspiel_mcts,
    "alpha-beta": openspiel_minimax,
    "CFR+": openspiel_cfr,
}
"""The columns: three of PettingZoo, one of Gymnasium, four of OpenSpiel."""


def verdict(test: Test, game: Game, name: str) -> str:
    """A cell of the table."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return test(game, name) or "ok"
    except GameError as error:
        return f"refused: {error}"
    except Exception as error:  # what a suite says is the result
        return f"{type(error).__name__}: {error}".splitlines()[0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", default=GAMES)
    print("| game | " + " | ".join(TESTS) + " |")
    print("|---" * (len(TESTS) + 1) + "|")
    for name in parser.parse_args().games:
        game = ludens.load(name, wait=True)
        cells = [verdict(test, game, name) for test in TESTS.values()]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
