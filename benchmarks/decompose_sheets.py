"""Decompose rule sheets by others within limits: ``python -m benchmarks.decompose_sheets FOLDER --budget 5``.

Prints for each sheet the seconds, the CPU seconds, the peak memory of all processes together and the verdict, and in
the end how many kept the limits; exit code 1 if one did not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

MEGABYTES = 1024
"""The limit of memory, in megabytes."""
GRACE = 3.0
"""CPU seconds that starting and printing may take beside the budget."""
CHILD = """
import json, os, resource, subprocess, sys, tempfile, time

def tree(process):
    found = [process]
    for number in found:
        try:
            with open(f"/proc/{number}/task/{number}/children") as file:
                found += map(int, file.read().split())
        except OSError:
            pass
    return found

def resident(process):
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0

began = time.monotonic()
most = 0
with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
    process = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err)
    while True:
        most = max(most, sum(map(resident, tree(process.pid))))
        try:
            process.wait(0.05)
            break
        except subprocess.TimeoutExpired:
            pass
    out.seek(0)
    err.seek(0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({
        "code": process.returncode, "out": out.read(), "err": err.read()[-300:], "seconds": time.monotonic() - began,
        "cpu": used.ru_utime + used.ru_stime, "megabytes": max(most / 2**20, used.ru_maxrss / 1024),
    }))
"""
"""Runs one command and samples the memory of all its processes together, 20 times a second; a process of its own for
each command, since the peak of the largest child is that of all children so far."""


def main() -> int:
    """Decompose all sheets of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--names", nargs="*", help="only these sheets")
    parser.add_argument("--after", default="", metavar="NAME", help="only those after this one")
    arguments = parser.parse_args()

    ludens = str(Path(sys.executable).with_name("ludens"))
    kept = failed = 0
    most: dict[str, float] = {"seconds": 0.0, "cpu": 0.0, "megabytes": 0.0}
    sheets = [
        path
        for path in sorted(arguments.folder.glob("*.kif"))
        if path.stem > arguments.after and (not arguments.names or path.stem in arguments.names)
    ]
    print("| sheet | seconds | CPU seconds | MB | verdict |\n|---|---:|---:|---:|---|")
    for path in sheets:
        command = [ludens, "decompose", str(path), "--budget", str(arguments.budget), "--json"]
        ran = subprocess.run([sys.executable, "-c", CHILD, *command], capture_output=True, text=True, check=True)
        figures = json.loads(ran.stdout)
        most = {name: max(value, figures[name]) for name, value in most.items()}
        failed += figures["code"] != 0
        kept += figures["megabytes"] < MEGABYTES and figures["cpu"] < arguments.budget + GRACE
        print(
            f"| {path.stem} | {figures['seconds']:.1f} | {figures['cpu']:.1f} | {figures['megabytes']:.0f} "
            f"| {_verdict(figures)} |",
            flush=True,
        )
    print(f"{kept} of {len(sheets)} within the limits, {failed} failed; most: {most}")
    return int(failed > 0 or kept < len(sheets))


def _verdict(figures: dict[str, str]) -> str:
    if figures["code"]:
        return "failed: " + " ".join(figures["err"].split())
    found = json.loads(figures["out"])
    return f"{found['subgames']} ({found['composition']}, {found['method']}): {'; '.join(found['notes'])}"


if __name__ == "__main__":
    raise SystemExit(main())
