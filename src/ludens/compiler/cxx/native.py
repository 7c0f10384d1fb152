"""The C interface of a compiled game: numbers in, numbers out."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.cxx.layout import FORM_FUNCTOR, OPEN, Layout, fill
from ludens.compiler.cxx.usage import QueryProfile, flat_row
from ludens.core import GameError
from ludens.gdl.logic.strata import Signature
from ludens.gdl.reasoner.program import BudgetError
from ludens.gdl.terms import Term, functor
from ludens.gdl.write import kif

SECONDS = 60.0
"""The time limit of one query about one state, in seconds."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The facts of a state as numbers: bits for those that have one, and the others as a sorted list."""

    bits: bytes
    open: bytes


NOT_DRAWN = 0xFFFF_FFFF
"""The move of a source of chance that nobody uses."""


class _Position(ctypes.Structure):
    _fields_ = (("bits", ctypes.c_char_p), ("open", ctypes.c_char_p), ("open_count", ctypes.c_size_t))


@dataclass(frozen=True, slots=True)
class PlayoutTotals:
    """Totals of random playouts."""

    steps: int
    finished: int
    goals: tuple[int, ...]
    """The sum for each role over those that ended; roles that draw random variables have none."""


@dataclass(frozen=True, slots=True)
class SimulationTotals:
    """Totals of random playouts after random joint moves."""

    steps: int
    """Joint moves that were made, the drawn ones once each."""
    moves: NDArray[np.uint32]
    """The joint moves that were drawn, a row for each, by number."""
    finished: NDArray[np.uint64]
    """For each of them how many playouts ended."""
    goals: NDArray[np.uint64]
    """For each of them the sum of each role's goals over those."""


