from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

import ludens
from ludens.core import random_joint_move
from ludens.web.help_page import EXAMPLE


@pytest.mark.parametrize(("language", "words"), [("en", "What the bars mean"), ("de", "Was die Balken bedeuten")])
def test_the_help_page_explains_bars_keys_and_rules(client: TestClient, language: str, words: str) -> None:
    text = client.get("/help", headers={"accept": "text/html", "accept-language": language}).text
    assert words in text
    assert "<kbd>Esc</kbd>" in text
    assert "(role me)" in text


def test_the_example_of_the_help_page_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "sticks.kif"
    path.write_text(EXAMPLE, encoding="utf-8")
    game, rng = ludens.load(path), Random(1)
    state = game.initial_state()
    while not state.is_terminal:
        state = state.play(random_joint_move(state, rng))
    assert sorted(state.goals.values()) == [0, 100]
