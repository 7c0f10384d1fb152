from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Deadline, Game, State, Thinking, random_joint_move
from ludens.gdl.read import read_rules
from ludens.players import make_player
from ludens.players.minimax.solve import Solver
from tests.players.listening import Listener
from tests.players.test_players import ready, state_of
from tests.referee.games import Buzzer, Dice

QUIET = {"xplayer": "noop", "oplayer": "noop"}


class Countdown(Deadline):
    """Runs out after so many looks at it, so that no test depends on the machine."""

    def __init__(self, looks: int) -> None:
        super().__init__(3600)
        self.looks = looks

    def remaining(self) -> float:
        self.looks -= 1
        return 3600.0 if self.looks > 0 else -1.0


def tic_tac_toe(*moves: str) -> State:
    roles = ["xplayer", "oplayer"]
    return state_of("tic_tac_toe", *({**QUIET, roles[n % 2]: move} for n, move in enumerate(moves)))


def looked(state: State, options: str = "", role: str = "") -> Thinking:
    role = role or next(role for role in state.game.roles if len(state.legal_moves(role)) > 1)
    return (
        ready(f"alphabeta:evaluation=mobility,{options}", state, role).choose(state.view(role), Deadline(3600)).thinking
    )


def random_states(game: Game, count: int, seed: int = 3) -> list[State]:
    """Positions in which somebody has a choice."""
    rng, found, state = Random(seed), list[State](), game.initial_state()
    while len(found) < count:
        state = state.play(random_joint_move(state, rng))
        if state.is_terminal:
            state = game.initial_state()
        elif any(len(state.legal_moves(role)) > 1 for role in game.roles) and rng.random() < 0.5:
            found.append(state)
    return found


def test_it_takes_a_win_and_says_that_it_is_proved() -> None:
    state = tic_tac_toe("(mark 1 1)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)")

    thinking = looked(state)

    assert thinking.line[0] == "(mark 1 3)"
    assert thinking.value == 100
    assert thinking.extra["proven"]
    assert thinking.depth == 1


def test_it_prevents_a_loss() -> None:
    thinking = looked(tic_tac_toe("(mark 1 1)", "(mark 2 2)", "(mark 1 2)"))

    assert thinking.line[0] == "(mark 1 3)"
    assert thinking.value == 50


@pytest.mark.parametrize("options", ["", "cut=off", "wide=on", "others=maxn"])
@pytest.mark.parametrize(
    "name", [pytest.param("tic_tac_toe", marks=pytest.mark.slow), "nim:2,3,1", "rock_paper_scissors"]
)
def test_a_search_to_the_end_finds_the_exact_value(name: str, options: str) -> None:
    for state in random_states(ludens.load(name, wait=True), 4):
        role = next(role for role in state.game.roles if len(state.legal_moves(role)) > 1)
        exact = Solver(state, 60).solve().values[role]

        thinking = looked(state, options, role)

        assert thinking.value == pytest.approx(exact)
        assert thinking.moves[0].proven


@pytest.mark.parametrize(("name", "depth"), [("connect_four", 6), ("breakthrough", 3), ("checkers", 5), ("othello", 5)])
def test_cuts_do_not_change_the_value(name: str, depth: int) -> None:
    for state in random_states(ludens.load(name, wait=True), 2):
        assert looked(state, f"depth={depth}").value == pytest.approx(looked(state, f"depth={depth},cut=off").value)


def test_cuts_save_work() -> None:
    state = state_of("breakthrough")

    assert looked(state, "depth=4").iterations < looked(state, "depth=4,cut=off").iterations


def test_the_contract_and_batches_find_the_same() -> None:
    state = tic_tac_toe("(mark 1 1)", "(mark 2 2)", "(mark 3 3)", "(mark 1 2)")
    slow = ludens.load("tic_tac_toe", backend="reference").state(state.facts)  # type: ignore[attr-defined]

    fast_thinking, slow_thinking = looked(state, "wide=on"), looked(slow, "wide=on")

    assert fast_thinking.value == slow_thinking.value
    assert {move.move: move.value for move in fast_thinking.moves} == {
        move.move: move.value for move in slow_thinking.moves
    }


