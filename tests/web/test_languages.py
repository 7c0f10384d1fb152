from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from ludens.web.app import SUBJECTS
from ludens.web.languages import catalogue, texts_in
from ludens.web.matches.match_form import offered_players
from tests.web.wording import (
    MODULES,
    SCRIPTS,
    TEMPLATES,
    bare_texts_of_script,
    bare_texts_of_template,
    messages_in,
    used_texts,
)

HTML = {"accept": "text/html"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_no_texts_of_their_own(path: object) -> None:
    assert bare_texts_of_template(path) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_have_no_texts_of_their_own(path: object) -> None:
    assert bare_texts_of_script(path) == []  # type: ignore[arg-type]


def test_the_catalogue_has_exactly_the_texts_that_are_used() -> None:
    used = {text for path in (*TEMPLATES, *SCRIPTS) for text in used_texts(path)}
    assert used == set(catalogue()["texts"])


def test_the_catalogue_has_the_messages_of_the_server() -> None:
    raised = {message for path in MODULES for message in messages_in(path)}
    assert len(raised) > 40
    assert raised <= set(catalogue()["messages"])


def test_the_catalogue_has_the_names_of_subjects_and_players() -> None:
    named = {text for subject in SUBJECTS for text in (subject.title, subject.about) if text}
    named |= {kind.description for kind in offered_players().values()}
    assert named <= {*catalogue()["texts"], *catalogue()["words"]}


def test_translations_have_the_values_and_forms_of_their_texts() -> None:
    for table in catalogue().values():
        for text, translated in table.items():
            assert translated
            assert set(re.findall(r"\{\w*\}", text)) == set(re.findall(r"\{\w*\}", translated)), text
            assert text.count("|") == translated.count("|"), text


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,de;q=0.5", "en"),
        ("fr,de;q=0.3", "de"),
        ("fr", "en"),
        ("en;q=0.2,de;q=0.7", "de"),
        ("de;q=x,en", "en"),
        ("", "en"),
    ],
)
def test_the_browser_chooses_the_language(client: TestClient, header: str, language: str) -> None:
    answer = client.get("/library", headers={**HTML, "accept-language": header})
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text
    assert ("Bibliothek" in answer.text) is (language == "de")


def test_the_reader_chooses_another_one(client: TestClient) -> None:
    english = client.get("/play", headers=HTML).text
    assert '/language/de?back=/play"' in english
    german = client.get("/language/de?back=/play", headers=HTML)
    assert german.url.path == "/play"
    assert "Partie beginnen" in german.text
    assert "Start the match" in client.get("/language/en?back=/play", headers=HTML).text


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "javascript:alert(1)", "/\\example.org"])
def test_the_way_back_leads_to_no_other_site(client: TestClient, back: str) -> None:
    answer = client.get("/language/de", params={"back": back}, headers=HTML, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_errors_are_told_in_the_language_of_the_browser(client: TestClient) -> None:
    answer = client.get("/watch/nothing", headers={**HTML, "accept-language": "de"})
    assert answer.status_code == 404
    assert "Diese Partie gibt es nicht" in answer.text


def test_messages_within_messages_are_translated() -> None:
    told = texts_in("de").told("No rematch: you have 25 matches that are not over; finish or stop some of them first")
    assert told == "Keine Revanche: 25 eigene Partien sind nicht zu Ende; einige davon müssen zuerst beendet werden"
    assert texts_in("de").told("something else") == "something else"


def test_numbers_choose_the_form() -> None:
    texts = texts_in("de")
    assert [texts("{n} turn|{n} turns", n=number) for number in (0, 1, 2)] == ["0 Züge", "1 Zug", "2 Züge"]


def test_scripts_get_the_catalogue(client: TestClient) -> None:
    answer = client.get("/catalogue/de.js")
    assert answer.text.startswith("export default {")
    assert "Partie beginnen" in answer.text
    assert client.get("/catalogue/xx.js").status_code == 404
