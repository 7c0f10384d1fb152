"""What happens before anybody has a choice."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludens
from ludens.core import Clock
from ludens.players import make_player
from ludens.referee import Match, TurnPlayed
from ludens.referee.opening import first_choice


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["pig", "kuhn_poker"])
def test_the_first_choice_is_that_of_a_match_with_the_same_seed(name: str, seed: int) -> None:
    game = ludens.load(name, backend="interpreter")
    players = {role: make_player("random") for role in game.roles}
    events = Match(game, players, Clock(20.0, 20.0), seed).events()
    state = game.initial_state()
    for event in events:
        if isinstance(event, TurnPlayed):
            if event.decisions:
                break
            state = event.state
    assert str(first_choice(game, seed)) == str(state)


COUNTDOWN = """(role solo) (init (counter 1)) (succ 1 2) (succ 2 3) (<= (legal solo tick) (true (counter ?n)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m)) (<= terminal (true (counter 3))) (goal solo 100)"""


def test_without_any_choice_it_is_the_initial_state(tmp_path: Path) -> None:
    (tmp_path / "countdown.kif").write_text(COUNTDOWN, encoding="utf-8")
    game = ludens.load(tmp_path / "countdown.kif", backend="interpreter")
    assert str(first_choice(game, 1)) == str(game.initial_state())
