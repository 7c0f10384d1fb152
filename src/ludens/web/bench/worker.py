"""The worker process for texts from visitors.

A request is one line of JSON, its answer several; the last is ``{"done": true}``. Memory is limited, and the process
ends by itself when a job takes too long, whatever the text does.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludens.core import LudensError
from ludens.core.process import limit_process, lower_priority, set_alarm, take_output
from ludens.games.library import find
from ludens.web.lab.diagnostics import diagnose, is_playable, outline
from ludens.web.lab.trees import tree_svg

if TYPE_CHECKING:
    from ludens.web.editor.position_editor import PositionEditor
    from ludens.web.lab.live_board import LiveBoard
    from ludens.web.replays.exploring import Exploration

_NICE = 5
"""Running matches have priority."""
_LOWEST = 19
"""So has everything else over pictures of the library."""


def check(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Diagnostics and outline of the text, and the tree of the rule at the cursor."""
    sheet, problems = diagnose(request["text"])
    answer: dict[str, Any] = {"problems": problems, "playable": sheet is not None and is_playable(problems)}
    if sheet is not None:
        answer["outline"] = outline(sheet)
    yield answer


def tree(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The tree of one rule, by its number."""
    sheet, _ = diagnose(request["text"])
    number = request["rule"]
    if sheet is None or not 0 <= number < len(sheet.rules):
        yield {"error": "there is no such rule in the text"}
    else:
        yield {"svg": tree_svg(sheet.rules[number])}


def examine(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The examination of the text, part by part."""
    from ludens.web.lab.examination import examine as parts_of  # noqa: PLC0415 - checking need not wait for compilers

    sheet, problems = diagnose(request["text"])
    if sheet is None or not is_playable(problems):
        yield {"error": "the rules have errors; correct them first"}
        return
    for name, values in parts_of(sheet):
        yield {"part": name, **values}


def board(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The Lab's board: the turns so far under the rules of the text, and the person's next move if there is one."""
    live = _live_board(request)
    if request["move"]:
        live.play(request["move"])
    live.go_on()
    yield live.as_json()


def why(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Why a fact holds on the Lab's board."""
    yield {"reason": _live_board(request).why(request["fact"])}


def _live_board(request: Mapping[str, Any]) -> LiveBoard:
    from ludens.web.lab.live_board import LiveBoard  # noqa: PLC0415 - as above

    sheet, problems = diagnose(request["text"])
    if sheet is None or not is_playable(problems):
        raise LudensError("the rules have errors; correct them first")
    return LiveBoard(sheet, request["role"], request["turns"])


def facts(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The facts about a library game."""
    import ludens  # noqa: PLC0415 - as above
    from ludens.web.lab.examination import examine_game  # noqa: PLC0415

    for name, values in examine_game(ludens.load(request["game"], wait=True)):
        yield {"part": name, **values}


def picture(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The first position of a game of the library, drawn when nothing else has to be done."""
    lower_priority(_LOWEST)
    from ludens.web.library.pictures import first_position  # noqa: PLC0415 - as above

    yield {"svg": first_position(find(request["game"]))}


def sheet(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rules of a game of the library in GDL."""
    yield {"text": find(request["game"]).rule_sheet().source.text}


def replay(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A recorded match, turn by turn, drawn and recomputed."""
    from ludens.web.replays.frames import frames  # noqa: PLC0415 - as above

    return frames(Path(request["path"]), request["game"], reveal=request["reveal"])


def film(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A recorded match as a GIF."""
    from ludens.web.replays.frames import film as film_of  # noqa: PLC0415 - as above

    gif = film_of(Path(request["path"]), request["game"], reveal=request["reveal"])
    yield {"gif": base64.b64encode(gif).decode()}


def explore(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A position of a recorded match, or one that was reached by other moves."""
    yield _exploration(request).as_json()


def ponder(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a search thinks of such a position."""
    import ludens  # noqa: PLC0415 - as above

    return _exploration(request).thinking(ludens.load(request["game"]))


def _exploration(request: Mapping[str, Any]) -> Exploration:
    from ludens.web.replays.exploring import explore_record  # noqa: PLC0415 - as above

    path, steps = Path(request["path"]), request["steps"]
    return explore_record(path, request["game"], request["turn"], steps, reveal=request["reveal"])


def edit(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A position of the editor and what is wrong with it; at the beginning also what can be put where."""
    editor, texts = _editor(request), request["facts"]
    facts = editor.start if texts is None else editor.read(texts)
    offered = editor.as_json() if request["begins"] else {}
    yield editor.look(facts, request["steps"]) | offered


def edited_match(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The match that begins in a position of the editor."""
    editor = _editor(request)
    yield editor.match(editor.read(request["facts"]), request["game"])


def edited_ponder(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a search thinks of a position of the editor."""
    editor = _editor(request)
    return editor.thinking(editor.read(request["facts"]))


def _editor(request: Mapping[str, Any]) -> PositionEditor:
    from ludens.web.editor.position_editor import editor_of  # noqa: PLC0415 - as above

    return editor_of(request["game"], request["text"])


def open_file(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A file of another program as a record."""
    from ludens.protocols.exchange.opening import open_foreign  # noqa: PLC0415 - as above

    yield {"record": open_foreign(Path(request["path"]).read_bytes(), request["format"]).decode()}


def export(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A recorded match for other programs."""
    from ludens.web.replays.frames import exported  # noqa: PLC0415 - as above

    yield {"text": exported(Path(request["path"]), request["game"], request["format"], reveal=request["reveal"])}


def review(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The moves of a recorded match, judged."""
    from ludens.web.replays.frames import judgements  # noqa: PLC0415 - as above

    return judgements(Path(request["path"]), request["game"], reveal=request["reveal"])


def agents(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A question of an agent about a game or a rule sheet."""
    from ludens.web.agents.jobs import do_job  # noqa: PLC0415 - as above

    yield do_job(request)


JOBS = {
    "agents": agents,
    "check": check,
    "tree": tree,
    "examine": examine,
    "board": board,
    "why": why,
    "facts": facts,
    "picture": picture,
    "sheet": sheet,
    "replay": replay,
    "film": film,
    "review": review,
    "explore": explore,
    "ponder": ponder,
    "edit": edit,
    "edited_match": edited_match,
    "edited_ponder": edited_ponder,
    "open": open_file,
    "export": export,
}
"""The jobs by name."""


def main() -> None:
    """Answer requests until the input ends; the first argument is the memory limit in bytes."""
    memory = int(sys.argv[1])
    limit_process(memory)
    lower_priority(_NICE)
    answers = take_output()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        set_alarm(request["seconds"])
        for answer in _answers(request):
            answers.write(json.dumps(answer) + "\n")
        set_alarm(0)


def _answers(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    try:
        yield from JOBS[request["job"]](request)
    except LudensError as error:
        yield {"error": str(error)}
    except MemoryError:
        yield {"error": "this needs more memory than the server allows"}
    except RecursionError:
        yield {"error": "the rules are nested too deeply"}
    yield {"done": True}


if __name__ == "__main__":
    main()
