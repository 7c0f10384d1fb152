"""The page says if a player did not choose its move itself."""

from __future__ import annotations

import pytest

import ludens
from ludens.referee import PlayerFailed, TurnPlayed
from ludens.web.hosting.presentation import PUBLIC, Presentation

GAME = ludens.load("tic_tac_toe", backend="reference")


@pytest.mark.parametrize(
    ("failure", "shown"),
    [
        (
            PlayerFailed("xplayer", "late", "answered at random: /secret", 1, True),
            ["xplayer: late, answered at random"],
        ),
        (
            PlayerFailed("xplayer", "crash", "answered by its best so far: /secret", 1),
            ["xplayer: crash, answered by its best so far"],
        ),
        (PlayerFailed("xplayer", "output", "printed 3 characters", 1), []),
    ],
)
def test_what_was_played_for_a_player_is_in_the_history_without_reasons(
    failure: PlayerFailed, shown: list[str]
) -> None:
    presentation = Presentation(GAME, ["oplayer"])
    moves = {"xplayer": "(mark 1 1)", "oplayer": "noop"}
    state = GAME.initial_state().play(moves)
    presentation.turn(TurnPlayed(1, 0, moves, moves, state, failures=(failure,)))

    position = presentation.position(state)

    for audience in (PUBLIC, "oplayer"):
        (entry,) = position[audience]["history"]["add"]
        assert entry.get("errors", []) == shown