def test_every_move_has_its_exact_value_if_wide() -> None:
    state = state_of("nim:1,2")

    values = {str(move.move): move.value for move in looked(state, "wide=on").moves}

    assert values == {"(reduce b 1)": 100, "(reduce a 0)": 0, "(reduce b 0)": 0}


def test_simultaneous_choices_are_mixed() -> None:
    thinking = looked(state_of("rock_paper_scissors"), role="left")

    assert thinking.extra["strategy"] == pytest.approx(dict.fromkeys(("rock", "paper", "scissors"), 1 / 3), abs=1e-3)


def test_dominated_moves_are_not_played() -> None:
    assert looked(state_of("prisoners_dilemma"), "depth=3", "left").line[0] == "defect"


def three_player_connect_four(*columns: int) -> State:
    state: State = ludens.load("connect_four_3p", wait=True).initial_state()
    for column in columns:
        mover = next(role for role in state.game.roles if len(state.legal_moves(role)) > 1)
        state = state.play({**dict.fromkeys(state.game.roles, "noop"), mover: f"(drop {column})"})
    return state


@pytest.mark.parametrize("others", ["paranoid", "maxn"])
def test_among_three_it_prevents_a_win_of_the_next(others: str) -> None:
    yellow_threatens = three_player_connect_four(1, 9, 5, 2, 9, 6, 1, 9, 5)

    assert looked(yellow_threatens, f"depth=3,others={others}").line[0] == "(drop 9)"


def test_only_the_paranoid_expect_no_help_against_the_last_of_three() -> None:
    blue_threatens = three_player_connect_four(1, 9, 5, 2, 9, 5, 1, 8, 5)

    values = {
        others: {
            str(move.move): move.value for move in looked(blue_threatens, f"depth=3,wide=on,others={others}").moves
        }
        for others in ("paranoid", "maxn")
    }

    assert values["paranoid"]["(drop 1)"] == 0
    assert values["maxn"]["(drop 1)"] != 0


def test_chance_counts_with_its_mean() -> None:
    thinking = looked(Dice(1).initial_state(), role="left")

    assert thinking.line[0] == "roll"
    assert thinking.value == pytest.approx((33 + 66 + 100) / 3)


@pytest.mark.parametrize(("game", "role"), [(Buzzer(), "bob"), (Dice(2), "right")])
def test_games_beyond_gdl_get_a_legal_move(game: Game, role: str) -> None:
    state = game.initial_state()

    assert ready("alphabeta:depth=2", state, role).choose(state.view(role), Deadline(60)).move in state.legal_moves(
        role
    )


def test_who_is_idle_at_first_in_a_game_in_python_gets_ready_all_the_same() -> None:
    state = ludens.load("tic_tac_toe@tabletop").initial_state()

    player = ready("alphabeta:depth=2", state, "Circle")
    state = state.play({"Cross": state.legal_moves("Cross")[0]})

    assert player.choose(state.view("Circle"), Deadline(60)).move in state.legal_moves("Circle")


def test_a_game_that_is_over_before_it_begins_needs_no_learning() -> None:
    rules = "(role a) (init (n 0)) (legal a go) (<= (next (n 0)) (role a)) (<= terminal (true (n 0))) (goal a 50)"
    state = CircuitGame(read_rules(rules), "over").initial_state()

    assert state.is_terminal
    ready("alphabeta", state, "a").stop()


def test_the_first_move_waits_for_no_batch_to_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of("breakthrough")
    player = ready("alphabeta:evaluation=mobility,depth=4", state, "white")

    def made(*_: object, **__: object) -> None:
        raise AssertionError("a batch is made during a move")

    monkeypatch.setattr("ludens.players.space.expander.Batch", made)

    assert player.choose(state.view("white"), Deadline(3600)).thinking.depth == 4


