"""The comparison of two rule sets as one HTML file."""

from __future__ import annotations

from ludens.design.compare_reports import Comparison, lines_of
from ludens.design.page import document, findings_list, table, text_of


def comparison_page(comparison: Comparison) -> str:
    """The comparison as a page."""
    before, after = comparison.before, comparison.after
    parts = [
        f"<h1>From {text_of(before.name)} to {text_of(after.name)}</h1>",
        f'<p class="sub">What the change of rules did; {before.seconds + after.seconds:.0f} CPU seconds</p>',
        "<h2>New findings</h2>",
        findings_list(comparison.new),
        "<h2>Findings that are gone</h2>",
        findings_list(comparison.gone),
        "<h2>Figures</h2>",
        table(("", "before", "after", "difference (95 %)", "verdict"), lines_of(comparison)),
        '<p class="of">A figure is better if it is nearer to its aim: no endless or stuck matches, no dead rules, few '
        "draws, fair seats. Lengths and numbers of moves have no aim; they change. A difference is unclear if its "
        "interval contains 0.</p>",
    ]
    return document(f"{before.name} and {after.name} compared", parts)
