"""What is found out about a game by loading and playing it: the measured columns of the matrix in docs/games.md."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

import ludens
from ludens.compiler.backends import on_first_backend
from ludens.compiler.benchmark import measure
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import Answer, Clock, Deadline, Game, GameError, LudensError, Role, State, random_joint_move
from ludens.games.library import GDL, find
from ludens.gdl.game import GdlGame
from ludens.players import make_player, player_classes
from ludens.players.registry import stands_alone

_MATCHES = 5
"""Random matches whose turns and moves are counted."""
_MAX_TURNS = 2_000
_THINKING = Clock(play=0.05, start=0.05)
"""How long a player is tried in a game."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game was found to be. Everything but ``playouts`` is the same each time."""

    backend: str
    chance: bool
    hidden: bool
    simultaneous: Answer
    fluents: int | None
    """Fluents of the compiled game; None if it is not compiled."""
    moves: int | None
    """Moves of all roles in the compiled game."""
    turns: float
    """Joint moves of a random match."""
    choices: float
    """Legal moves of a role that has a choice, in random matches."""
    playouts: float
    """Random matches for each second of processor time."""
    without: tuple[str, ...]
    """Players that do not play it."""


def facts_of(name: str, seconds: float = 0.2, players: Iterable[str] | None = None) -> Facts:
    """Load and play a game: measure playouts for some seconds, and try the named players, by default all."""
    game = ludens.load(name, wait=True)
    turns, choices = _counts(game)
    if players is None:
        players = [name for name, kind in player_classes().items() if stands_alone(kind)]
    circuit = game.circuit if isinstance(game, CircuitRules) else None
    return Facts(
        backend=game.backend if isinstance(game, GdlGame) else "Python",
        chance=game.chance,
        hidden=game.hidden,
        simultaneous=game.facts.simultaneous.answer,
        fluents=len(circuit.fluents) if circuit else None,
        moves=sum(map(len, circuit.moves[: circuit.players])) if circuit else None,
        turns=turns,
        choices=choices,
        playouts=_playouts(name, game, seconds),
        without=tuple(player for player in players if player != "human" and not _plays(player, game)),
    )


def _random_match(game: Game, rng: Random) -> Iterator[State]:
    state = game.initial_state()
    for _ in range(_MAX_TURNS):
        yield state
        if state.is_terminal:
            return
        state = state.sample(random_joint_move(state, rng), rng)


def _counts(game: Game) -> tuple[float, float]:
    """How long random matches are, and how many moves there are to choose from."""
    states, choices = 0, []
    for number in range(_MATCHES):
        for state in _random_match(game, Random(number)):
            if not state.is_terminal:
                states += 1
                choices += [count for role in game.roles if (count := len(state.legal_moves(role))) > 1]
    return states / _MATCHES, sum(choices) / max(len(choices), 1)


def _playouts(name: str, game: Game, seconds: float) -> float:
    choice = find(name)
    if choice.form != GDL:
        return _playouts_by_contract(game, seconds)
    sheet = choice.rule_sheet()
    result = on_first_backend(name, lambda backend: measure(sheet, backend, seconds))
    return result.playouts / result.cpu_seconds


def _playouts_by_contract(game: Game, seconds: float) -> float:
    rng = Random(0)
    began, matches = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        for _ in _random_match(game, rng):
            pass
        matches += 1
    return matches / spent


def _plays(player: str, game: Game) -> bool:
    """True if a player finds a first move in the game."""
    state, role = _first_choice(game)
    agent = make_player(player)
    try:
        agent.start(game, role, 0, _THINKING)
        return agent.choose(state.view(role), Deadline(_THINKING.play)).move in state.legal_moves(role)
    except LudensError:
        return False
    finally:
        agent.stop()


def _first_choice(game: Game) -> tuple[State, Role]:
    """The first state in which a role has a choice, for example after cards are dealt."""
    for state in _random_match(game, Random(0)):
        for role in game.roles:
            if len(state.legal_moves(role)) > 1:
                return state, role
    raise GameError(f"no role has a choice in a random match of {game.name}")
