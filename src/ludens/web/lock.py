"""A lock for the data folder: two servers would continue the same matches and write the same records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludens.core import LudensError
from ludens.core.files import lock_file, name_in_errors

_FILE = "web.lock"


@contextmanager
def lock_folder(data: Path, address: str) -> Iterator[None]:
    """Lock the data folder for a server at an address. Raises `LudensError` naming the server that holds the lock.

    The system releases the lock when this process ends, however that happens; the file itself stays.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = (data / _FILE).open("a+", encoding="utf-8")
    except OSError as error:
        raise LudensError(f"cannot keep matches in {data}: {error.strerror or error}; choose another --data") from None
    with file:
        try:
            lock_file(file, wait=False)
        except BlockingIOError:
            file.seek(0)
            holder = file.read(200).strip() or "another process"
            raise LudensError(
                f"{data} belongs to a ludens web that runs already ({holder}); end that one, or choose another --data"
            ) from None
        except OSError as error:
            raise LudensError(f"cannot lock {data / _FILE}: {error.strerror or error}; choose another --data") from None
        with name_in_errors(data / _FILE):
            file.truncate(0)
            file.write(f"process {os.getpid()}, {address}\n")
            file.flush()
        yield
