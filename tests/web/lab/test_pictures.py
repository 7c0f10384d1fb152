"""Pictures of rules and relations: well-formed, complete, and deaf to hostile names."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

from ludens.games.library import find
from ludens.gdl.read import read_rules
from ludens.web.lab.relations import MOST, relations_svg
from ludens.web.lab.trees import MOST_NODES, tree_of, tree_svg
from tests.web.sheets import COUNTDOWN

SVG = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> list[str]:
    return [str(text.text) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_tree_has_every_word_of_the_rule() -> None:
    rule = read_rules("(<= (next (cell ?x b)) (true (cell ?x b)) (not (does r (or_not ?x))) (distinct ?x 1))").rules[0]
    words = [
        "⇐",
        "next",
        "cell",
        "?x",
        "b",
        "true",
        "cell",
        "?x",
        "b",
        "not",
        "does",
        "r",
        "or_not",
        "?x",
        "distinct",
        "?x",
        "1",
    ]
    assert _texts(tree_svg(rule)) == words


def test_nodes_of_a_tree_do_not_overlap() -> None:
    for rule in find("tic_tac_toe").rule_sheet().rules:
        rows: dict[float, list[tuple[float, float]]] = {}
        for rect in ET.fromstring(tree_svg(rule)).iter(f"{SVG}rect"):
            left = float(rect.attrib["x"])
            rows.setdefault(float(rect.attrib["y"]), []).append((left, left + float(rect.attrib["width"])))
        for row in rows.values():
            row.sort()
            assert all(one[1] <= other[0] for one, other in itertools.pairwise(row))


def test_a_fact_is_a_tree_without_arrow() -> None:
    assert tree_of(read_rules("(succ 1 2)").rules[0]).label == "succ"


def test_a_huge_rule_is_told_instead_of_drawn() -> None:
    rule = read_rules(f"(<= p {' '.join(f'(q {n} ?x)' for n in range(MOST_NODES))})").rules[0]
    assert "too many to draw" in tree_svg(rule)


def test_relations_stand_above_what_they_are_derived_from() -> None:
    svg = relations_svg(find("tic_tac_toe").rule_sheet())
    heights = {str(text.text): float(text.attrib["y"]) for text in ET.fromstring(svg).iter(f"{SVG}text")}
    assert heights["terminal/0"] < heights["line/1"] < heights["true/1"]


def test_relations_that_change_are_told_apart() -> None:
    svg = relations_svg(read_rules(COUNTDOWN))
    assert re.search(r'class="phase-state"|class="phase-state keyword"', svg)
    assert 'class="phase-static"' in svg
    assert "edge negated" in svg


def test_too_many_relations_are_cut() -> None:
    text = "(role r) " + " ".join(f"(<= p{n} (true q))" for n in range(MOST + 20))
    svg = relations_svg(read_rules(text))
    assert len(_texts(svg)) == MOST
    assert "omitted" in svg


def test_names_cannot_become_markup() -> None:
    sheet = read_rules('(role r) (<= (a<script>&"x r) (true b))')
    for svg in (relations_svg(sheet), tree_svg(sheet.rules[1])):
        assert "<script>" not in svg
        ET.fromstring(svg)
