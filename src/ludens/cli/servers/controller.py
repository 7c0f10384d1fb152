"""``ludens controller``: the GameController, for matches with players over the GGP HTTP protocol."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import ludens
from ludens.cli.matches.match import end_as_json, print_result, seed_of_match
from ludens.cli.matches.watch import Watcher
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    ForfeitOption,
    GameArgument,
    JsonOption,
    QuietOption,
    RecordsOption,
    SeedOption,
    errors,
    load_game,
    new_seed,
    print_json,
    records_folder,
)
from ludens.cli.terminal.interrupt import INTERRUPTED
from ludens.cli.terminal.seats import names_by_role
from ludens.core import LudensError, PlayerError, Role
from ludens.protocols.ggp.controller import GRACE, GameController, Outcome, Plan
from ludens.protocols.ggp.messages import as_word
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.signing import HostKey
from ludens.protocols.ggp.spectators import Gallery
from ludens.protocols.ggp.wire import Address


def controller(
    game: GameArgument,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="ROLE=URL|NAME",
            help="Who plays a role: white=http://localhost:9147, white=localhost:9148, or a player of ludens, "
            "white=mcts. Roles not named get 'auto'. Repeat it.",
        ),
    ] = None,
    start_clock: Annotated[
        int, typer.Option("--start-clock", min=1, max=86_400, metavar="S", help="Whole seconds to get ready.")
    ] = 10,
    clock: Annotated[
        int, typer.Option("--clock", min=1, max=86_400, metavar="S", help="Whole seconds for each move.")
    ] = 5,
    preview_clock: Annotated[
        int | None,
        typer.Option("--preview-clock", min=1, max=86_400, metavar="S", help="Show the rules S seconds before."),
    ] = None,
    grace: Annotated[
        float, typer.Option("--grace", min=0, max=60, metavar="S", help="Seconds of grace for network latency.")
    ] = GRACE,
    scramble: Annotated[bool, typer.Option("--scramble", help="Send the rules with all names scrambled.")] = False,
    gdl_ii: Annotated[
        bool | None,
        typer.Option(
            "--gdl-ii/--no-gdl-ii",
            help="Send turn, own move and percepts instead of all moves; default: if information is hidden.",
        ),
    ] = None,
    info: Annotated[bool, typer.Option("--info/--no-info", help="Ask players for their names first.")] = True,
    games: Annotated[int, typer.Option("--games", min=1, max=100_000, metavar="N", help="Matches to play.")] = 1,
    parallel: Annotated[
        int, typer.Option("--parallel", min=1, max=200, metavar="N", help="Matches to play at the same time.")
    ] = 1,
    match_id: Annotated[
        str | None, typer.Option("--match-id", metavar="ID", help="The match id sent to players; random by default.")
    ] = None,
    forfeit_after: ForfeitOption = None,
    spectators: Annotated[
        str | None,
        typer.Option(
            "--spectators",
            metavar="[HOST:]PORT",
            help="Serve the matches to spectators: server-sent events at /events. See the docs.",
        ),
    ] = None,
    game_url: Annotated[
        str | None,
        typer.Option(
            "--game-url", metavar="URL", help="gameMetaURL of the records: where viewers find the game's metadata."
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", metavar="FILE", help="Sign records as ggp-base does, by the key pair in FILE, made if missing."
        ),
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    quiet: QuietOption = False,
    records: RecordsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play matches with GGP players over HTTP, as a game server. Ctrl-C aborts the running matches."""
    loaded = load_game(game, backend)
    plan = Plan(
        game=loaded,
        seats={role: _seat(text) for role, text in names_by_role(loaded, player or []).items()},
        match_id=as_word(match_id or f"ludens.{loaded.name}.{time.time_ns() // 1_000_000}"),
        seed=new_seed(seed),
        start_clock=start_clock,
        play_clock=clock,
        preview_clock=preview_clock,
        scramble=scramble,
        gdl_ii=loaded.hidden if gdl_ii is None else gdl_ii,
        ask_info=info,
        grace=grace,
        forfeit_after=forfeit_after,
        game_url=game_url or "",
        key=None if key is None else HostKey.load(key),
    )
    plans = [plan] if games == 1 else [_plan_of_match(plan, number) for number in range(games)]
    shown = games == 1 and not (quiet or as_json)
    with _gallery(spectators, quiet) as gallery:
        if gallery is not None:
            plans = _publish(gallery, plans)
        played = _play(plans, records_folder(records), gallery, parallel, shown)
    results = list(map(_result, played.outcomes))
    if as_json:
        print_json({"matches": results, "planned": games, "interrupted": played.interrupted})
    else:
        for result in results:
            print_result(result)
    for match, error in played.failed.items():
        errors.print(f"{match} could not be played to its end: {error}", style="red", markup=False, soft_wrap=True)
    if played.interrupted:
        raise typer.Exit(INTERRUPTED)
    if played.failed:
        raise typer.Exit(2)


