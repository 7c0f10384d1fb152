from __future__ import annotations

import threading
from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Game, Observation, Player, Role, State, View
from ludens.players import make_player
from ludens.players.auto import AutoPlayer

CLOCK = Clock(1.0, 20.0)


def ready(text: str, game: Game, role: str) -> Player:
    player = make_player(text)
    player.start(game, role, 1, CLOCK)
    return player


def against_random(text: str, name: str, role: str, seed: int) -> int:
    """The goal of a player against random moves."""
    game = ludens.load(name, wait=True)
    player = ready(text, game, role)
    rng = Random(seed)
    state: State = game.initial_state()
    while not state.is_terminal:
        moves = {other: rng.choice(state.legal_moves(other)) for other in game.roles}
        moves[role] = player.choose(state.view(role), Deadline(5.0)).move
        state = state.play(moves)
    player.stop()
    return state.goals[role]


@pytest.mark.parametrize("text", ["decomposition", "auto"])
@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:3,4,5,misere"])
def test_a_won_sum_of_heaps_is_won(text: str, name: str) -> None:
    assert against_random(text, name, "first", 1) == 100


def test_the_move_that_keeps_the_value_is_chosen_at_once() -> None:
    game = ludens.load("nim:11,12,15,25", wait=True)
    player = ready("decomposition", game, "first")

    decision = player.choose(game.initial_state().view("first"), Deadline(5.0))

    assert decision.move == "(reduce d 8)"
    assert decision.thinking.value == 100
    assert "nim-sum 17" in decision.thinking.note


def test_subgames_that_are_ready_after_the_start_clock_are_used_from_then_on() -> None:
    game = ludens.load("nim:11,12,15,25", wait=True)
    player = make_player("decomposition")
    player.start(game, "first", 1, Clock(1.0, 0.0))

    decisions = (player.choose(game.initial_state().view("first"), Deadline(0.05)) for _ in range(500))
    exact = next(decision for decision in decisions if decision.thinking.extra.get("exact"))

    assert exact.move == "(reduce d 8)"
    player.stop()


def test_what_does_not_fall_apart_is_left_to_monte_carlo_search() -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    player = ready("decomposition", game, "xplayer")

    decision = player.choose(game.initial_state().view("xplayer"), Deadline(0.3))

    assert decision.move in game.initial_state().legal_moves("xplayer")
    assert "stays whole" in player.why  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("eight_puzzle", "single"), ("nim:2,3", "decomposition"), ("rock_paper_scissors", "equilibrium")],
)
def test_auto_tells_whom_it_chose_and_why(name: str, chosen: str) -> None:
    game = ludens.load(name, wait=True)
    role = game.roles[0]
    player = ready("auto", game, role)

    decision = player.choose(game.initial_state().view(role), Deadline(0.5))

    assert decision.thinking.extra["player"] == chosen
    assert decision.thinking.note.startswith(f"{chosen}, because")


def test_auto_plays_rules_that_are_not_compiled() -> None:
    game = ludens.load("nim:1,2", backend="reference")
    player = ready("auto", game, "first")

    assert player.choose(game.initial_state().view("first"), Deadline(0.3)).thinking.extra["player"] == "mcts"


class _SlowToStart(Player):
    """A delegate that is ready when a test says so, and keeps what it is told."""

    name = "slow"

    def __init__(self) -> None:
        super().__init__()
        self.may_start, self.is_stopped = threading.Event(), threading.Event()
        self.turns: list[int] = []

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        self.may_start.wait(60)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        return Decision(view.legal_moves[-1])

    def observe(self, observation: Observation) -> None:
        self.turns.append(observation.turn)

    def stop(self) -> None:
        self.is_stopped.set()


def _auto_with(slow: Player, game: Game, monkeypatch: pytest.MonkeyPatch) -> Player:
    monkeypatch.setattr(AutoPlayer, "_choose_player", lambda _self, _game: (slow, "slow, because of the test"))
    player = AutoPlayer()
    player.start(game, game.roles[0], 1, Clock(0.05, 0.05))
    return player


def test_auto_answers_while_its_player_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludens.load("tic_tac_toe")
    view, slow = game.initial_state().view("xplayer"), _SlowToStart()
    player = _auto_with(slow, game, monkeypatch)

    meanwhile = player.choose(view, Deadline(0.2))
    player.observe(Observation(1, view, meanwhile.move, None))
    slow.may_start.set()
    player._ready.wait(60)  # type: ignore[attr-defined]

    assert meanwhile.move in view.legal_moves
    assert meanwhile.thinking.extra["player"] == "flat"
    assert player.choose(view, Deadline(0.2)).thinking.extra["player"] == "slow"
    assert slow.turns == [1]


def test_auto_stops_a_player_that_becomes_ready_after_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = _SlowToStart()
    player = _auto_with(slow, ludens.load("tic_tac_toe"), monkeypatch)

    player.stop()
    slow.may_start.set()

    assert slow.is_stopped.wait(60)
