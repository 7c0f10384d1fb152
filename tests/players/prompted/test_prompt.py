"""Prompts: small enough at the start of every game, and never more than the role knows."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from benchmarks.replies import fuzz

import ludens
from ludens.core import Move, random_joint_move
from ludens.games import library
from ludens.players.prompted.position_text import seen_turns
from ludens.players.prompted.prompt import MOST_TOKENS, Style, estimate_tokens, make_prompt
from ludens.players.prompted.reply import LONGEST_REPLY, ReplyError, parse_reply

CELLS = ("(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "noop")
SHEET = """
(role you) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal you (tick ?n)) (true (counter ?n)))
(<= (legal you (skip)) (not (true (counter 3))))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3)))
(<= (goal you 100) (true (counter 3)))
"""


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_prompts_are_short_at_the_start(step: int) -> None:
    for name in list(library.entries())[::step]:
        game = ludens.load(name, backend="interpreter")
        state = game.initial_state()
        for role in game.roles[:2]:
            prompt = make_prompt(state.view(role))
            assert prompt.tokens <= MOST_TOKENS, (name, role)
            assert "Rules\n" in prompt.text, name


def test_a_prompt_has_rules_position_past_and_all_legal_moves() -> None:
    game = ludens.load("tic_tac_toe", backend="interpreter")
    first = game.initial_state()
    joint = {"xplayer": "(mark 2 2)", "oplayer": "noop"}
    after = first.play(joint)

    prompt = make_prompt(after.view("oplayer"), seen_turns([(joint, after)], "oplayer", first))

    assert "1. xplayer (mark 2 2)" in prompt.text
    assert "2 | . x ." in prompt.text
    assert all(move in prompt.text for move in after.legal_moves("oplayer"))
    assert prompt.text.endswith("MOVE: <your move>")
    assert prompt.turn == 2


def test_styles_leave_out_what_they_say() -> None:
    view = ludens.load("tic_tac_toe", backend="interpreter").initial_state().view("xplayer")

    short, blind = (make_prompt(view, style=style) for style in (Style.SHORT, Style.NO_LEGAL_MOVES))

    assert "Rules" not in short.text
    assert "(mark 1 1)" in short.text
    assert "(mark 1 1)" not in blind.text
    assert "legal_moves" not in blind.as_json()
    assert blind.legal == short.legal


def test_the_rules_of_a_sheet_without_a_card_become_sentences(tmp_path: Path) -> None:
    sheet = tmp_path / "ticks.kif"
    sheet.write_text(SHEET, encoding="utf-8")
    game = ludens.load(str(sheet), backend="interpreter")

    text = make_prompt(game.initial_state().view("you")).text

    assert "you may play (tick ?n) if (counter ?n) is true." in text
    assert "After a turn (counter ?m) is true if (counter ?n) is true and (succ ?n ?m) holds." in text
    assert "The match is over if (counter 3) is true." in text
    assert "How moves are written: (tick ?n) or (skip)" in text


@pytest.mark.parametrize(("name", "parameters"), [("mnk:4,4,3", "4,4,3"), ("mnk", "the defaults"), ("uno:3", "3")])
def test_a_prompt_names_the_parameters_of_the_game(name: str, parameters: str) -> None:
    view = ludens.load(name, backend="interpreter").initial_state().view(ludens.load(name).roles[0])

    assert f"\nParameters of this game: {parameters}\n" in make_prompt(view).text


def test_a_prompt_says_that_blanks_are_not_squares() -> None:
    texts = {
        name: make_prompt((game := ludens.load(name, backend="interpreter")).initial_state().view(game.roles[0])).text
        for name in ("checkers", "breakthrough")
    }

    assert "blank: not a square" in texts["checkers"]
    assert "blank: not a square" not in texts["breakthrough"]


PAGE = """{module}from ludens.tabletop import *


class Flip(Rule):
    {docstring}
    name = "Flip a Coin"
    players = ("Ann",)

    def equipment(self, table):
        table.add(Dice("coin", 1, ("heads", "tails")))

    def turns(self):
        return [stage("flip", ("Ann", self.flip, "flip"))]

    def flip(self, table):
        return [Roll(table.dice("coin")).named("flip")]