@dataclass(frozen=True, slots=True)
class _Played:
    """The outcomes of all matches."""

    outcomes: list[Outcome]
    failed: dict[str, LudensError]
    """Why matches could not be played to their end, by name."""
    interrupted: bool
    """True after Ctrl-C."""


def _play(plans: Sequence[Plan], records: Path, gallery: Gallery | None, parallel: int, shown: bool) -> _Played:
    """Play all matches, several at a time; after Ctrl-C, return those that were played."""
    watcher = Watcher(plans[0].game, {role: str(seat) for role, seat in plans[0].seats.items()}) if shown else None
    watch = None if watcher is None else watcher.show
    if watcher is not None:
        watcher.begin(plans[0].seed)
    conducted = [GameController(plan, records, ludens.__version__, gallery=gallery, watch=watch) for plan in plans]
    interrupted = False
    with ThreadPoolExecutor(parallel) as pool:
        running = [pool.submit(match.run) for match in conducted]
        try:
            wait(running)
        except KeyboardInterrupt:
            errors.print("aborting the running matches", style="yellow")
            interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for match in conducted:
                match.abort()
    if watcher is not None:
        watcher.close()
    outcomes, failed = [], {}
    for plan, promise in zip(plans, running, strict=True):
        try:
            outcomes.append(promise.result())
        except LudensError as error:
            failed[plan.match_id] = error
        except CancelledError:
            continue  # it had not begun
    return _Played(outcomes, failed, interrupted)


def _publish(gallery: Gallery, plans: Sequence[Plan]) -> list[Plan]:
    """Offer spectators the host's key and, unless it is elsewhere, the game's metadata as repositories of games do."""
    first = plans[0]
    if first.key is not None:
        gallery.publish_page("/key", json.dumps({"PK": first.key.public_text}) + "\n")
    if first.game_url:
        return list(plans)
    name = as_word(first.game.name)
    metadata = {
        "gameName": first.game.name,
        "rulesheet": f"{name}.kif",
        "numRoles": len(first.game.roles),
        "roleNames": list(first.game.roles),
    }
    gallery.publish_page(f"/games/{name}/v0/", json.dumps(metadata) + "\n")
    gallery.publish_page(f"/games/{name}/v0/METADATA", json.dumps(metadata) + "\n")
    gallery.publish_page(f"/games/{name}/v0/{name}.kif", first.game.rules_text)
    return [replace(plan, game_url=f"{gallery.address}/games/{name}/v0/") for plan in plans]


@contextlib.contextmanager
def _gallery(place: str | None, silent: bool) -> Iterator[Gallery | None]:
    """The spectators' server, if wanted."""
    if place is None:
        yield None
        return
    host, _, port = place.rpartition(":")
    if not (port.isdecimal() and int(port) <= 65_535):
        raise LudensError(f"{place!r} is not [HOST:]PORT, such as 8080 or 0.0.0.0:8080")
    gallery = Gallery(ludens.__version__)
    with Server(gallery.answer, host.strip("[]") or "127.0.0.1", int(port)) as server:
        gallery.address = str(Address(server.host, server.port))
        if not silent:
            errors.print(f"spectators: {Address(server.host, server.port)}/events", style="dim")
        try:
            yield gallery
        finally:
            gallery.close()


def _plan_of_match(plan: Plan, number: int) -> Plan:
    return replace(plan, match_id=f"{plan.match_id}.{number + 1}", seed=seed_of_match(plan.seed, number))


def _seat(text: str) -> Address | str:
    if Address.looks_like(text):
        return Address.parse(text)
    if text.partition(":")[0] == "human":
        raise PlayerError(
            "people play with 'ludens match' or 'ludens play'; the controller does not ask at the terminal"
        )
    return text


def _result(outcome: Outcome) -> dict[str, Any]:
    end, plan = outcome.end, outcome.plan
    seats: Mapping[Role, str] = {role: str(seat) for role, seat in plan.seats.items()}
    return {
        "match": plan.match_id,
        "game": plan.game.name,
        "roles": list(plan.game.roles),
        "players": seats,
        "names": dict(outcome.names),
        "seed": plan.seed,
        "scrambled": plan.scramble,
        **end_as_json(end),
        "seconds": round(outcome.seconds, 3),
        "record": str(outcome.record),
        "match_json": str(outcome.match_json),
    }
