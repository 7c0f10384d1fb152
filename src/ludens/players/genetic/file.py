"""A judgement as one portable JSON file with weights by the names of fluents."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import PlayerError
from ludens.core.batch_game import BatchGame
from ludens.core.files import write_file
from ludens.players.genetic.judgement import Judgement, feature_names
from ludens.players.genetic.trees import is_tree
from ludens.players.learning.files import check_game

FORMAT = "ludens genetic 1"
MOST_BYTES = 100_000_000


def judgement_as_json(game: BatchGame, judgement: Judgement) -> dict[str, Any]:
    """A judgement as JSON values, for `judgement_of`."""
    rows = [[round(weight, 6) for weight in row] for row in judgement.weights.tolist()]
    return {
        "fluents": dict(zip(game.fluent_texts, rows, strict=False)),
        "bias": rows[-1],
        "mobility": judgement.mobility,
        "goals": judgement.goals,
        "tree": list(judgement.tree),
    }


def judgement_of(path: Path, game: BatchGame, content: Mapping[str, Any]) -> Judgement:
    """The judgement in JSON values. Raises `PlayerError` if it is invalid."""
    roles, names = len(game.roles), list(game.fluent_texts)
    fluents, bias, tree = content.get("fluents"), content.get("bias"), content.get("tree")
    if not isinstance(fluents, dict) or list(fluents) != names:
        raise PlayerError(f"{path} has weights of other fluents than those of {game.name}")
    rows = [*fluents.values(), bias]
    if not all(isinstance(row, list) and len(row) == roles and all(map(_is_number, row)) for row in rows):
        raise PlayerError(f"{path} has weights that are not {roles} numbers each, one for each role")
    if not isinstance(tree, list) or (tree and not is_tree(tree, feature_names(game))):
        raise PlayerError(f"{path} has an invalid expression, or one with other features than {game.name}")
    mobility, goals = content.get("mobility"), content.get("goals")
    if not (_is_number(mobility) and _is_number(goals)):
        raise PlayerError(f"{path} does not contain the weights of mobility and goals")
    return Judgement(np.array(rows, np.float64), float(mobility or 0), float(goals or 0), tuple(tree))


def write_json(path: Path, game: BatchGame, wanted: str, content: Mapping[str, Any]) -> None:
    """Write JSON values for a game, with the name of a format."""
    whole = {"format": wanted, "game": game.name, "rules_sha256": game.rules_hash, **content}
    write_file(path, json.dumps(whole, indent=1))


def read_json(path: Path, game: BatchGame, wanted: str) -> dict[str, Any]:
    """Read what `write_json` wrote for this game. Raises `PlayerError`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PlayerError(f"{path} is larger than {MOST_BYTES // 10**6} MB")
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PlayerError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise PlayerError(f"{path} is not a file of `ludens evolve`: {error}") from None
    if not isinstance(content, dict) or content.get("format") != wanted:
        raise PlayerError(f"{path} is not a file of `ludens evolve` that this version reads ({wanted})")
    check_game(path, content, game)
    return content


def read_judgement(path: Path, game: BatchGame) -> Judgement:
    """The judgement in a file, for a game. Raises `PlayerError` if the file is for another game, or invalid."""
    return judgement_of(path, game, read_json(path, game, FORMAT))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 1e9
