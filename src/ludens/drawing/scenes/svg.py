"""Scenes as SVG text: self-contained, every text escaped, colours by classes."""

from __future__ import annotations

from html import escape

from ludens.drawing.palette import HIT, STYLE
from ludens.drawing.scenes.scene import Circle, Group, Image, Path, Polygon, Rect, Scene, Shape, Text

_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)], "�")
"""Characters that XML does not allow, whatever rule sheets have in their names."""


def to_svg(scene: Scene, *, style: bool = True) -> str:
    """The scene as one SVG element; without ``style`` it needs the page's style sheet (`palette.STYLE`)."""
    size = f'viewBox="0 0 {_number(scene.width)} {_number(scene.height)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ludens-drawing" {size} '
        f'width="{_number(scene.width)}" height="{_number(scene.height)}" role="{_role(scene)}" '
        f'aria-label="{escape_text(scene.label)}">'
    )
    parts = [head]
    if style:
        parts.append(f"<style>{STYLE}</style>")
    parts += [_shape(shape) for shape in scene.shapes]
    parts.append("</svg>")
    return "".join(parts)


def escape_text(text: str) -> str:
    """Escape text for an element or attribute."""
    return escape(text.translate(_FORBIDDEN))


def _role(scene: Scene) -> str:
    """The ARIA role: a drawing with clickable places is a group, since an image would hide them from screen readers."""
    return "group" if _has_spots(scene.shapes) else "img"


def _has_spots(shapes: tuple[Shape, ...]) -> bool:
    return any(isinstance(shape, Group) and (shape.spot or _has_spots(shape.shapes)) for shape in shapes)


def _shape(shape: Shape) -> str:
    match shape:
        case Rect():
            radius = f' rx="{_number(shape.radius)}"' if shape.radius else ""
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            return f"<rect {place} {size}{radius}{_paint(shape)}/>"
        case Circle():
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            return f"<circle {place}{_paint(shape)}/>"
        case Polygon():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
            kind = "polygon" if shape.closed else "polyline"
            return f'<{kind} points="{points}"{_paint(shape)}/>'
        case Path():
            return f'<path d="{shape.commands}"{_paint(shape)}/>'
        case Text():
            anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
            bold = ' font-weight="700"' if shape.bold else ""
            # The baseline lies about a third of the size below the middle of capitals.
            place = f'x="{_number(shape.x)}" y="{_number(shape.y + shape.size * 0.35)}"'
            size = f'font-size="{_number(shape.size)}"'
            return f'<text {place} {size}{anchor}{bold} class="f-{shape.fill}">{escape_text(shape.text)}</text>'
        case Image():
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            stretch = "" if shape.fits else ' preserveAspectRatio="none"'
            return f'<image {place} {size}{stretch} href="{escape_text(shape.href)}"/>'
        case Group():
            return _group(shape)


def _group(group: Group) -> str:
    changes = []
    if group.x or group.y:
        changes.append(f"translate({_number(group.x)} {_number(group.y)})")
    if group.turn:
        changes.append(f"rotate({_number(group.turn)})")
    if group.scale != 1:
        changes.append(f"scale({_number(group.scale)})")
    attributes = f' transform="{" ".join(changes)}"' if changes else ""
    if group.name:
        attributes += f' class="{escape_text(" ".join(f"d-{word}" for word in group.name.split()))}"'
    if group.spot:
        attributes += f' data-spot="{escape_text(group.spot)}" role="button" tabindex="-1"'
    if group.label:
        attributes += f' aria-label="{escape_text(group.label)}"'
        attributes += "" if group.spot else ' role="img"'
    inside = "".join(map(_shape, group.shapes))
    title = f"<title>{escape_text(group.label)}</title>" if group.label else ""
    return f"<g{attributes}>{title}{inside}</g>"


def _paint(shape: Rect | Circle | Polygon | Path) -> str:
    classes = ["d-hit" if shape.fill == HIT else f"f-{shape.fill}"] if shape.fill else []
    attributes = "" if shape.fill else ' fill="none"'
    if shape.stroke:
        classes.append(f"s-{shape.stroke}")
        attributes += f' stroke-width="{_number(shape.thick)}" stroke-linejoin="round" stroke-linecap="round"'
    return attributes + (f' class="{" ".join(classes)}"' if classes else "")


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
