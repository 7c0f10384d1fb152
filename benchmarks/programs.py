"""The programs that are measured, each run in a process of its own that can fail or hang without harm to the others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Result:
    """What a program printed, or why there is nothing."""

    values: dict[str, Any] = field(default_factory=dict)
    reason: str = ""

    @property
    def rate(self) -> float | None:
        """States for each second of CPU time."""
        rate = self.values.get("states_per_cpu_second")
        return float(rate) if rate else None


def ludens(rules: Path, seconds: float) -> Result:
    """``ludens bench``, one thread."""
    command = [str(Path(sys.executable).with_name("ludens")), "bench", str(rules), "--backend", "circuit"]
    return _run([*command, "--seconds", str(seconds), "--json"], timeout=300)


def other(program: Path | None, rules: Path, seconds: float) -> Result:
    """Another program to compare with: ``python PROGRAM RULES --seconds S`` prints its rates as one line of JSON."""
    if program is None:
        return Result(reason="no other program was named (--beside)")
    return _run([sys.executable, str(program), str(rules), "--seconds", str(seconds)], timeout=200)


def swi_prolog(rules: Path, seconds: float) -> Result:
    """Plain Prolog."""
    command = [sys.executable, "-m", "benchmarks.prolog", str(rules), "--seconds", str(seconds)]
    return _run(command, timeout=8 * seconds + 300)


def thirds(rules: Path, seconds: float) -> Result:
    """Ours and Prolog from early, middle and late positions."""
    command = [sys.executable, "-m", "benchmarks.thirds", str(rules), "--seconds", str(seconds)]
    return _run(command, timeout=900)


def _run(command: list[str], timeout: float) -> Result:
    pipe = subprocess.PIPE
    # A session of its own, so that whatever the program has started can be ended with it.
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True)
    try:
        printed, said = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Result(reason=f"not done after {timeout:g} s")
    if process.returncode:
        words = said.strip().splitlines()
        return Result(reason=words[-1][:200] if words else f"ended with {_status(process.returncode)}")
    return Result(json.loads(printed))


def _status(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