@pytest.mark.parametrize("looks", [0, 1, 2, 5, 20])
def test_when_time_is_up_it_takes_what_it_found(looks: int) -> None:
    state = state_of("breakthrough")
    player = ready("alphabeta", state, "white")

    decision = player.choose(state.view("white"), Countdown(looks))

    assert decision.move in state.legal_moves("white")


def test_the_same_depth_gives_the_same_decision() -> None:
    state = state_of("connect_four")

    first, second = looked(state, "depth=6"), looked(state, "depth=6")

    assert first.line == second.line
    assert first.moves == second.moves
    assert first.iterations == second.iterations


def test_it_shows_how_the_search_stands() -> None:
    state = state_of("connect_four")
    player, listener = make_player("alphabeta:depth=6"), Listener()
    player.channel = listener
    player.start(state.game, "red", 1, ludens.core.Clock(60, 60))

    player.choose(state.view("red"), Deadline(3600))

    last = listener.heard[-1]
    assert last.depth >= 3
    assert last.iterations > 0
    assert {str(move.move) for move in last.moves} == set(state.legal_moves("red"))
    assert last.line[0] == last.moves[0].move


def played(game: Game, first: str, second: str, depth: str, seed: int) -> list[int]:
    """The goals of a match between two kinds of judgement after a random opening."""
    rng, state = Random(seed), game.initial_state()
    for _ in range(4):
        state = state.play(random_joint_move(state, rng))
    players = {
        role: ready(f"alphabeta:depth={depth},evaluation={word}", state, role)
        for role, word in zip(game.roles, (first, second), strict=True)
    }
    while not state.is_terminal:
        state = state.play(
            {
                role: state.legal_moves(role)[0]
                if len(state.legal_moves(role)) == 1
                else player.choose(state.view(role), Deadline(3600)).move
                for role, player in players.items()
            }
        )
    return [state.goals[role] for role in game.roles]


@pytest.mark.slow
def test_learned_weights_beat_mobility_at_checkers() -> None:
    game = ludens.load("checkers", wait=True)

    won = [played(game, "learned", "mobility", "2", 1)[0], played(game, "mobility", "learned", "2", 2)[1]]

    assert sum(won) > 100


def test_learned_weights_make_the_same_decision_again() -> None:
    decisions = []
    for _ in range(2):
        state, player = state_of("connect_four"), make_player("alphabeta:depth=4,evaluation=learned")
        player.start(state.game, "red", 1, ludens.core.Clock(60, 3600))
        decisions.append(player.choose(state.view("red"), Deadline(3600)).thinking)

    assert decisions[0].moves == decisions[1].moves
    assert decisions[0].value != looked(state_of("connect_four"), "depth=4").value


@pytest.mark.parametrize("evaluation", ["learned", "mobility", "goal", "auto"])
def test_every_kind_of_judgement_finds_a_win_that_is_near(evaluation: str) -> None:
    state = state_of("connect_four")
    for red, black in ((1, 7), (2, 7), (3, 6)):
        state = state.play({"red": f"(drop {red})", "black": "noop"}).play({"red": "noop", "black": f"(drop {black})"})

    thinking = looked(state, f"depth=2,evaluation={evaluation}")

    assert thinking.line[0] == "(drop 4)"
    assert thinking.value == 100


@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
def test_it_knows_tic_tac_toe_before_the_first_move(role: str) -> None:
    state: State = ludens.load("tic_tac_toe", wait=True).initial_state()
    player, rng = ready("alphabeta", state, role), Random(5)
    while not state.is_terminal:
        joint_move = random_joint_move(state, rng)
        if len(state.legal_moves(role)) > 1:
            decision = player.choose(state.view(role), Deadline(3600))
            joint_move[role] = decision.move
            assert decision.thinking.extra["proven"]
        state = state.play(joint_move)

    assert state.goals[role] >= 50
