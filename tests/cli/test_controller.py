from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import ludens
from ludens.cli.servers.controller import _publish
from ludens.protocols.ggp.controller import GameController, Plan
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import read_info
from ludens.protocols.ggp.server import Reply, Request, Server
from ludens.protocols.ggp.signing import HostKey, is_signed_by_its_host
from ludens.protocols.ggp.spectators import Gallery
from ludens.protocols.ggp.wire import Address
from tests.cli.conftest import Run
from tests.processes import LUDENS, running
from tests.protocols.ggp.peers import post


def test_controller_plays_with_players_behind_http_and_keeps_both_records(run: Run, tmp_path: Path) -> None:
    host = PlayerHost("random", name="ours", most_matches=1, backend="reference", seed=1, log=lambda text: None)
    with Server(host.answer, "127.0.0.1", 0) as server:
        code, out, err = run(
            "controller", "tic_tac_toe", "--player", f"xplayer=127.0.0.1:{server.port}", "--player", "oplayer=legal",
            "--clock", "20", "--seed", "3", "--scramble", "--match-id", "my match", "--records", str(tmp_path),
            "--backend", "reference", "--json",
        )  # fmt: skip
        host.close()

    assert (code, err) == (0, "")
    result = json.loads(out)
    (match,) = result["matches"]
    assert match["match"] == "my-match"
    assert match["names"] == {"xplayer": "ours", "oplayer": "legal"}
    assert match["errors"] == {"xplayer": 0, "oplayer": 0}
    assert json.loads(Path(match["match_json"]).read_text())["goalValues"] == list(match["goals"].values())
    assert run("replay", match["record"], "--verify", "--json")[0] == 0


def test_records_are_signed_and_name_their_game_and_players(run: Run, tmp_path: Path) -> None:
    key = tmp_path / "host.json"
    pair = HostKey.generate(1024)
    key.write_text(json.dumps({"PK": pair.public_text, "SK": pair.private_text}))
    host = PlayerHost("legal", name="ours", most_matches=1, backend="reference", seed=1, log=lambda text: None)
    arguments = ["controller", "tic_tac_toe", "--player", "oplayer=legal", "--backend", "reference", "--records"]
    with Server(host.answer, "127.0.0.1", 0) as server:
        seat = f"xplayer=127.0.0.1:{server.port}"
        url = "http://games.example/tic/v0/"
        _, out, _ = run(*arguments, str(tmp_path), "--player", seat, "--key", str(key), "--game-url", url, "--quiet")
        host.close()

    (path,) = tmp_path.glob("*.ggp.json")
    record = json.loads(path.read_text())
    assert record["gameMetaURL"] == url
    assert record["matchHostPK"] == pair.public_text
    assert is_signed_by_its_host(record)
    assert record["playerNamesFromHost"] == ["ours", "legal"]
    assert "xplayer (ours)" in out


def test_spectators_find_the_game_the_key_and_the_records(tmp_path: Path) -> None:
    gallery = Gallery("0")
    gallery.address = "http://127.0.0.1:1"
    pair = HostKey.generate(1024)
    game = ludens.load("tic_tac_toe", backend="reference")
    seats: dict[str, Address | str] = {"xplayer": "legal", "oplayer": "legal"}
    (plan,) = _publish(gallery, [Plan(game, seats, "m", 1, key=pair)])
    outcome = GameController(plan, tmp_path, "0", gallery=gallery).run()

    def get(target: str) -> Reply:
        return gallery.answer(Request("GET", target, {}, "", 0.0, 0.0))

    record = json.loads(get("/matches/m").body)
    assert record == json.loads(outcome.match_json.read_text())
    metadata = json.loads(get(record["gameMetaURL"].removeprefix(gallery.address)).body)
    assert metadata["roleNames"] == ["xplayer", "oplayer"]
    assert "(role xplayer)" in get(f"/games/tic_tac_toe/v0/{metadata['rulesheet']}").body
    assert json.loads(get("/key").body) == {"PK": pair.public_text}
    assert get("/matches/other").status == 404


def test_controller_plays_several_matches_at_once(run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "controller", "tic_tac_toe", "--player", "xplayer=random", "--player", "oplayer=legal", "--games", "4",
        "--parallel", "4", "--records", str(tmp_path), "--backend", "reference", "--json", "--spectators", "0",
    )  # fmt: skip

    assert code == 0
    result = json.loads(out)
    assert (result["planned"], result["interrupted"]) == (4, False)
    assert len({match["match"] for match in result["matches"]}) == 4
    assert len({match["seed"] for match in result["matches"]}) == 4
    assert len(list(tmp_path.glob("*.jsonl"))) == len(list(tmp_path.glob("*.ggp.json"))) == 4


def test_controller_shows_the_match_to_people(run: Run) -> None:
    code, out, _ = run(
        "controller", "tic_tac_toe", "--player", "xplayer=legal", "--player", "oplayer=legal", "--backend", "reference"
    )

    assert code == 0
    assert "a1" in out
    assert "Result after 7 turns" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--player", "xplayer=human"), "people play with"),
        (("--player", "xplayer=https://localhost"), "address of a player"),
        (("--player", "xplayer=nobody"), "no player"),
        (("--player", "nobody=legal"), "ROLE=PLAYER"),
        (("--spectators", "here"), "[HOST:]PORT"),
    ],
)
def test_controller_tells_what_is_wrong(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = run("controller", "tic_tac_toe", "--backend", "reference", *arguments)

    assert code == 2
    assert message in " ".join(err.split())


def test_player_refuses_a_player_that_does_not_exist(run: Run) -> None:
    code, _, err = run("player", "--player", "nobody")

    assert code == 2
    assert "no player" in err


def test_player_listens_until_it_is_interrupted(tmp_path: Path) -> None:
    command = [*LUDENS, "player", "--player=random", "--port=0", "--name=my player", "--json"]
    environment = {**os.environ, "LUDENS_HOME": str(tmp_path)}
    with running(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            text += process.stdout.readline() or pytest.fail(f"no address in {text!r}")
        port = int(json.loads(text)["url"].rpartition(":")[2])

        assert read_info(post(port, "( INFO )")).name == "my-player"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
