from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.peers import POSTGRESQL, peer


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server that is started for these tests, on a socket of its own."""
    tools = sorted(POSTGRESQL.glob("*/bin/initdb"))[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="ludens-pg-", dir="/tmp"))  # a socket's path must be short
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data, control = folder / "data", [*as_user, str(tools / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    try:
        _run([*as_user, str(tools / "initdb"), "-D", str(data), "-U", "ludens", "-A", "trust", "--no-sync"])
        _run([*control, "-o", f"-k {folder} -c listen_addresses='' -F", "-l", str(folder / "log"), "start"])
        _run([*as_user, "psql", "-h", str(folder), "-U", "ludens", "-d", "postgres", "-c", "CREATE DATABASE arena"])
        yield f"postgresql://ludens@/arena?host={folder}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, f"{command[-1]}: {done.stdout}{done.stderr}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=peer("postgresql"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be: a file, and a database."""
    if request.param == "sqlite":
        return str(tmp_path / "arena.db")
    address: str = request.getfixturevalue("postgresql")
    name = f"t{abs(hash(str(tmp_path)))}"
    server = address.partition("host=")[2]
    _run(["psql", "-h", server, "-U", "ludens", "-d", "arena", "-c", f"CREATE DATABASE {name}"])
    return address.replace("/arena?", f"/{name}?")
