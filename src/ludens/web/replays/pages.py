"""Replay pages: any record, from the folder of records, a tournament or an upload, turn by turn."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ludens.core import LudensError
from ludens.core.files import PRIVATE, make_folder, write_file
from ludens.protocols.exchange.formats import PGN, SGF, foreign_format
from ludens.referee.reading import parse_record
from ludens.web.bench.workbench import Workbench
from ludens.web.connections import Room
from ludens.web.hosting.setup import library_choice, own_rules_path
from ludens.web.library.titles import library_title
from ludens.web.pages import page
from ludens.web.replays.drawn import DrawnReplays
from ludens.web.replays.history import is_record, past_matches, read_line
from ludens.web.requests import body_of, client_of, json_lines, json_object
from ludens.web.security import UPLOAD_PATH
from ludens.web.settings import Settings
from ludens.web.subject import Subject
from ludens.web.tournaments.pages import number_in, store_of

SHOWN_MATCHES = 40
"""The maximum number of matches listed."""
KEPT_UPLOADS = 200
"""The number of uploaded records kept, the latest ones."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_STEPS = 400
"""The maximum number of moves that are tried one after the other."""
_MEDIA = {PGN: "chess-pgn", SGF: "go-sgf"}


@dataclass(frozen=True, slots=True)
class Source:
    """A record that can be replayed."""

    address: str
    """Its path on the site."""
    title: str
    text: bytes
    """The record itself."""
    reveal: bool
    """True if hidden information may be shown although the match is not over: the uploader knows it."""


