from __future__ import annotations

import copy
import pickle
import threading
from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.batch import step_code as hot
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.batch.step_code import Step
from ludens.compiler.native import computation
from ludens.compiler.native.object_code import CodeError
from ludens.core import GameError, IllegalMoveError, State, joint_moves, random_joint_move
from ludens.core.batch import Batch
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.terms import Term

GAMES = [
    "breakthrough", "checkers", "connect_four", "connect_four_3p", "eight_puzzle", "hex", "lights_out", "nim:3,4,5",
    "othello", "prisoners_dilemma", "rock_paper_scissors", "tic_tac_toe",
]  # fmt: skip

LAMPS = f"""(role r) (init (on 0)) (init (step 0)) {" ".join(f"(wire {n} {n + 1})" for n in range(8))}
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (lit ?n) (true (on ?n))) (<= (lit ?m) (lit ?n) (wire ?n ?m)) (<= (lit ?n) (lit ?m) (wire ?n ?m) (true (step 1)))
    (<= (legal r (see ?n)) (lit ?n)) (<= (next (on ?n)) (does r (see ?n)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 3)))
    (<= (goal r 100) (true (on 0))) (<= (goal r 0) (not (true (on 0))))"""
"""Each lamp lights its neighbours, recursively."""

ENDLESS = """(role r) (init a) (way out) (way down)
    (<= (legal r stay) (true a)) (<= (legal r (go ?x)) (true a) (way ?x))
    (<= (next a) (does r stay)) (<= (next b) (does r (go out))) (<= terminal (true b))
    (<= (goal r 80) (true b)) (<= (goal r 20) (not (true b)))"""
"""One may stay for ever, win by going out, or get stuck, without a legal move, by going down."""


def facts_of(state: State) -> frozenset[Term]:
    assert isinstance(state, GdlState)
    return state.facts


