"""Solve positions subgame by subgame: exact values, or bounds when time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

import numpy as np

from ludens.analysis.budget import Budget, TooEntangledError
from ludens.analysis.impartial import Partizan, find_impartial, find_partizan
from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.subgames.joints import make_diagrams
from ludens.analysis.subgames.local_rules import TooManyPositionsError
from ludens.analysis.subgames.parts import Composition, Decomposition
from ludens.analysis.subgames.positions import Subgames
from ludens.analysis.subgames.residual import find_residual
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import GameError, Move, OutOfTimeError, Role, State, compiled_state
from ludens.core.batch import Batch
from ludens.core.block import LANES
from ludens.gdl.game import GdlState
from ludens.gdl.terms import Term
from ludens.players.decomposition.allocation import Allocation, NoAllocationError
from ludens.players.decomposition.alternating import LONGEST, Alternating, interchangeable_parts, longest_play
from ludens.players.decomposition.dominance import EndTable, drop_dominated
from ludens.players.decomposition.falling_apart import FallingApart, falling_apart
from ludens.players.decomposition.layered import Layered
from ludens.players.decomposition.matrix_sum import MatrixSum, NoMatrixSumError
from ludens.players.decomposition.nimbers import SumOfGames
from ludens.players.decomposition.product import Choice, Product, ProductKey
from ludens.players.decomposition.value_sum import SumOfValues
from ludens.players.decomposition.values import Values
from ludens.players.minimax.backup import Backup, back_up
from ludens.players.minimax.choice import NO_CHOICE, SEVERAL, choosers
from ludens.players.minimax.solve import LONGEST_PLAYOUT, Solution
from ludens.players.space.graph import Graph

WILD = "impartial in misère play, but one subgame is wild, so it was searched"
"""Why nimbers are not used although a game is impartial."""


MOST_NAMES = 8
"""The most values of subgames that a note names."""


class InOnePieceError(GameError):
    """The game cannot be solved subgame by subgame; the message says why."""


def circuit_rules(game: object) -> CircuitRules:
    """The game, if it can be decomposed. Raises `InOnePieceError` if not."""
    if not isinstance(game, CircuitRules):
        raise InOnePieceError("only games on the backend circuit can be decomposed")
    if game.chance or game.hidden:
        raise InOnePieceError("games with chance or hidden information are not decomposed")
    return game


def decompose_game(
    game: object, budget: Budget | None = None, settled: Mapping[Term, bool] | None = None
) -> Decomposition:
    """Decompose a game. Raises `InOnePieceError` if it has no subgames, or cannot be analysed within the budget.

    ``settled`` as for `decompose`.
    """
    try:
        whole = decompose(circuit_rules(game), budget, settled)
    except (TooEntangledError, OutOfTimeError) as error:
        raise InOnePieceError(str(error)) from None
    if len(whole.games) < 2:
        raise InOnePieceError(whole.note or "the game is in one piece")
    return whole


class PartSolver:
    """Solves positions of one game by its subgames, and caches results for the next position."""

    def __init__(self, whole: Decomposition, state: State, pulse: Callable[[], None] = lambda: None) -> None:
        """List all positions of the subgames from ``state`` on; ``pulse`` is called often, and may raise to stop."""
        self.pulse = pulse
        """Called often during computation; may raise to stop."""
        assert isinstance(state.game, CircuitRules)
        self.subgames = Subgames(state.game, whole, state, self._call_pulse)
        proof = find_impartial(self.subgames)
        self.refused = proof if isinstance(proof, str) else ""
        """Why Sprague-Grundy theory is not used, if it is not."""
        self._is_wild = False
        self.sum: SumOfGames | None = None
        """The solution by nimbers, where the theory applies."""
        if not isinstance(proof, str):
            self._goals = proof.winner, proof.loser
            found = SumOfGames(proof)
            if found.is_known:
                self.sum = found
            else:
                self.refused = WILD
                self._is_wild = True
        self.product: Product | None = None
        """The whole game on classes of positions; None where nimbers are enough."""
        self._search: Alternating | None = None
        self._layers: Layered | Allocation | None = None
        self.matrices: MatrixSum | None = None
        """The solution by a matrix game for each subgame, where goals are sums."""
        self.values: SumOfValues | None = None
        """The solution by combinatorial values, where the last move wins and the roles have different moves."""
        if self.sum is None and not self._is_wild:
            self._find_values()
        if self.sum is None and self.values is None:
            try:
                self.matrices = MatrixSum(self.subgames, self._call_pulse)
            except NoMatrixSumError:
                self._prepare_search()

    def _call_pulse(self) -> None:
        """Call the current `pulse`."""
        self.pulse()

    def _find_values(self) -> None:
        """Find the combinatorial values of all positions, if the last move wins and there are not too many."""
        proof = find_partizan(self.subgames)
        if isinstance(proof, Partizan):
            try:
                self.values = SumOfValues(proof, self._call_pulse)
            except TooEntangledError as error:
                self.refused = str(error)
            else:
                self._goals = proof.winner, proof.loser

    def _prepare_search(self) -> None:
        self.product = game = Product(self.subgames)
        if not (game.free or game.parallel):
            return
        ends = EndTable(game)
        fits = Layered.fits(game, ends)
        total = ends.total() if len(game.roles) == 2 and game.free else None
        longest = longest_play(game)
        has_counter = fits and ends.last_tick(game) is not None
        if not has_counter and total is not None and longest is not None and longest <= LONGEST:
            drop_dominated(game, ends)
            self._search = Alternating(game, ends, total, self._call_pulse)
            self._total = total
        elif fits:
            self._layers = Layered(game, ends, self._call_pulse)
        elif game.free:
            self._prepare_many(game)

    def _prepare_many(self, game: Product) -> None:
        """Prepare for subgames with too many combinations of values to list them."""
        try:
            try:
                self._layers = Allocation(game, self._call_pulse)
            except NoAllocationError:
                diagrams = make_diagrams(self.subgames, self._call_pulse)
                ends = self.subgames.ends
                functions = [diagrams.of(formula) for formula in (ends.terminal, *(f for _, _, f in ends.goals))]
                game.alike = interchangeable_parts(
                    game,
                    lambda one, other: (
                        diagrams.values[one + 1] == diagrams.values[other + 1]
                        and all(diagrams.is_symmetric(node, one + 1, other + 1) for node in functions)
                    ),
                )
        except (TooEntangledError, RecursionError):
            pass  # all combinations are searched

    @property
    def method(self) -> str:
        """How positions are solved, in a few words."""
        if self.sum is not None:
            return f"nimbers, {self.sum.convention} play"
        if self.values is not None:
            return "combinatorial values, normal play"
        if self.matrices is not None:
            return "a matrix game for each subgame"
        if self._layers is not None:
            return self._layers.how.format("subgames")
        return "alpha-beta over subgames" if self._search is not None else "all positions over subgames"

    def solve(self, state: State) -> Values:
        """The values of a position. Raises `GameError` if it is not listed, or whatever `pulse` raises."""
        assert isinstance(state, GdlState)
        if self.sum is not None:
            return self._by_nimbers(state, self.sum)
        if self.values is not None:
            return self._by_values(state, self.values)
        if self.matrices is not None:
            return self._by_matrices(state, self.matrices)
        assert self.product is not None
        key = self.product.key(state)
        over, goals = self.product.end(key)
        if over:
            bounds = tuple((float(goal), float(goal)) for goal in goals)
            return Values(bounds, True, {}, "the match is over", 1, 1)
        if self._layers is not None:
            return self._by_layers(state, key, self.product, self._layers)
        if self._search is not None:
            return self._by_search(state, key, self.product, self._search)
        return self._by_graph(state, self.product)

    def _format_note(self, how: str) -> str:
        count = len(self.subgames.whole.games)
        wild = f"; {WILD}" if self._is_wild else ""
        return f"{count} subgames with {len(self.subgames):,} positions in total; {how}{wild}"

    def _by_nimbers(self, state: GdlState, nim: SumOfGames) -> Values:
        phase, mover, numbers = self._find_mover(state)
        wins = nim.mover_wins(numbers)
        kind = nim.kind(numbers)
        what = f"nim-sum {kind.value}" + (", fickle" if kind.fickle else "")
        moves = self._move_texts(phase, mover, numbers, nim.winning_moves(numbers) if wins else nim.moves(numbers))
        return self._decided(mover, wins, moves, f"{what}, {nim.convention} play")

    def _by_values(self, state: GdlState, values: SumOfValues) -> Values:
        phase, mover, numbers = self._find_mover(state)
        wins = values.mover_wins(numbers, mover)
        moves = values.winning_moves(numbers, mover) if wins else values.moves(numbers, mover)
        names = sorted(name for name in values.names(numbers) if name != "0")
        shown = " + ".join(names[:MOST_NAMES]) + (" + …" if len(names) > MOST_NAMES else "") or "0"
        texts = self._move_texts(phase, mover, numbers, moves)
        return self._decided(mover, wins, texts, f"combinatorial values {shown}, normal play")

    def _find_mover(self, state: GdlState) -> tuple[int, int, tuple[int, ...]]:
        """The phase, the role that moves, and the position in each subgame."""
        positions = self.subgames.positions(state)
        if positions is None:
            raise GameError("the state is not among the positions of the subgames")
        phase = self.subgames.whole.clock.phase(positions[0])
        return phase, self.subgames.whole.phases[phase].choosers[0], positions[1:]

    def _decided(self, mover: int, wins: bool, best: Sequence[Move], how: str) -> Values:
        """The values where the last move decides."""
        winner, loser = self._goals
        goals = (winner, loser) if wins == (mover == 0) else (loser, winner)
        return Values(
            tuple((float(goal), float(goal)) for goal in goals),
            True,
            {mover: tuple(best)} if best else {},
            self._format_note(how),
            len(self.subgames),
            len(self.subgames),
        )

    def _by_matrices(self, state: GdlState, matrices: MatrixSum) -> Values:
        positions = self.subgames.positions(state)
        if positions is None:
            raise GameError("the state is not among the positions of the subgames")
        value = matrices.value(positions)
        chosen = matrices.best_moves(positions)
        best: dict[int, tuple[Move, ...]] = {}
        if chosen is not None:
            role, numbers = chosen
            best[role] = tuple(self.subgames.game.move_texts[role][number] for number in numbers)
        how = f"goals are sums, so {matrices.matrices:,} matrix games were solved subgame by subgame"
        rest = matrices.total - value
        bounds = ((value, value), (rest, rest))
        return Values(bounds, True, best, self._format_note(how), matrices.matrices, len(self.subgames))

    def hardest_moves(self, state: State, rng: Random) -> tuple[Move, ...]:
        """In a lost sum of impartial games the moves that leave the smallest share of winning replies; else none."""
        assert isinstance(state, GdlState)
        positions = self.subgames.positions(state)
        if self.sum is None or positions is None or self.sum.mover_wins(positions[1:]):
            return ()
        phase = self.subgames.whole.clock.phase(positions[0])
        mover = self.subgames.whole.phases[phase].choosers[0]
        numbers = positions[1:]
        return tuple(self._move_texts(phase, mover, numbers, self.sum.hardest_moves(numbers, rng)))

    def _move_texts(
        self, phase: int, role: int, numbers: Sequence[int], wanted: Sequence[tuple[int, int]]
    ) -> list[Move]:
        """The moves that lead to these positions of subgames."""
        whole = self.subgames.whole
        found: list[Move] = []
        texts = self.subgames.game.move_texts[role]
        moves = next(turn.moves for turn in whole.turns if (turn.phase, turn.role) == (phase, role))
        for part, local in enumerate(self.subgames.locals):
            targets = {target for number, target in wanted if number == part}
            if not targets:
                continue
            own = local.phases[phase]
            for combination, after in zip(own.joint, local.transitions[phase], strict=True):
                action = own.actions[role][combination[role]]
                if not action.is_idle and int(after[numbers[part]]) in targets:
                    found.append(texts[moves[(action.moves & -action.moves).bit_length() - 1]])
        return found

    def _by_search(self, state: GdlState, key: ProductKey, game: Product, search: Alternating) -> Values:
        before = search.nodes
        value = search.value(key)
        best: list[Move] = []
        role = game.chooser[game.phase_of[key[0]]]
        if role is not None:
            for choice, child in game.options(key, every=True):
                if self.value_of(child) == value:
                    best += game.moves_of(state, choice)
        return Values(
            ((value, value), (self._total - value, self._total - value)),
            True,
            {role: tuple(best)} if role is not None and len(best) else {},
            self._format_note(f"alpha-beta over {sum(map(len, game.quotients)):,} classes of them"),
            search.nodes - before,
            len(search),
        )

    def value_of(self, key: ProductKey) -> int:
        """The first role's goal from a key on, where alpha-beta is used."""
        assert self.product is not None
        assert self._search is not None
        over, goals = self.product.end(key)
        return goals[0] if over else self._search.value(key)

    def _by_layers(self, state: GdlState, key: ProductKey, game: Product, layers: Layered | Allocation) -> Values:
        role = game.chooser[game.phase_of[key[0]]]
        best = [move for choice in layers.best(key) for move in game.moves_of(state, choice)]
        sharp = [move for choice in layers.best(key, sharp=True) for move in game.moves_of(state, choice)]
        return Values(
            tuple((float(goal), float(goal)) for goal in layers.value(key)),
            True,
            {role: tuple(best)} if role is not None and best else {},
            self._format_note(layers.how.format(f"{sum(map(len, game.quotients)):,} classes of them")),
            len(layers),
            len(layers),
            tuple(sharp),
        )

    def _by_graph(self, state: GdlState, game: Product) -> Values:
        graph = Graph(game, state)
        game.pulse = self._call_pulse

        def go_on() -> bool:
            self.pulse()
            return True

        graph.grow(go_on)
        backup = back_up(graph, go_on)
        exact = graph.complete and backup.is_exact(0)
        how = f"all {len(graph):,} positions over {sum(map(len, game.quotients)):,} classes of them"
        if not exact:
            how += "" if graph.complete else ", not all found"
            how += "" if backup.determined else ", several outcomes are rational"
        bounds = tuple((float(low), float(high)) for low, high in zip(backup.low[0], backup.high[0], strict=True))
        best = _best_moves(state, graph, backup, game) if exact else {}
        return Values(bounds, exact, best, self._format_note(how), graph.children, len(graph))


