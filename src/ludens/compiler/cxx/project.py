"""Stage 7: assembles generated and fixed parts into source files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ludens.compiler.cxx.cpp_text import identifier
from ludens.compiler.cxx.emit import Emitter
from ludens.compiler.cxx.game_parts import GameParts
from ludens.compiler.cxx.layout import Layout, make_layout
from ludens.compiler.cxx.prepare import Prepared
from ludens.compiler.cxx.queries import Query, choose_inline, choose_memo, plan_queries
from ludens.compiler.cxx.usage import Profile
from ludens.gdl.chance.outcomes import RANDOM_ROLE
from ludens.gdl.terms import Term, signature, variables


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """How code is generated."""

    memo: str = "auto"
    """Which queries are memoised: ``on`` for all possible, ``off`` for none, ``auto`` by the profile."""
    transpositions: int = 0
    """The default size of the transposition table, in states."""
    queries: bool = True
    """Whether any relation can be queried with unknowns, and moves and facts named by text."""
    abi: bool = False
    """Whether to add a C interface, for ludens itself."""
    instrument: bool = False
    """Count how queries are used, for a profile."""


@dataclass(frozen=True)
class Project:
    """Generated source."""

    namespace: str
    header: str
    source: str
    """The implementation, to follow the header."""
    main: str
    cmake: str
    examples: dict[str, str]
    """Names and texts of the examples."""

    @property
    def compiled_source(self) -> str:
        """The source as a file to compile, which includes the header."""
        return f'#include "{self.namespace}.hpp"\n\n{self.source}'

    def files(self) -> dict[str, str]:
        """Names and texts of the files."""
        return {
            f"{self.namespace}.hpp": self.header,
            f"{self.namespace}.cpp": self.compiled_source,
            "main.cpp": self.main,
            "CMakeLists.txt": self.cmake,
            **{f"examples/{name}": text for name, text in self.examples.items()},
        }

    def single_header(self) -> str:
        """The header with the source behind a macro, which one source file of a program defines."""
        macro = f"LUDENS_{self.namespace.upper()}_IMPLEMENTATION"
        return (
            f"// This header is the whole library: `#define {macro}` before including it, in one source file.\n"
            f"{self.header}\n"
            f"#if defined({macro}) && !defined({macro}_DONE)\n"
            f"#define {macro}_DONE\n"
            f"#if defined(__GNUC__)\n#pragma GCC diagnostic push\n#endif\n"
            # One file only has the implementation, so types of no linkage do no harm in it.
            "#if defined(__GNUC__) && !defined(__clang__)\n"
            '#pragma GCC diagnostic ignored "-Wsubobject-linkage"\n#endif\n'
            f"{self.source}\n"
            f"#if defined(__GNUC__)\n#pragma GCC diagnostic pop\n#endif\n"
            f"#endif\n"
        )


@dataclass(frozen=True)
class CxxProject(Project):
    """Generated source, and the layout for calling it."""

    layout: Layout
    counted: tuple[Query, ...]
    """The queries that an instrumented program counts, by number."""


def generate(prepared: Prepared, profile: Profile, options: CodeOptions) -> CxxProject:
    """Generate the C++ of a prepared rule sheet. Raises `GameError` if it cannot be compiled query by query."""
    top = [Query(sign, "f" * sign[1]) for name in ("terminal", "goal", "legal", "next") for sign in prepared.of(name)]
    queries = list(_askable(prepared)) if options.queries else []
    plan = plan_queries(prepared, profile, [*top, *queries])
    choose_memo(plan, profile, options.memo)
    choose_inline(plan, profile)
    layout = make_layout(prepared)
    emitter = Emitter(layout, plan, options.instrument)
    emitter.emit()
    namespace = namespace_of(prepared.name)
    parts = GameParts(layout, emitter, top)
    body = parts.body(queries=options.queries)
    values = {
        "BATCH": "",
        "NAMESPACE": namespace,
        "GUARD": namespace.upper(),
        "TITLE": title_of(prepared.name),
        **chance_values(prepared.named_roles, len(prepared.sources)),
        "WORDS": str(layout.words),
        "TRANSPOSITIONS": str(options.transpositions),
        "MOVE_WIDTH": str(max([1, *(form.sign[1] for form in layout.moves.values())])),
        "OPEN_RELATIONS": str(max(1, sum(form.word is None for form in layout.facts.values()))),
        "MAX_WIDTH": str(max([1, *(sign[1] for sign in prepared.predicates)])),
        "MEMBERS": "\n".join(f"    {member}" for member in emitter.members),
        "GROUPS": str(max(1, plan.groups)),
        "COUNTS": str(max(1, len(emitter.counted))),
    }
    values["DRAWS"] = fill_text("draws.cpp", values)
    fixed = ["runtime.cpp", parts.data(), "reasoner.cpp", body, "chance.cpp", "library.cpp"]
    fixed += ["reading.cpp", "resolving.cpp", "asking.cpp"] * options.queries
    fixed += [f"\n}}  // namespace ludens::{namespace}\n"] + ["abi.cpp"] * options.abi
    source = "".join(fill_text(part, values) if part.endswith(".cpp") else part for part in fixed)
    return CxxProject(
        namespace=namespace,
        layout=layout,
        header=fill_text("game.hpp", values),
        source=f"// Generated by ludens; {namespace}.hpp documents its use.\n{source}",
        main=fill_text("main.cpp", values),
        cmake=fill_text("CMakeLists.txt", values),
        examples=example_texts(values),
        counted=tuple(emitter.counted),
    )


def chance_values(roles: Sequence[Term], sources: int) -> dict[str, str]:
    """The placeholders for roles: those of the rule sheet, and the number of chance roles after them."""
    has_random = RANDOM_ROLE in roles
    return {
        "ROLES": str(len(roles)),
        "RANDOM_ROLE": str(roles.index(RANDOM_ROLE) if has_random else len(roles)),
        "HAS_CHANCE": "true" if has_random or sources else "false",
        "MOVERS": str(len(roles) + sources),
    }


def example_texts(values: dict[str, str]) -> dict[str, str]:
    """The examples, by name."""
    return {name: fill_text(f"examples/{name}", values) for name in ("perft.cpp", "uct.cpp")}


def fill_text(name: str, values: dict[str, str], package: str = "ludens.compiler.cxx") -> str:
    """A fixed part of the source with values for its placeholders."""
    text = (files(package) / "text" / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def namespace_of(name: str) -> str:
    """The namespace of a game, also the name of its files."""
    plain = identifier(name).strip("_").lower()
    return f"{plain}_game" if plain in _TAKEN else plain


_TAKEN = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq linux unix main std""".split()  # noqa: SIM905 - a list would be one word a line
)
"""Words that cannot name a namespace, or a target of CMake."""


def title_of(name: str) -> str:
    """A game's name for comments."""
    return "".join(letter if (letter.isalnum() and letter.isascii()) or letter in " _-.,:" else "_" for letter in name)


def _askable(prepared: Prepared) -> Iterator[Query]:
    """Every derived relation with all arguments unknown, so that anything can be queried; relations that need bound
    arguments keep the patterns that the rules use."""
    unsafe = {
        signature(clause.head)
        for clause in prepared.clauses
        if not clause.bound_variables().issuperset(variables(clause.head))
    }
    for sign, predicate in sorted(prepared.predicates.items()):
        if sign not in prepared.tables and predicate.relation not in ("true", "does", "next") and sign not in unsafe:
            yield Query(sign, "f" * sign[1])