"""


@pytest.mark.parametrize(
    ("module", "docstring", "rules"),
    [
        ('"""Ann flips a coin."""\n', "", "Rules\nAnn flips a coin.\n\nPosition"),
        ("", '"""Ann flips a coin."""', "Rules\nAnn flips a coin.\n\nPosition"),
        ('"""A coin."""\n', '"""Ann flips it."""', "Rules\nA coin.\nAnn flips it.\n\nPosition"),
        ("", "", "as Ann.\n\nPosition"),
    ],
)
def test_the_rules_of_a_page_are_its_docstrings(tmp_path: Path, module: str, docstring: str, rules: str) -> None:
    page = tmp_path / "flip.py"
    page.write_text(PAGE.format(module=module, docstring=docstring), encoding="utf-8")

    text = make_prompt(ludens.load(str(page)).initial_state().view("Ann")).text

    assert "You play Flip a Coin as Ann" in text
    assert rules in text


@pytest.mark.parametrize("name", ["holdem", "kriegspiel_tic_tac_toe", "stratego"])
def test_prompts_are_a_function_of_what_the_role_knows(name: str) -> None:
    """Every state that a role cannot tell from the real one gives the same prompt."""
    game = ludens.load(name, backend="interpreter")
    rng = Random(3)
    state = game.initial_state()
    for _ in range(5):
        state = state.sample(random_joint_move(state, rng), rng)
    role = next(role for role in game.roles if state.legal_moves(role))
    view = state.view(role)

    text = make_prompt(view).text

    for _ in range(3):
        assert make_prompt(view.sample(rng).view(role)).text == text


def test_long_lists_of_moves_are_cut_and_say_so() -> None:
    game = ludens.load("gomoku", backend="interpreter")
    view = game.initial_state().view(game.roles[0])
    many = [f"(place {n} of_a_long_name_that_costs_many_tokens)" for n in range(2_000)]
    view.__class__ = type("Many", (view.__class__,), {"legal_moves": property(lambda self: many)})

    prompt = make_prompt(view)

    assert prompt.tokens <= MOST_TOKENS
    assert "more of the same form" in prompt.text
    assert len(prompt.legal) == 2_000


def test_tokens_are_estimated_on_the_safe_side() -> None:
    assert estimate_tokens("(mark 1 1)") == 5
    assert estimate_tokens("unreachable") == 2


@pytest.mark.parametrize(
    "reply",
    [
        "MOVE: (mark 1 2)",
        "(mark 1 2)",
        "Because of (mark 2 1) I play\n**Move:** `mark(1,2)`.",
        '{"move": "(MARK 1 2)"}',
        "> Final move: mark 1 2\n",
        "MOVE: (mark 1 2)\nMOVE: mark(1, 2)",
    ],
)
def test_a_reply_names_its_move(reply: str) -> None:
    assert parse_reply(reply, CELLS) == "(mark 1 2)"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty"),
        ("MOVE:", "no move after"),
        ("I like (mark 1 2)", "no line 'MOVE"),
        ("MOVE: (mark 1 1) or (mark 1 2)", "several legal moves"),
        ("MOVE: (mark 1 1)\nMOVE: (mark 1 2)", "several moves"),
        ("MOVE: (mark 3 3)", "not a legal move"),
        ("MOVE: (mark 1 11)", "not a legal move"),
        ("MOVE: 1", "not a legal move"),
        ('{"move": 1}', "not a text"),
        ('{"move": "noop", "move": "(mark 1 1)"}', "several moves"),
        ("x" * (LONGEST_REPLY + 1), "characters"),
        ("MOVE: (mark \uff11 \uff11)", "not a legal move"),
    ],
)
def test_a_reply_without_one_move_is_refused(reply: str, why: str) -> None:
    with pytest.raises(ReplyError, match=why):
        parse_reply(reply, CELLS)


@pytest.mark.parametrize(
    ("reply", "legal", "move"),
    [
        ("MOVE: B", ("b", "B"), "B"),
        ("MOVE: (f (g a) b)", ("(f (g a) b)", "(f (g a b))"), "(f (g a) b)"),
        ("MOVE: a_", ("a", "a_"), "a_"),
    ],
)
def test_moves_that_look_alike_are_told_apart(reply: str, legal: tuple[Move, ...], move: Move) -> None:
    assert parse_reply(reply, legal) == move


@pytest.mark.parametrize(
    ("reply", "legal"),
    [("MOVE: `a`", ("a_", "_a")), ("MOVE: (f a (b))", ("(f (a) b)",)), ("MOVE: nF3", ("Nf3", "nf3"))],
)
def test_a_form_that_moves_share_names_none_of_them(reply: str, legal: tuple[Move, ...]) -> None:
    with pytest.raises(ReplyError):
        parse_reply(reply, legal)


def test_adversarial_replies_give_no_ghost_moves() -> None:
    outcomes = fuzz(["tic_tac_toe", "nim", "kuhn_poker", "go", "shogi", "rock_paper_scissors"], 1_200, seed=2)

    assert outcomes["move"] > 200
    assert outcomes["refused"] > 200
    assert outcomes["ghost"] == outcomes["missed"] == 0
