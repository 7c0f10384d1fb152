"""Findings in plain words, each with its evidence and sample size. Without enough evidence there is no finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from ludens.core import BEST_GOAL
from ludens.core.interval import corrected, wilson
from ludens.design.drama import scores_of, winner_of
from ludens.design.examined import Examined
from ludens.design.marked_rules import MarkedRule, goal_of
from ludens.design.strong_play import LEAST_LEAVES
from ludens.design.unreached import unreached_parts
from ludens.gdl.terms import Variable
from ludens.gdl.write import kif

_LEAST_RANDOM, _LEAST_STRONG, _LEAST_STATES = 200, 16, 20_000
"""The least sample of random matches, of matches of strong play and of states for a finding."""
_UNFAIR, _UNEVEN = 0.2, 0.08
"""How far above its fair share a seat surely scores."""
_SLOW_END = 0.01
"""The share of random matches that may take very long."""
_COSTS = 0.1
"""How far below its fair share a side surely scores without a dominant kind of move."""


class Level(StrEnum):
    """How bad it is."""

    PROBLEM = "problem"
    REMARK = "remark"


class Code(StrEnum):
    """Kinds of findings."""

    STUCK = "stuck"
    ENDLESS = "endless"
    FAULTY_GOALS = "faulty goals"
    UNFAIR = "unfair"
    UNREACHABLE_GOAL = "unreachable goal"
    DEAD_RULE = "dead rule"
    UNREACHABLE_PART = "unreachable part"
    DOMINANT = "dominant"
    NEVER_USED = "never used"
    UNDECIDED = "undecided"
    NO_CHOICE = "no choice"
    PERFECT_PLAY = "perfect play"
    SKILL = "skill"
    RULES_FAIL = "rules fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a designer should know."""

    code: Code
    level: Level
    text: str
    """One sentence."""
    evidence: str
    """What it rests on."""
    sample: int
    subject: str = ""
    """The role, rule or kind of move it is about."""

    def as_json(self) -> dict[str, Any]:
        """The finding as JSON values."""
        return asdict(self)


def find_all(seen: Examined) -> list[Finding]:
    """All findings, problems first."""
    found = [finding for search in _SEARCHES for finding in search(seen)]
    return sorted(found, key=lambda finding: finding.level is not Level.PROBLEM)


def _problem(code: Code, text: str, evidence: str, sample: int, subject: str = "") -> Finding:
    return Finding(code, Level.PROBLEM, text, evidence, sample, subject)


def _remark(code: Code, text: str, evidence: str, sample: int, subject: str = "") -> Finding:
    return Finding(code, Level.REMARK, text, evidence, sample, subject)


def _failures(seen: Examined) -> Iterator[Finding]:
    if seen.play.error:
        yield _problem(Code.RULES_FAIL, "The rules fail in play.", seen.play.error.partition("\n")[0], 1)


def _stuck(seen: Examined) -> Iterator[Finding]:
    play = seen.play
    strong = sum(match.stuck for match in seen.strong)
    if play.stuck or strong:
        share = wilson(play.stuck, play.matches)
        where = f"{play.stuck:,} of {play.matches:,} random matches ({share.low:.2%} to {share.high:.2%})"
        where += f", {strong} of {len(seen.strong)} of strong play" if strong else ""
        yield _problem(
            Code.STUCK, "Play gets stuck: a role has no move although the match is not over.", where, play.matches
        )


def _endless(seen: Examined) -> Iterator[Finding]:
    play = seen.play
    unended = sum(match.goals is None and not match.stuck for match in seen.strong)
    sample = play.matches
    share = wilson(play.endless, sample)
    text = "Play may go on for ever."
    if play.endless and (share.low > _SLOW_END or not play.lengths):
        evidence = f"{play.endless:,} of {sample:,} random matches ({share.low:.1%} to {share.high:.1%}) had no end"
        yield _problem(Code.ENDLESS, text, f"{evidence} after 1,000 turns", sample)
    elif unended and wilson(unended, len(seen.strong)).low > _COSTS:
        evidence = f"{unended} of {len(seen.strong)} matches of strong play had no end after 1,000 turns"
        yield _problem(Code.ENDLESS, text, evidence, len(seen.strong))
    elif play.endless:
        evidence = f"{play.endless:,} of {sample:,} random matches had no end after 1,000 turns"
        yield _remark(Code.ENDLESS, "Some random matches last very long.", evidence, sample)


def _faulty_goals(seen: Examined) -> Iterator[Finding]:
    for what, count in seen.faulty_goals.items():
        yield _problem(Code.FAULTY_GOALS, f"{what}.", f"{count} of {seen.finals} final states", seen.finals)


