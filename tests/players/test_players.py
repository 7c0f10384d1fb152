from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Player, PlayerError, Role, State, Thinking
from ludens.players import make_player, player_classes
from ludens.players.auto import AutoPlayer
from ludens.players.flat import FlatPlayer

CLOCK = Clock(play=5.0, start=5.0)


def ready(name: str, state: State, role: str, seed: int = 1) -> Player:
    player = make_player(name)
    player.start(state.game, role, seed, CLOCK)
    return player


def state_of(name: str, *moves: dict[str, str]) -> State:
    state = ludens.load(name, wait=True).initial_state()
    for joint_move in moves:
        state = state.play(joint_move)
    return state


def test_all_players_describe_themselves() -> None:
    assert {"random", "legal", "flat"} <= set(player_classes())
    for kind in player_classes().values():
        assert kind.description
        assert all(option.description for option in kind.options)


def test_legal_takes_the_first_move() -> None:
    state = state_of("tic_tac_toe")

    decision = ready("legal", state, "xplayer").choose(state.view("xplayer"), Deadline(5))

    assert decision.move == state.legal_moves("xplayer")[0]


def test_random_reaches_every_move_and_repeats_under_a_seed() -> None:
    state = state_of("tic_tac_toe")

    def choices(seed: int) -> list[str]:
        player = ready("random", state, "xplayer", seed)
        return [player.choose(state.view("xplayer"), Deadline(5)).move for _ in range(200)]

    assert len(Counter(choices(1))) == 9
    assert choices(1) == choices(1)
    assert choices(1) != choices(2)


def test_flat_takes_a_win_that_is_one_move_away() -> None:
    quiet = {"xplayer": "noop", "oplayer": "noop"}
    moves = [("xplayer", "(mark 1 1)"), ("oplayer", "(mark 3 3)"), ("xplayer", "(mark 1 2)"), ("oplayer", "(mark 3 2)")]
    state = state_of("tic_tac_toe", *({**quiet, role: move} for role, move in moves))

    decision = ready("flat:playouts=50", state, "xplayer").choose(state.view("xplayer"), Deadline(60))

    assert decision.move == "(mark 1 3)"
    assert decision.thinking.value == 100
    assert decision.thinking.iterations == 50 * 5


def test_flat_answers_at_once_when_there_is_no_time() -> None:
    state = state_of("chess")

    decision = ready("flat", state, "white").choose(state.view("white"), Deadline(0.0))

    assert decision.move in state.legal_moves("white")
    assert decision.thinking.iterations == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "there is no player 'nobody'"),
        ("flat:speed=3", "no option 'speed'"),
        ("flat:playouts", "not of the form"),
        ("flat:playouts=many", "type int"),
        ("flat:playouts=-1", "between 0"),
        ("legal:playouts=1", "options: none"),
        ("neural", r"needs a file \(neural:PATH\), but no file was given"),
        ("neural:nowhere.pt", "there is no file nowhere.pt"),
        ("neural:iterations=3,nowhere.pt", "'nowhere.pt' is not of the form"),
    ],
)
def test_what_is_wrong_with_a_players_description_is_told(text: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        make_player(text)


def test_options_have_the_type_of_their_default() -> None:
    assert make_player("flat:playouts=7,depth=30").settings == {"playouts": 7, "depth": 30, "twin": "auto"}


def test_a_player_that_plays_by_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "best.pt"
    file.touch()

    assert make_player(f"neural:{file},iterations=7").settings["file"] == str(file)
    assert make_player(f"neural:iterations=7,file={file}").settings["iterations"] == 7


class Published(list[str]):
    """A channel that keeps the moves that were published."""

    def publish(self, decision: Decision) -> None:
        self.append(decision.move)

    def wants_thinking(self) -> bool:
        return False

    def report(self, thinking: Thinking) -> None:
        raise NotImplementedError

    def say(self, text: str, to: Sequence[Role]) -> None:
        raise NotImplementedError


def test_auto_has_a_move_before_any_of_its_players_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of("tic_tac_toe")
    prepared = threading.Event()
    monkeypatch.setattr(AutoPlayer, "_start_player", lambda *_: prepared.wait())
    monkeypatch.setattr(FlatPlayer, "start", Mock(side_effect=MemoryError))
    player = make_player("auto")
    player.channel = published = Published()

    player.start(state.game, "xplayer", 1, Clock(0.01, 0.0))
    with pytest.raises(MemoryError):
        player.choose(state.view("xplayer"), Deadline(0.01))
    prepared.set()

    assert published == [state.legal_moves("xplayer")[0]]
