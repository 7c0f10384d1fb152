"""Rules as gates: the circuit behind one goal of a game, and what the stages of the compiler come to."""

from __future__ import annotations

from benchmarks.pictures.canvas import FIRST, INK, LINE, PALE, SECOND, Canvas
from ludens.compiler.batch.playout import PlayoutProgram, playout_program
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import NONE
from ludens.compiler.circuit.turns import turn_phases
from ludens.compiler.compile import Compilation, compile_rules
from ludens.compiler.native.cover import cover
from ludens.games.library import find
from ludens.gdl.write import kif

COLUMN, ROW, RADIUS = 92.0, 34.0, 9.0
STAGES = ("rules", "clauses", "ground rules", "gates", "gates, one side to move", "operations, move drawn")


def compiled(name: str) -> Compilation:
    """A game of the library, compiled."""
    return compile_rules(find(name).rule_sheet())


def line_circuit() -> Canvas:
    """The gates that tell whether x has a line in tic-tac-toe: its goal of 100."""
    circuit = compiled("tic_tac_toe").circuit
    (output,) = (goal.literal for goal in circuit.goals if goal.role == 0 and goal.value == 100)
    levels = _levels(circuit, output)
    places = _places(circuit, levels)
    depth = max(level for level in levels.values())
    canvas = Canvas(
        190 + COLUMN * depth,
        70 + ROW * 9,
        "The circuit of the rule line: nine fluents, gates AND, inverted wires, one output",
    )
    for node, (x, y) in places.items():
        for place, literal in enumerate(sorted(_reads(circuit, node), key=lambda literal: places[literal >> 1][1])):
            (u, v), end = places[literal >> 1], y + 8 * place - 4
            canvas.curve(u + RADIUS, v, x - RADIUS, end)
            if literal & 1:
                canvas.circle(x - RADIUS - 2, end, 3, stroke=SECOND)
    names = {literal >> 1: kif(fluent) for literal, fluent in zip(circuit.fluent_inputs, circuit.fluents, strict=True)}
    for node, (x, y) in places.items():
        if node in names:
            canvas.box(x - 88, y - 11, 88 + RADIUS, 22, fill="#e0f2f1", stroke=FIRST, radius=4)
            canvas.text(x - 40, y + 4, names[node], size=11, anchor="middle", code=True)
        else:
            canvas.circle(x, y, RADIUS, fill="#fff", stroke=INK)
            canvas.text(x, y + 4, "&", size=11, anchor="middle")
    x, y = places[output >> 1]
    canvas.line(x + RADIUS, y, x + 34, y)
    if output & 1:
        canvas.circle(x + RADIUS + 3, y, 3, stroke=SECOND)
    canvas.text(x + 38, y + 4, "line x", code=True)
    gates = len(places) - len(names.keys() & places.keys())
    canvas.text(
        12,
        50 + ROW * 9,
        f"{gates} gates & of two inputs; a small circle inverts, so OR is & between inversions",
        fill=PALE,
    )
    return canvas


def _reads(circuit: Circuit, node: int) -> list[int]:
    gates = circuit.gates
    if gates.left[node] == NONE:
        return []
    return [literal for literal in (gates.left[node], gates.right[node], gates.third[node]) if literal != NONE]


def _levels(circuit: Circuit, output: int) -> dict[int, int]:
    """How far each node behind an output is from the inputs."""
    levels: dict[int, int] = {}

    def visit(node: int) -> int:
        if node not in levels:
            levels[node] = max((visit(literal >> 1) + 1 for literal in _reads(circuit, node)), default=0)
        return levels[node]

    visit(output >> 1)
    return levels


def _places(circuit: Circuit, levels: dict[int, int]) -> dict[int, tuple[float, float]]:
    """Columns by level; within one, gates stand by the middle of what they read."""
    places: dict[int, tuple[float, float]] = {}

    def middle(node: int) -> float:
        reads = _reads(circuit, node)
        return sum(places[literal >> 1][1] for literal in reads) / len(reads) if reads else 0.0

    for level in range(max(levels.values()) + 1):
        nodes = sorted(sorted(node for node, found in levels.items() if found == level), key=middle)
        room = 9 * ROW / len(nodes)
        places.update({node: (104 + COLUMN * level, 22 + room * (place + 0.5)) for place, node in enumerate(nodes)})
    return places


def sizes_of(name: str) -> list[int]:
    """How large a game is behind each stage."""
    sheet = find(name).rule_sheet()
    compilation = compile_rules(sheet)
    circuit = compilation.circuit
    clauses = next(int(stage.result.split()[0]) for stage in compilation.stages if stage.name == "condense")
    phase = turn_phases(circuit)[0]
    return [
        len(sheet.rules),
        clauses,
        compilation.program.size,
        len(circuit.gates),
        len(phase.gates),
        _operations(playout_program(circuit)),
    ]


def _operations(program: PlayoutProgram) -> int:
    """Operations for one step with AVX-512, whatever this machine has: others take more, of fewer inputs."""
    covers = [cover(step.gates, [literal for literal, _ in step.outputs]) for step in program.steps]
    return sum(len(found.rows) for found in covers) // len(covers)


def stages(names: tuple[str, ...]) -> Canvas:
    """The numbers behind each stage, for some games."""
    width, left = 128.0, 130.0
    canvas = Canvas(
        left + width * len(STAGES) + 10, 96 + 28 * len(names), "What each stage of the compiler makes of some games"
    )
    for place, stage in enumerate(STAGES):
        x = left + width * place
        canvas.box(x, 16, width - 22, 46, fill="#e0f2f1", stroke=FIRST, radius=6)
        first, _, second = stage.partition(", ")
        canvas.text(x + (width - 22) / 2, 36 if second else 43, first, anchor="middle")
        canvas.text(x + (width - 22) / 2, 52, second, size=10, anchor="middle", fill=PALE)
        if place:
            canvas.arrow(x - 21, 39, x - 1)
    for row, name in enumerate(names):
        y = 92 + 28 * row
        canvas.line(12, y - 18, left + width * len(STAGES) - 22, y - 18, stroke=LINE)
        canvas.text(14, y, name, code=True)
        for place, size in enumerate(sizes_of(name)):
            canvas.text(left + width * place + (width - 22) / 2, y, f"{size:,}", anchor="middle")
    return canvas
