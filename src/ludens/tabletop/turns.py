"""The turn graph: stages of a play, and for each who may do what there and which stage follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.table import Table

if TYPE_CHECKING:
    from ludens.tabletop.actions.basic import Action
    from ludens.tabletop.rule import Rule

Method = Callable[[Table], "Sequence[Action]"]
"""A method of a rule that lists the actions of the table's current player."""


@dataclass(frozen=True, slots=True)
class Arc:
    """Who may act in a stage, the method that lists the actions, and the stage that follows."""

    player: str
    method: Method | str
    """The method, or its name."""
    goes_to: str
    """The next stage, unless an action says otherwise with `Action.then`."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A node of the turn graph. If several players have arcs, they race, unless the stage is joint."""

    name: str
    arcs: tuple[Arc, ...]
    joint: bool = False
    """True if all players of the stage choose, and their actions are done together, in the order of players."""
    start: bool = True
    """True if a play may begin here."""
    players: tuple[str, ...] = field(init=False)
    """Who may act here."""
    is_race: bool = field(init=False)
    """True if one of several players gets its action, and the others are refused."""

    def __post_init__(self) -> None:
        players = tuple(dict.fromkeys(arc.player for arc in self.arcs))
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "is_race", not self.joint and len(players) > 1)


def stage(name: str, *arcs: Sequence[Any] | Arc, joint: bool = False, start: bool = True) -> Stage:
    """A stage with arcs ``(player, method, next stage)``."""
    return Stage(name, tuple(_arc(name, arc) for arc in arcs), joint, start)


def everybody(name: str, players: Iterable[str], method: Method | str, goes_to: str) -> Stage:
    """A stage in which all players choose at once."""
    return Stage(name, tuple(Arc(player, method, goes_to) for player in players), joint=True)


def waiting(player: str) -> str:
    """The name that `alternate` gives to the stage in which a player is to move."""
    return f"wait {player}"


def alternate(players: Sequence[str], *methods: Method | str) -> list[Stage]:
    """Players take turns in their order, for ever: a stage ``wait NAME`` for each of them.

    With several methods, a player may do what any of them lists.
    """
    following = (*players[1:], players[0])
    return [
        Stage(waiting(player), tuple(Arc(player, method, waiting(after)) for method in methods))
        for player, after in zip(players, following, strict=True)
    ]


round_robin = alternate
"""The same for any number of players."""


class TurnGraph:
    """All stages of a rule, checked."""

    def __init__(self, rule: Rule, value: Iterable[Any]) -> None:
        where = f"{type(rule).__name__}.turns()"
        if isinstance(value, Stage) or not isinstance(value, Iterable):
            raise RuleError(f"{where} must return a list of stages, such as alternate(self.players, self.move)")
        stages = [self._bind(rule, one if isinstance(one, Stage) else _row(where, one)) for one in value]
        self.stages: dict[str, Stage] = {one.name: one for one in stages}
        """Stages by name, the first one first."""
        if not stages:
            raise RuleError(f"{where} returns no stage")
        if len(self.stages) < len(stages):
            raise RuleError(f"{where}: two stages have one name")
        for one in stages:
            for arc in one.arcs:
                if arc.player not in rule.players:
                    raise RuleError(f"{where}: stage {one.name!r} has an arc for {arc.player!r}, who is no player")
                if arc.goes_to not in self.stages:
                    raise RuleError(f"{where}: an arc of stage {one.name!r} leads to {arc.goes_to!r}, not a stage")

    def start(self, player: str | None) -> str:
        """The first stage of a play; one of the named player's, if possible."""
        begins = [one for one in self.stages.values() if one.start] or list(self.stages.values())
        own = [one for one in begins if player in one.players]
        return (own or begins)[0].name

    def __getitem__(self, name: str) -> Stage:
        found = self.stages.get(name)
        if found is None:
            raise RuleError(f"there is no stage {name!r} (stages: {', '.join(self.stages)})")
        return found

    @staticmethod
    def _bind(rule: Rule, value: Stage) -> Stage:
        arcs = tuple(Arc(arc.player, _bind_method(rule, arc.method), arc.goes_to) for arc in value.arcs)
        return Stage(value.name, arcs, value.joint, value.start)


def _bind_method(rule: Rule, value: Method | str) -> Method:
    """The method of this rule, given as such, as a plain function of its class, or by name."""
    name = value if isinstance(value, str) else getattr(value, "__name__", "")
    if not isinstance(value, str) and getattr(value, "__self__", None) is not None:
        return value
    found = getattr(rule, name, None)
    if callable(found):
        bound: Method = found
        return bound
    if not callable(value):
        raise RuleError(f"{type(rule).__name__}.turns(): {value!r} is not a method of the rule")
    return value


def _arc(where: str, value: Sequence[Any] | Arc) -> Arc:
    if isinstance(value, Arc):
        return value
    try:
        player, method, goes_to = value
    except (TypeError, ValueError):
        raise RuleError(f"{where}: an arc is (player, method, next stage), not {value!r}") from None
    return Arc(player, method, goes_to)


def _row(where: str, value: Any) -> Stage:
    """A stage as the paper writes it: ``(name, may start, may end, arcs)``, or ``(name, arcs)``."""
    match value:
        case (str(name), bool(start), bool(_), list(arcs)):
            return stage(name, *arcs, start=start)
        case (str(name), list(arcs)):
            return stage(name, *arcs)
    raise RuleError(f"{where}: a stage is stage(name, arcs…) or (name, start, end, [arcs]), not {value!r}")
