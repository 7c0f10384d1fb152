"""Machine code that ludens ships as LLVM bitcode: C++ compiled in advance, finished for this processor when loaded.

Loading takes a fraction of a second the first time, then milliseconds, and needs no C++ compiler. Bitcode names no
processor; 64-bit targets lay out the structures in it alike. ``python -m ludens.compiler.native.bitcode SOURCE`` makes
it, with Clang.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from ludens.compiler.native.code_cache import artefact_cache, artefact_key
from ludens.compiler.native.target import host_target

COMPILER = "clang++-19"
"""LLVM reads the bitcode of older versions, not of newer ones, and llvmlite 0.45 has LLVM 20."""
_FLAGS = ("-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", "-fno-math-errno", "-fno-stack-protector")
_TARGET = "x86_64-unknown-linux-gnu"
_OF_A_TARGET = re.compile(r'"(target-cpu|target-features|tune-cpu|stack-protector-buffer-size)"="[^"]*" ?')
"""Attributes of functions that would tie them to a processor."""
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_compiling = threading.Lock()
"""Whoever wants the same bitcode at the same time waits for it, and finds it in the cache."""


class Library:
    """Loaded bitcode."""

    def __init__(self, bitcode: bytes) -> None:
        target = host_target()
        machine = target.machine(opt=2)
        versions = f"{llvmlite.__version__} {llvm.llvm_version_info}"
        key = artefact_key("bitcode", bitcode, target.triple, target.cpu, target.features, versions)
        with _compiling:
            code = artefact_cache().get(key)
            if code is None:
                module = llvm.parse_bitcode(bitcode, llvm.create_context())
                module.triple, module.data_layout = target.triple, str(machine.target_data)
                code = machine.emit_object(module)
                artefact_cache().put(key, code)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function of the library, as ctypes calls it: without Python's lock."""
        function: Any = ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))
        function.library = self  # its code is valid as long as the engine is kept
        return function

    @property
    def mark(self) -> str:
        """The mark of the sources that it was compiled from."""
        return ctypes.string_at(self._engine.get_global_value_address("ludens_sources")).decode()


def source_mark(source: Path) -> str:
    """A mark of a source file and the headers of ours that it includes, which its bitcode contains."""
    digest = hashlib.sha256(" ".join(_FLAGS).encode())
    for path in sorted(_with_headers(source.resolve()), key=lambda path: (path.name, path)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _with_headers(source: Path) -> set[Path]:
    """A source file and all headers that it includes, directly or not."""
    found, left = {source}, [source]
    while left:
        path = left.pop()
        headers = {(path.parent / name).resolve() for name in _INCLUDE.findall(path.read_text(encoding="utf-8"))}
        left += headers - found
        found |= headers
    return found


def compile_bitcode(source: Path) -> bytes:
    """Compile a C++ file for any 64-bit target. Raises `subprocess.CalledProcessError`."""
    with tempfile.TemporaryDirectory() as folder:
        text, bitcode = Path(folder) / "code.ll", Path(folder) / "code.bc"
        mark = f'-DSOURCES="{source_mark(source)}"'
        command = [COMPILER, f"--target={_TARGET}", *_FLAGS, mark, "-emit-llvm"]
        subprocess.run([*command, "-S", source.name, "-o", text], cwd=source.parent, check=True)
        text.write_text(_OF_A_TARGET.sub("", text.read_text()))
        again = ["-x", "ir", "-Xclang", "-disable-llvm-passes", "-c", text.name, "-o", bitcode.name]
        subprocess.run([COMPILER, f"--target={_TARGET}", "-emit-llvm", *again], cwd=folder, check=True)
        return bitcode.read_bytes()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).with_suffix(".bc").write_bytes(compile_bitcode(Path(name)))