async def _list(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    past = await run_in_threadpool(past_matches, settings.records, SHOWN_MATCHES)
    titles = {match.game: library_title(match.game) for match in past}
    most = settings.limits.record_bytes
    return page(request, "replays.html", past=past, titles=titles, most=most, upload=UPLOAD_PATH)


async def _upload(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    room: Room = request.app.state.upload_room
    client = client_of(request)
    if not room.has_room(client):  # records are long, and held in memory until complete
        raise HTTPException(503, "other uploads are in progress; try again in a minute")
    async with room.enter(client):
        body = await body_of(request)
        if wanted := foreign_format(body):
            body = await _opened(request, body, wanted)
        digest = await run_in_threadpool(_keep, settings, body)
    return JSONResponse({"address": f"/replay/upload/{digest}"})


async def _opened(request: Request, body: bytes, wanted: str) -> bytes:
    """A file of another program as a record, made in a process with limits. Raises `LudensError`."""
    bench: Workbench = request.app.state.replay_bench
    with tempfile.NamedTemporaryFile(suffix=f".{wanted}") as file:
        file.write(body)
        file.flush()
        answer = await bench.answer(client_of(request), "open", secrets.token_hex(8), path=file.name, format=wanted)
    if "record" not in answer:
        raise LudensError(str(answer.get("error", "the file cannot be opened")))
    return str(answer["record"]).encode()


def _uploads(settings: Settings) -> Path:
    return settings.data / "uploads"


def _keep(settings: Settings, body: bytes) -> str:
    """Store an uploaded record. Raises `LudensError` if it is invalid."""
    folder = _uploads(settings)
    make_folder(folder)
    parse_record(Path("the record"), body)
    digest = hashlib.sha256(body).hexdigest()
    write_file(folder / f"{digest}.jsonl", body, PRIVATE)
    uploads = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in uploads[KEPT_UPLOADS:]:
        path.unlink(missing_ok=True)
    return digest


def _source(settings: Settings, kind: str, name: str) -> Source:
    """The record that a URL names. Raises 404 if there is none."""
    address = f"/replay/{kind}/{name}"
    if kind == "record" and is_record(name):
        path = settings.records / name
        if path.is_file():
            return Source(address, name, path.read_bytes(), reveal=False)
    elif kind == "upload" and _DIGEST.fullmatch(name):
        path = _uploads(settings) / f"{name}.jsonl"
        if path.is_file():
            return Source(address, "an uploaded record", path.read_bytes(), reveal=True)
    elif kind == "tournament":
        number, _, key = name.partition("/")
        store = store_of(settings)
        if store is not None:
            try:
                return Source(address, f"match {key}", store.record(number_in(number), key).encode(), reveal=True)
            except LudensError:
                pass
    raise HTTPException(404, "there is no such record")


async def _replay(request: Request) -> Response:
    source = await _requested_source(request)
    title, _ = _game_of(request.app.state.settings, source)
    return page(request, "replay.html", source=source, game=title)


async def _requested_source(request: Request) -> Source:
    settings: Settings = request.app.state.settings
    return await run_in_threadpool(_source, settings, request.path_params["kind"], request.path_params["name"])


def _game_of(settings: Settings, source: Source) -> tuple[str, str]:
    """The name of the game, and the argument for `ludens.load`: a library name, or stored rules of a client.

    Raises `LudensError` if it is neither.
    """
    try:
        start = json.loads(source.text.partition(b"\n")[0])
        name, rules = str(start["game"]), str(start["rules_sha256"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LudensError("this is not a record: its first line does not name a game") from None
    path = own_rules_path(settings.records, rules)
    if _DIGEST.fullmatch(rules) and path.is_file():
        return name, str(path)
    return library_title(name), library_choice(name).full_name


async def _frames(request: Request) -> Response:
    return await _parts(request, "replay")


async def _review(request: Request) -> Response:
    return await _parts(request, "review")


async def _parts(request: Request, job: str) -> Response:
    """What a job makes of a record, line by line; what was made before is sent at once."""
    source = await _requested_source(request)
    _, game = _game_of(request.app.state.settings, source)
    drawn: DrawnReplays = request.app.state.drawn_replays
    key = hashlib.sha256(b"%s\n%d\n%s\n%s" % (job.encode(), source.reveal, game.encode(), source.text)).hexdigest()
    headers = {"content-encoding": "deflate"}
    known = drawn.get(key)
    if known is not None:
        return Response(known, media_type="application/x-ndjson", headers=headers)
    bench: Workbench = request.app.state.replay_bench
    lines = drawn.keep(key, _answers(bench, client_of(request), job, source, game))
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


async def _film(request: Request) -> Response:
    source = await _requested_source(request)
    _, game = _game_of(request.app.state.settings, source)
    bench: Workbench = request.app.state.replay_bench
    (answer,) = [answer async for answer in _answers(bench, client_of(request), "film", source, game)] or [{}]
    if "gif" not in answer:
        raise LudensError(str(answer.get("error", "a newer request for the animation cancelled this one")))
    headers = {"content-disposition": f'attachment; filename="{_file_name(source)}.gif"'}
    return Response(base64.b64decode(answer["gif"]), media_type="image/gif", headers=headers)


async def _exported(request: Request) -> Response:
    """The match in the format of its game: PGN or SGF."""
    source = await _requested_source(request)
    wanted = request.path_params["format"]
    if wanted not in _MEDIA:
        raise HTTPException(404, "matches are exported as pgn and sgf")
    if not (source.reveal or _is_over(source)):
        raise LudensError("this match is still running; save it afterwards")
    _, game = _game_of(request.app.state.settings, source)
    bench: Workbench = request.app.state.replay_bench
    (answer,) = [
        answer async for answer in _answers(bench, client_of(request), "export", source, game, format=wanted)
    ] or [{}]
    if "text" not in answer:
        raise LudensError(str(answer.get("error", "a newer request cancelled this one")))
    headers = {"content-disposition": f'attachment; filename="{_file_name(source)}.{wanted}"'}
    return Response(answer["text"], media_type=f"application/x-{_MEDIA[wanted]}", headers=headers)


async def _explore(request: Request) -> Response:
    """A position of the match, or one that was reached by other moves, and the moves there."""
    source = await _requested_source(request)
    values = _position(await json_object(request))
    _, game = _game_of(request.app.state.settings, source)
    bench: Workbench = request.app.state.replay_bench
    answers = [answer async for answer in _answers(bench, client_of(request), "explore", source, game, **values)]
    return JSONResponse(answers[0] if answers else {"superseded": True})


async def _ponder(request: Request) -> Response:
    """What a search thinks of such a position, line by line."""
    source = await _requested_source(request)
    values = _position(await json_object(request))
    _, game = _game_of(request.app.state.settings, source)
    bench: Workbench = request.app.state.replay_bench
    lines = json_lines(_answers(bench, client_of(request), "ponder", source, game, **values))
    return StreamingResponse(lines, media_type="application/x-ndjson")


def _position(data: dict[str, Any]) -> dict[str, Any]:
    """The turn that a request names, and the moves that were tried after it."""
    turn, steps = data.get("turn"), data.get("steps", [])
    if type(turn) is not int or turn < 0:
        raise HTTPException(400, "name a turn of the match by its number")
    is_right = isinstance(steps, list) and len(steps) <= MOST_STEPS
    if not is_right or not all(
        isinstance(step, dict) and all(isinstance(move, str) for move in step.values()) for step in steps
    ):
        raise HTTPException(400, f"steps are at most {MOST_STEPS} objects with a move for each role")
    return {"turn": turn, "steps": steps}


async def _answers(
    bench: Workbench, client: str, job: str, source: Source, game: str, **more: Any
) -> AsyncIterator[dict[str, Any]]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(source.text)
        file.flush()
        values = {"path": file.name, "game": game, "reveal": source.reveal, **more}
        async for answer in bench.run(client, job, source.address, **values):
            yield answer


async def _record(request: Request) -> Response:
    """The record itself, with hidden information and the seed."""
    source = await _requested_source(request)
    if not (source.reveal or _is_over(source)):
        raise LudensError("this match is still running; save its record afterwards")
    headers = {"content-disposition": f'attachment; filename="{_file_name(source)}.jsonl"'}
    return Response(source.text, media_type="application/x-ndjson", headers=headers)


def _is_over(source: Source) -> bool:
    return read_line(source.text.rstrip(b"\n").rpartition(b"\n")[2]).get("event") == "end"


def _file_name(source: Source) -> str:
    name = source.address.rpartition("/")[2].removesuffix(".jsonl")
    return re.sub(r"[^A-Za-z0-9_.-]", "-", name)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.replay_bench = Workbench()
    app.state.drawn_replays = DrawnReplays()
    app.state.upload_room = Room(app.state.settings.limits.uploads, app.state.settings.limits.uploads_of_client)
    try:
        yield
    finally:
        await app.state.replay_bench.close()


SUBJECT = Subject(
    routes=(
        Route("/replay", _list),
        Route(UPLOAD_PATH, _upload, methods=["POST"]),
        Route("/replay/{kind}/{name:path}/frames", _frames),
        Route("/replay/{kind}/{name:path}/review", _review),
        Route("/replay/{kind}/{name:path}/record", _record),
        Route("/replay/{kind}/{name:path}/film.gif", _film),
        Route("/replay/{kind}/{name:path}/match.{format}", _exported),
        Route("/replay/{kind}/{name:path}/explore", _explore, methods=["POST"]),
        Route("/replay/{kind}/{name:path}/ponder", _ponder, methods=["POST"]),
        Route("/replay/{kind}/{name:path}", _replay),
    ),
    title="Replay",
    about="go through matches turn by turn",
    path="/replay",
    lifespan=_lifespan,
)
