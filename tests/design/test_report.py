"""Reports for designers: sound statistics, defects found, pages safe to show."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from benchmarks.dominance import strictly_dominates
from benchmarks.planted_defects import KINDS, plant
from benchmarks.report_defects import is_found, report_problems, sheets

import ludens
from ludens.compiler.backends import make_game
from ludens.core import CpuDeadline
from ludens.core.interval import corrected, wilson
from ludens.design.allowance import Allowance
from ludens.design.compare_reports import Verdict, compare_reports
from ludens.design.coverage import Coverage, watch_rules
from ludens.design.drama import drama_of, scores_of, winner_of
from ludens.design.examine import Examination
from ludens.design.examined import Examined
from ludens.design.findings import Code, Level, find_all, problems
from ludens.design.game_report import make_report
from ludens.design.marked_rules import mark_rules
from ludens.design.move_words import kind_of, things_in
from ludens.design.page import report_page
from ludens.design.random_play import RandomPlay, play_randomly
from ludens.design.strong_play import Choice, StrongMatch
from ludens.design.unreached import unreached_parts
from ludens.design.usage import usage_of_kinds
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules

COUNTDOWN = """
(role solo) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal solo tick) (true (counter ?n)))
(<= (legal solo <b>) (true (counter 9)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3)))
(<= (goal solo 100) (true (counter 3)))
(<= (goal solo 0) (not (true (counter 3))))
"""


def chosen(move: str, legal: tuple[str, ...], turn: int = 0, role: str = "a", value: float = 50.0) -> Choice:
    return Choice(turn, role, move, value, frozenset(map(kind_of, legal)), len(legal), legal)


def test_intervals_of_many_comparisons_are_wider() -> None:
    assert corrected(1) == pytest.approx(1.96, abs=0.001)
    assert wilson(5, 10, corrected(20)).high > wilson(5, 10).high


def test_kinds_are_names_of_terms_or_words_without_places() -> None:
    assert kind_of("(move pawn 1 2)") == "move"
    assert kind_of("raise to 97") == "raise to …"
    assert kind_of("J2") == "…"
    assert [thing.text for thing in things_in("(move pawn 1)")] == ["(move pawn …)", "(move … 1)"]


def test_points_are_shared_by_those_with_the_best_result() -> None:
    assert scores_of((100, 0)) == [1.0, 0.0]
    assert scores_of((50, 50, 0)) == [0.5, 0.5, 0.0]
    assert winner_of((50, 50)) is None


def test_a_winner_who_was_behind_made_a_comeback() -> None:
    match = StrongMatch(("a", "b"), goals=(100, 0))
    for turn, value in enumerate((50, 30, 60, 90)):
        match.choices.append(chosen("x", ("x", "y"), turn, "a", value))

    story = drama_of(match)

    assert story is not None
    assert story.is_comeback
    assert story.lead_changes == 1
    assert story.decided_at == 0.75


def test_moves_of_lost_positions_say_nothing() -> None:
    matches = []
    for _ in range(20):
        match = StrongMatch(("a",))
        match.choices += [chosen("(step 1)", ("(step 1)", "(slip 1)"), turn) for turn in range(5)]
        match.choices.append(chosen("(slip 1)", ("(step 1)", "(slip 1)"), 5, value=0.0))
        matches.append(match)
    (slip,) = [usage for usage in usage_of_kinds(matches) if usage.name == "slip"]
    assert (slip.available, slip.chosen, slip.is_never_used) == (100, 0, True)


def test_few_choices_are_no_evidence() -> None:
    few = [StrongMatch(("a",), [chosen("good", ("good", "bad"))]) for _ in range(5)]
    many = [StrongMatch(("a",), [chosen("good", ("good", "bad"))]) for _ in range(30)]

    assert not any(usage.is_dominant or usage.is_never_used for usage in usage_of_kinds(few))
    by_name = {usage.name: usage for usage in usage_of_kinds(many)}
    assert by_name["good"].is_dominant
    assert by_name["bad"].is_never_used


def test_there_is_no_finding_without_matches() -> None:
    game = ludens.load("tic_tac_toe", backend="interpreter")

    assert find_all(Examined(game, RandomPlay(game.roles))) == []


def test_marks_show_which_rules_fire() -> None:
    game = make_game(read_rules(COUNTDOWN), "countdown", wait=True)
    assert isinstance(game, GdlGame)

    coverage = watch_rules(game, [], lambda: 0.2, 1, 0)

    assert [rule.title for rule in coverage.dead] == ["(legal solo <b>) (line 4)"]
    assert coverage.fired[coverage.rules[0].number] > 0
    assert mark_rules(game.sheet).sheet.rules != game.sheet.rules


LADDER = """
(role solo) (init (step 0)) {succ}
(<= (legal solo up) (true (step ?n)))
(<= (legal solo off) (true (step ?n)))
(<= (next (step ?m)) (does solo up) (true (step ?n)) (succ ?n ?m))
(<= (next fallen) (does solo off))
(<= terminal (true fallen))
(<= terminal top)
(<= top (true (step 30)))
(<= top (true fallen) (true (step ?n)))
(<= (goal solo 100) top)
(<= (goal solo 0) (not top))
""".format(succ=" ".join(f"(succ {n} {n + 1})" for n in range(30)))
"""Random play comes to the top once in a thousand million matches; one of the rules for `top` is dead."""


def test_ends_that_random_play_misses_are_found_and_dead_rules_proved() -> None:
    game = make_game(read_rules(LADDER), "ladder", wait=True)

    coverage = watch_rules(game, [], lambda: 1.0, 1, 0)

    assert [rule.title for rule in coverage.dead] == ["top (line 10)"]
    assert {rule.number for rule in coverage.dead} == coverage.never | coverage.impossible


def test_seats_that_are_alike_are_not_called_unfair() -> None:
    for name, alike in (("chicken", True), ("tic_tac_toe", False), ("oshi_zumo", False)):
        examination = Examination(ludens.load(name, wait=True), 0.6, seed=1)
        assert examination.run().seats_alike is alike
    seen = Examination(ludens.load("chicken", wait=True), 1.0, seed=1).run()
    seen.leaves, ends = 1_024, [(96, 20)] * 60
    seen.strong = [StrongMatch(seen.game.roles, goals=end) for end in ends]

    unfair = [finding for finding in find_all(seen) if finding.code in (Code.UNFAIR, Code.UNREACHABLE_GOAL)]

    assert [finding.level for finding in unfair] == [Level.REMARK]
    seen.seats_alike = False
    assert Level.PROBLEM in [finding.level for finding in find_all(seen) if finding.code is Code.UNFAIR]


@pytest.mark.parametrize(("tried", "level"), [(True, Level.REMARK), (False, Level.PROBLEM)])
def test_a_rule_that_never_fired_is_no_problem_if_induction_finds_no_proof(tried: bool, level: Level) -> None:
    game = make_game(read_rules(COUNTDOWN), "countdown", wait=True)
    two = ludens.load("tic_tac_toe", backend="interpreter")
    rules = mark_rules(game.sheet).rules
    seen = Examined(two, RandomPlay(two.roles))
    seen.coverage = Coverage(rules[:1], states=100_000, matches=10_000, was_induction_tried=tried)

    assert [(one.code, one.level) for one in find_all(seen) if one.code is Code.DEAD_RULE] == [(Code.DEAD_RULE, level)]


def test_only_squares_that_are_like_the_others_stand_out() -> None:
    play = RandomPlay(("a",), states=20_000, looked_at=20_000, all_moves={"a": ()})
    empty = [f"(cell {x} {y} empty)" for x in range(4) for y in range(4)]
    play.initial = (*empty, "(cell 4 4 red)")
    play.fluents = Counter(dict.fromkeys(play.initial, 9_000) | {"(cell 4 4 red)": 20_000})

    assert list(unreached_parts(play)) == []
    play.fluents[empty[5]] = 20_000
    assert [part.subject for part in unreached_parts(play)] == [empty[5]]


def test_a_dominant_move_is_proved_by_backward_induction() -> None:
    game = ludens.load("prisoners_dilemma", wait=True)

    assert strictly_dominates(game, "defect")
    assert not strictly_dominates(game, "cooperate")
    assert not strictly_dominates(ludens.load("chicken", wait=True), "swerve")


def test_lines_of_a_page_that_ran_are_not_reported() -> None:
    coverage = watch_rules(ludens.load("tic_tac_toe@tabletop"), [], lambda: 0.2, 1, 0)

    assert coverage.all_lines > 5
    assert coverage.lines == {}


def test_random_play_on_a_batch_counts_what_single_matches_count() -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    slow = ludens.load("tic_tac_toe", backend="interpreter")

    play, single = RandomPlay(game.roles), RandomPlay(game.roles)
    play_randomly(game, CpuDeadline(0.3), 1, play)
    play_randomly(slow, CpuDeadline(0.3), 1, single)

    assert play.matches >= 64
    assert play.endless == play.stuck == 0
    assert {len(lengths) > 0 for lengths in (play.lengths, single.lengths)} == {True}
    assert min(play.lengths) >= 5
    assert max(play.lengths) <= 9
    assert set(play.legal["xplayer"]) == set(single.legal["xplayer"])


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"unfair start", "circles", "no end"}))
def test_planted_defects_are_valid_rules(kind: str) -> None:
    (name, sheet), *_ = sheets(["connect_four"])

    planted = plant(name, sheet, kind, Random(1))

    assert planted is not None
    assert make_game(planted.sheet, "planted", "interpreter").initial_state().legal_moves("red")


@pytest.mark.parametrize("kind", ["no move", "missing goal", "dead move"])
def test_reports_find_planted_defects(kind: str) -> None:
    (name, sheet), *_ = sheets(["tic_tac_toe"])
    planted = plant(name, sheet, kind, Random(1))
    assert planted is not None

    found, _ = report_problems(planted.sheet, name, 1.0)

    assert is_found(planted, found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_reports_find_defects_of_all_kinds(kind: str) -> None:
    (name, sheet), *_ = sheets(["connect_four" if kind == "blocked square" else "tic_tac_toe"])
    planted = plant(name, sheet, kind, Random(1))
    assert planted is not None

    found, _ = report_problems(planted.sheet, name, 6.0)

    assert is_found(planted, found)


@pytest.mark.slow
def test_a_sound_game_gives_no_alarm() -> None:
    (name, sheet), *_ = sheets(["tic_tac_toe"])

    found, _ = report_problems(sheet, name, 6.0)

    assert found == []


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "lights_out", pytest.param("pig", marks=pytest.mark.slow)])
def test_games_of_all_sorts_are_reported(name: str) -> None:
    examination = Examination(ludens.load(name, wait=True), 0.6, seed=1)

    report = make_report(examination.run(), 0.6)

    assert report.measure("length") is not None
    assert json.loads(json.dumps(report.as_json(), allow_nan=False))["game"] == name
    assert "<script" not in report_page(report)


def test_names_of_hostile_rules_are_escaped() -> None:
    examination = Examination(make_game(read_rules(COUNTDOWN), "<i>game", wait=True), 0.5)

    page = report_page(make_report(examination.run(), 0.5))

    assert "<b>" not in page
    assert "<i>game" not in page


def test_an_interrupted_examination_has_what_was_found_so_far() -> None:
    def interrupt(text: str) -> None:
        if text.startswith("strong play"):
            raise KeyboardInterrupt

    examination = Examination(ludens.load("tic_tac_toe", wait=True), 1.0, progress=interrupt)

    with pytest.raises(KeyboardInterrupt):
        examination.run()

    assert make_report(examination.seen, 1.0).measure("length") is not None


def test_time_is_shared_out() -> None:
    allowance = Allowance(100.0)
    allowance.charge(90.0)

    assert allowance.part(0.5).remaining() <= 10.0


def test_a_rule_that_makes_matches_endless_is_worse() -> None:
    (name, sheet), *_ = sheets(["tic_tac_toe"])
    planted = plant(name, sheet, "no move", Random(1))
    assert planted is not None
    reports = [
        make_report(Examination(make_game(one, name, wait=True), 0.6, seed=1).run(), 0.6)
        for one in (sheet, planted.sheet)
    ]

    comparison = compare_reports(*reports)

    verdicts = {change.before.key: change.verdict for change in comparison.changes}
    assert verdicts["stuck"] is Verdict.WORSE
    assert Code.STUCK in {finding.code for finding in comparison.new}
    assert not problems(comparison.gone)


def test_weak_searches_are_no_evidence_of_drama_and_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.design.examine.find_strength", lambda *_: 16)

    seen = Examination(ludens.load("tic_tac_toe", wait=True), 0.6, seed=1).run()

    assert seen.strong
    assert not seen.stories
    assert any("16 leaves a move are too weak" in note for note in seen.notes)
