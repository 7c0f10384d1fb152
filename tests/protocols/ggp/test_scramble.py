from __future__ import annotations

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.scramble import Scrambler
from ludens.gdl.write import write_kif
from tests.protocols.ggp.test_messages import terms

RULES = (
    "(role white)",
    "(init (cell 1 1 b))",
    "(init (control white))",
    "(<= (legal white (mark ?x ?y)) (true (cell ?x ?y b)))",
    "(<= (next (cell ?x ?y white)) (does white (mark ?x ?y)))",
    "(<= (goal white 100) (true (cell 1 1 white)))",
    "(<= (goal white 0) (not (true (cell 1 1 white))))",
    "(<= terminal (true (cell 1 1 white)))",
)


def names_in(text: str) -> set[str]:
    return set(re.findall(r"[^\s()]+", text))


def test_all_names_change_but_keywords_and_integers() -> None:
    scrambled = "\n".join(map(Scrambler(RULES, Random(1)).hide, RULES))

    kept = names_in("\n".join(RULES)) & names_in(scrambled)
    assert kept == {"role", "init", "<=", "legal", "true", "next", "does", "goal", "not", "terminal", "1", "0", "100"}
    assert len(names_in(scrambled)) == len(names_in("\n".join(RULES)))


def test_scrambled_rules_are_the_same_game() -> None:
    scrambler = Scrambler(RULES, Random(1))
    plain = ReferenceGame(read_rules("\n".join(RULES)), "plain").initial_state()
    hidden = ReferenceGame(read_rules("\n".join(map(scrambler.hide, RULES))), "scrambled").initial_state()

    (role,) = hidden.game.roles
    (move,) = hidden.legal_moves(role)
    assert scrambler.reveal(role) == "white"
    assert scrambler.reveal(move) == "(mark 1 1)" == plain.legal_moves("white")[0]
    assert hidden.play({role: move}).goals == {role: 100}


def test_each_match_has_words_of_its_own() -> None:
    assert Scrambler(RULES, Random(1)).hide("white") != Scrambler(RULES, Random(2)).hide("white")


def test_names_that_were_not_given_are_not_taken() -> None:
    scrambler = Scrambler(RULES, Random(1))

    assert scrambler.reveal("(mark 1 1)") is None
    assert scrambler.reveal("1") == "1"


@given(st.lists(terms, min_size=1, max_size=5), st.integers())
def test_whatever_is_hidden_can_be_revealed(sentences: list[str], seed: int) -> None:
    scrambler = Scrambler(sentences, Random(seed))

    assert [scrambler.reveal(scrambler.hide(text)) for text in sentences] == sentences


def test_many_names_find_words() -> None:
    sentences = [f"(fact name{number})" for number in range(5_000)]
    scrambler = Scrambler(sentences, Random(1))

    assert len({scrambler.hide(text) for text in sentences}) == 5_000
    assert write_kif(read_rules("\n".join(map(scrambler.hide, sentences))).rules)
