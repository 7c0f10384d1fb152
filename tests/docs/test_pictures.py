"""The pictures of the guide show what the compiler does today."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.pictures.__main__ import draw

from tests.docs.blocks import DOCS

PICTURES = DOCS / "pictures"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    draw(folder)
    return folder


@pytest.mark.parametrize("name", sorted(path.name for path in PICTURES.glob("*.svg")))
def test_a_picture_is_what_would_be_drawn_today(drawn: Path, name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == (drawn / name).read_text(encoding="utf-8"), (
        "run 'python -m benchmarks.pictures docs/pictures'"
    )


def test_all_pictures_are_in_the_guide(drawn: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))

    assert [path.name for path in drawn.iterdir() if f"pictures/{path.name}" not in pages] == []