def compiled(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def reference(name: str) -> GdlGame:
    game = ludens.load(name, backend="reference")
    assert isinstance(game, GdlGame)
    return game


def assert_lane_agrees(batch: Batch, lane: int, game: GdlGame) -> None:
    """What a batch says about a lane is what another backend says about the lane's state."""
    state = game.state(facts_of(batch.states()[lane]))
    assert batch.terminal[lane] == state.is_terminal
    assert dict(zip(game.roles, batch.goals[lane].tolist(), strict=True)) == state.goals
    for role in game.roles:
        legal = [batch.moves[role][n] for n in np.flatnonzero(batch.legal(role)[lane]).tolist()]
        assert sorted(legal) == sorted(state.legal_moves(role))


@pytest.mark.parametrize("name", GAMES)
def test_random_joint_moves_lead_where_the_reference_goes(name: str) -> None:
    game = reference(name)
    batch = Batch(compiled(name), 600, seed=4)
    chosen = Random(name).sample(range(600), 3)
    for _ in range(10):
        before = batch.states()
        over = batch.terminal
        for lane in chosen:
            assert_lane_agrees(batch, lane, game)
        moves = batch.random_moves()
        batch.advance(moves)
        after = batch.states()
        for lane in chosen:
            if over[lane]:
                assert after[lane] == before[lane]
                assert (moves[lane] == -1).all()
                continue
            joint = {role: batch.moves[role][moves[lane, n]] for n, role in enumerate(game.roles)}
            assert facts_of(after[lane]) == game.state(facts_of(before[lane])).play(joint).facts


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four_3p", "prisoners_dilemma", "eight_puzzle"])
def test_every_random_advance_is_a_joint_move_of_the_reference(name: str) -> None:
    game = reference(name)
    batch = Batch(compiled(name), 40, seed=9)
    for _ in range(6):
        before, over = batch.states(), batch.terminal
        batch.advance()
        for lane, after in enumerate(batch.states()):
            state = game.state(facts_of(before[lane]))
            followers = {facts_of(before[lane])} if over[lane] else {s.facts for s in all_followers(state)}
            assert facts_of(after) in followers


def all_followers(state: GdlState) -> list[GdlState]:
    return [state.play(joint) for joint in joint_moves(state)]


@pytest.mark.parametrize("size", [1, 2, 63, 512, 513, 1000])
def test_any_number_of_lanes_has_arrays_of_that_length(size: int) -> None:
    batch = Batch(compiled("tic_tac_toe"), size, seed=1)
    batch.advance()

    assert len(batch) == size
    assert batch.terminal.shape == (size,)
    assert batch.goals.shape == (size, 2)
    assert batch.legal("oplayer").shape == (size, 10)
    assert batch.legal("oplayer").sum(axis=1).tolist() == [8] * size
    assert batch.packed_legal("oplayer").shape == (size, 2)
    assert batch.observation.shape == (size, len(batch.fluents))
    assert batch.observation.dtype == np.bool_
    assert batch.packed_states.shape == (size, (len(batch.fluents) + 7) // 8)
    assert batch.random_moves().shape == (size, 2)
    assert len(batch.states()) == size
    assert batch.playouts().ended.tolist() == [True] * size


def test_a_batch_needs_a_lane_and_a_compiled_game() -> None:
    for size in (0, -1, 2**64, 2.0, True):
        with pytest.raises(GameError, match="the number of lanes of a batch is"):
            Batch(compiled("tic_tac_toe"), size)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="backend='circuit'"):
        Batch(reference("tic_tac_toe"), 8)


def test_a_seed_may_be_negative() -> None:
    first, again, other = (Batch(compiled("tic_tac_toe"), 64, seed=seed) for seed in (-7, -7, 7))
    for batch in (first, again, other):
        batch.advance()

    assert (first.packed_states == again.packed_states).all()
    assert (first.packed_states != other.packed_states).any()


def test_numbers_stand_for_texts() -> None:
    game = compiled("tic_tac_toe")
    batch = Batch(game, 3)
    number = batch.move_numbers["xplayer"]["(mark 2 2)"]
    noop = batch.move_numbers["oplayer"]["noop"]

    batch.advance([[number, noop]] * 3)

    assert batch.moves["xplayer"][number] == "(mark 2 2)"
    assert batch.fluents[game.fluent_numbers["cell", "2", "2", "x"]] == "(cell 2 2 x)"
    assert batch.observation[:, game.fluent_numbers["cell", "2", "2", "x"]].all()
    assert not batch.legal("oplayer")[:, batch.move_numbers["oplayer"]["(mark 2 2)"]].any()


def test_an_illegal_move_is_named_and_changes_nothing() -> None:
    batch = Batch(compiled("tic_tac_toe"), 700, seed=2)
    batch.advance()
    before = batch.packed_states
    moves = batch.random_moves()
    marks = [n for n, text in enumerate(batch.moves["oplayer"]) if text != "noop"]
    marked = next(n for n in marks if not batch.legal("oplayer")[600, n])
    wrong = moves.copy()
    wrong[600, 1] = marked

    with pytest.raises(IllegalMoveError, match=rf"lane 600: move {marked}, '\(mark . .\)', .* oplayer .*8 others"):
        batch.advance(wrong)
    for number in (-1, 10, 2**40):
        with pytest.raises(IllegalMoveError, match=f"lane 0: {number} is not the number of a move of xplayer"):
            batch.advance(np.full((700, 2), number, np.int64))
    with pytest.raises(IllegalMoveError, match=r"integers of shape \(700, 2\), not float64 of shape \(700,\)"):
        batch.advance(np.zeros(700))

    assert np.array_equal(batch.packed_states, before)
    batch.advance(moves)
    assert not np.array_equal(batch.packed_states, before)


def test_lanes_that_are_over_stay_whatever_move_is_given() -> None:
    batch = Batch(compiled("tic_tac_toe"), 100, seed=3)
    for _ in range(9):
        batch.advance()
    assert batch.terminal.all()
    ended = batch.packed_states

    batch.advance()
    batch.advance(np.full((100, 2), -1))

    assert np.array_equal(batch.packed_states, ended)
    assert not batch.legal("xplayer").any()


@pytest.mark.parametrize("given", [False, True])
def test_lanes_that_are_over_restart_where_the_batch_was_told_so(given: bool) -> None:
    batch = Batch(compiled("tic_tac_toe"), 600, seed=3, restart=True)
    initial = batch.states()[0]
    restarts = 0
    for _ in range(12):
        over = batch.terminal
        batch.advance(batch.random_moves() if given else None)
        for lane, state in enumerate(batch.states()):
            assert (state == initial) == over[lane]
        restarts += int(over.sum())
    assert 600 < restarts < 1200


def test_lanes_restart_by_mask() -> None:
    batch = Batch(compiled("connect_four"), 600, seed=5)
    initial = batch.states()[0]
    batch.advance()
    mask = np.arange(600) % 3 == 0

    batch.restart(mask)

    assert [state == initial for state in batch.states()] == mask.tolist()
    batch.restart()
    assert all(state == initial for state in batch.states())
    with pytest.raises(GameError, match="600 truth values, not int64 of shape"):
        batch.restart([1, 2, 3])


@pytest.mark.smoke
def test_the_seed_decides_everything_random() -> None:
    def history(seed: int) -> list[bytes]:
        batch = Batch(compiled("connect_four"), 700, seed=seed, restart=True)
        found = []
        for _ in range(30):
            batch.advance()
            found.append(batch.packed_states.tobytes())
        found += [batch.random_moves().tobytes(), batch.playouts().goals.tobytes()]
        return found

    assert history(1) == history(1)
    assert history(1) != history(2)


def test_batches_without_a_seed_differ() -> None:
    game = compiled("connect_four")

    assert not np.array_equal(Batch(game, 512).random_moves(), Batch(game, 512).random_moves())


def test_a_copy_goes_the_same_way_and_its_own() -> None:
    batch = Batch(compiled("connect_four"), 600, seed=8, restart=True)
    batch.advance()
    start = batch.packed_states
    twin = batch.copy()

    twin.advance()

    assert twin.restarts
    assert np.array_equal(batch.packed_states, start)
    batch.advance()
    assert np.array_equal(batch.packed_states, twin.packed_states)


@pytest.mark.parametrize("most", [-1, 2**63, 2**64, 2**64 + 5, 10.0, "10", None, True])
def test_playouts_of_no_number_of_moves_are_refused(most: object) -> None:
    batch = Batch(compiled("tic_tac_toe"), 8, seed=1)

    with pytest.raises(GameError, match="the number of joint moves of a playout is"):
        batch.playouts(most)  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [9, np.int64(9), 2**63 - 1])
