from __future__ import annotations

import threading

from ludens.web.hosting.slots import Slot, Slots

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
