from __future__ import annotations

import html
import json
import re

import pytest
from starlette.testclient import TestClient

from tests.web.helpers import HUMAN, begin


def offered(client: TestClient, game: str, roles: tuple[str, str]) -> dict[str, list[str]]:
    """The set-ups that the page of each seat offers."""
    match = begin(client, game, dict.fromkeys(roles, HUMAN))
    found = {}
    for seat in match["seats"]:
        page = client.get(seat["path"], headers={"accept": "text/html"}).text
        data = re.search(r'data-setups="([^"]*)"', page)
        assert data is not None
        found[seat["role"]] = [setup["name"] for setup in json.loads(html.unescape(data[1]))]
    return found


@pytest.mark.parametrize(
    ("game", "roles", "names"),
    [
        ("stratego:small", ("Red", "Blue"), ["Flag between bombs"]),
        ("hexwar", ("Blue", "Red"), ["Armour in the middle", "Infantry with guns"]),
        ("hexwar:assault", ("Blue", "Red"), []),
        ("tic_tac_toe", ("xplayer", "oplayer"), []),
    ],
)
def test_the_page_offers_what_suits_the_game_and_the_role(
    client: TestClient, game: str, roles: tuple[str, str], names: list[str]
) -> None:
    assert offered(client, game, roles) == dict.fromkeys(roles, names)
