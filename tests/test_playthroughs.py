"""The replayer of OpenSpiel's playthrough files, on files written here: games that agree, and games that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.playthroughs import Outcome, Playthrough, Step, follow_names, namesakes, read, replay, split

import ludens
from ludens.core import GameError


def written(states: list[tuple[int, list[str], str]], returns: list[int], name: str = "tic_tac_toe") -> str:
    """A file: for each state the player, the legal actions (none: the state is left out) and the action."""
    lines = [f'GameType.short_name = "{name}"', "GetParameters() = {}"]
    for number, (player, legal, action) in enumerate(states):
        lines.append(f"\n# State {number}")
        if legal:
            texts = ", ".join(f'"{text}"' for text in legal)
            lines += ["IsTerminal() = False", f"CurrentPlayer() = {player}", "Returns() = [0, 0]"]
            lines += ["IsChanceNode() = False", f"StringLegalActions() = [{texts}]"]
        lines += [f'\n# Apply action "{action}"', "action: 0"]
    lines += [f"\n# State {len(states)}", "IsTerminal() = True", "IsChanceNode() = False", f"Returns() = {returns}"]
    return "\n".join(lines)


def game(squares: list[tuple[int, int]], *, hide: int = -1, forget: int = -1) -> list[tuple[int, list[str], str]]:
    """Tic-tac-toe with rows from the top and coordinates from 0, as ``x(row,column)``."""
    states = []
    for number, (row, column) in enumerate(squares):
        mark, free = "xo"[number % 2], [(r, c) for r in range(3) for c in range(3) if (r, c) not in squares[:number]]
        legal = [f"{mark}({r},{c})" for r, c in free][number == forget :]
        states.append((number % 2, [] if number == hide else legal, f"{mark}({row},{column})"))
    return states


def wrong(file: Playthrough) -> list[Step]:
    """The steps with another last move."""
    *steps, last, end = file.steps
    return [*steps, replace(last, done=dict.fromkeys(last.done, "Qh5#")), end]


WON = [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)]


def test_a_game_with_other_coordinates_agrees() -> None:
    assert replay(read(written(game(WON), [1, -1]))) == ("tic_tac_toe", Outcome(6, ""))


def test_states_that_a_file_leaves_out_are_played() -> None:
    assert replay(read(written(game(WON, hide=3), [1, -1])))[1].difference == ""


def test_another_result_is_found() -> None:
    assert "their returns [-1, 1]" in replay(read(written(game(WON), [-1, 1])))[1].difference


def test_a_missing_move_is_found() -> None:
    assert (
        "other moves in state 3: theirs and ours, 5 and 6"
        in replay(read(written(game(WON, forget=3), [1, -1])))[1].difference
    )


def test_an_early_end_is_found() -> None:
    assert "only theirs is over" in replay(read(written(game(WON[:4]), [1, -1])))[1].difference


def test_moves_are_words_and_coordinates() -> None:
    assert split("a2-b3") == split("a2xb3") == (("4",), (1, 2, 2, 3))
    assert split("(drop 3)") == (("drop", "1"), (3,))
    assert split("(go 2 1)") == (("go", "2"), (2, 1))
    assert split("2h3g+") == (("+", "4"), (2, 8, 3, 7))
    assert split("a1v") == (("v", "2"), (1, 1))
    assert split("P1(h,0,2)")[0] == ("h", "4")


def test_parameters_that_are_words_name_our_size() -> None:
    text = 'GameType.short_name = "{}"\nGetParameters() = {{{}}}\n'
    assert "nim:1,3,misere" in namesakes(read(text.format("nim", "is_misere=True,pile_sizes=1;3")))
    assert "mnk:15,15,5" in namesakes(read(text.format("mnk", "m=15,n=15")))


def test_moves_written_as_people_write_them_agree() -> None:
    fool = ["f3", "e5", "g4", "Qh4#"]
    file = read(written([(1 - n % 2, [], move) for n, move in enumerate(fool)], [1, -1], "chess"))
    game = ludens.load("chess")
    assert follow_names(game, game.roles[::-1], file) == Outcome(5, "")
    assert "no move for ['Qh5#']" in follow_names(game, game.roles, replace(file, steps=wrong(file))).difference


def test_other_files_are_refused() -> None:
    with pytest.raises(GameError, match="no playthrough"):
        read("hello")
