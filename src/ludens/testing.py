"""Checks for authors of games: does a game keep the contract that every player relies on?

Examples:
    >>> import ludens
    >>> from ludens.testing import check_game
    >>> check_game(ludens.load("tic_tac_toe@tabletop"), matches=2, report=lambda line: None)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from ludens.core import (
    BEST_GOAL,
    Game,
    GameError,
    IllegalMoveError,
    Role,
    State,
    TooManyOutcomesError,
    random_joint_move,
)
from ludens.tabletop import Action, TabletopGame, TabletopState
from ludens.tabletop.actions.parsing import parse_action
from ludens.tabletop.actions.randomness import draw_and_do
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.sampled_tables import OwnTable
from ludens.tabletop.hidden.view import TableView
from ludens.tabletop.material.equipment import HIDDEN

if TYPE_CHECKING:
    from ludens.compiler.twins.making import Cosimulation

MAX_TURNS = 10_000
_WORLDS = 3
"""Worlds that are drawn for each player in each state of a game with hidden information."""
_REPLAYED = 8
"""Up to this turn all worlds are replayed, later ones ever more rarely."""


class CheckFailed(GameError, AssertionError):  # noqa: N818 - it says what failed
    """A game breaks the contract; the message says how, and how to come to the position."""


def check_game(
    game: Game, *, matches: int = 10, seed: int = 0, twin: bool = True, report: Callable[[str], None] = print
) -> None:
    """Play random matches of a game and check everything that players rely on. Raises `CheckFailed`.

    Checked are the contract (moves, goals, values), determinism under a seed, and in games in Python also doing and
    undoing, that texts of actions can be read back, that nobody sees what is hidden from it, and that its twin, if it
    has one and ``twin`` is true, goes the same way, which has to be compiled first. ``report`` is told what was tried.
    """
    states = moves = 0
    lengths = []
    beside = _cosimulation(game) if twin else None
    for number in range(matches):
        rng = Random(f"{seed}/{number}")
        state = game.initial_state()
        _same(state, game.initial_state(), "two initial states", [])
        path: list[Mapping[Role, str]] = []
        perceived: dict[Role, list[object]] = {role: [] for role in game.roles}
        if beside is not None:
            beside.begin()
        while not state.is_terminal:
            moves += _check_state(game, state, path)
            _check_details(state, rng, path, perceived)
            before, state = state, _check_step(state, rng, path)
            if beside is not None:
                _check_twin(beside, before, state, path)
            if isinstance(state, TabletopState) and state.game.hidden:
                for role in game.roles:
                    perceived[role].append(_perceived(state, role))
            states += 1
            if len(path) > MAX_TURNS:
                raise CheckFailed(f"{game.name}: a random match is not over after {MAX_TURNS} turns")
        _check_end(game, state, path)
        _check_replay(game, state, path)
        lengths.append(len(path))
    report(
        f"{game.name}: {matches} random matches, {states} states, {moves} moves, {min(lengths)} to {max(lengths)} turns"
    )
    known = (f"{name} {getattr(game.facts, name).answer}" for name in ("chance", "hidden", "simultaneous"))
    report(f"  roles: {', '.join(game.roles)}; {', '.join(known)}")
    also = ""
    if beside is not None:
        if difference := beside.check_playouts():
            raise CheckFailed(f"{game.name}: {difference}")
        also = f", its twin in {beside.turns} turns"
    report("  checked: contract, determinism" + _also(game) + also)


def _also(game: Game) -> str:
    if not isinstance(game, TabletopGame):
        return ""
    hidden = ", visibility, worlds agree with observations and percepts" if game.hidden else ""
    return f", do and undo, texts of actions{hidden}"


def _fail(message: str, path: list[Mapping[Role, str]]) -> CheckFailed:
    way = "; ".join(str(dict(joint_move)) for joint_move in path) or "the initial state"
    return CheckFailed(f"{message}\n  after: {way}")


def _same(one: State, other: State, what: str, path: list[Mapping[Role, str]]) -> None:
    if one != other or hash(one) != hash(other):
        raise _fail(f"{what} are not equal", path)


def _check_state(game: Game, state: State, path: list[Mapping[Role, str]]) -> int:
    count = 0
    for role in game.roles:
        legal = list(state.legal_moves(role))
        if len(set(legal)) < len(legal):
            raise _fail(f"{role} has two moves of one name", path)
        if legal != list(state.legal_moves(role)):
            raise _fail(f"the legal moves of {role} change while nothing happens", path)
        if any(not move or "\n" in move or "\t" in move for move in legal):
            raise _fail(f"a move of {role} is no line of text", path)
        count += len(legal)
        if list(state.view(role).legal_moves) != legal:
            raise _fail(f"the view of {role} has other legal moves than the state", path)
    if not count:
        raise _fail("nobody can move, and the match is not over", path)
    _check_goals(game, state, path)
    return count


def _check_goals(game: Game, state: State, path: list[Mapping[Role, str]]) -> None:
    if set(state.goals) != set(game.roles) or not all(0 <= goal <= BEST_GOAL for goal in state.goals.values()):
        raise _fail(f"goals are {dict(state.goals)}, not 0 to 100 for each role", path)
    if set(state.points) != set(game.roles):
        raise _fail(f"points are {dict(state.points)}, not one for each role", path)


def _check_step(state: State, rng: Random, path: list[Mapping[Role, str]]) -> State:
    """Play a random joint move, chance resolved, in several ways that must come to the same."""
    chosen = random_joint_move(state, rng)
    before, luck = hash(state), rng.random()
    resolved = state.resolve(chosen, Random(luck))
    if dict(state.resolve(chosen, Random(luck))) != dict(resolved):
        raise _fail(f"chance makes different things of {chosen} under one seed", path)
    after = state.play(resolved)
    _same(after, state.play(dict(resolved)), f"the states after {dict(resolved)}", path)
    _same(after, state.sample(chosen, Random(luck)), f"the states by play and by sample after {chosen}", path)
    if hash(state) != before:
        raise _fail(f"playing {chosen} changed the state it was played in", path)
    _check_outcomes(state, chosen, path)
    try:
        state.play(dict.fromkeys(chosen, "this is no move"))
    except IllegalMoveError:
        pass
    else:
        raise _fail("a move that is not legal is accepted", path)
    path.append(resolved)
    return after


def _check_outcomes(state: State, chosen: Mapping[Role, str], path: list[Mapping[Role, str]]) -> None:
    try:
        outcomes = state.chance_outcomes(chosen, 100)
    except TooManyOutcomesError:
        return
    if abs(sum(outcome.probability for outcome in outcomes) - 1) > 1e-9:
        raise _fail(f"the outcomes of {chosen} do not add up to 1", path)
    state.play(outcomes[0].joint_move)


def _check_end(game: Game, state: State, path: list[Mapping[Role, str]]) -> None:
    _check_goals(game, state, path)
    if isinstance(state, TabletopState) and game.facts.zero_sum.certain and sum(state.goals.values()) != BEST_GOAL:
        raise _fail(f"the rule says zero_sum, but goals are {dict(state.goals)}", path)
    if any(state.legal_moves(role) for role in game.roles):
        raise _fail("the match is over, and somebody can still move", path)


def _check_replay(game: Game, last: State, path: list[Mapping[Role, str]]) -> None:
    state = game.initial_state()
    for joint_move in path:
        state = state.play(joint_move)
    _same(state, last, "a match and its replay", path)


# Games in Python


def _cosimulation(game: Game) -> Cosimulation | None:
    if not isinstance(game, TabletopGame) or game.twin is None:
        return None
    from ludens.compiler.twins.making import cosimulation  # noqa: PLC0415 - most games need no compiler

    return cosimulation(game)


def _check_twin(twin: Cosimulation, before: State, after: State, path: list[Mapping[Role, str]]) -> None:
    """The page and its twin agree before and after a turn."""
    assert isinstance(before, TabletopState) and isinstance(after, TabletopState)  # noqa: PT018 - as one
    difference = twin.compare(before) if len(path) == 1 else ""
    difference = difference or twin.advance(before, path[-1], after) or twin.compare(after)
    if difference:
        raise _fail(f"page and twin differ in turn {len(path)}: {difference}", path)


def _check_details(
    state: State, rng: Random, path: list[Mapping[Role, str]], perceived: Mapping[Role, Sequence[object]]
) -> None:
    if not isinstance(state, TabletopState):
        return
    _check_actions(state, rng, path)
    if not state.game.rule.possible(state.table):
        raise _fail("the rule says that a position is not possible which came up in a match", path)
    if state.game.hidden:
        for role in state.game.roles:
            _check_secrets(state, role, rng, path, perceived[role])


def _check_actions(state: TabletopState, rng: Random, path: list[Mapping[Role, str]]) -> None:
    """Do and undo an action of each role, by itself and with all that follows, and read its text back."""
    before = state.table.key()
    for role in state.game.roles:
        choices = state.actions(role)
        for text, (action, _) in itertools.islice(choices.items(), 5):
            described = action.describe()
            if parse_action(described, state.table).describe() != described:
                raise _fail(f"the action {described!r} is not read back", path)
            if state.actions(role)[text][0] is not action:
                raise _fail(f"the move {text!r} of {role} does not name its action", path)
            table = state.table.copy()
            table.play_state[1] = role
            mark = table.mark()
            for one, earlier in _earlier_choices(state, role, rng):
                table.play_state[1] = one
                draw_and_do(earlier, table, rng)
            table.play_state[1] = role
            draw_and_do(action, table, rng)
            table.roll_back(mark)
            if table.key() != before:
                raise _fail(f"undoing {described!r} does not restore the table", path)
    own = OwnTable(state, rng)
    own.simulate(random_joint_move(state, rng))
    own.undo()
    if own.state.position != state.position:
        raise _fail("undoing a whole turn does not restore the table", path)


def _earlier_choices(state: TabletopState, role: Role, rng: Random) -> Iterator[tuple[Role, Action]]:
    """In a joint stage, random actions of the players before a role: its action is done after theirs."""
    stage = state.game.stage(state.table)
    if stage.joint:
        for one in stage.players[: stage.players.index(role)]:
            if choices := list(state.actions(one).values()):
                yield one, rng.choice(choices)[0]


def _check_secrets(
    state: TabletopState, role: Role, rng: Random, path: list[Mapping[Role, str]], perceived: Sequence[object]
) -> None:
    """Worlds drawn for a role look to it as the real one does."""
    view = state.view(role)
    assert isinstance(view, TableView)
    seen, legal = view.observation, list(view.legal_moves)
    for _ in range(_WORLDS):
        world = view.sample(rng)
        assert isinstance(world, TabletopState)
        imagined = world.view(role)
        assert isinstance(imagined, TableView)
        if imagined.observation != seen:
            raise _fail(f"{role} would see something else in a world drawn for it: {_difference(seen, imagined)}", path)
        if sorted(imagined.legal_moves) != sorted(legal):
            raise _fail(f"{role} has other legal moves in a world drawn for it: it learns what is hidden", path)
        if rng.random() * (len(path) + 1) <= _REPLAYED:
            _check_history(view, world, path, perceived)
    _check_goes_on(world, role, path)
    sampler = view.sampler
    if sampler.unknown or sampler.cups:
        mixed = dict(zip(sampler.unknown, rng.sample(sampler.unknown, len(sampler.unknown)), strict=True))
        other = with_faces(state.table, mixed)
        for dice, shown in sampler.roll(rng).items():
            other.values[dice.index] = shown
        permuted = TabletopState(state.game, other).view(role)
        assert isinstance(permuted, TableView)
        if not sampler.unseen and permuted.observation != seen:
            raise _fail(f"{role} sees hidden values: {_difference(seen, permuted)}", path)
        if not sampler.unseen and sorted(permuted.legal_moves) != sorted(legal):
            raise _fail(
                f"{role} has other legal moves if hidden elements are exchanged: it learns what is hidden", path
            )


def _check_history(
    view: TableView, world: TabletopState, path: list[Mapping[Role, str]], perceived: Sequence[object]
) -> None:
    """A role would have perceived in a world what it did perceive, turn by turn."""
    if not has_history(world):
        raise _fail(f"no history was found that {view.role} would have perceived as it did perceive the match", path)
    found = contradiction(perceived, world, view.role)
    if found is not None:
        turn = "; ".join(f"{mover}: {text}" for mover, text in path[found - 1].items())
        raise _fail(f"a world drawn for {view.role} contradicts what it perceived in turn {found} ({turn})", path)


def has_history(world: TabletopState) -> bool:
    """True if it is known how a world came about. In games with secret places the search for histories that fit a
    player's percepts may fail; then its worlds agree with what it sees now, and nothing else."""
    first = world.history[0]
    return first.table is world.game.first or first.table.key() == world.game.first.key()


