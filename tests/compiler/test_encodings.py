"""Instructions are encoded as LLVM encodes them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator

import llvmlite.binding as llvm
import pytest

from ludens.compiler.native.avx2 import Avx2
from ludens.compiler.native.avx512 import Avx512
from ludens.compiler.native.instruction_set import MEMORY
from ludens.compiler.native.neon import Neon
from ludens.compiler.native.target import Target
from tests.peers import peer

Listing = Iterator[tuple[bytes, str]]
"""Machine code, and what it is in LLVM's assembly language; lines are separated by semicolons."""


RETURN = 0xD65F03C0.to_bytes(4, "little")
"""Of ARM."""


def avx512() -> Listing:
    code = Avx512()
    for result in (0, 5, 9, 17, 26, 31):
        yield code.load(result, 300), f"vmovdqa64 19200(%rdi), %zmm{result}"
        yield code.store(result, 300), f"vmovdqa64 %zmm{result}, 19200(%rdi)"
        for first in (0, 7, 8, 16, 31):
            yield code.copy(result, first), f"vmovdqa64 %zmm{first}, %zmm{result}"
            for last in (MEMORY, 0, 6, 8, 15, 16, 29):
                source = "19200(%rdi)" if last == MEMORY else f"%zmm{last}"
                operands = f"{source}, %zmm{first}, %zmm{result}"
                yield code.invert(result, last, 300), f"vpternlogq $85, {source}, %zmm{result}, %zmm{result}"
                yield code.compute_three(0x96, result, first, last, 300), f"vpternlogq $150, {operands}"
                yield code.compute_two(0x77, result, first, last, 300), f"vpternlogq $119, {operands}"
                for table, name in ((0x88, "vpandq"), (0xEE, "vporq"), (0x66, "vpxorq"), (0x22, "vpandnq")):
                    yield code.compute_two(table, result, first, last, 300), f"{name} {operands}"
    yield code.function(code.chunk(b"")), "vzeroupper; retq"


def avx2() -> Listing:
    code = Avx2()
    for result in (0, 5, 8, 15):
        yield code.load(result, 300), f"vmovdqa 19200(%rdi), %ymm{result}"
        yield code.store(result, 300), f"vmovdqa %ymm{result}, 19200(%rdi)"
        for source in (0, 6):
            yield code.copy(result, source), f"vmovdqa %ymm{source}, %ymm{result}"
        for last in (MEMORY, 0, 7, 8, 14):
            source_text = "19200(%rdi)" if last == MEMORY else f"%ymm{last}"
            for first in (0, 6, 8, 15):
                operands = f"{source_text}, %ymm{first}, %ymm{result}"
                yield code.compute_two(0x22, result, first, last, 300), f"vpandn {operands}"
                if last >= 8 > first:  # inputs change places where that saves a byte
                    operands = f"%ymm{first}, {source_text}, %ymm{result}"
                for table, name in ((0x88, "vpand"), (0xEE, "vpor"), (0x66, "vpxor")):
                    yield code.compute_two(table, result, first, last, 300), f"{name} {operands}"
    for result, source in ((0, MEMORY), (9, MEMORY), (3, 1), (12, 2), (12, 13)):
        source_text = "19200(%rdi)" if source == MEMORY else f"%ymm{source}"
        ones = f"vpcmpeqd %ymm{result}, %ymm{result}, %ymm{result}"
        yield code.invert(result, source, 300), f"{ones}; vpxor {source_text}, %ymm{result}, %ymm{result}"
    body = code.load(0, 300) * 20
    loop = f"{'vmovdqa 19200(%rdi), %ymm0; ' * 20}xorq $32, %rdi; testb $32, %dil"
    yield code.chunk(body), f"{loop}; jne -{len(body) + 14}"
    yield code.function(b""), "vzeroupper; retq"


