"""Chess pieces as outlines, in a box of 40 around their middle."""

from __future__ import annotations

from ludens.drawing.scenes.scene import Circle, Path, Polygon, Rect, Shape, line

KINDS = ("king", "queen", "rook", "bishop", "knight", "pawn")
LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
"""The kinds that the letters of diagrams stand for."""


def chessman(kind: str, fill: str, stroke: str) -> tuple[Shape, ...]:
    """A piece in a colour with its outline."""
    base = Rect(-11, 10, 22, 5, fill, stroke, 1.3, 1.5)
    match kind:
        case "pawn":
            body = Path("M -4 -3 Q -3 5 -8 10 L 8 10 Q 3 5 4 -3 Z", fill, stroke, 1.3)
            return body, Circle(0, -7, 5.4, fill, stroke, 1.3), base
        case "rook":
            crown = ((-9, -14), (-9, -5), (9, -5), (9, -14), (5, -14), (5, -10), (2, -10), (2, -14))
            crown += tuple((-x, y) for x, y in reversed(crown[4:]))
            body = Path("M -7 10 L -6 -5 L 6 -5 L 7 10 Z", fill, stroke, 1.3)
            return body, Polygon(crown, fill, stroke, 1.3), base
        case "knight":
            head = (
                "M -7 10 C -8 3 1 1 1 -4 C -2 -1 -5 2 -9 2 C -12 2 -12 -2 -10 -4 C -8 -7 -7 -11 -3 -13 "
                "L -3 -17 L 2 -13 C 9 -10 11 -2 9 10 Z"
            )
            return Path(head, fill, stroke, 1.3), Circle(-3.2, -8, 1.2, stroke), base
        case "bishop":
            skirt = Path("M -4 3 Q -4 7 -9 10 L 9 10 Q 4 7 4 3 Z", fill, stroke, 1.3)
            mitre = Path("M 0 -14 C 9 -7 9 -1 4 3 L -4 3 C -9 -1 -9 -7 0 -14 Z", fill, stroke, 1.3)
            slit = line(0, -4, 4, -8, stroke, 1.3)
            return skirt, mitre, slit, Circle(0, -15, 2.2, fill, stroke, 1.3), base
        case "queen":
            points = ((-9, 10), (-13, -7), (-6.5, 1), (-5, -11), (0, 0), (5, -11), (6.5, 1), (13, -7), (9, 10))
            balls = [Circle(x, y - 1.5, 2, fill, stroke, 1.2) for x, y in (points[1], points[3], points[5], points[7])]
            return Polygon(points, fill, stroke, 1.3), *balls, base
        case _:
            lobes = (
                "M 0 -2 C -3 -10 -14 -10 -12.5 0 C -11.5 5 -8 6 -8 10 L 8 10 C 8 6 11.5 5 12.5 0 C 14 -10 3 -10 0 -2 Z"
            )
            drop = Path("M 0 -1 C -4 -6 -3 -9 0 -11 C 3 -9 4 -6 0 -1 Z", fill, stroke, 1.3)
            cross = (line(0, -17, 0, -11, stroke, 1.8), line(-3, -15, 3, -15, stroke, 1.8))
            return Path(lobes, fill, stroke, 1.3), drop, *cross, base
