"""Decompose rule sheets by others within limits: ``python -m benchmarks.decompose_sheets FOLDER --budget 5``.

Prints for each sheet the seconds, the CPU seconds, the peak memory of the largest process and the verdict, and in the
end how many kept the limits; exit code 1 if one did not.
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
import json, resource, subprocess, sys, time
began = time.monotonic()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({
    "code": done.returncode, "out": done.stdout, "err": done.stderr[-300:], "seconds": time.monotonic() - began,
    "cpu": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024,
}))
"""
"""Runs one command; a process of its own for each, since the peak is that of all children so far."""


def main() -> int:
    """Decompose all sheets of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--names", nargs="*", help="only these sheets")
    arguments = parser.parse_args()

    ludens = str(Path(sys.executable).with_name("ludens"))
    kept = failed = 0
    most: dict[str, float] = {"seconds": 0.0, "cpu": 0.0, "megabytes": 0.0}
    sheets = [
        path for path in sorted(arguments.folder.glob("*.kif")) if not arguments.names or path.stem in arguments.names
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
