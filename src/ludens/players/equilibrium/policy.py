"""Policies: the probability of every move in every information set, as a file that people can read and players play.

An information set is written as what its role did and perceived, so a policy does not depend on how it was found.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludens.core import Game, Move, PlayerError, Role, State, View
from ludens.core.belief import OwnHistory
from ludens.core.files import write_file
from ludens.players.equilibrium.solver import Solver, Values
from ludens.players.equilibrium.tree import GameTree

_KIND = "ludens policy"
_LARGEST_FILE = 2 << 30
_DIGITS = 9

Shares = Mapping[Move, float]
"""The probability of each move of an information set."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What each role does in each of its information sets."""

    game: str
    rules: str
    """The hash of the game's rules."""
    sets: Mapping[Role, Mapping[str, Shares]]
    values: Mapping[Role, float]
    """What each role gets if all play the policy."""
    exploitability: float | None
    """The mean gain of a role by its best response, in points; None if it is not known."""
    iterations: int

    def shares(self, view: View) -> Shares | None:
        """The probabilities in a view's information set; None if the policy does not have it."""
        return self.sets.get(view.role, {}).get(information_text(view.information))

    def check(self, game: Game) -> None:
        """Raise `PlayerError` if the policy is for another game."""
        if self.rules != game.rules_hash:
            raise PlayerError(f"the policy is for {self.game}, or for other rules than those of {game.name} here")

    def write(self, path: Path) -> None:
        """Write the policy to a file."""
        content = {
            "kind": _KIND,
            "game": self.game,
            "rules": self.rules,
            "values": self.values,
            "exploitability": self.exploitability,
            "iterations": self.iterations,
            "sets": {
                role: {text: {move: round(share, _DIGITS) for move, share in shares.items()} for text, shares in sets}
                for role, sets in ((role, sorted(own.items())) for role, own in self.sets.items())
            },
        }
        write_file(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_policy(path: Path) -> Policy:
    """Read a policy. Raises `PlayerError`."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise PlayerError(f"{path} is too large for a policy")
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise PlayerError(f"{path} is not a policy: it is not JSON") from None
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise PlayerError(f"{path} is not a policy; `ludens equilibrium GAME --out FILE` writes one")
    try:
        sets = {
            str(role): {str(text): _read_shares(shares) for text, shares in own.items()}
            for role, own in content["sets"].items()
        }
        known = content.get("exploitability")
        return Policy(
            str(content["game"]),
            str(content["rules"]),
            sets,
            {str(role): float(value) for role, value in content["values"].items()},
            None if known is None else float(known),
            int(content["iterations"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlayerError(f"{path} is damaged: {type(error).__name__} {error}") from None


def _read_shares(shares: Any) -> Shares:
    found = {str(move): float(share) for move, share in shares.items()}
    if not found or min(found.values()) < 0 or not sum(found.values()) > 0:
        raise ValueError("probabilities must not be negative, and not all zero")
    return found


def policy_of(solver: Solver, strategy: Values | None = None) -> Policy:
    """The policy that a solver has found."""
    tree = solver.tree
    chosen = solver.strategy if strategy is None else strategy
    found = solver.assess(chosen)
    roles = tree.game.roles
    sets: dict[Role, dict[str, Shares]] = {role: {} for role in roles}
    known: dict[int, State] = {}
    for number in range(len(tree.sets)):
        role = roles[int(tree.sets["role"][number])]
        sets[role].setdefault(set_text(tree, number, known), shares_of(tree, number, chosen))
    return Policy(
        tree.game.name,
        tree.game.rules_hash,
        sets,
        {role: round(float(value), _DIGITS) for role, value in zip(roles, found.values, strict=True)},
        round(found.exploitability, 9),
        solver.iterations,
    )


def shares_of(tree: GameTree, number: int, strategy: Values) -> Shares:
    """The probabilities of an information set."""
    first = int(tree.sets["action"][number])
    moves = tree.moves[number]
    return dict(zip(moves, strategy[first : first + len(moves)].tolist(), strict=True))


def set_text(tree: GameTree, number: int, known: dict[int, State]) -> str:
    """What the role of an information set knows there; ``known`` are states found before."""
    role = tree.game.roles[int(tree.sets["role"][number])]
    state = tree.states.state(tree.set_states[number], known)
    return information_text(state.view(role).information)


def information_text(information: Hashable) -> str:
    """What a role knows, as text: the same for the same knowledge, in every process."""
    if isinstance(information, State):
        return " ".join(sorted(str(information).split("\n")))
    if isinstance(information, OwnHistory):
        return str(information)
    if isinstance(information, tuple):
        return "(" + " ".join(map(information_text, information)) + ")"
    if isinstance(information, frozenset):
        return "{" + " ".join(sorted(map(information_text, information))) + "}"
    return str(information)
