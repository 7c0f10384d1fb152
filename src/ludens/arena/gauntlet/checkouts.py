"""Earlier versions of ludens, from the repository that it is developed in."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

from ludens.core import LudensError
from ludens.core.folders import cache_folder

PREFIX = "checkout:"
"""How an opponent of an earlier version begins: ``checkout:REVISION`` or ``checkout:REVISION:PLAYER``."""


def sources_of(revision: str, repository: Path) -> Path:
    """The folder with the package ludens of a revision: a tag, a branch or a commit. Kept from call to call."""
    commit = _git(repository, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    target = cache_folder() / "checkouts" / commit
    if target.exists():
        return target / "src"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        with tarfile.open(fileobj=io.BytesIO(_git(repository, "archive", commit, "src"))) as archive:
            archive.extractall(folder, filter="data")
        if not (Path(folder) / "src" / "ludens").is_dir():
            raise LudensError(f"revision {revision!r} has no folder src/ludens")
        Path(folder).chmod(0o755)
        os.rename(folder, target)  # noqa: PTH104 - Path.rename would keep a reference to the folder that is gone
        Path(folder).mkdir()  # for TemporaryDirectory to remove
    return target / "src"


def _git(repository: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise LudensError(f"git cannot be started: {error.strerror or error}") from None
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())
        raise LudensError(f"git {arguments[0]} in {repository}: {said}")
    return done.stdout