class NativeGame:
    """An open library. Its working memory serves one caller at a time; others wait."""

    def __init__(self, path: Path, layout: Layout, name: str, transpositions: int = 0) -> None:
        self._layout = layout
        self._name = name
        self._lock = threading.Lock()
        self._roles = len(layout.prepared.roles)
        self._named_roles = len(layout.prepared.named_roles)
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise GameError(f"{name}: the compiled library cannot be loaded: {error}") from None
        self._declare()
        self._handle: int | None = self._library.ludens_new(transpositions, SECONDS)
        if self._handle is None:
            raise GameError(f"{name}: the compiled library is out of memory")
        self._names = list(layout.names)
        self._fact_forms = list(layout.facts.values())
        self._move_forms = list(layout.moves.values())
        signs = [*(form.sign for form in self._fact_forms), *(form.sign for form in self._move_forms)]
        self._columns = {sign: layout.columns(sign) for sign in signs}
        self._by_id: list[Term] = [*layout.names, *layout.compounds]
        self._facts: dict[int, Term] = {}
        self._moves: dict[int, Term] = {}

    def _declare(self) -> None:
        library, pointer, size = self._library, ctypes.c_void_p, ctypes.c_size_t
        signatures: dict[str, tuple[object, tuple[object, ...]]] = {
            "ludens_new": (pointer, (size, ctypes.c_double)),
            "ludens_delete": (None, (pointer,)),
            "ludens_error": (ctypes.c_char_p, (pointer,)),
            "ludens_buffer": (pointer, (pointer,)),
            "ludens_initial": (ctypes.c_long, (pointer, pointer)),
            "ludens_terminal": (ctypes.c_long, (pointer, _Position)),
            "ludens_legal": (ctypes.c_long, (pointer, _Position, size)),
            "ludens_goals": (ctypes.c_long, (pointer, _Position, size)),
            "ludens_successor": (ctypes.c_long, (pointer, _Position, pointer, pointer)),
            "ludens_playouts": (ctypes.c_long, (pointer, _Position, ctypes.c_uint64, size, size, pointer)),
            "ludens_simulations": (
                ctypes.c_long,
                (pointer, _Position, ctypes.c_uint64, size, size, size, pointer, pointer),
            ),
            "ludens_term": (ctypes.c_long, (pointer, ctypes.c_uint32)),
            "ludens_make": (ctypes.c_long, (pointer, ctypes.c_uint32, pointer, size)),
            "ludens_count": (ctypes.c_long, (pointer, size, pointer)),
        }
        for name, (result, parameters) in signatures.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = parameters

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            self._library.ludens_delete(handle)

    def initial(self) -> Packed:
        """The initial state."""
        bits = (ctypes.c_uint64 * self._layout.words)()
        with self._lock:
            count = self._check(self._library.ludens_initial(self._handle, bits))
            return Packed(bytes(bits), self._buffer(count))

    def terminal(self, state: Packed) -> bool:
        """Whether a state is terminal."""
        with self._lock:
            return bool(self._check(self._library.ludens_terminal(self._handle, _position(state))))

    def legal(self, state: Packed, role: int) -> list[int]:
        """The numbers of a role's legal moves."""
        with self._lock:
            count = self._check(self._library.ludens_legal(self._handle, _position(state), role))
            return _numbers(self._buffer(count))

    def goals(self, state: Packed, role: int) -> list[int]:
        """The goal values of a role."""
        with self._lock:
            count = self._check(self._library.ludens_goals(self._handle, _position(state), role))
            return _numbers(self._buffer(count))

    def successor(self, state: Packed, moves: Sequence[int]) -> Packed:
        """The state after a joint move."""
        done = (ctypes.c_uint32 * self._roles)(*moves)
        bits = (ctypes.c_uint64 * self._layout.words)()
        with self._lock:
            count = self._check(self._library.ludens_successor(self._handle, _position(state), done, bits))
            return Packed(bytes(bits), self._buffer(count))

    def playouts(self, state: Packed, seed: int, count: int, limit: int = 10_000) -> PlayoutTotals:
        """Random playouts, all in native code; chance draws by weights."""
        totals = (ctypes.c_uint64 * (2 + self._named_roles))()
        with self._lock:
            self._check(self._library.ludens_playouts(self._handle, _position(state), seed, count, limit, totals))
        return PlayoutTotals(totals[0], totals[1], tuple(totals[2:]))

    def simulations(self, state: Packed, seed: int, draws: int, portion: int, limit: int = 10_000) -> SimulationTotals:
        """Random playouts after random joint moves: ``portion`` of them after each of ``draws``, all in native code."""
        roles = self._named_roles
        moves = np.zeros((draws, roles), np.uint32)
        totals = np.zeros(1 + draws * (1 + roles), np.uint64)
        with self._lock:
            self._check(
                self._library.ludens_simulations(
                    self._handle, _position(state), seed, draws, portion, limit, moves.ctypes.data, totals.ctypes.data
                )
            )
        sums = totals[1:].reshape(draws, 1 + roles)
        return SimulationTotals(int(totals[0]), moves, sums[:, 0], sums[:, 1:])

    def query_profile(self, number: int) -> QueryProfile:
        """How an instrumented query was used."""
        counts = (ctypes.c_uint64 * 4)()
        with self._lock:
            self._check(self._library.ludens_count(self._handle, number, counts))
        return QueryProfile(*counts)

    def pack(self, facts: Sequence[Term]) -> Packed:
        """The numbers of a state's facts. Raises `GameError` if no state can have one of them."""
        bits = bytearray(self._layout.words * 8)
        lists: list[int] = []
        predicates = self._layout.prepared.predicates
        forms = [form.sign for form in self._fact_forms]
        for fact in facts:
            row = flat_row(("true", fact), forms, predicates)
            number = None if row is None else self._fact_number(*row)
            if number is None:
                raise GameError(f"{self._name}: no state can have the fluent {kif(fact)}")
            if number & OPEN:
                lists.append(number)
            else:
                bits[number >> 3] |= 1 << (number & 7)
        return Packed(bytes(bits), bytes((ctypes.c_uint32 * len(lists))(*sorted(set(lists)))))

    def _fact_number(self, sign: Signature, row: tuple[Term, ...]) -> int | None:
        form = self._layout.facts[sign]
        if form.word is None:
            parts = [self._term_number(term) for term in row]
            return OPEN | self._make(FORM_FUNCTOR + 2 * form.number, parts)
        place = 0
        for term, domain, terms in zip(row, self._layout.prepared.domains[sign], self._columns[sign], strict=True):
            if domain is None or terms is None or term not in domain:
                return None
            place = place * len(terms) + terms.index(self._layout.id(term))
        return form.word * 64 + place

    def _term_number(self, term: Term) -> int:
        if isinstance(term, str):
            number = self._layout.names.get(term)
            if number is None:
                raise GameError(f"{self._name}: the rules do not know the name {term!r}")
            return number
        assert isinstance(term, tuple)
        name = self._layout.names.get(functor(term))
        if name is None:
            raise GameError(f"{self._name}: the rules do not know the name {functor(term)!r}")
        return len(self._names) + self._make(name, [self._term_number(part) for part in term[1:]])

    def _make(self, functor_number: int, parts: Sequence[int]) -> int:
        values = (ctypes.c_uint32 * max(1, len(parts)))(*parts)
        with self._lock:
            return self._check(self._library.ludens_make(self._handle, functor_number, values, len(parts)))

    def unpack(self, state: Packed) -> frozenset[Term]:
        """The facts of a state."""
        value = int.from_bytes(state.bits, "little")
        numbers = []
        while value:
            lowest = value & -value
            numbers.append(lowest.bit_length() - 1)
            value ^= lowest
        return frozenset(map(self._fact, [*numbers, *_numbers(state.open)]))

    def _fact(self, number: int) -> Term:
        fact = self._facts.get(number)
        if fact is None:
            if number & OPEN:
                form_number, row = self._row(number)
                form = self._fact_forms[form_number]
            else:
                form = max(
                    # A form that no fact fills shares its place with the next one.
                    (f for f in self._fact_forms if f.word is not None and f.word * 64 <= number and f.size),
                    key=lambda form: form.word or 0,
                )
                row = self._decode(self._columns[form.sign], number - (form.word or 0) * 64)
            fact = fill(self._layout.prepared.predicates[form.sign].template[0], row)
            self._facts[number] = fact
        return fact

    def move(self, number: int) -> Term:
        """The term of a move."""
        move = self._moves.get(number)
        if move is None:
            if number & OPEN:
                form_number, (*row, _) = self._row(number)
                form = self._move_forms[form_number]
            else:
                within = number % self._layout.move_count
                form = next(
                    form
                    for form in self._move_forms
                    if form.first is not None and form.first <= within < form.first + form.size
                )
                row = list(self._decode(self._columns[form.sign][1:], within - (form.first or 0)))
            move = fill(self._layout.prepared.predicates[form.sign].template[1], ("", *row))
            self._moves[number] = move
        return move

    def _decode(self, columns: Sequence[Sequence[int] | None], place: int) -> tuple[Term, ...]:
        row: list[Term] = []
        for terms in reversed(columns):
            assert terms is not None
            place, position = divmod(place, len(terms))
            row.append(self._by_id[terms[position]])
        return tuple(reversed(row))

    def _row(self, number: int) -> tuple[int, tuple[Term, ...]]:
        """The form and the columns of a fact or move that is an interned term."""
        head, *parts = self._node(number & ~OPEN)
        return (head - FORM_FUNCTOR) // 2, tuple(map(self._term, parts))

    def _node(self, node: int) -> list[int]:
        with self._lock:
            count = self._check(self._library.ludens_term(self._handle, node))
            return _numbers(self._buffer(count))

    def _term(self, number: int) -> Term:
        if number < len(self._by_id):
            return self._by_id[number]
        head, *parts = self._node(number - len(self._names))
        return (self._names[head], *map(self._term, parts))

    def _buffer(self, count: int) -> bytes:
        return ctypes.string_at(self._library.ludens_buffer(self._handle), 4 * count) if count else b""

    def _check(self, result: int) -> int:
        if result < 0:
            message = self._library.ludens_error(self._handle).decode("utf-8", "replace")
            raise BudgetError(f"{self._name}: {message}")
        return result


def _position(state: Packed) -> _Position:
    return _Position(state.bits, state.open, len(state.open) // 4)


def _numbers(data: bytes) -> list[int]:
    return memoryview(data).cast("I").tolist()
