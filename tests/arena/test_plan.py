from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ludens.arena.plan import Entry, GameEntry, PlanError, parse_plan
from ludens.arena.results.sprt import Sprt
from ludens.arena.specification import Format

WHOLE = """
name: spring
games: [connect_four, {game: "nim:3,4,5", clock: 0.1}]
players:
  - random
  - {name: strong, player: "mcts:exploration=0.8"}
clock: 0.5
start_clock: 3
format: swiss
rounds: 4
repetitions: 3
seed: 7
sprt: {first: strong, second: random, high: 50}
"""


def test_everything_that_can_be_said_is_read() -> None:
    found = parse_plan(WHOLE, "file")

    assert found.name == "spring"
    assert found.games == (GameEntry("connect_four", 0.5, 3), GameEntry("nim:3,4,5", 0.1, 3))
    assert found.players == (Entry("random", "random"), Entry("strong", "mcts:exploration=0.8"))
    assert (found.format, found.rounds, found.repetitions, found.seed) == (Format.SWISS, 4, 3, 7)
    assert found.sprt == Sprt("strong", "random", 0.0, 50)


def test_games_and_players_are_enough() -> None:
    found = parse_plan("games: [nim]\nplayers: [random, legal]", "file")

    assert (found.name, found.format, found.repetitions) == ("file", Format.ROUND_ROBIN, 2)
    assert found.games == (GameEntry("nim", 1.0, 10.0),)


def test_the_same_tournament_has_the_same_text_however_it_is_written() -> None:
    first = parse_plan("games: [nim]\nplayers: [random, legal]\nclock: 1", "a")
    second = parse_plan("players:\n- random\n- player: legal\ngames:\n- game: nim", "a")

    assert first.as_text() == second.as_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("games: [nim]", "'players' must be a list"),
        ("games: nim\nplayers: [a]", "'games' must be a list"),
        ("games: [nim]\nplayers: [a, a]", "two players are called 'a'"),
        ("games: [nim, nim]\nplayers: [a]", "named twice"),
        ("games: [nim]\nplayers: [a]\nclok: 3", "did you mean 'clock'"),
        ("games: [nim]\nplayers: [a]\nclock: fast", "'clock' must be a number"),
        ("games: [nim]\nplayers: [a]\nformat: duel", "no format 'duel'"),
        ("games: [[nim]]\nplayers: [a]", "a game is a name"),
        ("games: [nim]\nplayers: [3]", "a player is its name"),
        ("games: [nim]\nplayers: [a, b]\nsprt: {first: a, second: c}", "'sprt' needs 'second'"),
        ("games: [nim]\nplayers: [a, b]\nsprt: {first: a, second: a}", "not 'a' with itself"),
        ("games: [nim]\nplayers: [{player: a, name: ''}]", "'name' must be a text"),
        ("games: [nim]\nplayers: [a]\nrounds: 2.5", "'rounds' must be a whole number, not 2.5"),
        ("games: [nim]\nplayers: [a]\nseed: -1", "at least 0, not -1"),
        (f"games: [nim]\nplayers: [a]\nseed: 0x{'f' * 5000}", "something of type int"),
        (f"games: [nim]\nplayers: [a]\nseed: {'1' * 5000}", "this is not YAML"),
        ("games: [nim]\nplayers: [a]\nname: 2024-99-99", "this is not YAML"),
        ("games: [nim]\nplayers: [a, b]\nsprt: {first: [a], second: b}", "'sprt' needs 'first'"),
        ("[", "this is not YAML"),
        ("hello", "a plan is a mapping"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        parse_plan(text, "file")


def test_lists_that_aliases_make_endless_are_not_written_out() -> None:
    doubled = ", ".join(f"&x{n} [*x{n - 1}, *x{n - 1}]" for n in range(1, 60))

    with pytest.raises(PlanError, match=r"a game is a name, .* type list"):
        parse_plan(f"games: [[&x0 [nim], {doubled}]]\nplayers: [a]", "file")


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["games", "players", "clock", "format", "sprt", "game", "name", "player", "first"]), inner
    ),
    max_leaves=12,
))  # fmt: skip
def test_nothing_but_its_own_error_comes_of_any_data(data: object) -> None:
    try:
        plan = parse_plan(yaml.safe_dump(data), "file")
    except PlanError:
        return
    assert plan.games
    assert plan.players
