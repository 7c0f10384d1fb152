"""What processes may use."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from ludens.core.process import environment

ARENAS = """
import ctypes, sys, threading
from ludens.core.process import allocate_from_one_arena

if sys.argv[1] == "one":
    allocate_from_one_arena()
library = ctypes.CDLL(None)
barrier = threading.Barrier(5)

def allocate():
    library.malloc(1000)
    barrier.wait()
    barrier.wait()

for _ in range(4):
    threading.Thread(target=allocate).start()
barrier.wait()
reserved = [line.split()[0].split("-") for line in open("/proc/self/maps") if " ---p 00000000 00:00 0" in line]
print(sum(int(end, 16) - int(start, 16) > 2**25 for start, end in reserved))
barrier.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="arenas are those of GNU's library for C")
def test_threads_of_a_server_share_an_arena_of_memory() -> None:
    arenas = {
        which: int(subprocess.check_output([sys.executable, "-c", ARENAS, which], env=environment()))
        for which in ("many", "one")
    }

    assert arenas["one"] < arenas["many"]
