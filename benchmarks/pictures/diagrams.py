"""Who depends on whom and who says what to whom, as diagrams: layers, conversations, the way of a rule sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pictures.canvas import FIRST, INK, LINE, PALE, SECOND, Canvas

ROOT = Path(__file__).parents[2]
TINT = "#e0f2f1"
CONTENTS = {
    "core": "the contract as types: Game, State, View, Player, Clock",
    "gdl": "GDL: reader, checks, reference reasoner",
    "tabletop": "games in Python: equipment, actions, what players know",
    "games": "the library: rule sheets, rules in Python, cards",
    "compiler": "rules to gates to machine code; batches; C++",
    "analysis": "what can be proved: subgames, impartiality, symmetry",
    "drawing": "positions as SVG and pixels",
    "design": "reports for designers: how a game plays, what is wrong",
    "players": "mcts, alphabeta, ismcts, single, neural, …",
    "referee": "one match: clocks, chance, events, record",
    "arena": "many matches: schedule, store, ratings, cluster",
    "protocols": "GGTP, GGP over HTTP, GTP, UCI",
    "adapters": "PettingZoo, Gymnasium, OpenSpiel",
    "web": "the page in the browser",
    "experiments": "the papers' experiments, the Prolog baseline",
    "cli": "the command ludens",
}


def layers() -> Canvas:
    """The packages as import-linter checks them, the highest on top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    names = contracts[0]["layers"]
    canvas = Canvas(640, 30 + 30 * len(names), "The packages of ludens, the highest on top")
    for place, name in enumerate(name.strip("()").rpartition(".")[2] for name in names):
        y = 16 + 30 * place
        canvas.box(24, y, 540, 25, fill=TINT, stroke=LINE, radius=4)
        canvas.text(36, y + 17, name, code=True)
        canvas.text(130, y + 17, CONTENTS[name], fill=PALE)
    canvas.line(592, 20, 592, 16 + 30 * len(names) - 16, stroke=PALE, width=2)
    canvas.head(592, 16 + 30 * len(names) - 8, 0, 1)
    canvas.upright(612, 15 * len(names) + 16, "imports only from below")
    return canvas


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation, from one party to another; from a party to itself it is what it does."""

    by: int
    to: int
    text: str
    answer: bool = False


def conversation(label: str, parties: Sequence[str], said: Sequence[Said], *, width: float = 760) -> Canvas:
    """A sequence diagram: time goes down, parties stand side by side."""
    canvas = Canvas(width, 70 + 26 * len(said), label)
    step = (width - 220) / (len(parties) - 1)
    places = [110 + step * party for party in range(len(parties))]
    for x, party in zip(places, parties, strict=True):
        canvas.line(x, 44, x, 58 + 26 * len(said), stroke=LINE)
        canvas.box(x - 95, 14, 190, 30, fill=TINT, stroke=LINE, radius=4)
        canvas.text(x, 34, party, anchor="middle", size=13)
    for place, one in enumerate(said):
        y = 70 + 26 * place
        if one.by == one.to:
            canvas.box(places[one.by] - 95, y - 15, 190, 20, fill="#fff3e0", radius=4)
            canvas.text(places[one.by], y, one.text, anchor="middle", size=11, fill=SECOND)
            continue
        x, u = places[one.by], places[one.to]
        canvas.line(x, y, u, y, stroke=PALE if one.answer else FIRST, width=1.5)
        canvas.head(u, y, 1 if u > x else -1, 0, fill=PALE if one.answer else FIRST)
        canvas.text((x + u) / 2, y - 5, one.text, anchor="middle", size=11, code=True, fill=PALE if one.answer else INK)
    return canvas


def game_controller() -> Canvas:
    """A match by the GGP protocol, with a die that the GameController throws."""
    return conversation(
        "START, PLAY and STOP between the GameController and two players",
        ("player of white", "GameController", "player of black"),
        (
            Said(1, 0, "( START m1 white (rules) 20 5 )"),
            Said(1, 2, "( START m1 black (rules) 20 5 )"),
            Said(0, 1, "ready", answer=True),
            Said(2, 1, "ready", answer=True),
            Said(1, 0, "( PLAY m1 NIL )"),
            Said(1, 2, "( PLAY m1 NIL )"),
            Said(0, 1, "( roll die )", answer=True),
            Said(2, 1, "noop", answer=True),
            Said(1, 1, "draws the die: 4"),
            Said(1, 0, "( PLAY m1 (( roll 4 ) noop ) )"),
            Said(1, 2, "( PLAY m1 (( roll 4 ) noop ) )"),
            Said(0, 1, "noop", answer=True),
            Said(1, 1, "black is late: a random move"),
            Said(1, 0, "( STOP m1 (noop ( move 7 3 ) ) )"),
            Said(1, 2, "( STOP m1 (noop ( move 7 3 ) ) )"),
            Said(0, 1, "done", answer=True),
            Said(2, 1, "done", answer=True),
        ),
        width=860,
    )


def general_gaming() -> Canvas:
    """A play by GGTP, with the tables of the paper that the lines belong to."""
    return conversation(
        "A Supervisor, the Rules and an engine talk GGTP",
        ("Supervisor (a person)", "Rules", "Engine of Circle"),
        (
            Said(0, 1, "set_rule TicTacToe"),
            Said(1, 0, "= Done", answer=True),
            Said(0, 1, "set_engine Circle mcts"),
            Said(1, 2, "connect_engine"),
            Said(2, 1, "acknowledge", answer=True),
            Said(1, 0, "= Done", answer=True),
            Said(0, 1, "start"),
            Said(1, 2, "start"),
            Said(2, 1, "acknowledge", answer=True),
            Said(1, 0, "= Done", answer=True),
            Said(0, 1, "play Cross A1"),
            Said(1, 2, "made_move Cross A1"),
            Said(2, 1, "acknowledge", answer=True),
            Said(1, 2, "have_to_play 2.5"),
            Said(2, 2, "thinks"),
            Said(2, 1, "select_move B2", answer=True),
            Said(1, 1, "legal? then made"),
            Said(1, 0, "-> Circle plays B2", answer=True),
        ),
    )


def player_calls() -> Canvas:
    """What the Referee calls of a player, in a match."""
    return conversation(
        "What the Referee asks of a player in the course of a match",
        ("Referee", "your Player"),
        (
            Said(0, 1, "start(game, role, seed, clock)"),
            Said(0, 1, "choose(view, deadline)"),
            Said(1, 1, "searches until nothing remains"),
            Said(1, 0, "Decision(move)", answer=True),
            Said(0, 0, "checks, draws chance, records"),
            Said(0, 1, "observe(observation)"),
            Said(0, 1, "ponder(view, deadline)"),
            Said(0, 1, "choose(view, deadline)"),
            Said(1, 0, "…", answer=True),
            Said(0, 1, "stop()"),
        ),
        width=620,
    )


def cluster() -> Canvas:
    """A tournament from a laptop on a cluster: matches go out, results come back to one store."""
    canvas = Canvas(760, 250, "A laptop sends matches to the nodes of a cluster and stores their results")
    canvas.box(20, 60, 210, 120, fill=TINT, stroke=LINE, radius=6)
    canvas.text(125, 84, "your laptop", anchor="middle", size=14)
    canvas.text(125, 108, "ludens tournament", anchor="middle", code=True, size=11)
    canvas.text(125, 124, "schedule, live table", anchor="middle", fill=PALE)
    canvas.box(50, 138, 150, 28, fill="#fff", stroke=LINE, radius=4)
    canvas.text(125, 156, "store: every result once", anchor="middle", size=11)
    canvas.box(310, 90, 130, 60, fill="#fff", stroke=LINE, radius=6)
    canvas.text(375, 114, "head", anchor="middle", size=14)
    canvas.text(375, 134, "ray start --head", anchor="middle", code=True, size=11)
    canvas.arrow(232, 110, 308)
    canvas.text(270, 102, "matches", anchor="middle", fill=PALE, size=11)
    canvas.line(308, 132, 240, 132, stroke=SECOND, width=2)
    canvas.head(232, 132, -1, 0, fill=SECOND)
    canvas.text(270, 148, "results", anchor="middle", fill=SECOND, size=11)
    for place in range(3):
        y = 20 + 74 * place
        canvas.curve(440, 120, 528, y + 30, stroke=PALE)
        canvas.box(530, y, 210, 60, fill=TINT, stroke=LINE, radius=6)
        canvas.text(635, y + 22, f"node {place + 1}", anchor="middle", size=14)
        canvas.text(
            635, y + 44, "one match on its cores" if place else "two matches on its cores", anchor="middle", fill=PALE
        )
    return canvas


def pipeline() -> Canvas:
    """The way of a rule sheet, from text to search, and the modules on it."""
    canvas = Canvas(990, 236, "A rule sheet becomes ground rules, a circuit, machine code, lanes, and is searched")
    stages = (
        ("rule sheet", "text with variables", ("gdl/read.py", "gdl/check/")),
        ("ground rules", "no variables left", ("compiler/rules/", "compiler/ground/")),
        ("circuit", "AND, NOT, each once", ("compiler/circuit/",)),
        ("machine code", "no branches", ("compiler/native/",)),
        ("lanes", "512 states in a register", ("compiler/batch/",)),
        ("search", "leaves played out in lanes", ("players/search/", "players/mcts.py")),
    )
    drawings = (_sheet, _ground, _gates, _code, _words, _tree)
    for place, ((name, what, modules), draw) in enumerate(zip(stages, drawings, strict=True)):
        x = 10 + 164 * place
        canvas.text(x + 73, 26, name, anchor="middle", size=14)
        canvas.box(x, 38, 146, 106, fill=TINT, stroke=LINE, radius=6)
        draw(canvas, x)
        canvas.text(x + 73, 166, what, anchor="middle", fill=PALE, size=11)
        for line, module in enumerate(modules):
            canvas.text(x + 73, 194 + 16 * line, module, anchor="middle", code=True, size=10)
        if place:
            canvas.arrow(x - 17, 91, x - 1)
    return canvas


def _lines(canvas: Canvas, x: float, lines: Sequence[str]) -> None:
    for place, line in enumerate(lines):
        canvas.text(x + 8, 58 + 16 * place, line, code=True, size=9)


def _sheet(canvas: Canvas, x: float) -> None:
    _lines(
        canvas, x, ("(<= (row ?y ?w)", "  (true (cell 1 ?y ?w))", "  (true (cell 2 ?y ?w))", "  (true (cell 3 ?y ?w)))")
    )


def _ground(canvas: Canvas, x: float) -> None:
    rows = [line for y in (1, 2) for line in (f"row {y} x ← cell 1 {y} x,", f"  cell 2 {y} x, cell 3 {y} x")]
    _lines(canvas, x, (*rows, "row 3 x ← …", "row 1 o ← …"))


def _gates(canvas: Canvas, x: float) -> None:
    for y in (62, 91, 120):
        for wire in (-8, 0, 8):
            canvas.curve(x + 14, y + wire, x + 48, y)
        canvas.curve(x + 48, y, x + 96, 91)
        canvas.circle(x + 52, y, 9)
        canvas.text(x + 52, y + 4, "&", anchor="middle", size=11)
    canvas.line(x + 96, 91, x + 132, 91)
    canvas.circle(x + 98, 91, 9)
    canvas.text(x + 98, 95, "or", anchor="middle", size=10)


def _code(canvas: Canvas, x: float) -> None:
    _lines(
        canvas,
        x,
        (
            "vmovdqa64 zmm0,[s+3]",
            "vpandq zmm1,zmm0,zmm4",
            "vpternlogq zmm2,…",
            "vpternlogq zmm1,…",
            "vmovdqa64 [s+9],zmm1",
        ),
    )


def _words(canvas: Canvas, x: float) -> None:
    for row in range(8):
        for lane in range(16):
            full = (row * 7 + lane * lane * 3 + row * lane) % 5 < 2
            canvas.box(x + 9 + 8 * lane, 48 + 11 * row, 7, 10, fill=FIRST if full else "#fff")


def _tree(canvas: Canvas, x: float) -> None:
    nodes = {
        (73, 54): ((35, 78), (73, 78), (111, 78)),
        (35, 78): ((22, 102), (48, 102)),
        (111, 78): ((98, 102), (124, 102)),
    }
    for (u, v), below in nodes.items():
        for w, z in below:
            canvas.line(x + u, v, x + w, z, stroke=PALE)
    for leaf in (22, 48, 73, 98, 124):
        top = 78 if leaf == 73 else 102
        for number in range(-2, 3):
            canvas.line(x + leaf, top, x + leaf + 4 * number, 134, stroke=SECOND if number % 2 else FIRST)
    for u, v in dict.fromkeys((*nodes, *(node for below in nodes.values() for node in below))):
        canvas.circle(x + u, v, 5)


def protocols() -> Canvas:
    """Who talks to ludens by which protocol: those it asks for moves on the left, those it plays for on the right."""
    canvas = Canvas(820, 270, "Programs that ludens asks for moves, and programs for which its players play")
    canvas.box(320, 40, 180, 200, fill=TINT, stroke=LINE, radius=6)
    canvas.text(410, 70, "ludens", anchor="middle", size=18)
    for place, line in enumerate(("Referee and Rules", "any of its players", "any of its games")):
        canvas.text(410, 110 + 40 * place, line, anchor="middle", fill=PALE)
    rows = (
        ("GGTP", "your engine", "Rules of GGTP elsewhere"),
        ("HTTP", "any GGP player", "any GGP server"),
        ("GTP", "GNU Go, a Hex program", "an interface for Go, Hex"),
        ("UCI", "Stockfish", "an interface for chess"),
    )
    canvas.text(120, 24, "ludens asks them for moves", anchor="middle", size=13, fill=SECOND)
    canvas.text(700, 24, "they ask ludens for moves", anchor="middle", size=13, fill=FIRST)
    for place, (protocol, left, right) in enumerate(rows):
        y = 62 + 52 * place
        for x, name in ((20, left), (600, right)):
            canvas.box(x, y - 18, 200, 34, fill="#fff", stroke=LINE, radius=4)
            canvas.text(x + 100, y + 4, name, anchor="middle")
        canvas.line(318, y, 230, y, stroke=SECOND, width=1.5)
        canvas.head(222, y, -1, 0, fill=SECOND)
        canvas.text(270, y - 5, protocol, anchor="middle", code=True, size=11)
        canvas.line(598, y, 510, y, stroke=FIRST, width=1.5)
        canvas.head(502, y, -1, 0, fill=FIRST)
        canvas.text(550, y - 5, protocol, anchor="middle", code=True, size=11)
    return canvas