def _best_moves(state: GdlState, graph: Graph, backup: Backup, game: Product) -> dict[int, tuple[Move, ...]]:
    """The moves at the root that keep the value of the role that chooses there."""
    slab = graph.slabs[0]
    role = int(choosers(slab.joint)[0])
    if role in {SEVERAL, NO_CHOICE}:
        return {}
    each = backup.low[slab.children, role]
    numbers = slab.joint.moves[np.flatnonzero(each >= each.max() - 1e-6), role].tolist()
    if not game.nameless:
        return {role: tuple(game.move(role, number) for number in numbers)}
    choices: list[Choice] = [game.choices[number] for number in numbers]
    return {role: tuple(move for choice in choices for move in game.moves_of(state, choice))}


def _check_playable(state: State, pulse: Callable[[], None]) -> None:
    """Raise `InOnePieceError` if random play gets stuck: searches over subgames treat that as terminal, and only the
    search of the whole game reports where it is."""
    batch = Batch(state.game, LANES, seed=0)
    batch.set_states([state])
    for _ in range(LONGEST_PLAYOUT):
        pulse()
        if batch.stuck.any():
            raise InOnePieceError("a role cannot move in a nonterminal state")
        if batch.terminal.all():
            return
        batch.advance()


def take_apart(
    game: object, budget: Budget | None = None, settled: Mapping[Term, bool] | None = None
) -> Decomposition | InOnePieceError:
    """As `decompose_game`, with the reason if a game has no subgames."""
    try:
        return decompose_game(game, budget, settled)
    except InOnePieceError as error:
        return error


