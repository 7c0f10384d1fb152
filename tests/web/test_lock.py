"""A data folder has one server at a time, and the next one as soon as that is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludens.core import LudensError
from ludens.web.lock import lock_folder
from tests.processes import LUDENS, running
from tests.web.test_killed import serving

HOLDER = """
import sys
from pathlib import Path
from ludens.web.lock import lock_folder
with lock_folder(Path(sys.argv[1]), "http://here/"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_that_another_process_serves_is_refused_until_that_process_is_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with running(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(LudensError, match=rf"process {holder.pid}, http://here/.*--data"),
            lock_folder(tmp_path, "http://there/"),
        ):
            pass
        holder.kill()
        holder.wait()
    with lock_folder(tmp_path, "http://there/"):
        pass


def test_a_folder_is_free_when_its_server_has_ended(tmp_path: Path) -> None:
    for address in ("http://here/", "http://there/"):
        with lock_folder(tmp_path, address):
            assert address in (tmp_path / "web.lock").read_text()


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LudensError, match="cannot keep matches in"), lock_folder(tmp_path / "file", ""):
        pass


@pytest.mark.slow
def test_a_second_server_says_who_has_the_folder_and_the_first_goes_on(tmp_path: Path) -> None:
    command = [*LUDENS, "web", "--no-open", "--port", "0", "--data", str(tmp_path)]
    with serving(tmp_path) as server, server.client() as client:
        second = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert second.returncode == 2
        assert f"process {server.process.pid}, {server.address}" in second.stderr.replace("\n", " ")
        assert client.get("/watch").status_code == 200
        server.process.kill()
        server.process.wait()
    with serving(tmp_path) as server, server.client() as client:
        assert client.get("/watch").status_code == 200
