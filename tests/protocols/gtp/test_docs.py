"""The session in docs/gtp-uci.md is what the program answers."""

from __future__ import annotations

import re
from pathlib import Path

from tests.protocols.gtp.test_server import said, server

PAGE = Path(__file__).parents[3] / "docs" / "gtp-uci.md"


def test_the_session_of_the_page_is_real() -> None:
    found = re.search(r"```gtp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    lines = found[1].splitlines()
    one = server()

    assert [said(one, line)[0] for line in lines[::2]] == lines[1::2]
