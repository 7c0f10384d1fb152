"""Random masked play in other libraries, for comparison with `benchmarks.steps`: PettingZoo, OpenSpiel, pgx."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

Played = Callable[[], int]
"""Plays for a while and returns the number of steps."""

_STEPS = 2_000
"""Steps of a round where one call is one step."""
_PGX_STEPS = 100
"""Steps of all lanes that one call of pgx makes."""
_PETTINGZOO = {"connect_four": "connect_four_v3", "tic_tac_toe": "tictactoe_v3", "go": "go_v5"}
"""The names of our games there."""


def peers(name: str, lanes: int) -> dict[str, Callable[[], Played]]:
    """What to measure for a game, by what it is; each raises an error if its library is not installed."""
    return {
        "PettingZoo classic, observation and mask": partial(_pettingzoo, name),
        "OpenSpiel from Python, legal actions": partial(_openspiel, name, observe=False),
        "OpenSpiel from Python, legal actions and observation": partial(_openspiel, name, observe=True),
        "OpenSpiel's own game in Python, legal actions": partial(_openspiel, f"python_{name}", observe=False),
        "ludens exported to OpenSpiel, legal actions": partial(_exported, name),
        f"pgx on CPU, {lanes:,} lanes, restart at once": partial(_pgx, name, lanes),
    }


def nanoseconds(play: Played, rounds: int) -> float:
    """CPU nanoseconds of a step, of all threads together; the best of several rounds."""
    play()
    found = []
    for _ in range(rounds):
        start = time.process_time()
        steps = play()
        found.append((time.process_time() - start) / steps)
    return 1e9 * min(found)


def _pettingzoo(name: str) -> Played:
    module: Any = import_module(f"pettingzoo.classic.{_PETTINGZOO.get(name, name)}")
    environment, rng = module.env(), random.Random(1)

    def play() -> int:
        done = 0
        while done < _STEPS:
            environment.reset(seed=done)
            for _ in environment.agent_iter():
                observation, _, terminated, truncated, _ = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                environment.step(rng.choice(observation["action_mask"].nonzero()[0]))
                done += 1
        return done

    return play


def _openspiel(name: str, *, observe: bool) -> Played:
    pyspiel: Any = import_module("pyspiel")
    import_module("open_spiel.python.games")
    if name not in pyspiel.registered_names():  # asking for it prints all that there are
        raise ValueError(f"there is no {name}")
    return _walk(pyspiel.load_game(name), observe)


def _exported(name: str) -> Played:
    pyspiel: Any = import_module("pyspiel")
    export: Any = import_module("ludens.adapters.openspiel_export")
    return _walk(pyspiel.load_game(export.register(name)), observe=False)


def _walk(game: Any, observe: bool) -> Played:
    rng = random.Random(1)

    def play() -> int:
        done = 0
        while done < _STEPS:
            state = game.new_initial_state()
            while not state.is_terminal():
                if observe:
                    state.observation_tensor()
                state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done

    return play


def _pgx(name: str, lanes: int) -> Played:
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    wrappers: Any = import_module("pgx.experimental.wrappers")
    environment = pgx.make(name)
    step = jax.vmap(wrappers.auto_reset(environment.step, environment.init))

    def turn(carry: Any, _: Any) -> Any:
        state, key = carry
        key, drawn, fresh = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(drawn, logits, axis=1)
        state = step(state, action, jax.random.split(fresh, lanes))
        return (state, key), state.rewards.sum()

    run = jax.jit(lambda carry: jax.lax.scan(turn, carry, None, length=_PGX_STEPS))
    key = jax.random.PRNGKey(1)
    carry = [(jax.vmap(environment.init)(jax.random.split(key, lanes)), key)]

    def play() -> int:
        carry[0], rewards = run(carry[0])
        rewards.block_until_ready()
        return lanes * _PGX_STEPS

    return play
