"""The replayer of Ludii's random trials, on files written here: trials that agree, and trials that do not."""

from __future__ import annotations

import pytest
from benchmarks.ludii_trials import Outcome, Trial, follow, plain, read, replay

from ludens.compiler.backends import make_game
from ludens.core import GameError
from ludens.gdl.read import read_rules

WON = [0, 4, 1, 8, 2]
"""The first player has the lowest row."""


def written(sites: list[int], counts: list[int], ranks: str, options: str = "", passes: int = 0) -> str:
    """A trial of tic-tac-toe."""
    lines = ["game=somewhere/Tic-Tac-Toe.lud", "START GAME OPTIONS", *([options] if options else [])]
    lines += ["END GAME OPTIONS", "RNG internal state=1"]
    for number, site in enumerate(sites):
        mover = 1 + number % 2
        lines.append(f"Move=[Move:mover={mover},from={site},to={site},actions=[Add:type=Cell,to={site},what={mover}]]")
    lines += [f"Move=[Move:mover={1 + n % 2},actions=[Pass:forced=true]]" for n in range(passes)]
    lines += [f"LEGAL MOVES LIST SIZE = {count}" for count in counts]
    return "\n".join([*lines, "winner=1", f"rankings=0.0,{ranks}"])


def test_a_trial_agrees_whichever_way_the_board_is_numbered() -> None:
    assert replay(read(written(WON, [9, 8, 7, 6, 5], "1.0,2.0"))) == Outcome(5, "")


def test_passes_after_our_end_do_not_count() -> None:
    draw = [4, 0, 8, 2, 1, 7, 6, 3, 5]

    assert replay(read(written(draw, [9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1], "1.5,1.5", passes=2))).difference == ""


@pytest.mark.parametrize(
    ("sites", "counts", "ranks", "what"),
    [
        (WON, [9, 8, 6, 6, 5], "1.0,2.0", "6 legal moves, ours 7"),
        (WON, [9, 8, 7, 6, 5], "2.0,1.0", "ranks"),
        (WON[:4], [9, 8, 7, 6], "1.0,2.0", "only one of both is over"),
        ([0, 4, 1, 4, 2], [9, 8, 7, 6, 5], "1.0,2.0", "ours has no move"),
    ],
)
def test_differences_are_found(sites: list[int], counts: list[int], ranks: str, what: str) -> None:
    assert what in replay(read(written(sites, counts, ranks))).difference


def test_promotions_that_theirs_counts_once_are_named() -> None:
    promotion = """
        (role white) (init pawn) (piece queen) (piece rook)
        (<= (legal white (promote 1 1 1 2 ?piece)) (true pawn) (piece ?piece))
        (<= (next (became ?piece)) (does white (promote 1 1 1 2 ?piece)))
        (<= terminal (not (true pawn))) (goal white 100)
    """
    game = make_game(read_rules(promotion, name="promotion"), "promotion", "interpreter")
    places = {0: (1, 1), 1: (1, 2)}

    found = follow(game, ["white"], Trial("promotion", [(1, (0, 1))], [1], [1.0]), places.__getitem__)

    assert found.difference == "ours has 2 moves, theirs another turn to choose, for (0, 1)"
    assert "promotions" in found.remark


def test_trials_with_options_have_other_rules() -> None:
    with pytest.raises(GameError, match="without options"):
        read(written(WON, [9, 8, 7, 6, 5], "1.0,2.0", options="Board Size/4x4"))


def test_names_are_those_of_the_library() -> None:
    assert [plain("Nine Men's Morris"), plain("Tic-Tac-Toe")] == ["nine_mens_morris", "tic_tac_toe"]
