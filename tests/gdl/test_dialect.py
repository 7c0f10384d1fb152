from __future__ import annotations

import pytest

from ludens.gdl.chance.dialect import Dialect, dialect_of
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("", Dialect.GDL_I),
        ("(role white) (init a) (<= (next a) (true a))", Dialect.GDL_I),
        ("(role white) (role random)", Dialect.GDL_II),
        ("(role white) (<= (sees white ?m) (does black ?m))", Dialect.GDL_II),
        ("(sees white a)", Dialect.GDL_II),
        ("(role white) (<= (random ?die 1 (rolled ?n)) (face ?n))", Dialect.STOCHASTIC),
        ("(role white) (random die 1 six)", Dialect.STOCHASTIC),
        ("(role white) (<= (next ?e) (random ?v ?w ?e))", Dialect.STOCHASTIC),
        ("(role white) (<= (next a) (or b (not (random ?v ?w c))))", Dialect.STOCHASTIC),
        ("(role random) (random die 1 six)", Dialect.STOCHASTIC | Dialect.GDL_II),
        ("(role white) (init (random a b c))", Dialect.GDL_I),
        ("(role white) (random a b)", Dialect.GDL_I),
        ("(role white) (init random)", Dialect.GDL_I),
        ("(role white) (sees a)", Dialect.GDL_I),
        ("(role randomizer)", Dialect.GDL_I),
    ],
)
def test_dialect_is_found_from_the_rules(text: str, dialect: Dialect) -> None:
    assert dialect_of(read_rules(text)) == dialect


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("(ROLE RANDOM)", Dialect.GDL_II),
        ("(role Random)", Dialect.GDL_II),
        ("(p Random) (role random)", Dialect.GDL_II),
        ("(SEES white a)", Dialect.GDL_II),
        ("(Random die 1 six)", Dialect.STOCHASTIC),
    ],
)
def test_case_of_words_does_not_hide_the_dialect(text: str, dialect: Dialect) -> None:
    assert dialect_of(read_rules(text)) == dialect


def test_one_rule_may_belong_to_two_dialects() -> None:
    sheet = read_rules("(role white) (<= (sees white ?e) (random ?v ?w ?e))")
    assert dialect_of(sheet) == Dialect.STOCHASTIC | Dialect.GDL_II


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        (Dialect.GDL_I, "GDL-I"),
        (Dialect.GDL_II, "GDL-II"),
        (Dialect.STOCHASTIC, "stochastic GDL"),
        (Dialect.STOCHASTIC | Dialect.GDL_II, "GDL-II with stochastic GDL"),
    ],
)
def test_dialects_have_names_for_people(dialect: Dialect, name: str) -> None:
    assert str(dialect) == name


@pytest.mark.parametrize(
    ("text", "chance", "hidden"),
    [
        ("(role r)", False, False),
        ("(role r) (role random)", True, False),
        ("(role r) (random d 1 e)", True, False),
        ("(role r) (role random) (<= (sees r x) (does random x))", True, True),
    ],
)
def test_game_knows_what_its_dialect_means_for_players(text: str, chance: bool, hidden: bool) -> None:
    game = ReferenceGame(read_rules(text))
    assert (game.chance, game.hidden, game.deterministic) == (chance, hidden, not chance)