def test_playouts_of_any_other_number_end(most: int) -> None:
    assert Batch(compiled("tic_tac_toe"), 8, seed=1).playouts(most).ended.all()
    assert not Batch(compiled("tic_tac_toe"), 8, seed=1).playouts(0).ended.any()


def test_groups_of_lanes_and_numbers_of_fluents_that_there_are_not_are_refused() -> None:
    batch = Batch(compiled("tic_tac_toe"), 8, seed=1)
    found = batch.playouts()
    for lanes in (0, -1, 3, 9, 2**64, 2.0):
        with pytest.raises(GameError, match="lanes"):
            found.goal_sums(lanes)  # type: ignore[arg-type]
    for number in (-1, len(batch.fluents)):
        with pytest.raises(GameError, match="has fluents 0 to"):
            batch.fluent_flags([0, number])


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_twin_plays_on_identically(twin_of: Callable[[Batch], Batch]) -> None:
    batch = Batch(compiled("connect_four"), 600, seed=3, restart=True)
    for _ in range(5):
        batch.advance()
    twin = twin_of(batch)

    assert (twin.game.rules_hash, twin.size, twin.restarts) == (batch.game.rules_hash, 600, True)
    for _ in range(40):
        assert (twin.packed_states == batch.packed_states).all()
        batch.advance()
        twin.advance()
    assert (twin.playouts().goals == batch.playouts().goals).all()
    twin.restart()
    assert (twin.packed_states != batch.packed_states).any()


def test_states_go_in_and_come_out() -> None:
    game, oracle = compiled("othello"), reference("othello")
    batch = Batch(game, 1000, seed=6)
    for _ in range(5):
        batch.advance()
    states, packed = batch.states(), batch.packed_states
    other = Batch(game, 1000)

    other.set_states(states)
    assert np.array_equal(other.packed_states, packed)
    assert np.array_equal(other.legal("black"), batch.legal("black"))
    other.set_states(packed[::-1])
    assert other.states() == states[::-1]
    other.set_states([oracle.state(facts_of(states[0])), states[1]])
    assert other.states() == [states[0]] * 500 + [states[1]] * 500


def test_states_that_do_not_fit_are_refused() -> None:
    batch = Batch(compiled("tic_tac_toe"), 10)
    state = batch.states()[0]

    with pytest.raises(GameError, match="3 states cannot be shared out evenly among 10 lanes"):
        batch.set_states([state] * 3)
    with pytest.raises(GameError, match="0 states"):
        batch.set_states([])
    with pytest.raises(GameError, match=r"bytes of shape \(lanes, 4\), not bool of shape \(10, 29\)"):
        batch.set_states(batch.observation)  # type: ignore[arg-type]  # which is what the message is about


