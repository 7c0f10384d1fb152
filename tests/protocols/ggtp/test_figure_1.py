"""The paper's example session, its first figure, with its lost underscores and one spelling for all answers."""

from __future__ import annotations

import pytest

from ludens.protocols.ggtp import seats
from tests.protocols.ggtp.harness import check_transcript

# The paper writes "= done" and "= Done", "cross" and "Cross", "B1,C1" and "B1, C1". What the Rules and the engine say
# to each other is shown beside; the paper does so in its figure only. The commands that tell the engine what it plays
# are ours: its Table 2 has none.
FIGURE_1 = """
set_rule TicTacToe
= Done
set_option show_when_play on
= Done
set_option genmove on
= Done
list_players
= Cross=human, Circle=human
set_rule_option starting_player Cross
= Done
set_enginz Circle Minimax
? Unknown command set_enginz. Use list_commands to see commands.
set_option show_engines on
= Done
set_engine Circle Minimax
-> [Circle] connect_engine <- acknowledge
-> [Circle] set_rule TicTacToe <- acknowledge
-> [Circle] set_rule_option starting_player Cross <- acknowledge
-> [Circle] set_player Circle <- acknowledge
= Done
set_engine_option Circle Depth 8
-> [Circle] set_option Depth 8 <- acknowledge
= Done
start
-> [Circle] start <- acknowledge
= Done
play Cross A1
-> Cross plays A1
-> [Circle] made_move Cross A1 <- acknowledge
-> [Circle] have_to_play
= Done
-> [Circle] <- select_move B2
-> Circle plays B2
-> [Circle] made_move Circle B2 <- acknowledge
play Cross A1
? No move named A1 for player Cross.
get_possible_moves
= Cross=B1, C1, A2, C2, A3, B3, C3
set_option get_possible_moves on
= Done
set_option genmove off
= Done
play Cross A2
-> Cross plays A2
-> [Circle] made_move Cross A2 <- acknowledge
-> Circle=B1, C1, C2, A3, B3, C3
= Done
genmove
-> [Circle] have_to_play
= Done
-> [Circle] <- select_move A3
-> Circle plays A3
-> [Circle] made_move Circle A3 <- acknowledge
-> Cross=B1, C1, C2, B3, C3
undo
-> Undoing a move
-> [Circle] undone_move <- acknowledge
-> Circle=B1, C1, C2, A3, B3, C3
= Done
"""


def test_the_papers_example_session_is_played_as_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "SHOWING_TIME", 60.0)  # every answer in its place, on a slow machine too
    text = FIGURE_1.strip()
    check_transcript(text + "\nset_option show_engines off\n= Done\n")
