"""Systems without what only Linux or only POSIX has, as far as Linux can look like them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import importlib, os, pkgutil, select, selectors, signal, socket, sys

for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
for module, names in (
    (os, ("fork", "nice", "killpg", "sched_getaffinity")),
    (signal, ("alarm", "SIGKILL", "SIGHUP")),
    (select, ("poll", "epoll")),
    (selectors, ("PollSelector", "EpollSelector")),
    (socket, ("AF_UNIX", "MSG_DONTWAIT")),
):
    for name in names:
        vars(module).pop(name, None)

sys.modules["mcp"] = None  # it looks for what Windows has by the name of the system

import ludens

EXTRAS = {"torch", "ray", "pettingzoo", "gymnasium", "pyspiel", "deap", "psycopg", "playwright", "open_spiel", "mcp"}
imported = 0
for found in pkgutil.walk_packages(ludens.__path__, "ludens."):
    if found.name.endswith("__main__") or ".migrations." in found.name:
        continue
    try:
        importlib.import_module(found.name)
        imported += 1
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRAS:
            raise

from ludens.cli.main import main

assert imported > 400, imported
players = ["--player", "xplayer=flat:playouts=20", "--player", "oplayer=random"]
sys.exit(main(["match", "tic_tac_toe", *players, "--quiet", "--records", sys.argv[1]]))
"""


def test_everything_is_imported_and_a_match_played_without_what_windows_lacks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "records")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "Result after" in done.stdout
    assert len(list((tmp_path / "records").glob("*.jsonl"))) == 1
