"""Rule sheets and records come from anywhere, so every text in a drawing is escaped."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from ludens.drawing import draw
from ludens.drawing.scenes.scene import Group, Rect, Scene, Text
from ludens.drawing.scenes.svg import to_svg
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.thorough import examples


def hostile_game() -> ReferenceGame:
    names = ["<script>", '"onload="x', "&amp", "'>"]
    cells = " ".join(f"(init (cell {x} {y} {names[(x + y) % 4]}))" for x in range(1, 4) for y in range(1, 4))
    sheet = f"""(role <img/src=x>) (role '"&) {cells} (init (control <img/src=x>)) (init (<b> 3 <i>))
        (<= (legal ?r (mark 1 ?y)) (role ?r) (true (cell 1 ?y ?c))) (<= (next ?f) (true ?f))
        (<= terminal (true done)) (<= (goal ?r 50) (role ?r))"""
    return ReferenceGame(read_rules(sheet, name="hostile"), 'x" onclick="y<z>')


def test_names_of_a_hostile_rule_sheet_are_escaped() -> None:
    game = hostile_game()
    drawing = draw(game, game.initial_state().view(game.roles[0]))
    root = ET.fromstring(drawing.svg)
    tags = {element.tag.partition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "style", "g", "rect", "circle", "polygon", "polyline", "path", "text", "title"}
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    assert any("<script>" in (element.text or "") for element in root.iter())


@given(st.text(), st.text())
@examples(60)
def test_any_text_makes_well_formed_xml(text: str, label: str) -> None:
    place = Group((Rect(0, 0, 1, 1, "ink"), Text(0, 0, text)), spot=text, label=label, name="place")
    root = ET.fromstring(to_svg(Scene(10, 10, (place,), label)))

    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not any("script" in element.tag for element in root.iter())
