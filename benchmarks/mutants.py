"""How many small mistakes in the lower layers the tests notice: ``python -m benchmarks.mutants --seed 1 --count 300``.

Draws changes such as `<` for `<=` or a deleted call (benchmarks/mutation_operators.py), makes each in a copy of the
sources, and runs the quickest fast tests that execute the changed statement. Which tests those are is recorded once,
with marked sources, and kept in `.cache/mutants`. Tests that compare with other programs do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.mutation_operators import Mutation, list_mutations, mark_statements

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "mutants"
PACKAGES = ("core", "gdl", "referee", "tabletop")
TESTS = ("core", "gdl", "referee", "tabletop", "games")
"""The folders of tests that may kill: those of the packages and of what stands on them."""
PEERS = ("chess", "shogi", "pyspiel", "ray", "torch", "playwright", "psycopg")
PRELOADED = ("hypothesis", "numpy", "llvmlite.binding", "clingo", "rich", "typer")
MEMORY = 3 << 30
"""Bytes of address space for one run: a mutant may fill a list for ever."""
WORKERS = 2
TOO_LATE, NOTHING = -1000, -1001
KILLED, SURVIVED, TIMED_OUT, UNCOVERED = "killed", "survived", "timed out", "uncovered"

MARKS_MODULE = '''
import os

class Marks(dict):
    """Notes each statement in the file that $MUTANTS_MARKS names when it runs for the first time."""
    def __missing__(self, place):
        self[place] = True
        note = os.environ.get("MUTANTS_MARKS")
        if note:
            with open(note, "a", encoding="utf-8") as file:
                file.write(place + "\\n")

MARKS = Marks()
'''


@dataclass(frozen=True, slots=True)
class RecordedTest:
    """One test: how long it takes and which statements it runs."""

    name: str
    seconds: float
    places: frozenset[str]


class Recorder:
    """A plugin of pytest that writes one JSON line with time and statements for each test that passes."""

    def __init__(self, output: Path) -> None:
        os.environ["MUTANTS_MARKS"] = str(output.with_suffix(".marks"))
        self._output = output
        self._note = output.with_suffix(".marks")
        self._began = 0.0
        self._passed = False
        self._collected = self._take()

    def pytest_collection_finish(self) -> None:
        """Statements that run while a file is imported count for all of its tests."""
        self._collected = self._take()

    def pytest_runtest_logstart(self) -> None:
        """Take the time by the processor: the machine may be busy."""
        self._began = time.process_time()
        self._passed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write the line of a test that has passed when it is over."""
        if report.when == "call":
            self._passed = report.outcome == "passed"
        if report.when == "teardown" and self._passed:
            seconds = round(time.process_time() - self._began, 3)
            line = {"name": report.nodeid, "seconds": seconds, "places": sorted(self._collected | self._take())}
            with self._output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def _take(self) -> set[str]:
        """The statements noted since the last time."""
        found = set(self._note.read_text(encoding="utf-8").split("\n")) - {""} if self._note.exists() else set()
        self._note.unlink(missing_ok=True)
        if "mutants_marks" in sys.modules:
            sys.modules["mutants_marks"].MARKS.clear()
        return found


@dataclass(frozen=True, slots=True)
class Job:
    """A run of pytest in a process of its own."""

    prepare: Callable[[int], float]
    """Set up the copy of a worker; returns the time limit, or 0 if there is nothing to run."""
    work: Callable[[int], int]
    """Runs in the process; returns the exit code of pytest."""
    report: Callable[[int, float], None]
    """Receives the exit code, `TOO_LATE` or `NOTHING`, and the seconds taken."""