def _unfair(seen: Examined) -> Iterator[Finding]:
    roles = seen.game.roles
    goals = [match.goals for match in seen.strong if match.goals is not None]
    if len(roles) < 2 or len(goals) < _LEAST_STRONG or seen.leaves < LEAST_LEAVES:
        return
    fair, z = 1 / len(roles), corrected(len(roles))
    for number, role in enumerate(roles):
        share = wilson(sum(scores_of(row)[number] for row in goals), len(goals), z)
        above = share.low - fair
        level = Level.PROBLEM if above > _UNFAIR * (1 - fair) * 2 and not seen.seats_alike else Level.REMARK
        if above > _UNEVEN:
            evidence = f"{share.mean:.0%} of the points ({share.low:.0%} to {share.high:.0%}) in {len(goals)} matches"
            evidence += f" of equal searches ({seen.leaves} leaves a move); fair is {fair:.0%}"
            text = f"{role} has {'a decisive' if level is Level.PROBLEM else 'an'} advantage in strong play."
            if seen.seats_alike:
                text = f"{role} comes off better in strong play, though the rules treat all seats alike."
            yield Finding(Code.UNFAIR, level, text, evidence, len(goals), role)


def _unreachable_goals(seen: Examined) -> Iterator[Finding]:
    """A role that never gets what others of its kind get, or, alone, what the rules promise."""
    roles, play = seen.game.roles, seen.play
    strong = [match.goals for match in seen.strong if match.goals is not None]
    rows = play.goals + strong
    if len(play.goals) < _LEAST_RANDOM or len(strong) < _LEAST_STRONG:
        return
    tops = [max(row[number] for row in rows) for number in range(len(roles))]
    promised = _promised(seen)
    for number, role in enumerate(roles):
        best = promised.get(role, max(tops))
        if tops[number] >= best or (seen.seats_alike and max(tops) >= best):
            continue
        evidence = f"{role} never got more than {tops[number]} in {len(play.goals):,} random matches and {len(strong)} "
        evidence += f"of strong play; the rules speak of {best}"
        if len(roles) > 1 or _proves_less(seen, role, best):
            text = f"{role} never wins." if best == BEST_GOAL else f"{role} never gets its best result."
            yield _problem(Code.UNREACHABLE_GOAL, text, evidence, len(rows), role)
        elif not (seen.perfect and seen.perfect.bounds[role][0] >= best):
            yield _remark(Code.UNREACHABLE_GOAL, f"Nobody found a way to {best}.", evidence, len(rows), role)


def _proves_less(seen: Examined, role: str, best: float) -> bool:
    return seen.perfect is not None and seen.perfect.bounds[role][1] < best


def _promised(seen: Examined) -> dict[str, int]:
    """The best goal of each role that a rule speaks of."""
    found: dict[str, int] = {}
    for one in seen.coverage.rules:
        goal = goal_of(one.rule)
        if goal is None or not (isinstance(goal[1], str) and goal[1].isdigit()):
            continue
        roles = seen.game.roles if isinstance(goal[0], Variable) else (kif(goal[0]),)
        for role in roles:
            found[role] = max(found.get(role, 0), min(BEST_GOAL, int(goal[1])))
    return found


def _dead_rules(seen: Examined) -> Iterator[Finding]:
    coverage = seen.coverage
    for rule in coverage.dead:
        if rule.number in coverage.impossible:
            text = f"The rule for {rule.title} can never fire."
            yield _problem(Code.DEAD_RULE, text, "proved by grounding the rules", coverage.states, rule.title)
        elif rule.number in coverage.never:
            text = f"The rule for {rule.title} can never fire."
            yield _problem(Code.DEAD_RULE, text, "proved by induction over play", coverage.states, rule.title)
        elif coverage.states >= _LEAST_STATES and not _may_be_rare(rule, seen):
            share = wilson(0, coverage.matches)
            evidence = f"not once in {coverage.states:,} states of {coverage.matches:,} matches"
            evidence += f" (so in fewer than {100 * share.high:.2g} % of matches)"
            level = Level.PROBLEM
            if coverage.was_induction_tried:  # which finds nearly all that are dead
                level, evidence = Level.REMARK, f"{evidence}; no proof that it cannot"
            text = f"The rule for {rule.title} never fired."
            yield Finding(Code.DEAD_RULE, level, text, evidence, coverage.states, rule.title)
    if coverage.lines and coverage.matches >= 20:
        lines = ", ".join(map(str, list(coverage.lines)[:12])) + (" …" if len(coverage.lines) > 12 else "")
        text = f"{len(coverage.lines)} of {coverage.all_lines} lines of the rules never ran."
        evidence = f"lines {lines}, in {coverage.matches:,} random matches"
        yield _remark(Code.DEAD_RULE, text, evidence, coverage.matches)


