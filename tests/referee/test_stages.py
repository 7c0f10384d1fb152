from __future__ import annotations

import threading
from collections import Counter

import pytest

from ludens.core import Clock, Deadline, Game, Player, View
from ludens.referee import Event, Match, MatchEnded, TurnPlayed
from tests.referee.games import Buzzer, Dice, DiceState
from tests.referee.players import Scripted, always, first_legal, waits_for

CLOCK = Clock(play=20.0, start=20.0)


def play(game: Game, *players: Player, clock: Clock = CLOCK, seed: int = 1) -> tuple[list[TurnPlayed], MatchEnded]:
    events: list[Event] = list(Match(game, dict(zip(game.roles, players, strict=True)), clock, seed).events())
    assert isinstance(events[-1], MatchEnded)
    return [event for event in events if isinstance(event, TurnPlayed)], events[-1]


def test_the_referee_resolves_chance_and_tells_everybody_the_resolved_move() -> None:
    left, right = always("roll"), always("pass")

    turns, ended = play(Dice(), left, right)

    assert [turn.chosen for turn in turns] == [{"left": "roll", "right": "pass"}] * 3
    assert all(turn.joint_move["left"].startswith("roll ") for turn in turns)
    assert [seen.joint_move for seen in right.observed] == [turn.joint_move for turn in turns]
    assert ended.points["left"] == sum(int(turn.joint_move["left"][-1]) for turn in turns)


def test_chance_repeats_under_a_seed_and_is_fair() -> None:
    def rolls(seed: int) -> list[str]:
        return [turn.joint_move["left"] for turn in play(Dice(200), always("roll"), always("pass"), seed=seed)[0]]

    found = rolls(7)
    assert found == rolls(7)
    assert found != rolls(8)
    assert set(found) == {"roll 1", "roll 2", "roll 3"}
    assert min(Counter(found).values()) > 40


def test_with_hidden_information_a_player_learns_only_its_own_move_and_percepts() -> None:
    left = always("roll")

    turns, _ = play(Dice(hidden=True), left, always("pass"))

    assert [seen.joint_move for seen in left.observed] == [None] * 3
    assert [seen.move for seen in left.observed] == ["roll"] * 3
    assert [list(seen.percepts) for seen in left.observed] == [[f"you: {turn.joint_move['left']}"] for turn in turns]
    assert turns[0].percepts["right"] == ("you: pass",)


def test_simultaneous_decisions_are_asked_for_concurrently() -> None:
    both = threading.Barrier(2, timeout=20)

    def meet() -> Scripted:
        return Scripted(lambda player, view, deadline: "pass" if both.wait() >= 0 else "")

    turns, _ = play(Dice(), meet(), meet())

    assert not any(turn.failures for turn in turns)


def test_the_first_valid_answer_wins_a_race_and_the_others_are_told() -> None:
    never = threading.Event()
    ann, bob, cy = waits_for(never, "buzz"), always("buzz"), waits_for(never, "buzz")

    turns, ended = play(Buzzer(), ann, bob, cy)

    assert [turn.joint_move for turn in turns] == [{"bob": "buzz"}] * 2
    assert [list(turn.arrivals) for turn in turns] == [["bob"]] * 2
    assert ended.goals == {"ann": 0, "bob": 100, "cy": 0}
    assert ended.failures == {"ann": 0, "bob": 0, "cy": 0}
    assert [seen.move for seen in ann.observed] == [None, None]


def test_an_illegal_answer_wins_no_race() -> None:
    never = threading.Event()

    turns, ended = play(Buzzer(1), always("shout"), waits_for(never, "buzz"), always("buzz"))

    assert turns[0].joint_move == {"cy": "buzz"}
    assert {failure.kind for turn in turns for failure in turn.failures} <= {"illegal"}
    assert ended.goals["cy"] == 100


def test_priorities_of_the_rules_win_over_arrival() -> None:
    bob_has_answered = threading.Event()

    def answer_and_tell(player: Scripted, view: object, deadline: object) -> str:
        bob_has_answered.set()
        return "buzz"

    ann, bob = waits_for(bob_has_answered, "buzz"), Scripted(answer_and_tell)

    turns, _ = play(Buzzer(1, priorities=True), ann, bob, waits_for(threading.Event(), "buzz"))

    assert turns[0].joint_move == {"ann": "buzz"}
    assert "ann" in turns[0].arrivals


def test_who_answered_in_a_lost_race_learns_that_its_move_was_refused() -> None:
    bob_has_answered = threading.Event()

    def answer_and_tell(player: Scripted, view: object, deadline: object) -> str:
        bob_has_answered.set()
        return "buzz"

    bob = Scripted(answer_and_tell)
    turns, _ = play(
        Buzzer(1, priorities=True), waits_for(bob_has_answered, "buzz"), bob, waits_for(bob_has_answered, "buzz")
    )

    refused = {role for role in turns[0].arrivals if role != "ann"}
    assert ("bob" in refused) == (bob.observed[0].refused == "buzz")
    assert "ann" not in refused


def test_the_next_race_begins_for_all_at_once_also_if_a_loser_is_slow_to_stop() -> None:
    asked_again = threading.Event()
    began_early: list[bool] = []

    def quick(player: Scripted, view: View, deadline: Deadline) -> str:
        if player.observed:
            asked_again.set()
            deadline.wait(20)  # the others are quicker now, if they were asked at the same time
        return "buzz"

    def slow(player: Scripted, view: View, deadline: Deadline) -> str:
        if not player.observed:
            deadline.wait(20)
            assert deadline.cancelled
            began_early.append(asked_again.wait(0.2))
        return "buzz"

    turns, _ = play(Buzzer(), Scripted(quick), Scripted(slow), waits_for(threading.Event(), "buzz"))

    assert [turn.joint_move for turn in turns] == [{"ann": "buzz"}, {"bob": "buzz"}]
    assert began_early == [False]


def test_a_race_that_nobody_answers_is_won_by_a_substitute() -> None:
    never = threading.Event()

    turns, ended = play(Buzzer(1), *(waits_for(never, "") for _ in range(3)), clock=Clock(0.05, 20.0))

    assert len(turns[0].joint_move) == 1
    assert list(turns[0].joint_move.values()) == ["buzz"]
    assert ended.failures == {"ann": 1, "bob": 1, "cy": 1}
    assert all(failure.substituted for failure in turns[0].failures)


def test_a_state_without_listed_outcomes_can_draw_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DiceState, "resolve", lambda state, joint_move, rng: {"left": "roll 3", "right": "pass"})

    _, ended = play(Dice(), first_legal(), first_legal())

    assert ended.points == {"left": 9, "right": 0}
