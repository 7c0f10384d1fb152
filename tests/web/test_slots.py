from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from ludens.core import Clock
from ludens.web.hosting.setup import Seat, Setup, load
from ludens.web.hosting.slots import Queues, Slot, Slots
from ludens.web.hosting.table import Table

LONG = 1_000.0


def waiting(slots: Slots, order: list[str], name: str, *, urgent: bool, gone: threading.Event) -> threading.Thread:
    """Somebody who waits for a slot, writes down when it is there, and keeps it."""

    def wait() -> None:
        slot = slots.take(LONG, urgent=urgent, gone=gone.is_set)
        order.append(name)
        slot.release()

    thread = threading.Thread(target=wait, daemon=True)
    before = len(slots._waiting)
    thread.start()
    while len(slots._waiting) == before and thread.is_alive():
        pass
    return thread


def taken(slots: Slots, seconds: float = LONG) -> Slot:
    return slots.take(seconds, urgent=False, gone=lambda: False)


def test_matches_with_people_come_first_and_the_others_in_their_order() -> None:
    slots, order, gone = Slots(1), list[str](), threading.Event()
    first = taken(slots)
    threads = [waiting(slots, order, name, urgent=name == "person", gone=gone) for name in ("one", "two", "person")]
    first.release()
    for thread in threads:
        thread.join(30)
    assert order == ["person", "one", "two"]


def test_a_slot_that_is_not_given_back_is_over_with_the_clock() -> None:
    slots, order = Slots(1), list[str]()
    taken(slots, seconds=0.0)
    thread = waiting(slots, order, "next", urgent=False, gone=threading.Event())
    thread.join(30)
    assert order == ["next"]


def test_who_is_gone_does_not_wait() -> None:
    slots, order, gone = Slots(1), list[str](), threading.Event()
    taken(slots)
    thread = waiting(slots, order, "gone", urgent=False, gone=gone)
    gone.set()
    thread.join(30)
    assert order == ["gone"]


@pytest.mark.parametrize(("players", "waits"), [(("random", "legal"), "quick"), (("random", "flat"), "searches")])
def test_a_turn_waits_in_the_queue_of_its_kind(players: tuple[str, str], waits: str, tmp_path: Path) -> None:
    game = load("tic_tac_toe", None, backend="reference")
    queues, news = Queues(Slots(1)), list[dict[str, Any]]()
    seats = {role: Seat(player, Clock(0.05, 1.0)) for role, player in zip(game.roles, players, strict=True)}
    table = Table(Setup("tic_tac_toe", False, seats, 7, False), tmp_path, news.append, queues)
    blocked: Slots = getattr(queues, waits)
    slot = taken(blocked)
    thread = threading.Thread(target=table.run, args=(lambda: game,), daemon=True)
    thread.start()
    while not blocked._waiting:
        assert thread.is_alive(), "it was played without a slot of its queue"
    slot.release()
    thread.join(60)
    assert news[-1]["kind"] == "ended"