def perceptions(game: Game, role: Role, path: Sequence[Mapping[Role, str]]) -> list[object]:
    """What a role perceived, saw and could do after each joint move of a match."""
    state = game.initial_state()
    found: list[object] = []
    for joint_move in path:
        state = state.play(joint_move)
        found.append(_perceived(state, role))
    return found


def contradiction(perceived: Sequence[object], world: TabletopState, role: Role) -> int | None:
    """The first turn in which a role would have perceived, seen or been allowed something else in a world; None if
    there is none. The history of the world is played again from the beginning."""
    moves = [state.turn.joint_move for state in world.history if state.turn is not None]
    if len(moves) != len(perceived) or not has_history(world):
        raise ValueError("the world has no history, or one of another length than the match")
    state = world.game.initial_state()
    for number, (joint_move, expected) in enumerate(zip(moves, perceived, strict=True), 1):
        try:
            state = state.play(joint_move)
        except GameError:
            return number
        if _perceived(state, role) != expected:
            return number
    assert isinstance(state, TabletopState)
    return None if contents(state) == contents(world) else len(perceived)


def _perceived(state: State, role: Role) -> tuple[object, ...]:
    view = state.view(role)
    seen = view.observation if isinstance(view, TableView) else None
    return list(state.percepts(role)), seen, sorted(view.legal_moves)


def contents(state: TabletopState) -> tuple[object, ...]:
    """What lies where by name, what scores and dice show, and the stage."""
    table = state.table
    lying = {}
    for place in table.inventory.places:
        names = [element.name for element in table.contents[place.index]]
        lying[place.name] = names if place.is_stack and place.visibility == HIDDEN else sorted(names)
    return lying, table.values, table.stage, state.is_terminal


def _check_goes_on(world: State, role: Role, path: list[Mapping[Role, str]]) -> None:
    """A world is played on by searches, so the rule must know what all can do in it."""
    for other in world.game.roles:
        try:
            world.legal_moves(other)
        except GameError as error:
            raise _fail(f"the rule fails in a world drawn for {role}: {error}", path) from error


def _difference(seen: Mapping[str, object], imagined: TableView) -> str:
    other = imagined.observation
    return "; ".join(f"{key}: {seen[key]} and {other[key]}" for key in seen if seen[key] != other[key])
