"""The small changes that a mutation pass makes to source text, and a mark on every statement for coverage."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_NEGATED = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
MARK = "__mutants_marks__"
"""The mapping that marked source looks its statements up in; the module `mutants_marks` has it."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change to one file."""

    file: str
    """Path below the source folder."""
    place: str
    """The statement that must run for the change to matter, as `function#number`; empty outside of functions."""
    line: int
    operator: str
    start: int
    """Where the replaced bytes begin."""
    end: int
    before: str
    after: str
    number: int
    """Tells equal changes to one statement apart."""

    @property
    def key(self) -> str:
        """Stays the same when other functions of the file change."""
        return "|".join((self.file, self.place, self.operator, self.before, self.after, str(self.number)))

    @property
    def package(self) -> str:
        """The package of ludens that the file belongs to."""
        return self.file.split("/")[1]

    def apply(self, source: bytes) -> bytes:
        """The source with the change made."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def list_mutations(file: str, source: bytes) -> list[Mutation]:
    """All changes that can be made to a file, in the order of its text."""
    tree = ast.parse(source)
    return _Finder(file, source, tree).mutations


def mark_statements(file: str, source: bytes) -> str:
    """The source with each statement of a function preceded by a lookup of its place in `MARK`."""
    tree = ast.parse(source)
    for place, block, statement in reversed(list(_statements(tree))):
        mark = ast.parse(f"{MARK}[{f'{file}:{place}'!r}]").body[0]
        block.insert(block.index(statement), mark)
    first = next((n for n, node in enumerate(tree.body) if not (_is_docstring(node) or _is_future(node))), 0)
    tree.body.insert(first, ast.parse(f"from mutants_marks import MARKS as {MARK}").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _statements(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt], ast.stmt]]:
    """The statements of all functions: place, the block they are in, and themselves."""
    numbers: Counter[str] = Counter()

    def walk(node: ast.AST, scope: str, inside: bool) -> Iterator[tuple[str, list[ast.stmt], ast.stmt]]:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for statement in list(block):
                if inside and not _is_docstring(statement):
                    yield f"{scope}#{numbers[scope]}", block, statement
                    numbers[scope] += 1
                if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from walk(statement, f"{scope}.{statement.name}".lstrip("."), True)
                elif isinstance(statement, ast.ClassDef):
                    yield from walk(statement, f"{scope}.{statement.name}".lstrip("."), False)
                else:
                    yield from walk(statement, scope, inside)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from walk(part, scope, inside)

    yield from walk(tree, "", False)


class _Finder:
    """Walks a tree and collects mutations."""

    def __init__(self, file: str, source: bytes, tree: ast.Module) -> None:
        self.mutations: list[Mutation] = []
        self._file = file
        self._source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._places = {id(statement): place for place, _, statement in _statements(tree)}
        self._counts: Counter[tuple[str, str, str, str]] = Counter()
        self._visit(tree, "")

    def _visit(self, node: ast.AST, place: str) -> None:
        place = self._places.get(id(node), place)
        if _is_skipped(node):
            return
        if isinstance(node, ast.stmt):
            self._statement(node, place)
        if isinstance(node, ast.expr):
            self._expression(node, place)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = [statement for statement in node.body if not _is_docstring(statement)]
            inner = self._places[id(body[0])] if body else place
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._visit(default, place or inner)
            for statement in node.body:
                self._visit(statement, place)
            return
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "decorator_list", "pattern", "msg"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self._visit(child, place)

    def _statement(self, node: ast.stmt, place: str) -> None:
        match node:
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                self._add("return None", node, place, "return None")
            case ast.Expr(value=ast.Call() | ast.Await()):
                self._add("statement deleted", node, place, "pass")
            case (
                ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
                | ast.AugAssign(target=ast.Attribute() | ast.Subscript())
            ):
                self._add("statement deleted", node, place, "pass")
            case ast.Break():
                self._add("break and continue", node, place, "continue")
            case ast.Continue():
                self._add("break and continue", node, place, "break")
            case ast.If(test=test) if not _has_own_negation(test):
                self._add("condition negated", test, place, f"(not ({ast.unparse(test)}))")
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub) and not _is_text(node.value):
            sign = "-=" if isinstance(node.op, ast.Add) else "+="
            self._add("arithmetic", node, place, f"{ast.unparse(node.target)} {sign} {ast.unparse(node.value)}")

    def _expression(self, node: ast.expr, place: str) -> None:
        match node:
            case ast.Compare(ops=ops):
                for position, operator in enumerate(ops):
                    changed = [*ops[:position], COMPARISONS[type(operator)](), *ops[position + 1 :]]
                    self._add_expression("comparison", node, place, ast.Compare(node.left, changed, node.comparators))
            case ast.BoolOp(op=operator, values=values):
                other = ast.Or() if isinstance(operator, ast.And) else ast.And()
                self._add_expression("and and or", node, place, ast.BoolOp(other, values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._add_expression("not removed", node, place, operand)
            case ast.BinOp(op=ast.Add() | ast.Sub()) if not (_is_text(node.left) or _is_text(node.right)):
                turned = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
                self._add_expression("arithmetic", node, place, ast.BinOp(node.left, turned, node.right))
            case ast.Constant(value=bool() as truth):
                self._add("constant", node, place, str(not truth))
            case ast.Constant(value=int() as number):
                self._add("constant", node, place, str(number + 1))
            case ast.IfExp(test=test) if not _has_own_negation(test):
                self._add("condition negated", test, place, f"(not ({ast.unparse(test)}))")

    def _add_expression(self, operator: str, node: ast.expr, place: str, changed: ast.expr) -> None:
        self._add(operator, node, place, f"({ast.unparse(ast.fix_missing_locations(changed))})")

    def _add(self, operator: str, node: ast.stmt | ast.expr, place: str, after: str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._lines[node.lineno - 1] + node.col_offset
        end = self._lines[node.end_lineno - 1] + node.end_col_offset
        before = self._source[start:end].decode()
        same = (place, operator, before, after)
        found = Mutation(self._file, place, node.lineno, operator, start, end, before, after, self._counts[same])
        self._counts[same] += 1
        self.mutations.append(found)


def _is_skipped(node: ast.AST) -> bool:
    """Texts, types, `__slots__`, assertions, and what only type checkers or a command line run."""
    match node:
        case ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name.startswith("__")
        case ast.AnnAssign(value=None):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case ast.keyword(arg="strict"):  # of zip: an assertion
            return True
    return isinstance(node, ast.stmt) and _is_docstring(node)


def _has_own_negation(test: ast.expr) -> bool:
    """Whether another mutation of the condition is its negation."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[operator]):
            return isinstance(operator, _NEGATED)
    return False


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