def _may_be_rare(rule: MarkedRule, seen: Examined) -> bool:
    """Whether random play is no evidence: ends that only skill reaches, as in puzzles."""
    is_end = rule.rule.head == "terminal" or goal_of(rule.rule) is not None
    return len(seen.game.roles) == 1 or (is_end and len(seen.play.lengths) < _LEAST_RANDOM)


def _unreached(seen: Examined) -> Iterator[Finding]:
    for part in unreached_parts(seen.play):
        evidence = f"in {seen.play.states:,} states of {seen.play.matches:,} random matches; {part.others}"
        yield _problem(Code.UNREACHABLE_PART, f"{part.text}.", evidence, seen.play.states, part.subject)


def _dominant(seen: Examined) -> Iterator[Finding]:
    if seen.leaves < LEAST_LEAVES:
        return
    # where information is hidden, searches do not mix their moves as they should, so what they prefer is no proof
    level = Level.REMARK if seen.game.hidden else Level.PROBLEM
    for usage in seen.kinds:
        evidence = f"chosen {usage.chosen} times of {usage.available} when there was another kind and a chance"
        evidence += f" ({usage.share.low:.0%} to {usage.share.high:.0%}, {usage.matches} matches)"
        if usage.is_never_used:
            who = "Strong players never use"
            if seen.game.hidden:
                who = "Searches, which do not mix their moves as hidden information asks for, never used"
            text = f"{who} «{usage.name}»."
            yield Finding(Code.NEVER_USED, level, text, evidence, usage.available, usage.name)
        elif usage.is_dominant:
            contest = seen.restricted.get(usage.name)
            if contest is None:
                continue
            evidence += f"; without it a side scores {contest.score.mean:.0%} ({contest.score.low:.0%} to "
            evidence += f"{contest.score.high:.0%}, {contest.matches} matches)"
            costly = contest.score.high < contest.fair - _COSTS * contest.fair * 2
            text = f"«{usage.name}» dominates: strong players nearly always choose it, and lose without it."
            if costly:
                yield Finding(Code.DOMINANT, level, text, evidence, usage.available, usage.name)


def _undecided(seen: Examined) -> Iterator[Finding]:
    if len(seen.game.roles) < 2:
        return
    strong = [match.goals for match in seen.strong if match.goals is not None]
    random = seen.play.goals
    decided = sum(winner_of(row) is not None for row in strong)
    in_random = sum(winner_of(row) is not None for row in random)
    if (
        len(random) >= _LEAST_RANDOM
        and not in_random
        and not decided
        and len({*random, *strong}) <= len(seen.game.roles)
    ):
        text = "Nobody ever wins: all results are the same for all roles."
        yield _problem(
            Code.UNDECIDED, text, f"{len(random):,} random matches, {len(strong)} of strong play", len(random)
        )
    elif len(strong) >= _LEAST_STRONG and wilson(decided, len(strong)).high < 0.15:
        evidence = f"{len(strong) - decided} of {len(strong)} matches of strong play"
        yield _remark(Code.UNDECIDED, "Strong play nearly always ends in a draw.", evidence, len(strong))


def _choices(seen: Examined) -> Iterator[Finding]:
    play = seen.play
    if play.matches < _LEAST_RANDOM and play.states < _LEAST_STATES:
        return
    for role in seen.game.roles:
        if not play.choosers[role] and any(play.choosers.values()):
            text = f"{role} never has a choice."
            yield _problem(Code.NO_CHOICE, text, f"{play.states:,} states of random play", play.states, role)
    if not any(play.choosers.values()):
        yield _problem(Code.NO_CHOICE, "Nobody ever has a choice.", f"{play.states:,} states", play.states)


def _perfect(seen: Examined) -> Iterator[Finding]:
    if seen.perfect is not None and seen.perfect.is_exact:
        values = ", ".join(f"{role} {low:g}" for role, (low, _) in seen.perfect.bounds.items())
        yield _remark(Code.PERFECT_PLAY, f"With perfect play the result is {values}.", "proved by search", 1)


def _skill(seen: Examined) -> Iterator[Finding]:
    contests = [contest for contest in seen.ladder if contest.matches >= _LEAST_STRONG]
    if len(seen.game.roles) < 2 or not contests:
        return
    best = max(contests, key=lambda contest: contest.score.low)
    evidence = "; ".join(f"{c.title}: {c.score.mean:.0%} ({c.score.low:.0%} to {c.score.high:.0%})" for c in contests)
    sample = sum(contest.matches for contest in contests)
    if best.score.low > best.fair:
        yield _remark(Code.SKILL, "Thinking longer pays.", evidence, sample)


_SEARCHES = (
    _failures,
    _stuck,
    _endless,
    _faulty_goals,
    _unfair,
    _unreachable_goals,
    _dominant,
    _dead_rules,
    _unreached,
    _undecided,
    _choices,
    _perfect,
    _skill,
)


def problems(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are problems."""
    return [finding for finding in findings if finding.level is Level.PROBLEM]