def run_all(jobs: Iterable[Job]) -> None:
    """Run jobs in forked processes, one at a time for each worker."""
    waiting = iter(jobs)
    free = list(range(WORKERS))
    running: dict[int, tuple[int, float, float, Job]] = {}
    exhausted = False
    try:
        while running or not exhausted:
            while free and not exhausted:
                job = next(waiting, None)
                exhausted = job is None
                if job is not None and not _start(job, free, running):
                    job.report(NOTHING, 0.0)
            for process, (worker, start, deadline, job) in list(running.items()):
                now = time.monotonic()
                done, status = os.waitpid(process, os.WNOHANG)
                if not done and now < deadline:
                    continue
                _kill_group(process)
                if not done:
                    os.waitpid(process, 0)
                del running[process]
                free.append(worker)
                job.report(os.waitstatus_to_exitcode(status) if done else TOO_LATE, now - start)
            time.sleep(0.02)
    finally:
        for process in running:
            _kill_group(process)


def _start(job: Job, free: list[int], running: dict[int, tuple[int, float, float, Job]]) -> bool:
    """Start a job on a free worker; False if there is nothing to run."""
    worker = free[-1]
    limit = job.prepare(worker)
    if not limit:
        return False
    process = os.fork()
    if not process:
        _in_child(job.work, worker)
    now = time.monotonic()
    running[process] = (free.pop(), now, now + limit, job)
    return True


