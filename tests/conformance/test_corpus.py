from __future__ import annotations

import pytest

from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_file
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.source import GdlError
from ludens.gdl.traces import read_trace, replay
from tests.conformance.corpus import REFUSED, Case, cases
from tests.peers import peer

pytestmark = peer("rules")

REPRESENTATIVE = {
    "2pttc", "3pConnectFour", "ad_game_2x2", "asteroidsParallel", "beatMania", "biddingTicTacToe", "blocksWorld",
    "breakthrough", "checkers", "chess", "chess_200", "chomp", "connectFour", "crissrace", "cubicup_3player",
    "doubletictactoe", "duplicateStateLarge", "englishDraughts", "factoringEasyTurtleBrain", "futoshiki4",
    "gomoku_11x11", "gt_two_thirds_2p", "hanoi", "hex", "hexPie", "kalaha5x2x3", "laikLee_hex", "lightsOnParallel",
    "merrills", "mummyMaze2p_2007", "nim1", "pentago", "queens08ug", "racer", "reversi", "rubiksCube",
    "ruleDepthExponential", "sheepAndWolf", "shogi_ctk", "skirmish", "sudoku", "ticTacToe", "wargame01",
    "zombieAttack1PL6",
}  # fmt: skip
"""Every kind of game, and the rule sheets that are hard for reasoners; the rest is in `make conformance`."""

AGREEING = [case for case in cases() if case.name not in REFUSED and (case.edge or case.name in REPRESENTATIVE)]
BROKEN = [case for case in cases() if case.name in REFUSED]


def test_corpus_is_complete() -> None:
    assert len(cases()) == 220
    assert len(BROKEN) == len(REFUSED)


REASONERS = pytest.mark.parametrize("kind", [ReferenceGame, InterpretedGame], ids=["reference", "interpreter"])


@REASONERS
@pytest.mark.parametrize("case", AGREEING, ids=lambda case: case.name)
def test_reasoners_agree_with_the_independent_one(case: Case, kind: type[ReferenceGame]) -> None:
    game = kind(read_file(case.rules), case.name)
    trace = [line for line in read_trace(case.trace) if line.get("playout", 0) < 1]

    agreement = replay(game, trace)

    assert agreement.first_difference is None
    assert agreement.states == len(trace) - 1


@REASONERS
@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_unsafe_rule_sheets_are_refused_with_a_position(case: Case, kind: type[ReferenceGame]) -> None:
    with pytest.raises(GdlError) as caught:
        kind(read_file(case.rules), case.name)

    assert [problem.code for problem in caught.value.problems] == ["GDL210"]
    assert f"{case.rules}:" in str(caught.value)
