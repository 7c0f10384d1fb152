"""Little drawings of things that boards have on them: crates, lamps, doors, animals."""

from __future__ import annotations

from ludens.drawing.scenes.scene import Circle, Path, Polygon, Rect, Shape, Text, line


def fire() -> tuple[Shape, ...]:
    """A burnt square."""
    outer = "M 0 -15 C 5 -8 12 -4 11 5 C 10 12 5 15 0 15 C -5 15 -11 12 -11 5 C -11 0 -7 -2 -6 -6 C -3 -4 -2 -9 0 -15 Z"
    inner = "M 0 -3 C 3 1 6 3 5 8 C 4 12 2 13 0 13 C -3 13 -5 11 -5 8 C -5 4 -1 2 0 -3 Z"
    return Rect(-19, -19, 38, 38, "wall"), Path(outer, "orange", "outline", 1), Path(inner, "yellow")


def crate(is_home: bool) -> tuple[Shape, ...]:
    """A crate, lighter on its storage place."""
    wood = "goal" if is_home else "brown"
    box: tuple[Shape, ...] = (Rect(-15, -15, 30, 30, wood, "outline", 1.4, 2),)
    return *box, line(-15, -15, 15, 15, "outline", 1.4), line(-15, 15, 15, -15, "outline", 1.4)


def person(colour: str, on_target: bool) -> tuple[Shape, ...]:
    """A little man."""
    body = Path("M -8 15 C -9 3 -5 0 0 0 C 5 0 9 3 8 15 Z", colour, "outline", 1.2)
    ground = target() if on_target else ()
    return *ground, body, Circle(0, -7, 6, colour, "outline", 1.2)


def target() -> tuple[Shape, ...]:
    """A storage place."""
    return Circle(0, 0, 9, "goal", "outline", 1), Circle(0, 0, 4, "card-red")


def lamp(is_on: bool) -> tuple[Shape, ...]:
    """A lamp that is on or off."""
    glass = "light-on" if is_on else "light-off"
    rays: tuple[Shape, ...] = ()
    if is_on:
        ends = ((0, -18), (13, -13), (18, 0), (13, 13), (0, 18), (-13, 13), (-18, 0), (-13, -13))
        rays = tuple(line(x * 0.75, y * 0.75, x, y, "goal", 2) for x, y in ends)
    return *rays, Circle(0, 0, 11, glass, "outline", 1.3)


def chocolate() -> tuple[Shape, ...]:
    """A square of chocolate."""
    return Rect(-19, -19, 38, 38, "brown", "outline", 1, 4), Rect(-13, -13, 26, 26, "", "outline", 1, 3)


def skull() -> tuple[Shape, ...]:
    """A warning."""
    head = Path("M -8 2 C -11 -12 11 -12 8 2 L 5 4 L 5 9 L -5 9 L -5 4 Z", "white", "outline", 1)
    return head, Circle(-3.5, -2, 2.2, "outline"), Circle(3.5, -2, 2.2, "outline")


def pin() -> tuple[Shape, ...]:
    """A bowling pin."""
    shape = "M 0 -17 C 5 -17 5 -10 3 -6 C 2 -3 8 2 8 8 C 8 13 6 16 4 17 L -4 17 C -6 16 -8 13 -8 8 C -8 2 -2 -3 -3 -6 "
    return Path(shape + "C -5 -10 -5 -17 0 -17 Z", "white", "outline", 1.2), line(-2.8, -7, 2.8, -7, "red", 2)


def door(words: str) -> tuple[Shape, ...]:
    """A door; open ones show what is behind them."""
    if "car" in words:
        car = Path("M -14 6 L -12 0 L -7 0 L -4 -6 L 5 -6 L 9 0 L 14 1 L 14 6 Z", "red", "outline", 1)
        return Rect(-17, -19, 34, 38, "hole", "outline", 1.2), car, *(Circle(x, 7, 3, "black") for x in (-8, 8))
    if "open" in words:
        leaf = Polygon(((-17, -19), (-8, -14), (-8, 19), (-17, 19)), "brown", "outline", 1)
        return Rect(-17, -19, 34, 38, "hole", "outline", 1.2), leaf
    fill = "goal" if "chosen" in words else "brown"
    return Rect(-17, -19, 34, 38, fill, "outline", 1.2), Circle(10, 1, 2, "outline")


def animal(kind: str) -> tuple[Shape, ...]:
    """The head of a wolf or a sheep."""
    if kind == "wolf":
        ears = Polygon(((-13, -16), (-4, -9), (4, -9), (13, -16), (13, 0), (0, 15), (-13, 0)), "grey", "outline", 1.3)
        return ears, Circle(-5, -2, 1.8, "outline"), Circle(5, -2, 1.8, "outline"), Circle(0, 11, 2.4, "outline")
    wool = tuple(Circle(x, y, 6, "white", "edge", 1) for x, y in ((-9, -5), (0, -10), (9, -5), (-9, 4), (9, 4), (0, 8)))
    return (
        *wool,
        Circle(0, 0, 8, "white"),
        Circle(0, 2, 6.5, "black"),
        Circle(-2, 1, 1.2, "white"),
        Circle(2, 1, 1.2, "white"),
    )


def bike(colour: str) -> tuple[Shape, ...]:
    """The head of a trail of light."""
    return Circle(0, 0, 14, colour, "outline", 1.5), Circle(0, 0, 6, "on-piece")


def quarto(code: str) -> tuple[Shape, ...]:
    """A piece of quarto: tall or short, dark or light, round or square, hollow or full."""
    tall, dark, is_round, hollow = code[0] == "t", code[1] == "d", code[2] == "r", code[3] == "h"
    size = 16.5 if tall else 10.5
    colour, ink = ("brown", "outline") if dark else ("tile", "outline")
    body: Shape = (
        Circle(0, 0, size, colour, ink, 1.4)
        if is_round
        else Rect(-size * 0.9, -size * 0.9, size * 1.8, size * 1.8, colour, ink, 1.4, 2)
    )
    hole: tuple[Shape, ...] = (Circle(0, 0, 5, "outline"),) if hollow else ()
    return body, *hole


def worker(colour: str, number: str) -> tuple[Shape, ...]:
    """A person with a pick, and its number."""
    pick = (line(7, 15, 13, -8, "brown", 2.5), Path("M 5 -10 Q 13 -15 20 -5 Q 13 -10 5 -10 Z", "grey", "outline", 0.8))
    return *person(colour, False), *pick, Text(0, 9, number, 10, "on-piece", bold=True)


def soldier(colour: str, number: str) -> tuple[Shape, ...]:
    """A shield with two swords, and its number."""
    swords = (line(-14, 14, 14, -14, "grey", 2.5), line(14, 14, -14, -14, "grey", 2.5))
    shield = Path("M -10 -10 L 10 -10 L 10 2 C 10 9 4 13 0 15 C -4 13 -10 9 -10 2 Z", colour, "outline", 1.3)
    return *swords, shield, Text(0, 0, number, 12, "on-piece", bold=True)


def base(colour: str) -> tuple[Shape, ...]:
    """A castle."""
    wall = "M -15 15 L -15 -12 L -9 -12 L -9 -7 L -3 -7 L -3 -12 L 3 -12 L 3 -7 L 9 -7 L 9 -12 L 15 -12 L 15 15 Z"
    gate = Path("M -4 15 L -4 6 C -4 0 4 0 4 6 L 4 15 Z", "outline")
    return Path(wall, colour, "outline", 1.3), gate