def _in_child(work: Callable[[int], int], worker: int) -> None:
    code = 99
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        log = os.open(CACHE / f"log-{worker}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        code = work(worker)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _kill_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def run_pytest(worker: int, arguments: list[str], plugins: list[object]) -> int:
    """Run tests on the sources of a copy, in this process."""
    copy = CACHE / f"copy-{worker}"
    scratch = CACHE / f"scratch-{worker}"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    for peer in PEERS:
        sys.modules[peer] = None  # type: ignore[assignment]
    sys.path.insert(0, str(copy))
    os.environ |= {
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
        "XDG_CACHE_HOME": str(scratch / "cache"),
        "TMPDIR": str(scratch),
    }
    sys.dont_write_bytecode = True
    options = ["-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--tb=line"]
    options += ["-W", "ignore:Module already imported", f"--basetemp={scratch / 'pytest'}"]
    return int(pytest.main([*options, *arguments], plugins))


def make_copy(worker: int) -> Path:
    """A fresh copy of the sources for a worker."""
    copy = CACHE / f"copy-{worker}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def sources(packages: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The modules of the packages: path below src, and text."""
    for package in packages:
        for path in sorted((ROOT / "src" / "ludens" / package).rglob("*.py")):
            yield path.relative_to(ROOT / "src").as_posix(), path.read_bytes()


def record_tests() -> list[RecordedTest]:
    """Time and statements of all fast tests; only files of tests that have changed are run again."""
    folder = CACHE / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    files = [file for name in TESTS for file in sorted((ROOT / "tests" / name).rglob("test_*.py"))]
    wanted = {file: folder / f"{_digest(file)}.jsonl" for file in files}
    missing = [file for file, output in wanted.items() if not output.exists()]
    if missing:
        for worker in range(WORKERS):
            copy = make_copy(worker)
            (copy / "mutants_marks.py").write_text(MARKS_MODULE, encoding="utf-8")
            for file, source in sources(PACKAGES):
                (copy / file).write_text(mark_statements(file, source), encoding="utf-8")
        run_all(_recording(file, wanted[file], n, len(missing)) for n, file in enumerate(missing, 1))
    tests = []
    for output in filter(Path.exists, wanted.values()):
        for line in output.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            tests.append(RecordedTest(found["name"], found["seconds"], frozenset(found["places"])))
    return tests


def _digest(file: Path) -> str:
    name = file.relative_to(ROOT).as_posix()
    return hashlib.sha256(name.encode() + b"\0" + file.read_bytes()).hexdigest()[:24]


def _recording(file: Path, output: Path, number: int, total: int) -> Job:
    part = output.with_suffix(".part")

    def prepare(worker: int) -> float:
        part.unlink(missing_ok=True)
        return 300.0

    def work(worker: int) -> int:
        return run_pytest(worker, [str(file.relative_to(ROOT))], [Recorder(part)])

    def report(code: int, seconds: float) -> None:
        if code in {0, 1, 5, TOO_LATE}:
            part.touch()
            part.rename(output)
        note = "" if code in {0, 5} else f", exit code {code}: not all of its tests count"
        print(f"[{number}/{total}] {file.relative_to(ROOT)}: {seconds:.1f} s{note}", flush=True)

    return Job(prepare, work, report)


def choose_tests(mutation: Mutation, tests: list[RecordedTest], seconds: float) -> list[RecordedTest]:
    """The tests that run the changed statement, within a time.

    Those of the package come first, and quick ones before slow ones; among these, of each file the quickest, then of
    each the second quickest, and so on, since tests of many files notice more than many tests of one.
    """
    if mutation.place:
        place = f"{mutation.file}:{mutation.place}"
        covering = [test for test in tests if place in test.places]
    else:
        covering = [test for test in tests if any(place.startswith(f"{mutation.file}:") for place in test.places)]
        covering = covering or [test for test in tests if test.name.startswith(f"tests/{mutation.package}/")]
    ranks: Counter[str] = Counter()
    order: dict[str, tuple[bool, int, int]] = {}
    for test in sorted(covering, key=lambda test: test.seconds):
        file = test.name.partition("::")[0]
        slowness = sum(test.seconds > limit for limit in (0.2, 1.0))
        order[test.name] = (not file.startswith(f"tests/{mutation.package}/"), slowness, ranks[file])
        ranks[file] += 1
    covering.sort(key=lambda test: (*order[test.name], test.seconds))
    chosen: list[RecordedTest] = []
    total = 0.0
    for test in covering:
        total += test.seconds
        if chosen and total > seconds:
            break
        chosen.append(test)
    return chosen


def draw(mutations: list[Mutation], count: int, seed: int) -> list[Mutation]:
    """A sample in which each package has its share."""
    rng = Random(seed)
    packages: dict[str, list[Mutation]] = {}
    for mutation in mutations:
        packages.setdefault(mutation.package, []).append(mutation)
    drawn: list[Mutation] = []
    left, of = count, len(mutations)
    for members in packages.values():
        share = round(left * len(members) / of) if of else 0
        drawn += rng.sample(members, min(share, len(members)))
        left, of = left - share, of - len(members)
    rng.shuffle(drawn)
    return drawn


def run_mutants(drawn: list[Mutation], tests: list[RecordedTest], seconds: float, results: Path) -> dict[str, str]:
    """What became of each mutant, by key; each is appended to the results as soon as it is known."""
    outcomes = {line["key"]: line["outcome"] for line in _lines(results)}
    open_ = [mutation for mutation in drawn if mutation.key not in outcomes]
    for worker in range(WORKERS):
        make_copy(worker)

    def job(number: int, mutation: Mutation) -> Job:
        chosen = choose_tests(mutation, tests, seconds)
        workers: list[int] = []

        def prepare(worker: int) -> float:
            path = CACHE / f"copy-{worker}" / mutation.file
            path.write_bytes(mutation.apply((ROOT / "src" / mutation.file).read_bytes()))
            workers.append(worker)
            return 60 + 10 * sum(test.seconds for test in chosen) if chosen else 0

        def work(worker: int) -> int:
            return run_pytest(worker, ["-x", *(test.name for test in chosen)], [])

        def report(code: int, taken: float) -> None:
            (CACHE / f"copy-{workers[0]}" / mutation.file).write_bytes((ROOT / "src" / mutation.file).read_bytes())
            outcome = {0: SURVIVED, TOO_LATE: TIMED_OUT, NOTHING: UNCOVERED}.get(code, KILLED)
            outcomes[mutation.key] = outcome
            line = {
                "key": mutation.key,
                "outcome": outcome,
                "file": mutation.file,
                "line": mutation.line,
                "operator": mutation.operator,
                "before": mutation.before,
                "after": mutation.after,
                "tests": len(chosen),
                "killer": _failed_test(CACHE / f"log-{workers[0]}.txt") if outcome == KILLED else "",
                "code": code,
                "seconds": round(taken, 1),
            }
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(f"[{number}/{len(open_)}] {outcome:9} {taken:5.1f} s  {describe(mutation)}", flush=True)

        return Job(prepare, work, report)

    run_all(job(number, mutation) for number, mutation in enumerate(open_, 1))
    return outcomes


def _failed_test(log: Path) -> str:
    """The test that failed, or the file that could not be collected."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.split()[1] for line in lines if line.startswith(("FAILED ", "ERROR "))), "")


def describe(mutation: Mutation) -> str:
    """File, line, and both texts."""
    before, after = (" ".join(text.split()) for text in (mutation.before, mutation.after))
    return f"src/{mutation.file}:{mutation.line}: {before}  ->  {after}"


def summary(drawn: list[Mutation], outcomes: dict[str, str]) -> dict[str, Any]:
    """Counts by outcome for each package, the share killed (a mutant that runs for ever is noticed), the survivors."""
    packages: dict[str, Counter[str]] = {}
    for mutation in drawn:
        packages.setdefault(mutation.package, Counter())[outcomes[mutation.key]] += 1
    total = sum(packages.values(), Counter[str]())
    return {
        "mutants": len(drawn),
        "killed": round((total[KILLED] + total[TIMED_OUT]) / max(1, len(drawn)), 4),
        "outcomes": dict(total),
        "packages": {package: dict(counts) for package, counts in sorted(packages.items())},
        "survivors": [
            describe(mutation)
            for mutation in sorted(drawn, key=lambda mutation: (mutation.file, mutation.line))
            if outcomes[mutation.key] in {SURVIVED, UNCOVERED}
        ],
    }


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def main() -> int:
    """Draw mutants, test them, print what survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--count", type=int, default=300, help="mutants in the sample (default: 300)")
    parser.add_argument("--package", action="append", choices=PACKAGES, help="mutate only this package; repeatable")
    parser.add_argument("--seconds", type=float, default=15.0, help="of tests for one mutant (default: 15)")
    parser.add_argument("--results", type=Path, help="a JSON Lines file to append to and to resume from")
    parser.add_argument("--again", type=Path, metavar="RESULTS", help="test what was not killed there again")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--list", action="store_true", help="print the sample and test nothing")
    arguments = parser.parse_args()

    packages = tuple(arguments.package or PACKAGES)
    mutations = [mutation for file, source in sources(packages) for mutation in list_mutations(file, source)]
    drawn = draw(mutations, arguments.count, arguments.seed)
    if arguments.again:
        survivors = {line["key"] for line in _lines(arguments.again) if line["outcome"] != KILLED}
        drawn = [mutation for mutation in mutations if mutation.key in survivors]
    if arguments.list:
        print("\n".join(map(describe, drawn)))
        return 0
    CACHE.mkdir(parents=True, exist_ok=True)
    results = arguments.results or CACHE / f"{'-'.join(packages)}-seed-{arguments.seed}.jsonl"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    os.chdir(ROOT)
    for module in PRELOADED:  # once here, and not in each of hundreds of processes
        importlib.import_module(module)
    found = summary(drawn, run_mutants(drawn, record_tests(), arguments.seconds, results))
    if arguments.json:
        print(json.dumps(found, indent=1))
        return 0
    share, counts = f"{found['killed']:.1%}", found["outcomes"]
    print(f"\n{share} of {found['mutants']} mutants killed, drawn from {len(mutations)}: {counts}")
    for package, counts in found["packages"].items():
        print(f"  {package}: {counts}")
    print("\n".join(["Survivors:", *found["survivors"]]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
