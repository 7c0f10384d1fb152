from __future__ import annotations

from pathlib import Path

import ludens
from ludens.core import Clock, JointMove, Player, TakeBack
from ludens.players import make_player
from ludens.referee import Match, MatchEnded, RecordWriter, TakenBack, TurnPlayed
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.referee.games import Dice
from tests.referee.players import Scripted, always, first_legal

CLOCK = Clock(play=20.0, start=20.0)
GAME = ludens.load("tic_tac_toe", backend="reference")


def players(*given: Player) -> dict[str, Player]:
    return dict(zip(GAME.roles, given, strict=True))


def cut_off(folder: Path, match: Match, turns: int) -> Path:
    """Play and record some turns, and leave the match as if the process had died."""
    writer = RecordWriter(folder, "0.0")
    for event in match.events():
        writer.write(event)
        if isinstance(event, TurnPlayed) and event.id == turns:
            break
    writer.close()
    assert writer.path is not None
    return writer.path


def resumed(path: Path, match_players: dict[str, Player], take_back: bool = False) -> tuple[Match, RecordWriter]:
    record = read_record(path)
    match = Match(GAME, match_players, CLOCK, record.start.seed, resumed=record, take_back=take_back)
    return match, RecordWriter.resume(path, "0.0")


def moves(path: Path) -> list[JointMove]:
    return [turn.moves for turn in read_record(path).turns.values()]


def test_a_resumed_match_goes_on_in_its_record_as_if_nothing_had_happened(tmp_path: Path) -> None:
    def chosen() -> dict[str, Player]:
        return players(make_player("legal"), make_player("legal"))

    whole = cut_off(tmp_path / "whole", Match(GAME, chosen(), CLOCK, 5), 99)
    path = cut_off(tmp_path / "cut", Match(GAME, chosen(), CLOCK, 5), 3)
    match, writer = resumed(path, chosen())
    for event in match.events():
        writer.write(event)
    assert moves(path) == moves(whole)
    record = read_record(path)
    assert not record.problems
    assert list(verify(record, GAME)) == []


def test_moves_from_before_a_restart_can_be_taken_back_and_branches_stay(tmp_path: Path) -> None:
    def regretting(regrets: int) -> Scripted:
        left = [regrets]

        def choose(player: Scripted, view: object, deadline: object) -> str:
            if left[0]:
                left[0] -= 1
                raise TakeBack
            return str(view.legal_moves[-1])  # type: ignore[attr-defined]

        return Scripted(choose)

    path = cut_off(tmp_path, Match(GAME, players(first_legal(), first_legal()), CLOCK, 5, take_back=True), 4)
    match, writer = resumed(path, players(regretting(1), first_legal()), take_back=True)
    events = []
    for event in match.events():
        writer.write(event)
        events.append(event)
    assert [event.turn for event in events if isinstance(event, TakenBack)] == [2]
    record = read_record(path)
    assert record.turns[5].parent == 2
    assert list(verify(record, GAME)) == []


def test_errors_from_before_a_restart_count(tmp_path: Path) -> None:
    path = cut_off(tmp_path, Match(GAME, players(always("nonsense"), first_legal()), CLOCK, 5), 1)
    match, writer = resumed(path, players(first_legal(), first_legal()))
    writer.close()
    end = list(match.events())[-1]
    assert isinstance(end, MatchEnded)
    assert end.failures["xplayer"] == 1


def test_who_resigns_forfeits_whoever_is_to_move() -> None:
    match = Match(GAME, players(first_legal(), first_legal()), CLOCK, 5)
    end = None
    for event in match.events():
        if isinstance(event, TurnPlayed):
            match.resign("oplayer")
        end = event
    assert isinstance(end, MatchEnded)
    assert (end.reason, end.forfeited) == ("forfeit", "oplayer")
    assert end.goals == {"xplayer": 100, "oplayer": 0}


def test_a_record_of_chance_goes_on_with_the_draws_that_the_seed_gives(tmp_path: Path) -> None:
    game = Dice()

    def chosen() -> dict[str, Player]:
        return dict(zip(game.roles, (always("roll"), always("roll")), strict=True))

    writer = RecordWriter(tmp_path, "0.0")
    for event in Match(game, chosen(), CLOCK, 9).events():
        writer.write(event)
        if isinstance(event, TurnPlayed):
            break
    writer.close()
    assert writer.path is not None
    record = read_record(writer.path)
    on = RecordWriter.resume(writer.path, "0.0")
    for event in Match(game, chosen(), CLOCK, 9, resumed=record).events():
        on.write(event)
    assert list(verify(read_record(writer.path), game)) == []