def find_solver(
    whole: Decomposition | InOnePieceError, state: State, pulse: Callable[[], None]
) -> PartSolver | FallingApart:
    """Solves by subgames; if there are none, they have too many positions or moves act in several of them, by the parts
    into which positions fall, where that is possible. Raises `GameError` if nothing is, or whatever ``pulse`` raises.
    """
    refusal: GameError | None = whole if isinstance(whole, InOnePieceError) else None
    if isinstance(whole, Decomposition) and whole.composition is Composition.CHOICE:
        try:
            return PartSolver(whole, state, pulse)
        except TooManyPositionsError as error:
            refusal = error
    found = falling_apart(circuit_rules(state.game), pulse)
    if found is not None:
        return found
    if refusal is not None:
        raise refusal
    assert isinstance(whole, Decomposition)
    return PartSolver(whole, state, pulse)


def solve_by_parts(state: State, budget: float, progress: Callable[[str], None] = lambda text: None) -> Solution:
    """Solve a position subgame by subgame within a budget of seconds; the subgames are those of the position, which may
    be more than the game had at first.

    Raises `InOnePieceError` if the game has no subgames, they have too many positions, or random play reaches a
    nonterminal state in which a role cannot move; and `OutOfTimeError`.
    """
    state = compiled_state(state)
    began = time.monotonic()
    limit = Budget(budget)
    game = circuit_rules(state.game)
    settled: Mapping[Term, bool] = {}
    if not np.array_equal(game.bits_of(state), game.circuit.initial):
        residual = find_residual(game, state, limit)
        state, settled = residual.game.initial_state(), residual.settled
    whole = take_apart(state.game, limit, settled)
    parts = f"{len(whole.games)} subgames" if isinstance(whole, Decomposition) else "one piece"
    calls = 0

    def pulse() -> None:
        nonlocal calls
        calls += 1
        limit()
        if not calls % 100:
            progress(f"{parts}, {time.monotonic() - began:.0f} s")

    if isinstance(whole, Decomposition):
        _check_playable(state, pulse)
    try:
        found = find_solver(whole, state, pulse).solve(state)
    except OutOfTimeError:
        raise
    except GameError as error:
        raise InOnePieceError(str(error)) from None
    roles: tuple[Role, ...] = state.game.roles
    return Solution(
        dict(zip(roles, found.bounds, strict=True)),
        found.exact,
        found.nodes,
        found.positions,
        time.monotonic() - began,
        {roles[role]: moves for role, moves in found.best.items()},
        found.note,
    )
