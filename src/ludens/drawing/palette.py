"""The colours of drawings, by name, for light and dark surroundings, and the style sheet that sets them.

A page can change any of them: ``--d-board-light`` and so on are custom properties of ``svg.ludens-drawing``.
"""

from __future__ import annotations

COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#14171c"),
    "ink": ("#1f2328", "#e6e8eb"),
    "muted": ("#5b636d", "#a3abb5"),
    "panel": ("#f3f1ec", "#23272e"),
    "line": ("#8a8578", "#6d7480"),
    "board-light": ("#f0dfc0", "#cdb892"),
    "board-dark": ("#b58863", "#8d6646"),
    "board-line": ("#5a4028", "#2c1f13"),
    "wood": ("#e3b871", "#b98f4e"),
    "felt": ("#2f7d57", "#24614a"),
    "felt-line": ("#123b28", "#0c271b"),
    "grid-blue": ("#2b5fb3", "#244f96"),
    "hole": ("#e9edf2", "#171c24"),
    "wall": ("#6b6f76", "#4b5058"),
    "gap": ("#d8cdb8", "#8f8062"),
    "night": ("#1d2433", "#10141d"),
    "night-line": ("#33405c", "#2a3550"),
    "water": ("#9cc5e6", "#47708f"),
    "meadow": ("#b7d7a5", "#5c7d50"),
    "hillside": ("#cba77a", "#7d6446"),
    "sandy": ("#f2e2a4", "#a3935a"),
    "swampy": ("#9fcdc6", "#4c7a75"),
    "goal": ("#f2c14e", "#c99a2e"),
    "white": ("#fdfcf8", "#f4f1e8"),
    "black": ("#262626", "#1b1b1b"),
    "outline": ("#111111", "#000000"),
    "edge": ("#77716a", "#99948c"),
    "red": ("#c8372d", "#d9534a"),
    "blue": ("#2b62c4", "#4a7fe0"),
    "green": ("#2c8a43", "#3da457"),
    "yellow": ("#f0c419", "#e8bd1f"),
    "orange": ("#e07b1f", "#e88a35"),
    "purple": ("#7b45a8", "#9a63c9"),
    "teal": ("#15828a", "#23a0a8"),
    "pink": ("#d4618f", "#e07aa3"),
    "brown": ("#7a5230", "#8f6440"),
    "grey": ("#8b9098", "#8b9098"),
    "on-board": ("#1f2328", "#14110c"),
    "on-piece": ("#ffffff", "#ffffff"),
    "card": ("#fffef9", "#f3f0e6"),
    "card-red": ("#b3221b", "#b3221b"),
    "card-black": ("#1c1c1c", "#1c1c1c"),
    "card-back": ("#35558f", "#3a5c9c"),
    "card-back-line": ("#dbe4f5", "#c4d0e8"),
    "tile": ("#f7f0dc", "#e6ddc4"),
    "accent": ("#f2a900", "#ffbf3d"),
    "light-on": ("#ffd84a", "#ffd84a"),
    "light-off": ("#555b66", "#333842"),
}
"""Each colour in light and in dark surroundings."""

HIT = "hit"
"""No colour: shapes filled with it are invisible until a page or the last move marks them."""

PIECE_COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "teal", "pink", "brown", "grey")
"""Colours of roles that have no colour by name, in order."""

NAMED = frozenset((*PIECE_COLOURS, "white", "black"))
"""Aliases of colour names in rule sheets."""


def _declarations(theme: int) -> str:
    return ";".join(f"--d-{name}:{values[theme]}" for name, values in COLOURS.items())


def _style() -> str:
    root = "svg.ludens-drawing"
    lines = [
        f"{root}{{{_declarations(0)};font-family:system-ui,'DejaVu Sans',sans-serif}}",
        f"@media (prefers-color-scheme:dark){{{root}{{{_declarations(1)}}}}}",
        f'[data-theme="light"] {root}{{{_declarations(0)}}}',
        f'[data-theme="dark"] {root}{{{_declarations(1)}}}',
        f"{root} text{{pointer-events:none;user-select:none}}",
        f"{root} .d-hit{{fill:transparent;stroke:none}}",
        f"{root} .d-last .d-hit{{fill:var(--d-accent);fill-opacity:.34}}",
        f"{root} .d-piece.d-last>.d-hit{{fill-opacity:.2}}",
        f"{root} .d-wall.d-last>.d-hit{{fill-opacity:0}}",
        f"{root}:root{{background:var(--d-paper)}}",
        f"{root} [data-spot]:focus{{outline:none}}",
        f"{root} [data-spot]:focus-visible .d-hit{{stroke:var(--d-accent);stroke-width:3}}",
        f"{root} .is-legal{{cursor:pointer}}",
        f"{root} .is-legal:hover .d-hit{{fill:var(--d-accent);fill-opacity:.3}}",
        f"{root} .is-legal .d-hit{{stroke:var(--d-accent);stroke-width:2.5}}",
        f"{root} .is-chosen .d-hit{{fill:var(--d-accent);fill-opacity:.5}}",
    ]
    for name in COLOURS:
        lines.append(f"{root} .f-{name}{{fill:var(--d-{name})}}{root} .s-{name}{{stroke:var(--d-{name})}}")
    return "\n".join(lines)


STYLE = _style()
"""The style sheet of all drawings; pages whose content security policy forbids inline styles link it instead."""
