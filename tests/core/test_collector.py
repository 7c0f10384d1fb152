from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludens.core.collector import FullCollections

MANY = 1_000_000
"""A full collection waits until there are a quarter more objects than after the last one."""


@pytest.fixture
def collections() -> Iterator[FullCollections]:
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield FullCollections()
    gc.set_threshold(*usual)


@contextmanager
def counted() -> Iterator[list[int]]:
    """The generations that are collected meanwhile."""
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            found.append(info["generation"])

    gc.callbacks.append(note)
    try:
        yield found
    finally:
        gc.callbacks.remove(note)


def test_only_young_objects_are_collected_while_somebody_thinks(collections: FullCollections) -> None:
    with counted() as usually:
        kept = [[number] for number in range(MANY)]
    del kept
    collections.defer("white", 1.0)
    with counted() as deferred:
        kept = [[number] for number in range(MANY)]
    collections.allow("white")

    assert len(kept) == MANY
    assert max(usually) == 2
    assert max(deferred) == 1


def test_full_collections_wait_for_the_last_who_thinks(collections: FullCollections) -> None:
    collections.defer("white", 1.0)
    collections.defer("black", 1.0)
    collections.allow("white")
    assert collections.are_deferred

    collections.allow("black")
    assert not collections.are_deferred
    assert gc.get_threshold() == (700, 10, 10)


def test_one_who_never_answers_does_not_count_for_ever(
    collections: FullCollections, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("ludens.core.collector.time.monotonic", lambda: now)
    collections.defer("hangs", 1.0)
    now += 30.0
    collections.defer("white", 1.0)
    collections.allow("white")

    assert not collections.are_deferred


def test_cycles_are_collected_now_and_then_where_somebody_always_thinks(
    collections: FullCollections, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("ludens.core.collector.time.monotonic", lambda: now)
    collections.defer("white", 1000.0)
    found: list[int] = []
    for _ in range(7):
        now += 20.0
        collections.defer("black", 1.0)
        with counted() as generations:
            collections.allow("black")
        found.append(generations.count(2))

    assert collections.are_deferred
    assert found == [0, 0, 0, 1, 0, 0, 0]


def test_a_player_without_a_clock_may_think_for_ever(collections: FullCollections) -> None:
    collections.defer("human", float("inf"))
    assert collections.are_deferred
    collections.allow("human")
    assert not collections.are_deferred
