from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ludens
from ludens.adapters.notebook import FORMATS
from ludens.arena.played_match import PlayedMatch
from ludens.arena.results.crosstable import Crosstable
from ludens.core import Clock, Game, random_joint_move
from ludens.players import make_player
from ludens.players.minimax.solve import Solver
from ludens.referee import Match
from ludens.referee.reading import read_record
from ludens.referee.record import RecordWriter
from tests.peers import optional_module, peer


def shown(value: Any) -> str:
    """What a notebook shows: the format of the first class that has one."""
    return next(FORMATS[kind](value) for kind in type(value).__mro__ if kind in FORMATS)


@pytest.fixture(scope="module")
def game() -> Game:
    return ludens.load("tic_tac_toe", wait=True)


def test_a_state_shows_its_board_and_in_the_end_the_goals(game: Game) -> None:
    state = game.initial_state()
    first = shown(state)
    while not state.is_terminal:
        state = state.play({role: state.legal_moves(role)[0] for role in game.roles})

    assert first.startswith("<svg")
    assert "<table>" not in first
    assert "<td>xplayer</td><td>100</td>" in shown(state)


def test_a_view_does_not_show_what_is_hidden() -> None:
    rng = Random(1)
    state = ludens.load("leduc_poker@tabletop").initial_state()
    for _ in range(2):  # the deal, and a first choice
        state = state.sample(random_joint_move(state, rng), rng)

    views = {shown(state.view(role)) for role in state.game.roles}

    assert shown(state) not in views
    assert len(views) == 2


def test_games_batches_and_solutions_show_themselves(game: Game) -> None:
    batch = ludens.Batch(game, 100, seed=1)
    solution = Solver(game.initial_state(), 10).solve()

    assert "xplayer, oplayer" in shown(game)
    assert shown(batch).count("<svg") == 6
    assert "<td>xplayer</td><td>50</td>" in shown(solution)


@peer("ipython")
def test_the_extension_registers_with_ipython(game: Game) -> None:
    shell = optional_module("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.run_line_magic("load_ext", "ludens")

    formats, _ = shell.display_formatter.format(game.initial_state())

    assert formats["text/html"].startswith("<svg")


@peer("ipython")
def test_import_registers_with_a_running_ipython() -> None:
    code = (
        "from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell.instance(); "
        "import ludens; state = ludens.load('tic_tac_toe').initial_state(); "
        "print(shell.display_formatter.format(state)[0]['text/html'][:4])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)

    assert done.stdout.strip() == "<svg"


def test_records_and_crosstables_show_themselves(game: Game, tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path, "1")
    players = {role: make_player("random") for role in game.roles}
    for event in Match(game, players, Clock(play=5, start=5), seed=1).events():
        writer.write(event)
    assert writer.path is not None
    record = read_record(writer.path)
    zeros = (0, 0)
    results = [
        PlayedMatch(str(n), "nim", ("first", "second"), ("one", "other"), (100, 0), (1.0, 0.0), zeros, 1, 0, 1, n, "")
        for n in range(2)
    ]

    shown_record = shown(record)

    assert "<th>xplayer: random</th>" in shown_record
    assert shown_record.count("<tr>") == len(record.turns) + 2
    assert "<td>one</td><td>2 of 2</td><td></td><td>100% of 2</td>" in shown(Crosstable(results))
