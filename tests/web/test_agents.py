"""Tables and computations of agents, without the protocol in front of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ludens.core import GameError, LudensError
from ludens.web.agents.jobs import do_job
from ludens.web.agents.tables import Tables
from ludens.web.hosting.setup import Setup
from ludens.web.matches.match_form import setup_from
from ludens.web.settings import Limits

COUNTDOWN = """
(role solo) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal solo tick) (true (counter ?n)))
(<= (legal solo wait) (true (counter ?n)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3)))
(<= (goal solo 100) (true (counter 3)))
(<= (goal solo 0) (not (true (counter 3))))
"""


def setup(game: str, roles: list[str], *, undo: bool = False, **seats: str) -> Setup:
    wanted = {role: {"player": seats.get(role, "human")} for role in roles}
    return setup_from({"seats": wanted, "seed": 1, "undo": undo}, game, roles, Limits(), own_rules=False)


def with_tables(work: Callable[[Tables], Awaitable[None]], limits: Limits | None = None) -> None:
    """Run something with tables, which are closed afterwards."""

    async def run() -> None:
        tables = Tables(limits or Limits())
        try:
            await work(tables)
        finally:
            await tables.close()

    asyncio.run(run())


def test_two_agents_at_one_table_see_their_own_cards() -> None:
    async def work(tables: Tables) -> None:
        table, mine = await tables.create(
            setup("kuhn_poker", ["first", "second"]), {"game": "kuhn_poker"}, frozenset({"first"})
        )
        seats = mine | {"second": tables.join(table.id, "second")}
        await tables.wait(seats["first"], 30)
        views = {role: (await table.ask("view", role=role, style="short"))["text"] for role in seats}

        assert list(mine) == ["first"]
        assert "(holds first" in views["first"].partition("Possibly")[0]
        assert "(holds first" not in views["second"].partition("Possibly")[0]
        with pytest.raises(LudensError, match="not the turn"):
            await table.ask("play", role="second", move="check")
        with pytest.raises(LudensError, match="not open"):
            tables.join(table.id, "second")
        with pytest.raises(LudensError, match="no match has this seat"):
            tables.seat("guess")

    with_tables(work)


def test_moves_are_checked_taken_back_judged_and_given_up() -> None:
    async def work(tables: Tables) -> None:
        roles = ["xplayer", "oplayer"]
        table, mine = await tables.create(
            setup("tic_tac_toe", roles, undo=True, oplayer="legal"), {"game": "tic_tac_toe"}, frozenset({"xplayer"})
        )
        seat = mine["xplayer"]
        await tables.wait(seat, 30)
        for wrong in ("MOVE: (mark 4 4)", "(mark 4 4)", "mark 1 1\nor mark 2 2"):
            with pytest.raises(LudensError, match=r"not a legal move .*\(9 legal: \(mark 1 1\)"):
                await table.ask("play", role="xplayer", move=wrong)
        with pytest.raises(LudensError, match="no choice yet"):
            await table.ask("regret", role="xplayer")
        assert (await table.ask("play", role="xplayer", move="mark(2,2)"))["played"] == "(mark 2 2)"
        turns = (await tables.wait(seat, 30))["turns"]
        assert turns[0] == "1. xplayer (mark 2 2)"
        assert turns[1].startswith("2. oplayer (mark ")
        assert "Call the tool play" in (await table.ask("view", role="xplayer", style="short"))["text"]
        page = await table.ask("legal_moves", role="xplayer", offset=1, limit=2, contains="3")
        assert (page["total"], page["moves"]) == (5, ["(mark 2 3)", "(mark 3 1)"])
        regret = await table.ask("regret", role="xplayer")
        assert (regret["move"], regret["turn"]) == ("(mark 2 2)", 1)
        await table.ask("undo", role="xplayer")
        assert (await tables.wait(seat, 30))["turns"] == []
        assert (await table.ask("legal_moves", role="xplayer", offset=0, limit=9, contains=""))["total"] == 9
        assert (await table.ask("result", role="xplayer"))["goals"] is None
        await table.ask("resign", role="xplayer")
        assert (await tables.wait(seat, 30))["goals"] == {"xplayer": 0, "oplayer": 100}
        assert (await table.ask("result", role="xplayer"))["goals"] == {"xplayer": 0, "oplayer": 100}

    with_tables(work)


def test_tables_are_limited_and_dead_ones_are_reported() -> None:
    async def work(tables: Tables) -> None:
        solo = setup("rules", ["solo"])
        table, mine = await tables.create(solo, {"rules": COUNTDOWN}, frozenset({"solo"}))
        with pytest.raises(LudensError, match="the limit"):
            await tables.create(solo, {"rules": COUNTDOWN}, frozenset({"solo"}))
        table.process.kill()
        with pytest.raises(LudensError, match="was closed"):
            await tables.wait(mine["solo"], 1)
        await tables.create(solo, {"rules": COUNTDOWN}, frozenset({"solo"}))

    with_tables(work, Limits(own_processes=1))


def job(task: str, **values: Any) -> dict[str, Any]:
    return do_job({"task": task, **values})


def test_rule_sheets_are_checked_explained_and_drawn() -> None:
    wrong = job("check", rules="(role solo)\n(<= (legal solo tick) (nowhere ?n))")

    assert job("check", rules=COUNTDOWN)["valid"]
    assert not wrong["valid"]
    assert any("line " in problem for problem in wrong["problems"])
    assert "solo may play tick" in job("explain", rules=COUNTDOWN)["rules"]
    assert job("draw", rules=COUNTDOWN, moves=["tick"])["text"] == "(counter 2)"
    assert job("draw", game="tic_tac_toe")["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "give either"),
        ({"game": "chess", "rules": COUNTDOWN}, "give either"),
        ({"game": "/etc/passwd"}, "by its name"),
        ({"game": "../mine.py"}, "by its name"),
        ({"game": "openspiel:chess"}, "openspiel"),
        ({"rules": "(role"}, "errors"),
    ],
)
def test_only_library_games_and_correct_sheets_are_loaded(values: dict[str, str], why: str) -> None:
    with pytest.raises(GameError, match=why):
        job("explain", **values)


def test_searches_are_short() -> None:
    with pytest.raises(GameError, match="20 seconds"):
        job("analyse", rules=COUNTDOWN, budget=1000)