def test_bits_beyond_the_last_fluent_are_ignored() -> None:
    batch = Batch(compiled("tic_tac_toe"), 4)
    packed = batch.packed_states
    noisy = packed.copy()
    noisy[:, -1] |= 0x80

    batch.set_states(noisy)

    assert np.array_equal(batch.packed_states, packed)


@pytest.mark.parametrize("draw", ["random_moves", "advance"])
def test_random_moves_are_uniform(draw: str) -> None:
    """Chi-square over the nine first moves of tic-tac-toe: 26.12 is the 0.1 % point for 8 degrees of freedom."""
    lanes, rounds = 5000, 20
    batch = Batch(compiled("tic_tac_toe"), lanes, seed=12)
    marks = [n for n, text in enumerate(batch.moves["oplayer"]) if text != "noop"]
    counts: Counter[int] = Counter()
    for _ in range(rounds):
        if draw == "random_moves":
            counts.update(batch.random_moves()[:, 0].tolist())
        else:
            batch.restart()
            batch.advance()
            counts.update(np.nonzero(~batch.legal("oplayer")[:, marks])[1].tolist())

    expected = lanes * rounds / 9
    assert len(counts) == 9
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 26.12


def test_roles_that_move_at_once_choose_independently() -> None:
    """Chi-square over the pairs of rock-paper-scissors: 26.12 is the 0.1 % point for 8 degrees of freedom."""
    batch = Batch(compiled("rock_paper_scissors"), 45_000, seed=3)

    counts = Counter(map(tuple, batch.random_moves().tolist()))

    assert len(counts) == 9
    assert sum((count - 5000) ** 2 / 5000 for count in counts.values()) < 26.12


def test_neighbouring_lanes_choose_independently() -> None:
    batch = Batch(compiled("connect_four"), 40_001, seed=3)
    column = batch.random_moves()[:, 0]

    same = float((column[1:] == column[:-1]).mean())

    assert same == pytest.approx(1 / 7, abs=0.01)


def test_recursion_inside_a_state_is_found_in_every_lane() -> None:
    sheet = read_rules(LAMPS)
    game, oracle = CircuitGame(sheet), ReferenceGame(sheet)
    batch = Batch(game, 600, seed=7)
    for _ in range(4):
        for lane in (0, 300, 599):
            assert_lane_agrees(batch, lane, oracle)
        batch.advance()
    assert batch.terminal.all()
    assert 0 < batch.goals.mean() < 100


def test_goals_that_are_missing_or_several_count_nothing() -> None:
    rules = """(role a) (role b) (role c) (role d) (init s) (<= (legal ?r go) (role ?r)) (<= (next t) (true s))
    (<= (next t) (true t)) (<= terminal (true t)) (goal a 30) (goal a 70) (<= (goal b 100) (true t))
    (<= (goal c 120) (true t)) (<= (goal d 55) (true s)) (<= (goal d 44) (true t))"""
    batch = Batch(CircuitGame(read_rules(rules)), 2)

    assert batch.goals.tolist() == [[0, 0, 0, 55]] * 2
    batch.advance()
    assert batch.goals.tolist() == [[0, 100, 0, 44]] * 2
    assert batch.playouts().goals.tolist() == [[0, 100, 0, 44]] * 2


def test_playouts_of_tic_tac_toe_end_as_often_as_theory_says() -> None:
    # Exact values of uniformly random play: X wins 58.49 %, O 28.81 %, 12.70 % are draws; 7.63 moves a match.
    found = Batch(compiled("tic_tac_toe"), 200_000, seed=1).playouts()

    x, o = found.goals.mean(axis=0)
    assert found.ended.all()
    assert x == pytest.approx(58.49 + 12.70 / 2, abs=0.4)
    assert o == pytest.approx(28.81 + 12.70 / 2, abs=0.4)
    assert found.moves / 200_000 == pytest.approx(7.63, abs=0.03)


def test_playouts_begin_in_any_phase_of_the_turn_order() -> None:
    game = compiled("connect_four_3p")
    states = [game.initial_state()]
    rng = Random(2)
    for _ in range(10):
        states.append(states[-1].play(random_joint_move(states[-1], rng)))
    batch = Batch(game, 11 * 640, seed=3)
    batch.set_states(states)

    found = batch.playouts()

    assert batch.states() == [state for state in states for _ in range(640)]
    assert found.ended.all()
    for state, sums in zip(states, found.goal_sums(640), strict=True):
        one = Batch(game, 6400, seed=4)
        one.set_states([state])
        assert sums / 640 == pytest.approx(one.playouts().goals.mean(axis=0), abs=8)


