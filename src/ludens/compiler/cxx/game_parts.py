"""Stage 7, generated parts: the code between the queries and the text that is the same for all games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludens.compiler.cxx.cpp_text import numbers, string_literal
from ludens.compiler.cxx.emit import Emitter, used_arities
from ludens.compiler.cxx.layout import FactForm, Layout, MoveForm, fact_row
from ludens.compiler.cxx.queries import Query
from ludens.gdl.chance.core_form import EVENT, OPEN, WEIGHT
from ludens.gdl.logic.relation_graph import MOVE
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import Term, Variable, arguments, functor, is_ground, signature
from ludens.gdl.write import kif

NO_NAME = (1 << 32) - 1
"""The number of a name that the rules do not have."""


@dataclass
class GameParts:
    """Writes the code between the queries and the fixed text."""

    layout: Layout
    emitter: Emitter
    top: list[Query]

    def data(self) -> str:
        """Names, roles, and terms of the rules."""
        layout, prepared = self.layout, self.layout.prepared
        names = ",\n".join(f"    {string_literal(name)}" for name in layout.names)
        roles = ", ".join(string_literal(kif(role)) for role in prepared.named_roles)
        role_terms = ", ".join(f"{layout.id(role)}u" for role in prepared.roles)
        return (
            f"\n// ---- this game ----\n\n"
            f"static constexpr std::string_view GAME_NAME = {string_literal(prepared.name)};\n"
            f"static constexpr V NAME_COUNT = {len(layout.names)};\n"
            f"static constexpr std::string_view NAMES[] = {{\n{names}\n}};\n"
            f"static constexpr std::array<std::string_view, role_count> ROLE_NAMES = {{{roles}}};\n"
            f"static constexpr V ROLE_TERMS[] = {{{role_terms}}};\n"
            f"static constexpr Move MOVE_COUNT = {layout.move_count}u;  // of each role\n"
            f"{self._sources()}"
        )

    def _sources(self) -> str:
        """The roles that draw random variables: whose they are, and what they draw."""
        layout, prepared = self.layout, self.layout.prepared
        owners = [prepared.roles.index(role) for role, _ in prepared.sources.values()]
        drawn = [layout.id(variable) for _, variable in prepared.sources.values()]
        return (
            f"static constexpr V OPEN_NAME = {layout.names.get(OPEN, NO_NAME)}u;\n"
            f"static constexpr V EVENT_NAME = {layout.names.get(EVENT, NO_NAME)}u;\n"
            f"static constexpr std::size_t SOURCE_OWNERS[] = {{{', '.join(map(str, owners or [0]))}}};\n"
            f"static constexpr V SOURCE_VARIABLES[] = {{{', '.join(f'{number}u' for number in drawn or [0])}}};\n"
        )

    def body(self, *, queries: bool) -> str:
        """Everything that is generated for this game, in the order in which C++ wants it."""
        hooks = self._hooks()
        forms = self._forms()
        functions = self._query_functions(queries=queries)
        emitter = self.emitter
        arities = {*used_arities(emitter.plan.queries.values())}
        types = [f"using Fn{n} = FunctionRef<bool({', '.join(['V'] * n)})>;" for n in sorted(arities)]
        return "\n".join(
            [
                "",
                *types,
                "",
                *emitter.accesses.declarations,
                "",
                *emitter.prototypes,
                "",
                "\n\n".join(emitter.functions),
                "",
                hooks,
                forms,
                functions,
                self._constructor(),
            ]
        )

    def _hooks(self) -> str:
        """The queries of every state."""
        prepared, layout = self.layout.prepared, self.layout
        terminal = [query for query in self.top if prepared.predicates[query.sign].relation == "terminal"]
        lines = ["static bool ask_terminal([[maybe_unused]] Reasoner& c) {"]
        calls = " || ".join(f"{self._call(query)}(c)" for query in terminal) or "false"
        lines += [f"    return {calls};", "}", "", "static void ask_goals([[maybe_unused]] Reasoner& c) {"]
        for query in self._top("goal"):
            role, value = (self._template_value(part) for part in prepared.predicates[query.sign].template)
            if role and value:
                lines.append(self._for_each(query, f"c.note_goal({role}, {value});"))
        lines += ["}", "", "static void ask_legal([[maybe_unused]] Reasoner& c) {"]
        for query in self._top("legal"):
            role = self._template_value(prepared.predicates[query.sign].template[0])
            form = next(form for form in layout.moves.values() if form.sign == query.sign)
            if role == "o0":
                rest = [f"o{n}" for n in range(1, query.sign[1])]
                lines.append(
                    self._for_each(
                        query, f"{_row(rest)}c.note_legal(o0, {form.number}u, {'row' if rest else 'nullptr'});"
                    )
                )
        lines += ["}", "", "static void ask_next([[maybe_unused]] Reasoner& c) {"]
        for query in self._top("next"):
            fact = layout.facts["true" + prepared.predicates[query.sign].suffix, query.sign[1]]
            outputs = [f"o{n}" for n in range(query.sign[1])]
            if fact.word is None:
                note = f"{_row(outputs)}c.note_next({fact.number}u, {'row' if outputs else 'nullptr'});"
            else:
                key, _ = self.emitter.accesses.key(fact.sign, range(fact.sign[1]))
                note = f"c.note_next_bit({fact.word}, {key}({', '.join(outputs)}));"
            lines.append(self._for_each(query, note))
        return "\n".join([*lines, "}", ""])

    def _top(self, relation: str) -> list[Query]:
        predicates = self.layout.prepared.predicates
        return [query for query in self.top if predicates[query.sign].relation == relation]

    def _call(self, query: Query) -> str:
        return self.emitter.call(query, any_answer=True)

    def _for_each(self, query: Query, note: str) -> str:
        """A statement that notes every answer of a query."""
        if not query.unknowns:
            return f"    if ({self._call(query)}(c)) {{ {note} }}"
        outputs = ", ".join(f"[[maybe_unused]] V o{n}" for n in range(query.unknowns))
        return f"    {self._call(query)}(c, [&]({outputs}) {{ {note} return false; }});"

    def _template_value(self, part: Term) -> str | None:
        """A column or a constant of a template; None for what can be neither role nor goal."""
        if isinstance(part, Variable):
            return f"o{part.name}"
        return f"{self.layout.id(part)}u" if is_ground(part) else None

    def _forms(self) -> str:
        layout, predicates = self.layout, self.layout.prepared.predicates
        facts = [self._form(form.sign, predicates[form.sign].template[0], 0, form) for form in layout.facts.values()]
        moves = [self._form(form.sign, predicates[form.sign].template[1], 1, form) for form in layout.moves.values()]
        return "\n".join(
            [
                *(code for code, _ in [*facts, *moves]),
                f"static const std::array<Form, {len(facts)}> FACT_FORMS = {{{{",
                *(f"    {text}," for _, text in facts),
                "}};",
                f"static const std::array<Form, {len(moves)}> MOVE_FORMS = {{{{",
                *(f"    {text}," for _, text in moves),
                "}};",
                "",
            ]
        )

    def _form(self, sign: Signature, template: Term, skip: int, form: FactForm | MoveForm) -> tuple[str, str]:
        layout = self.layout
        name = f"form{'M' if skip else 'F'}{form.number}"
        columns = layout.columns(sign)[skip:]
        open_form = form.word is None if isinstance(form, FactForm) else form.first is None
        declarations = [f"static constexpr V {name}_code[] = {{{', '.join(map(str, self._code(template, skip)))}}};"]
        if not open_form and columns:
            texts = [
                f"{{{self.emitter.accesses.column(terms)[0]}, {len(terms)}}}" for terms in columns if terms is not None
            ]
            declarations.append(f"static constexpr Column {name}_columns[] = {{{', '.join(texts)}}};")
            column_text = f"{name}_columns"
        else:
            column_text = "nullptr"
        size = 1
        for terms in columns:
            size *= len(terms) if terms is not None else 0
        if isinstance(form, FactForm):
            first, listed = (form.word or 0) * 64, form.open
        else:
            first, listed = form.first or 0, 0
        size = 0 if open_form else size
        is_open = "true" if open_form else "false"
        return (
            "\n".join(declarations),
            f"{{{name}_code, {len(columns)}, {column_text}, {first}u, {size}u, {is_open}, {listed}}}",
        )

    def _code(self, template: Term, skip: int = 0) -> Iterator[int]:
        """A template as numbers: 0 name, 1 column, 2 functor and count."""
        if isinstance(template, Variable):
            yield from (1, int(template.name) - skip)
        elif isinstance(template, str):
            yield from (0, self.layout.names[template])
        else:
            parts = arguments(template)
            yield from (2, self.layout.names[functor(template)], len(parts))
            for part in parts:
                yield from self._code(part, skip)

    def _query_functions(self, *, queries: bool) -> str:
        """The relations that `Game::query` knows."""
        prepared = self.layout.prepared
        texts: list[str] = []
        rows: list[str] = []
        for number, (sign, predicate) in enumerate(sorted(prepared.predicates.items()) if queries else ()):
            if prepared.sources and predicate.relation in ("role", "legal", "does"):
                continue  # answered without the roles that draw, and with moves as the rule sheet has them
            each = self._query_function(sign, f"each{number}")
            if each is None:
                continue
            code = [value for part in predicate.template for value in self._code(part)]
            texts.append(f"static constexpr V asked{number}[] = {{{', '.join(map(str, code or [0]))}}};")
            texts.append(each)
            needs = "true" if prepared.phases[sign] == MOVE else "false"
            relation = predicate.relation.removesuffix(" facts")
            relation = "random" if relation == WEIGHT else relation
            sizes = f"{len(predicate.template)}, {sign[1]}"
            rows.append(f"    {{{string_literal(relation)}, {sizes}, asked{number}, {needs}, each{number}}},")
        if not queries:
            return ""
        return "\n".join([*texts, f"static const std::array<Asked, {len(rows)}> ASKED = {{{{", *rows, "}};", ""])

    def _query_function(self, sign: Signature, name: str) -> str | None:
        """A function that iterates over the facts of a flat relation, by the most specific query."""
        lines = [
            f"static bool {name}([[maybe_unused]] Reasoner& c, [[maybe_unused]] const V* known, "
            f"FunctionRef<bool(const V*)> found) {{"
        ]
        if self.emitter.is_derived(sign):
            queries = sorted(
                (query for query in self.emitter.plan.queries if query.sign == sign), key=lambda query: query.unknowns
            )
            for query in queries:
                lines += self._query_branch(query)
            if not queries:
                return None
            if queries[-1].unknowns != sign[1]:
                lines.append('    throw Error("this relation can only be asked with more known arguments");')
        elif not sign[1]:
            lines.append(f"    return {self.emitter.accesses.holds(sign, [])} && found(known);")
        else:
            scan = self.emitter.accesses.scan(sign, "f" * sign[1], [None] * sign[1], 0)
            shift = 1 if scan.role_first else 0
            row = ", ".join(
                "ROLE_TERMS[p0]" if shift and n == 0 else f"{scan.row}[{n - shift}]" for n in range(sign[1])
            )
            lines.append(f"    {scan.head}")
            lines += [f"        {line}" for line in scan.prologue]
            lines += [f"        const V row[] = {{{row}}};", "        if (found(row)) return true;", "    }"]
            lines.append("    return false;")
        return "\n".join([*lines, "}"])

    def _query_branch(self, query: Query) -> list[str]:
        known = [n for n, mode in enumerate(query.pattern) if mode == "b"]
        test = " && ".join(f"known[{n}] != NONE" for n in known) or "true"
        values = [f"known[{n}]" for n in known]
        outputs, row = [], []
        for n, mode in enumerate(query.pattern):
            row.append(f"known[{n}]" if mode == "b" else f"o{n}")
            if mode == "f":
                outputs.append(f"V o{n}")
        make_row = f"const V row[] = {{{', '.join(row)}}}; return found(row);" if row else "return found(known);"
        call = self.emitter.names[query]
        if not query.unknowns:
            return [
                f"    if ({test}) {{",
                f"        if (!{call}({', '.join(['c', *values])})) return false;",
                f"        {make_row}",
                "    }",
            ]
        passed = ", ".join(["c", *values, f"[&]({', '.join(outputs)}) {{ {make_row} }}"])
        return [f"    if ({test}) return {call}({passed});"]

    def _constructor(self) -> str:
        """Terms of the rules and the initial state."""
        layout = self.layout
        compounds = []
        for term in layout.compounds:
            parts = ", ".join(f"{layout.id(part)}u" for part in arguments(term))
            compounds.append(f"    make({layout.names[functor(term)]}u, {{{parts}}});")
        dense, lists = [], []
        for fact in layout.prepared.initial:
            form = layout.facts[signature(fact)]
            row = fact_row(layout, fact)
            if form.word is None:
                inner = ", ".join(f"{value}u" for value in row)
                lists.append(f"    {{ const V row[] = {{{inner}}}; note_next({form.number}u, row); }}")
            else:
                place = 0
                for value, terms in zip(row, layout.columns(form.sign), strict=True):
                    assert terms is not None
                    place = place * len(terms) + terms.index(value)
                dense.append(form.word * 64 + place)
        first = (
            [f"    static constexpr Fact facts[] = {{\n{numbers(sorted(dense), '        ')}\n    }};"] if dense else []
        )
        add = ["    for (Fact fact : facts) initial.add(fact);"] if dense else []
        moved = ["    for (Fact fact : next.open_) initial.add(fact);"] if lists else []
        return "\n".join(["Reasoner::Reasoner() {", *compounds, *first, *add, *lists, *moved, "}"])


def _row(values: Iterable[str]) -> str:
    parts = ", ".join(values)
    return f"const V row[] = {{{parts}}}; " if parts else ""
