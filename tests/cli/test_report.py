"""``ludens report`` and ``ludens compare-rules``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.design.test_report import COUNTDOWN


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "countdown.kif"
    file.write_text(COUNTDOWN.replace("<b>", "leap"), encoding="utf-8")
    return file


def test_the_report_is_a_page_and_json(run: Run, rules: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"

    code, printed, _ = run("report", str(rules), "--seconds", "0.5", "-o", str(out), "--json")

    assert code == 0
    assert "dead rule" in {finding["code"] for finding in json.loads(printed)["findings"]}
    assert "prefers-color-scheme:dark" in out.read_text(encoding="utf-8")


def test_a_comparison_names_what_a_change_did(run: Run, rules: Path, tmp_path: Path) -> None:
    other = tmp_path / "longer.kif"
    text = rules.read_text(encoding="utf-8")
    other.write_text(text.replace("(succ 2 3)", "(succ 2 3) (succ 3 4)").replace("(counter 3)", "(counter 4)"))

    code, printed, _ = run("compare-rules", str(rules), str(other), "--seconds", "0.5", "--json")

    assert code == 0
    changes = {change["key"]: change for change in json.loads(printed)["changes"]}
    assert changes["length"]["difference"]["mean"] == 1.0
    assert changes["length"]["verdict"] == "changed"


@pytest.mark.parametrize("command", [("report",), ("compare-rules", "nim")])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_examined(
    run: Run, rules: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludens.cli.analysis.report._examine", lambda *_: pytest.fail("it was examined"))

    code, _, error = run(command[0], str(rules), *command[1:], "-o", str(rules / "report.html"))

    assert code == 2
    assert "cannot write" in error
