"""The report as one HTML file: no scripts, nothing from elsewhere, light and dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ludens.design import charts
from ludens.design.findings import Finding, Level
from ludens.design.gallery import gallery
from ludens.design.game_report import GameReport
from ludens.design.measures import Measure
from ludens.design.usage import Usage
from ludens.drawing import STYLE
from ludens.gdl.source import visible

PAGE_STYLE = """
:root{color-scheme:light dark;--ground:#fff;--ink:#1d2529;--pale:#5b6b73;--line:#d5dcdf;--tint:#f3f6f7;--main:#00796b;
--bad:#c62828;--second:#d84315}
@media (prefers-color-scheme:dark){:root{--ground:#14191c;--ink:#e6ecee;--pale:#9fb0b8;--line:#37444b;--tint:#1d2529;
--main:#4db6ac;--bad:#ff8a80;--second:#ffab91}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1.5rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{margin:0 0 .2rem}h2{margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line)}
p.sub,figcaption,.of{color:var(--pale)}.of,figcaption{font-size:.85rem}
ul.findings{list-style:none;padding:0}
ul.findings li{border-left:.35rem solid var(--main);background:var(--tint);padding:.5rem .8rem;margin:.5rem 0}
ul.findings li.problem{border-color:var(--bad)}
ul.findings strong{display:block}ul.findings .kind{float:right;color:var(--pale);font-size:.8rem}
table{border-collapse:collapse;width:100%}
td,th{padding:.25rem .6rem;text-align:left;border-bottom:1px solid var(--line)}
th:not(:first-child){text-align:right}
td:first-child{min-width:9.5rem}
td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media (max-width:40rem){body{padding:1rem}td.number{white-space:normal}}
.scroll{overflow-x:auto}
.charts,.plates{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem}
figure{margin:0}
.plates figure{background:var(--tint);padding:.7rem;border-radius:.4rem}
.plates svg{max-width:100%;max-height:18rem;height:auto;width:auto;display:block;margin:0 auto .4rem}
pre{background:var(--tint);padding:.6rem;overflow-x:auto;font-size:.85rem}
.chart{width:100%;height:auto}.chart text{font-size:11px;fill:var(--pale)}
.chart .bar{fill:var(--main)}.chart .axis{stroke:var(--line)}.chart .fair{stroke:var(--second);stroke-dasharray:3 3}
.chart .range{stroke:var(--main);stroke-width:3}.chart .point{fill:var(--main)}
.chart polyline{fill:none;stroke:var(--main)}.chart .thin{stroke-opacity:.35}
.chart .mean{stroke:var(--second);stroke-width:3}
"""
_STORIES = 25
_SHOWN = 30
_MOST_DIGITS = 9
"""Larger numbers are shown as a power of ten."""


def text_of(text: str) -> str:
    """Text from rules, safe to show."""
    return escape(visible(text))


def document(title: str, parts: Iterable[str]) -> str:
    """A whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{text_of(title)}</title><style>{PAGE_STYLE}{STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def report_page(report: GameReport) -> str:
    """The report as a page."""
    return document(f"{report.name}: a report for its designers", _parts(report))


def _parts(report: GameReport) -> Iterator[str]:
    seen = report.seen
    yield f"<h1>{text_of(report.name)}</h1>"
    summary = [
        f"{len(seen.game.roles)} role{'s' if len(seen.game.roles) > 1 else ''}: {', '.join(seen.game.roles)}",
        "with chance" if seen.game.chance else "without chance",
        "hidden information" if seen.game.hidden else "perfect information",
        f"{seen.play.matches:,} random matches",
        f"{len(seen.strong)} of strong play ({seen.leaves} leaves a move)",
        f"{report.seconds:.0f} CPU seconds",
    ]
    yield f'<p class="sub">{text_of(" · ".join(summary))}</p>'
    yield "<h2>Findings</h2>"
    yield findings_list(report.findings)
    yield "<h2>Figures</h2>"
    yield measures_table(report.measures)
    if report.size is not None:
        yield f"<p>{_size_sentence(report)}</p>"
    yield f'<div class="charts">{"".join(_charts(report))}</div>'
    plates = gallery(seen)
    if plates:
        yield "<h2>Positions</h2>"
        shown = (f"<figure>{plate.svg}<figcaption>{text_of(plate.caption)}</figcaption></figure>" for plate in plates)
        yield f'<div class="plates">{"".join(shown)}</div>'
    yield from _moves_part(report)
    yield from _rules_part(report)
    if seen.notes:
        yield "<h2>Left out</h2><ul>" + "".join(f"<li>{text_of(note)}</li>" for note in seen.notes) + "</ul>"
    yield (
        '<p class="of">Intervals are of 95 % (by Wilson for shares; those of several seats or kinds of moves hold '
        "together, by Bonferroni). Strong play is Monte-Carlo tree search with equal numbers of leaves.</p>"
    )


def findings_list(findings: Sequence[Finding]) -> str:
    """Findings, each with its evidence."""
    if not findings:
        return "<p>Nothing stands out.</p>"
    problems = sum(finding.level is Level.PROBLEM for finding in findings)
    first = "" if problems else "<p>No problems were found.</p>"
    items = (
        f'<li class="{finding.level}"><span class="kind">{finding.level}: {finding.code}</span>'
        f"<strong>{text_of(finding.text)}</strong>{text_of(finding.evidence)}"
        + (f' <span class="of">(n = {finding.sample:,})</span></li>' if finding.sample > 1 else "</li>")
        for finding in findings
    )
    return f'{first}<ul class="findings">{"".join(items)}</ul>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all cells but the first are numbers."""
    head = "".join(f"<th>{text_of(cell)}</th>" for cell in heads)
    body = "".join(
        f"<tr><td>{text_of(row[0])}</td>"
        + "".join(f'<td class="number">{text_of(cell)}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def measures_table(measures: Sequence[Measure]) -> str:
    """All figures with intervals and samples."""
    rows = [(one.title, one.text, f"{one.sample:,} {one.of}") for one in measures]
    return table(("", "estimate (95 %)", "from"), rows)


def _size_sentence(report: GameReport) -> str:
    size = report.size
    assert size is not None
    seen = f"Random play saw {size.seen:,} different positions"
    lines = _about(size.tree_log)
    if size.is_complete:
        return f"{seen}, each more than once, so hardly any are missing. Lines of play: {lines}."
    return f"{seen}; there are at least {_about(math.log10(max(1, size.estimate)))}. Lines of play: {lines}."


def _about(log: float) -> str:
    """A number given by its logarithm (base 10), with two digits, or as a power if it is large."""
    return f"about {round(10**log, 1 - int(log)):,.0f}" if log < _MOST_DIGITS else f"about 10^{log:.0f}"


def _charts(report: GameReport) -> Iterator[str]:
    seen = report.seen
    yield charts.histogram(seen.play.lengths, "Turns of random matches")
    by_turn = [
        (float(turn), total / count) for turn, (total, count) in sorted(seen.play.choices_by_turn.items()) if count
    ]
    if by_turn:
        yield charts.lines([by_turn], "Moves to choose from, by turn", max(y for _, y in by_turn), ("mean",))
    if len(seen.game.roles) > 1:
        seats = [
            (f"{kind}: {role}", one.interval)
            for kind, key in (("strong", "seat"), ("random", "random_seat"))
            for role in seen.game.roles
            if (one := report.measure(f"{key}:{role}")) is not None
        ]
        yield charts.intervals(seats, "Points of each seat; dashed: fair", 1 / len(seen.game.roles))
        rungs = [(contest.title, contest.score) for contest in seen.ladder if contest.matches]
        yield charts.intervals(rungs, "Skill: points of the longer search", 1 / len(seen.game.roles))
        stories = [
            [(float(turn), values[0]) for turn, values in zip(story.turns, story.values, strict=True)]
            for story in seen.stories[:_STORIES]
        ]
        yield charts.lines(stories, f"What {seen.game.roles[0]} expects in strong play, match by match", 100.0)


def _moves_part(report: GameReport) -> Iterator[str]:
    seen = report.seen
    heads = ("", "chosen when there was another", "choices", "matches")

    def row(usage: Usage) -> tuple[str, ...]:
        share = f"{usage.share.mean:.0%} ({usage.share.low:.0%} to {usage.share.high:.0%})"
        return usage.name, share, f"{usage.available:,}", f"{usage.matches}"

    if seen.kinds:
        yield "<h2>Moves in strong play</h2>" + table(heads, [row(usage) for usage in seen.kinds[:_SHOWN]])
    if seen.restricted:
        yield "<h3>Play without</h3>" + table(
            ("", "points of the side without it", "matches"),
            [
                (kind, f"{one.score.mean:.0%} ({one.score.low:.0%} to {one.score.high:.0%})", str(one.matches))
                for kind, one in seen.restricted.items()
            ],
        )
    things = [usage for usage in seen.things if usage.has_evidence]
    if things:
        ranked = sorted(things, key=lambda usage: usage.share.mean)
        yield "<h3>Pieces, cards and squares, least used first</h3>"
        yield table(heads, [row(usage) for usage in ranked[:_SHOWN]])


def _rules_part(report: GameReport) -> Iterator[str]:
    coverage = report.seen.coverage
    if coverage.rules:
        yield "<h2>Rules</h2>"
        yield (
            f"<p>{len(coverage.rules) - len(coverage.dead)} of {len(coverage.rules)} rules that depend on the position "
            f"fired in {coverage.states:,} states of {coverage.matches:,} matches.</p>"
        )
        for rule in coverage.dead[:_SHOWN]:
            yield f"<pre>{text_of(rule.title)}\n{escape(rule.text)}</pre>"
    if coverage.lines:
        yield f"<h2>Rules</h2><p>Lines that never ran in {coverage.matches:,} random matches:</p>"
        listed = "\n".join(f"{line:5}  {text}" for line, text in list(coverage.lines.items())[:_SHOWN])
        yield f"<pre>{escape(listed)}</pre>"