def neon() -> Listing:
    code = Neon()
    for result in (0, 8, 21, 31):
        yield code.load(result, 0), f"ldr q{result}, [x0]"
        yield code.load(result, 1023), f"ldr q{result}, [x0, #65472]"
        yield code.store(result, 300), f"str q{result}, [x0, #19200]"
        for first in (1, 15, 16, 30):
            yield code.copy(result, first), f"mov v{result}.16b, v{first}.16b"
            yield code.invert(result, first, 0), f"mvn v{result}.16b, v{first}.16b"
            for last in (2, 14, 17, 31):
                straight, swapped = (
                    ", ".join(f"v{register}.16b" for register in registers)
                    for registers in ((result, first, last), (result, last, first))
                )
                for table, name in ((0x88, "and"), (0xEE, "orr"), (0x66, "eor"), (0x22, "bic"), (0xBB, "orn")):
                    yield code.compute_two(table, result, first, last, 0), f"{name} {swapped}"
                for table, name, operands in (
                    (0xCA, "bsl", straight),
                    (0xAC, "bsl", swapped),
                    (0xD8, "bit", straight),
                    (0xB8, "bit", swapped),
                    (0xE4, "bif", straight),
                    (0xE2, "bif", swapped),
                ):
                    yield code.compute_three(table, result, first, last, 0), f"{name} {operands}"
    bases = [(window, window) for window in range(1, 18)]
    for window, base in [*bases, (40, 1)]:  # the oldest of seventeen bases is replaced
        text = f"mov x{base}, #{window << 16}; add x{base}, x0, x{base}; ldr q3, [x{base}, #320]"
        yield code.load(3, 1024 * window + 5), text
    yield code.store(3, 1024 * 2), "str q3, [x2]"
    body = code.load(0, 300) * 20
    loop = f"{'ldr q0, [x0, #19200]; ' * 20}add x0, x0, #16; tst x0, #0x30"
    yield code.chunk(body), f"{loop}; b.ne #-{len(body) + 8}; sub x0, x0, #64"
    yield code.load(3, 1024), "mov x1, #65536; add x1, x0, x1; ldr q3, [x1]"
    saved = "stp d8, d9, [sp, #-64]!; stp d10, d11, [sp, #16]; stp d12, d13, [sp, #32]; stp d14, d15, [sp, #48]"
    restored = "ldp d10, d11, [sp, #16]; ldp d12, d13, [sp, #32]; ldp d14, d15, [sp, #48]; ldp d8, d9, [sp], #64"
    yield code.function(b""), f"{saved}; {restored}; ret"


each_listing = pytest.mark.parametrize(
    ("listing", "triple", "features"),
    [
        (avx512, "x86_64-unknown-linux-gnu", "+avx512f"),
        (avx2, "x86_64-unknown-linux-gnu", "+avx2"),
        (neon, "aarch64-unknown-linux-gnu", "+neon"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)


def chosen(mask: str, if_true: str, if_false: str) -> str:
    """A choice between two values, in LLVM's language."""
    return f"%x = and V {mask}, {if_true} %n = xor V {mask}, ONES %y = and V %n, {if_false} %r = or V %x, %y"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%r = and V %b, %d", Neon().compute_two(0x88, 0, 3, 1, 0)),
        ("%r = or V %b, %d", Neon().compute_two(0xEE, 0, 3, 1, 0)),
        ("%r = xor V %b, %d", Neon().compute_two(0x66, 0, 3, 1, 0)),
        ("%n = xor V %d, ONES %r = and V %b, %n", Neon().compute_two(0x22, 0, 3, 1, 0)),
        ("%n = xor V %d, ONES %r = or V %b, %n", Neon().compute_two(0xBB, 0, 3, 1, 0)),
        ("%r = xor V %d, ONES", Neon().invert(0, 3, 0)),
        ("%r = or V %d, zeroinitializer", Neon().copy(0, 3)),
        (chosen("%a", "%b", "%d"), Neon().compute_three(0xCA, 0, 1, 3, 0)),
        (chosen("%d", "%b", "%a"), Neon().compute_three(0xD8, 0, 1, 3, 0)),
        (chosen("%d", "%a", "%b"), Neon().compute_three(0xE4, 0, 1, 3, 0)),
        ("%q = getelementptr V, ptr %p, i64 1200 %r = load V, ptr %q", Neon().load(0, 300)),
        ("%q = getelementptr V, ptr %p, i64 1200 store V %d, ptr %q %r = or V %a, %a", Neon().store(3, 300)),
    ],
    ids=["and", "orr", "eor", "bic", "orn", "not", "mov", "bsl", "bit", "bif", "ldr", "str"],
)
def test_neon_instructions_are_those_that_llvm_writes(body: str, expected: bytes) -> None:
    """Of arguments in the registers v0 to v3 and x0, and a result in v0."""
    lines = re.sub(r" (%\w+ =|store)", r"\n\1", body).replace("V", "<2 x i64>").replace("ONES", "<i64 -1, i64 -1>")
    vectors = ", ".join(f"<2 x i64> %{name}" for name in "abcd")
    source = f"define <2 x i64> @f({vectors}, ptr %p) {{\n{lines}\nret <2 x i64> %r\n}}"

    emitted = Target("aarch64-unknown-linux-gnu", "", "+neon").emit(source, opt=2)

    sections = llvm.ObjectFileRef.from_data(emitted).sections()
    assert [section.data() for section in sections if section.is_text()] == [expected + RETURN]


@peer("llvm-mc")
@each_listing
def test_a_disassembler_reads_the_instructions(listing: Callable[[], Listing], triple: str, features: str) -> None:
    code, lines = zip(*listing(), strict=True)
    expected = [line for lines_ in lines for line in lines_.split("; ")]
    command = ["llvm-mc", "--disassemble", f"--triple={triple}", f"--mattr={features}"]

    read = subprocess.run(
        command, input=" ".join(f"0x{byte:02x}" for byte in b"".join(code)), capture_output=True, text=True, check=True
    )

    found = [" ".join(line.split()) for line in read.stdout.splitlines()]
    assert [line for line in found if line and not line.startswith(".")] == expected
