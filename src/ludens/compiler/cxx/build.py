"""Compiles generated C++ to a shared library with the system's compiler, once per machine."""

from __future__ import annotations

import atexit
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from ludens.compiler.cxx.project import CxxProject
from ludens.compiler.native.code_cache import artefact_cache, artefact_key
from ludens.core import GameError
from ludens.core.process import kill_session

FLAGS = ("-std=c++20", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-w")
"""Flags for libraries. Warnings are off here; the tests check them."""
TIMEOUT = 300.0
"""The time limit of a compilation in seconds."""
_CANDIDATES = ("c++", "g++", "clang++")


def find_compiler() -> tuple[str, ...]:
    """The command of a C++ compiler: CXX, CC if it is one, or the usual names. Raises `GameError` if there is none."""
    for variable in ("CXX", "CC"):
        command = tuple(shlex.split(os.environ.get(variable, "")))
        if command and shutil.which(command[0]) and _takes_cxx(command):
            return command
    for name in _CANDIDATES:
        if shutil.which(name) and _takes_cxx((name,)):
            return (name,)
    raise GameError(
        "the backend 'cxx' needs a C++20 compiler, and none was found: install g++ or clang++, or set CXX to one"
    )


@cache
def _takes_cxx(command: tuple[str, ...]) -> bool:
    """Whether a command compiles C++20."""
    text = "#include <span>\nint main() { return std::span<int>().size() == 0 ? 0 : 1; }\n"
    with tempfile.TemporaryDirectory(prefix="ludens-") as folder:
        try:
            _run([*command, "-std=c++20", "-x", "c++", "-fsyntax-only", "-"], 30.0, Path(folder), text)
        except GameError:
            return False
    return True


@cache
def _version(command: tuple[str, ...]) -> str:
    return _run([*command, "--version"], 30.0, Path.cwd())


def shared_library(project: CxxProject, name: str, timeout: float = TIMEOUT) -> Path:
    """The path of the compiled library, from the cache if it has been compiled before.

    Raises `GameError` if there is no compiler, or it fails or takes too long.
    """
    compiler = find_compiler()
    key = artefact_key(
        "cxx library",
        project.header,
        project.compiled_source,
        " ".join((*compiler, *FLAGS)),
        _version(compiler),
        platform.machine(),
    )
    cache = artefact_cache()
    path = cache.file(key)
    if path is not None:
        return path
    folder = Path(tempfile.mkdtemp(prefix="ludens-cxx-"))
    try:
        library = compile_library(project, compiler, folder, name, timeout)
        cache.put(key, library.read_bytes())
        path = cache.file(key)
        if path is not None:
            return path
        # Without a cache the library must stay in place until this process ends.
        _leftovers.append(folder)
        return library
    finally:
        if folder not in _leftovers:
            shutil.rmtree(folder, ignore_errors=True)


_leftovers: list[Path] = []
_running: set[subprocess.Popen[str]] = set()


@atexit.register
def _clean_up() -> None:
    """Stop compilers and remove files when the process ends."""
    for process in list(_running):
        _end(process)
    for folder in _leftovers:
        shutil.rmtree(folder, ignore_errors=True)


def compile_library(
    project: CxxProject, compiler: tuple[str, ...], folder: Path, name: str, timeout: float = TIMEOUT
) -> Path:
    """Compile a project in a folder. Raises `GameError`."""
    source, library = folder / f"{project.namespace}.cpp", folder / "game.so"
    (folder / f"{project.namespace}.hpp").write_text(project.header, encoding="utf-8")
    source.write_text(project.compiled_source, encoding="utf-8")
    try:
        _run([*compiler, *FLAGS, source.name, "-o", library.name], timeout, folder)
    except GameError as error:
        raise GameError(f"{name} could not be compiled with {' '.join(compiler)}: {error}") from None
    return library


def _run(command: list[str], timeout: float, folder: Path, text: str = "") -> str:
    """The output of a tool. Raises `GameError` with its first error message."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        # A separate session, so that the compiler's children end with it at the timeout.
        with subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            _running.add(process)
            try:
                output, _ = process.communicate(text, timeout=timeout)
            except subprocess.TimeoutExpired:
                _end(process)
                raise GameError(f"the timeout of {timeout:g} s was exceeded") from None
            except BaseException:
                _end(process)
                raise
            finally:
                _running.discard(process)
    except OSError as error:
        raise GameError(f"{command[0]} does not run: {error.strerror or error}") from None
    if process.returncode:
        complaint = next((line for line in output.splitlines() if "error" in line), output.strip() or "no reason given")
        raise GameError(complaint[:300])
    return output


def _end(process: subprocess.Popen[str]) -> None:
    """End a tool and its child processes."""
    kill_session(process.pid)
    process.wait()
