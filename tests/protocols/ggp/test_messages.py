from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.protocols.ggp.messages import (
    MAX_MESSAGE,
    Abort,
    Info,
    Message,
    MessageError,
    Moves,
    Percepts,
    Play,
    PlayerInfo,
    Preview,
    Start,
    Stop,
    add_blanks,
    as_word,
    read_info,
    read_message,
    read_term,
)

words = st.text("abcxyzXYZ019._-?+<=", min_size=1, max_size=8).filter(lambda word: word.upper() != "NIL")
terms = st.recursive(
    words,
    lambda inner: st.builds(lambda name, parts: f"({' '.join([name, *parts])})", words, st.lists(inner, max_size=3)),
)
lists = st.lists(terms, max_size=4).map(tuple)
clocks = st.integers(0, 1_000) | st.sampled_from([0.25, 1.5])
news = st.builds(Moves, st.none() | lists) | st.builds(Percepts, st.integers(0, 999), st.none() | terms, lists)
messages = st.one_of(
    st.just(Info()),
    st.builds(Preview, lists, clocks),
    st.builds(Start, words, terms, lists, clocks, clocks),
    st.builds(Play, words, news),
    st.builds(Stop, words, news),
    st.builds(Abort, words),
)


@given(messages)
def test_messages_read_back_as_they_were_written(message: Message) -> None:
    assert read_message(str(message)) == message


@given(messages)
def test_blanks_line_ends_and_the_case_of_keywords_do_not_matter(message: Message) -> None:
    text = str(message)
    keyword = text.split()[1]
    odd = text.replace(" ", " \r\n\t ").replace("(", " ( ").replace(f" {keyword} ", f" {keyword.lower()} ", 1)

    assert read_message(odd) == message


@given(st.text(max_size=200) | st.text("() \n;?PLAYINFOSTRabNIL0123", max_size=200))
def test_any_text_is_a_message_or_refused(text: str) -> None:
    with contextlib.suppress(MessageError):
        assert str(read_message(text))


@given(messages, st.data())
def test_no_damage_to_a_message_breaks_the_reader(message: Message, data: st.DataObject) -> None:
    text = str(message)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    damaged = text[:start] + data.draw(st.text("() \n;a1", max_size=5)) + text[end:]
    with contextlib.suppress(MessageError):
        assert str(read_message(damaged))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(info)", Info()),
        ("( INFO more )", Info()),
        ("(play m nil)", Play("m", Moves(None))),
        ("( PLAY m (( mark 1 1 ) noop ) )", Play("m", Moves(("(mark 1 1)", "noop")))),
        ("( PLAY m 0 NIL NIL )", Play("m", Percepts(0, None))),
        ("( PLAY m 3 ( draw c1 ) ( ( card c1 ) yes ) )", Play("m", Percepts(3, "(draw c1)", ("(card c1)", "yes")))),
        ("( STOP m 4 noop () )", Stop("m", Percepts(4, "noop"))),
        ("( START m white ((role white)) 10 5 further (arguments) )", Start("m", "white", ("(role white)",), 10, 5)),
        ("(START m white (\n; a comment (\n(role white)\n(<= (legal white a)\n(true b))) 10 5)",
         Start("m", "white", ("(role white)", "(<= (legal white a) (true b))"), 10, 5)),
        ("( ABORT m )", Abort("m")),
    ],
)  # fmt: skip
def test_what_servers_send_is_understood(text: str, message: Message) -> None:
    assert read_message(text) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PLAY",
        "()",
        "( PLAY )",
        "( PLAY m )",
        "( PLAY m word )",
        "( PLAY m (()) )",
        "( PLAY m one noop () )",
        "( PLAY (m) NIL )",
        "( START m white ((role white)) ten 5 )",
        "( START m white rules 10 5 )",
        "( START m white ((role white)) 10 )",
        "( PREVIEW ((role white)) -1 )",
        f"( ABORT {'m' * 1000} )",
        "( DANCE m )",
        "( INFO ) ( INFO )",
        "( INFO",
        "( INFO ) )",
        "(" * 10_000,
        "(INFO " + "x" * MAX_MESSAGE + ")",
    ],
)
def test_what_is_no_message_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_message(text)

    assert 0 < len(str(caught.value)) < 200


@given(terms)
def test_an_answer_is_read_whatever_its_blanks(term: str) -> None:
    assert read_term(add_blanks(term).replace(" ", "\n  ")) == read_term(term) == term


@pytest.mark.parametrize("text", ["", " ", "a b", "(a", ")", "()", "(a ())", "((a))"])
def test_what_is_not_one_term_is_no_move(text: str) -> None:
    assert read_term(text) is None


@pytest.mark.parametrize(
    ("text", "info"),
    [
        ("( ( name Rando ) ( status available ) ( species MACHINE ) )", PlayerInfo("Rando", "available", "MACHINE")),
        ("((NAME x)(STATUS BUSY))", PlayerInfo("x", "busy")),
        ("ready", PlayerInfo(status="ready")),
    ],
)
def test_answers_to_info_are_lists_or_words(text: str, info: PlayerInfo) -> None:
    assert read_info(text) == info


@pytest.mark.parametrize("text", ["", "()", "(name)", "(((", "a b"])
def test_what_is_no_answer_to_info_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        read_info(text)


@given(st.text(max_size=30))
def test_any_name_can_be_told_as_a_word(name: str) -> None:
    info = PlayerInfo(as_word(name), "available", "MACHINE")

    assert read_info(str(info)) == info
