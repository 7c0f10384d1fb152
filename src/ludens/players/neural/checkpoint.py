"""Checkpoints of a training: both networks, the optimiser, the samples, and the progress."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch

from ludens.core import PlayerError
from ludens.core.batch_game import BatchGame
from ludens.core.files import write_file
from ludens.players.learning.files import check_game
from ludens.players.neural.encoding import Encoding
from ludens.players.neural.file import is_plain, load_weights, read_shape, read_tensors, tensor_bytes
from ludens.players.neural.network import Network
from ludens.players.neural.samples import MOST_BYTES, Samples

FORMAT = "ludens training 1"
FIRST_RATE = 0.002


@dataclass(frozen=True, slots=True)
class Counters:
    """The progress of a training."""

    step: int = 0
    matches: int = 0
    """Matches that ended."""
    positions: int = 0
    """Positions with a choice, in these matches."""
    minutes: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def usual_turns(self) -> int:
        """The mean number of choices per match."""
        return self.positions // max(1, self.matches)


@dataclass(slots=True)
class Learner:
    """A network that learns, and what it learns from."""

    network: Network
    best: Network
    """The best network so far."""
    optimizer: torch.optim.Optimizer
    samples: Samples
    counters: Counters

    @classmethod
    def of(cls, network: Network, samples: Samples) -> Learner:
        """A new learner."""
        best = Network(network.shape)
        best.load_state_dict(network.state_dict())
        optimizer = torch.optim.AdamW(network.parameters(), lr=FIRST_RATE, weight_decay=1e-4)
        return cls(network, best, optimizer, samples, Counters())


def write_checkpoint(path: Path, game: BatchGame, learner: Learner) -> None:
    """Write a learner to a file."""
    content = {
        "format": FORMAT,
        "game": game.name,
        "rules_sha256": game.rules_hash,
        "shape": asdict(learner.network.shape),
        "weights": learner.network.state_dict(),
        "best": learner.best.state_dict(),
        "optimizer": learner.optimizer.state_dict(),
        "samples": {field.name: torch.from_numpy(getattr(learner.samples, field.name)) for field in fields(Samples)},
        "counters": asdict(learner.counters),
    }
    write_file(path, tensor_bytes(content))


def read_checkpoint(path: Path, game: BatchGame, encoding: Encoding, width: int) -> Learner | None:
    """The learner in a file; None if there is no file. Raises `PlayerError` if it is for another game, or broken."""
    if not path.exists():
        return None
    content = read_tensors(path, FORMAT)
    check_game(path, content, game)
    network = Network(read_shape(path, content.get("shape"), encoding))
    load_weights(path, network, content.get("weights"))
    learner = Learner.of(network, _samples(path, content.get("samples"), Samples.empty(width, encoding)))
    load_weights(path, learner.best, content.get("best"))
    try:
        learner.optimizer.load_state_dict(content["optimizer"])
        learner.counters = _counters(content["counters"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlayerError(f"{path} cannot be resumed: {type(error).__name__}: {error}") from None
    return learner


def _counters(given: Any) -> Counters:
    return Counters(
        step=int(given["step"]),
        matches=int(given["matches"]),
        positions=int(given["positions"]),
        minutes=float(given["minutes"]),
        cpu_seconds=float(given["cpu_seconds"]),
    )


def _samples(path: Path, given: Any, empty: Samples) -> Samples:
    parts: list[Any] = []
    for field in fields(Samples):
        own, part = getattr(empty, field.name), given.get(field.name) if isinstance(given, dict) else None
        if not is_plain(part) or part.ndim != 2 or part.shape[1] != own.shape[1]:
            raise PlayerError(f"{path} has positions whose shape does not match the game")
        if (
            part.numel() * part.element_size() > MOST_BYTES
        ):  # a small file can claim to repeat one row millions of times
            raise PlayerError(f"{path} has more positions than a training keeps")
        array = part.contiguous().numpy()
        if array.dtype != own.dtype or (parts and len(array) != len(parts[0])):
            raise PlayerError(f"{path} has positions of an unexpected type")
        parts.append(array)
    return Samples(*parts)
