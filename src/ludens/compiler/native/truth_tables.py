"""Truth tables as instructions on wide values, one bit for each lane."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.compiler.native.target import Target

WORDS = 8
"""64-bit words in a value: one 512-bit register, or as many smaller ones as the processor needs for it."""
LANES = 64 * WORDS
"""States that are computed at once."""
VALUE = f"<{WORDS} x i64>"
"""The type of a value in LLVM's language."""

_ONES = "<" + ", ".join(["i64 -1"] * WORDS) + ">"
_FUSED = f"@llvm.x86.avx512.pternlog.q.{64 * WORDS}"
_ALL_INPUTS = 3


def declarations(target: Target) -> str:
    """What must be declared in a module that uses `instructions`."""
    return f"declare {VALUE} {_FUSED}({VALUE}, {VALUE}, {VALUE}, i32)" if has_fused_logic(target) else ""


def has_fused_logic(target: Target) -> bool:
    """Whether the processor has one instruction for any function of three values."""
    return target.triple.startswith("x86_64") and "+avx512f" in target.features.split(",")


def instructions(table: int, result: str, operands: Sequence[str], target: Target) -> list[str]:
    """The instructions for one operation (see `ludens.compiler.native.cover`) on registers."""
    if len(operands) == _ALL_INPUTS and has_fused_logic(target):
        given = ", ".join(f"{VALUE} {operand}" for operand in operands)
        return [f"  {result} = call {VALUE} {_FUSED}({given}, i32 {table})"]
    writer = _Writer(result)
    size = 1 << len(operands)
    found = writer.function(table & ((1 << size) - 1), tuple(operands))
    # A copy, since the result must have its name; LLVM leaves it out.
    return [*writer.lines, f"  {result} = or {VALUE} {found}, zeroinitializer"]


class _Writer:
    """Writes a function by cases of its first input, then the next."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []

    def function(self, table: int, operands: tuple[str, ...]) -> str:
        half = 1 << len(operands) >> 1
        full = (1 << half) - 1
        if table in (0, (1 << 2 * half) - 1) or not operands:
            return _ONES if table else "zeroinitializer"
        first, rest = operands[0], operands[1:]
        without, with_ = table & full, table >> half
        if with_ == without:
            return self.function(without, rest)
        if with_ == without ^ full:
            return self.instruction("xor", first, self.function(without, rest))
        if without == 0:
            return self.instruction("and", first, self.function(with_, rest))
        if with_ == full:
            return self.instruction("or", first, self.function(without, rest))
        if with_ == 0:
            return self.instruction("and", self.inverse(first), self.function(without, rest))
        if without == full:
            return self.instruction("or", self.inverse(first), self.function(with_, rest))
        otherwise = self.function(without, rest)
        difference = self.function(without ^ with_, rest)
        return self.instruction("xor", otherwise, self.instruction("and", first, difference))

    def inverse(self, operand: str) -> str:
        return self.instruction("xor", operand, _ONES)

    def instruction(self, name: str, a: str, b: str) -> str:
        if b == (_ONES if name == "and" else "zeroinitializer"):
            return a
        result = f"{self.name}.{len(self.lines)}"
        self.lines.append(f"  {result} = {name} {VALUE} {a}, {b}")
        return result