def test_playouts_from_states_outside_the_turn_order_are_played_all_the_same() -> None:
    game, oracle = compiled("tic_tac_toe"), reference("tic_tac_toe")
    facts = game.initial_state().facts | {("control", "oplayer")}
    batch = Batch(game, 64, seed=1)
    batch.set_states([oracle.state(facts)])

    assert batch.playouts().ended.all()


def test_playouts_of_terminal_states_are_over_at_once() -> None:
    batch = Batch(compiled("tic_tac_toe"), 128, seed=5)
    for _ in range(9):
        batch.advance()

    found = batch.playouts(most_moves=0)

    assert found.moves == 0
    assert found.ended.all()
    assert np.array_equal(found.goals, batch.goals)


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four_3p"])
def test_playouts_stop_after_the_moves_they_may_make(name: str) -> None:
    batch = Batch(compiled(name), 1024, seed=5)
    states = [batch.states()[0]]
    batch.advance()
    states.append(batch.states()[0])
    batch.set_states(states)

    found = batch.playouts(most_moves=4)

    assert found.moves == 4 * 1024 if name == "connect_four_3p" else 4 * 512 < found.moves <= 4 * 1024
    first, second = found.ended.reshape(2, 512)
    assert not first.any()
    assert second.any() == (name == "tic_tac_toe")
    assert (found.goals[~found.ended] == 0).all()


def test_lanes_without_a_legal_move_are_told() -> None:
    game = CircuitGame(read_rules(ENDLESS))
    batch = Batch(game, 600, seed=1)

    found = batch.playouts()
    assert 0.4 < found.ended.mean() < 0.6
    assert found.goals[found.ended].tolist() == [[80]] * int(found.ended.sum())

    batch.set_states([game.state(["a"])] * 599 + [game.state([])])
    assert batch.random_moves()[599].tolist() == [-1]
    before = batch.packed_states
    with pytest.raises(GameError, match="lane 599: the rules give r no legal move"):
        batch.advance()
    assert np.array_equal(batch.packed_states, before)


@pytest.mark.parametrize("name", ["tic_tac_toe", "lamps"])
def test_machine_code_and_interpreter_do_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computation, "host_instructions", lambda: None)
    game = CircuitGame(read_rules(LAMPS)) if name == "lamps" else compiled(name)
    slow = Batch(game, 600, seed=3, restart=True)
    fast = slow.copy()

    def history(batch: Batch) -> list[bytes]:
        found = []
        for _ in range(6):
            batch.advance()
            batch.advance(batch.random_moves())
            found += [batch.packed_states.tobytes(), batch.goals.tobytes(), batch.playouts().goals.tobytes()]
        return found

    interpreted = history(slow)
    monkeypatch.undo()
    steps = game.batch_steps
    for step in (steps.position, steps.given, steps.random, steps.choice, steps.playouts.step):
        before = step.code
        step.compile()
        assert step.code is not before

    assert history(fast) == interpreted
    fast.set_states(slow.states())
    assert fast.states() == slow.states()


def test_steps_that_are_used_much_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = threading.Event()
    monkeypatch.setattr(computation, "host_instructions", lambda: None)
    monkeypatch.setattr(Step, "compile", lambda _: compiling.set())
    monkeypatch.setattr(hot, "HOT_OPERATIONS", 10_000)
    batch = Batch(compiled("tic_tac_toe"), 512)

    batch.advance()
    assert not compiling.is_set()
    for _ in range(100):
        batch.advance()

    assert compiling.wait(60)


def test_a_step_that_cannot_be_compiled_stays_on_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Step) -> None:
        raise CodeError("no compiler today")

    monkeypatch.setattr(computation, "host_instructions", lambda: None)
    monkeypatch.setattr(Step, "compile", fail)
    monkeypatch.setattr(hot, "HOT_OPERATIONS", 10_000)
    batch = Batch(compiled("tic_tac_toe"), 512)

    for _ in range(100):
        batch.advance()
    for thread in threading.enumerate():
        if thread.name == "ludens-compiler":
            thread.join()

    assert "a batch stays on the interpreter: no compiler today" in caplog.text
