"""The bitcode that is shipped belongs to the sources beside it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llvmlite.binding as llvm
import pytest

import ludens
from ludens.compiler.native.bitcode import Library, compile_bitcode, source_mark
from tests.peers import peer

SOURCES = sorted(Path(ludens.__file__).parent.rglob("source/*.cpp"))
"""All that is shipped as bitcode."""


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_bitcode_carries_the_mark_of_its_sources(source: Path) -> None:
    assert Library(source.with_suffix(".bc").read_bytes()).mark == source_mark(source), "run 'make bitcode'"


def test_a_change_of_a_header_changes_the_mark(tmp_path: Path) -> None:
    source, between, header = tmp_path / "code.cpp", tmp_path / "between.hpp", tmp_path / "other" / "part.hpp"
    header.parent.mkdir()
    source.write_text('#include "between.hpp"')
    between.write_text('#include "other/part.hpp"')
    header.write_text("int two;")
    before = source_mark(source)

    header.write_text("int three;")

    assert source_mark(source) != before


def test_a_header_that_is_not_included_does_not_change_the_mark(tmp_path: Path) -> None:
    source = tmp_path / "code.cpp"
    source.write_text("int one;")
    before = source_mark(source)

    (tmp_path / "other.hpp").write_text("int two;")

    assert source_mark(source) == before


def test_bitcode_names_no_processor() -> None:
    for source in SOURCES:
        text = str(llvm.parse_bitcode(source.with_suffix(".bc").read_bytes()))
        assert "define" in text
        assert "target-cpu" not in text
        assert "target-features" not in text


@peer("clang")
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_sources_compile_to_the_bitcode(source: Path) -> None:
    assert compile_bitcode(source) == source.with_suffix(".bc").read_bytes()


@peer("clang")
def test_a_function_is_called_without_a_compiler_after_that(tmp_path: Path) -> None:
    source = tmp_path / "code.cpp"
    source.write_text('extern "C" long long twice(long long n) { return 2 * n; }')

    twice = Library(compile_bitcode(source)).function("twice", ctypes.c_int64, ctypes.c_int64)

    assert twice(21) == 42
