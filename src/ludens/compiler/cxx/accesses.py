"""C++ for lookups, as opposed to derivations: columns, the state, the joint move, tables of facts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludens.compiler.cxx.cpp_text import numbers
from ludens.compiler.cxx.layout import Layout, fact_row
from ludens.gdl.logic.strata import Signature

MAX_MASK_WORDS = 1 << 17
"""The maximum words of masks for a scan of the state; larger scans filter."""
MAX_DIRECT = 1 << 18
"""The maximum number of value combinations for an index addressed by position; larger ones are hashed."""
MAX_FACT_BITS = 1 << 22


@dataclass(frozen=True, slots=True)
class Scan:
    """A loop over rows: its C++ head, the row, and the columns still to compare."""

    head: str
    row: str
    prologue: tuple[str, ...] = ()
    """Statements inside the loop, before the row is used."""
    filter: tuple[int, ...] = ()
    """Known columns that the loop does not select by itself."""
    role_first: bool = False
    """The first column is the role, and not in the row."""


@dataclass
class Accesses:
    """Writes helpers when they are first needed, and caches them."""

    layout: Layout
    declarations: list[str] = field(default_factory=list)
    _known: dict[object, str] = field(default_factory=dict)

    def column(self, terms: Sequence[int]) -> tuple[str, str]:
        """The array of a column's terms and the function that numbers them."""
        key = ("column", tuple(terms))
        if key not in self._known:
            number = sum(isinstance(other, tuple) and other[0] == "column" for other in self._known)
            self._known[key] = str(number)
            size, first = len(terms), terms[0] if terms else 0
            body = numbers(terms) if terms else "    0,"
            self.declarations.append(f"[[maybe_unused]] static constexpr V C{number}[] = {{\n{body}\n}};")
            if size and list(terms) == list(range(first, first + size)):
                self.declarations.append(f"static constexpr V d{number}(V v) {{ return v - {first}u; }}")
            else:
                places = [0xFFFFFFFF] * self.layout.size
                for place, term in enumerate(terms):
                    places[term] = place
                text = numbers(places) if places else "    0,"
                self.declarations.append(f"static constexpr V D{number}[] = {{\n{text}\n}};")
                self.declarations.append(
                    f"static constexpr V d{number}(V v) {{ return v < {self.layout.size}u ? D{number}[v] : NONE; }}"
                )
        number_text = self._known[key]
        return f"C{number_text}", f"d{number_text}"

    def key(self, sign: Signature, positions: Sequence[int]) -> tuple[str, int]:
        """A function that numbers combinations of values of some columns, and how many there are; `NONE` for a value
        that the column cannot have."""
        columns = self.layout.columns(sign)
        chosen = [columns[position] for position in positions]
        assert all(terms is not None for terms in chosen)
        known = tuple(terms for terms in chosen if terms is not None)
        size = math.prod(map(len, known))
        name = self._known.get(("key", known))
        if name is None:
            name = f"k{len(self._known)}"
            self._known["key", known] = name
            functions = [self.column(terms)[1] for terms in known]
            parameters = ", ".join(f"V a{n}" for n in range(len(known)))
            values = "".join(f" const V i{n} = {function}(a{n});" for n, function in enumerate(functions))
            outside = " || ".join(f"i{n} >= {len(terms)}u" for n, terms in enumerate(known))
            sum_text = "i0"
            for n, terms in enumerate(known[1:], 1):
                sum_text = f"({sum_text}) * {len(terms)}u + i{n}"
            if not known:
                text = f"static inline V {name}() {{ return 0; }}"
            elif size:
                text = f"static inline V {name}({parameters}) {{{values} return {outside} ? NONE : {sum_text}; }}"
            else:  # a column that no fact fills
                unused = ", ".join("V" for _ in known)
                text = f"static inline V {name}({unused}) {{ return NONE; }}"
            self.declarations.append(text)
        return name, size

    def dense_rows(self, sign: Signature) -> str:
        """The rows of a numbered relation of the state."""
        if ("rows", sign) not in self._known:
            name = f"R{len(self._known)}"
            self._known["rows", sign] = name
            columns = [self.column(terms)[0] for terms in self.layout.columns(sign) if terms is not None]
            sizes = self.layout.sizes(sign)
            parts = ", ".join(f"{{{text}, {size}}}" for text, size in zip(columns, sizes, strict=True))
            self.declarations.append(f"static const DenseRows {name}({{{parts}}});")
        return self._known["rows", sign]

    def table(self, sign: Signature) -> str:
        """The rows of a relation that never changes."""
        if ("table", sign) not in self._known:
            name = f"T{len(self._known)}"
            self._known["table", sign] = name
            values = [value for fact in self.layout.prepared.tables[sign] for value in fact_row(self.layout, fact)]
            self.declarations.append(f"static constexpr V {name}[] = {{\n{numbers(values or [0])}\n}};")
        return self._known["table", sign]

    def holds(self, sign: Signature, values: Sequence[str]) -> str:
        """An expression that is true if a fact with all values known holds."""
        relation = self.layout.prepared.predicates[sign].relation
        if relation == "does":
            return f"{self._does_test(sign)}({', '.join(['c', *values])})"
        if relation == "true":
            return f"{self._true_test(sign)}({', '.join(['c', *values])})"
        if not sign[1]:
            return "true"
        return f"{self._table_test(sign)}({', '.join(values)})"

    def _function(self, key: object, prefix: str) -> tuple[str, bool]:
        """The name of a helper, and whether it must still be written."""
        new = key not in self._known
        if new:
            self._known[key] = f"{prefix}{len(self._known)}"
        return self._known[key], new

    def _true_test(self, sign: Signature) -> str:
        name, new = self._function(("true", sign), "holds")
        form = self.layout.facts[sign]
        parameters = ["const Context& c", *(f"V a{n}" for n in range(sign[1]))]
        values = ", ".join(f"a{n}" for n in range(sign[1]))
        if new and form.word is not None:
            key, _ = self.key(sign, range(sign[1]))
            body = (
                f"const V at = {key}({values}); return at != NONE && (c.bits[{form.word}u + at / 64] >> (at % 64) & 1);"
            )
            self.declarations.append(f"static inline bool {name}({', '.join(parameters)}) {{ {body} }}")
        elif new:
            body = f"const V row[] = {{{values}}}; return c.open_holds({form.number}u, row, {sign[1]}u);"
            self.declarations.append(f"static inline bool {name}({', '.join(parameters)}) {{ {body} }}")
        return name

    def _does_test(self, sign: Signature) -> str:
        name, new = self._function(("does", sign), "done")
        if new:
            parameters = ["const Context& c", *(f"V a{n}" for n in range(sign[1]))]
            tests = [f"c.does[p].form == {self.layout.moves[sign].number}u", "ROLE_TERMS[p] == a0"]
            tests += [f"c.does[p].values[{n - 1}] == a{n}" for n in range(1, sign[1])]
            self.declarations.append(
                f"static inline bool {name}({', '.join(parameters)}) {{\n"
                f"    for (std::size_t p = 0; p < MOVER_COUNT; ++p)\n"
                f"        if ({' && '.join(tests)}) return true;\n"
                f"    return false;\n}}"
            )
        return name

    def _table_test(self, sign: Signature) -> str:
        name, new = self._function(("fact", sign), "fact")
        if new:
            table, count = self.table(sign), len(self.layout.prepared.tables[sign])
            parameters = ", ".join(f"V a{n}" for n in range(sign[1]))
            values = ", ".join(f"a{n}" for n in range(sign[1]))
            row = ", ".join(f"r[{n}]" for n in range(sign[1]))
            size = math.prod(size for size in self.layout.sizes(sign) if size is not None)
            if size <= MAX_FACT_BITS:
                key, size = self.key(sign, range(sign[1]))
                self.declarations.append(
                    f"static const FactBits B{name}({table}, {count}, {sign[1]}, {size}, "
                    f"[](const V* r) {{ return {key}({row}); }});"
                )
                self.declarations.append(
                    f"static inline bool {name}({parameters}) {{ return B{name}.has({key}({values})); }}"
                )
            else:
                positions = ", ".join(map(str, range(sign[1])))
                self.declarations.append(
                    f"static const Combinations B{name}({table}, {count}, {sign[1]}, {{{positions}}});"
                )
                self.declarations.append(
                    f"static inline bool {name}({parameters}) "
                    f"{{ const V row[] = {{{values}}}; return B{name}.find(row) != NONE; }}"
                )
        return name

    def scan(self, sign: Signature, pattern: str, values: Sequence[str | None], serial: int) -> Scan:
        """A loop over the facts that have the known values."""
        relation = self.layout.prepared.predicates[sign].relation
        known = [n for n, mode in enumerate(pattern) if mode == "b"]
        if relation == "does":
            head = f"for (std::size_t p{serial} = 0; p{serial} < MOVER_COUNT; ++p{serial}) {{"
            skip = f"if (c.does[p{serial}].form != {self.layout.moves[sign].number}u) continue;"
            row = f"const V* const r{serial} = c.does[p{serial}].values.data();"
            return Scan(head, f"r{serial}", (skip, row), tuple(known), role_first=True)
        if relation == "true":
            return self._true_scan(sign, known, values, serial)
        return self._table_scan(sign, known, values, serial)

    def _true_scan(self, sign: Signature, known: list[int], values: Sequence[str | None], serial: int) -> Scan:
        form = self.layout.facts[sign]
        row = f"r{serial}"
        if form.word is None:
            head = (
                f"for (const V *{row} = c.open[{form.open}].data(), *const e{serial} = {row} + "
                f"c.open[{form.open}].size(); {row} != e{serial}; {row} += {sign[1]}) {{"
            )
            return Scan(head, row, (), tuple(known))
        rows = self.dense_rows(sign)
        get = f"const V* const {row} = {rows}.row(s{serial}.index);"
        words = (math.prod(size for size in self.layout.sizes(sign) if size is not None) + 63) // 64
        start = f"c.bits + {form.word}"
        keys = math.prod(self.layout.sizes(sign)[n] or 0 for n in known)
        if not known or keys * words > MAX_MASK_WORDS:
            head = f"for (BitScan s{serial}({start}, {words}); s{serial}.next();) {{"
            return Scan(head, row, (get,), tuple(known))
        name, new = self._function(("masks", sign, tuple(known)), "M")
        key, _ = self.key(sign, known)
        if new:
            parts = ", ".join(f"r[{n}]" for n in known)
            self.declarations.append(
                f"static const Masks {name}({rows}, {keys}, [](const V* r) {{ return {key}({parts}); }});"
            )
        arguments = ", ".join(str(values[n]) for n in known)
        head = f"for (BitScan s{serial}({start}, {name}, {key}({arguments})); s{serial}.next();) {{"
        return Scan(head, row, (get,))

    def _table_scan(self, sign: Signature, known: list[int], values: Sequence[str | None], serial: int) -> Scan:
        table, count, width = self.table(sign), len(self.layout.prepared.tables[sign]), sign[1]
        row = f"r{serial}"
        if not known:
            head = f"for (const V* {row} = {table}; {row} != {table} + {count * width}; {row} += {width}) {{"
            return Scan(head, row)
        name, new = self._function(("index", sign, tuple(known)), "I")
        arguments = ", ".join(str(values[n]) for n in known)
        row_parts = ", ".join(f"r[{n}]" for n in known)
        keys = math.prod(self.layout.sizes(sign)[n] or 0 for n in known)
        if keys <= MAX_DIRECT:
            function, _ = self.key(sign, known)
            number = f"{function}({row_parts})"
            call = f"{function}({arguments})"
            size = str(keys)
        else:
            if new:
                positions = ", ".join(map(str, known))
                self.declarations.append(
                    f"static const Combinations N{name}({table}, {count}, {width}, {{{positions}}});"
                )
                parameters = ", ".join(f"V a{n}" for n in known)
                inner = ", ".join(f"a{n}" for n in known)
                self.declarations.append(
                    f"static inline V K{name}({parameters}) "
                    f"{{ const V key[] = {{{inner}}}; return N{name}.find(key); }}"
                )
            number, call, size = f"K{name}({row_parts})", f"K{name}({arguments})", f"N{name}.size()"
        if new:
            self.declarations.append(
                f"static const FactIndex {name}({table}, {count}, {width}, {size}, "
                f"[](const V* r) {{ return {number}; }});"
            )
        key = f"at{serial}"
        head = (
            f"if (const V {key} = {call}; {key} != NONE)\n"
            f"for (const V *{row} = {name}.begin({key}), *const e{serial} = {name}.end({key}); "
            f"{row} != e{serial}; {row} += {width}) {{"
        )
        return Scan(head, row)
