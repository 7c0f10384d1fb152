"""A trained network as one portable file. Files are untrusted: nothing in them is executed, all is checked."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard

import torch

from ludens.core import PlayerError
from ludens.core.batch_game import BatchGame
from ludens.core.files import write_file
from ludens.players.learning.files import check_game
from ludens.players.neural.encoding import Encoding
from ludens.players.neural.network import Network, Shape

FORMAT = "ludens neural 1"
MOST_BYTES = 2_000_000_000
WIDEST, DEEPEST = 4_096, 64
"""Upper limits of `Shape.hidden` and `Shape.blocks`."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The content of a file."""

    network: Network
    encoding: Encoding
    notes: Mapping[str, Any]
    """How it was trained, for people."""


def write_network(path: Path, game: BatchGame, network: Network, encoding: Encoding, notes: Mapping[str, Any]) -> None:
    """Write a network atomically: readers see the old file or the new one."""
    content = {
        "format": FORMAT,
        "game": game.name,
        "rules_sha256": game.rules_hash,
        "layout": encoding.layout,
        "shape": asdict(network.shape),
        "notes": dict(notes),
        "weights": {name: weights.detach().clone() for name, weights in network.state_dict().items()},
    }
    write_file(path, tensor_bytes(content))


def read_network(path: Path, game: BatchGame) -> Trained:
    """The network in a file, for a game. Raises `PlayerError` if the file is for another game, or invalid."""
    content = read_tensors(path, FORMAT)
    check_game(path, content, game)
    encoding = Encoding.of(game)
    if content.get("layout") != encoding.layout:
        raise PlayerError(
            f"{path} numbers the moves of {game.name} differently, as another version of ludens; train it again"
        )
    network = Network(read_shape(path, content.get("shape"), encoding))
    load_weights(path, network, content.get("weights"))
    notes = content.get("notes")
    return Trained(network, encoding, notes if isinstance(notes, dict) else {})


def tensor_bytes(content: Mapping[str, Any]) -> bytes:
    """Serialise for `read_tensors`. In memory, since PyTorch reports neither file nor cause of a failed write."""
    written = io.BytesIO()
    torch.save(dict(content), written)
    return written.getvalue()


def read_tensors(path: Path, wanted: str) -> dict[str, Any]:
    """Read what `torch.save` wrote: tensors and plain values only; nothing in the file is executed."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
        if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
            raise PlayerError(f"{path} is compressed, which files of `ludens train` are not")
        if sum(part.file_size for part in parts) > MOST_BYTES:
            raise PlayerError(f"{path} is larger than {MOST_BYTES // 10**9} GB")
        content = torch.load(path, map_location="cpu", weights_only=True)
    except PlayerError:
        raise
    except OSError as error:
        raise PlayerError(f"cannot read {path}: {error.strerror or error}") from None
    except Exception as error:  # a hostile file may provoke anything in the reader
        line = (str(error).splitlines() or [""])[0]
        raise PlayerError(f"{path} is not a file of `ludens train`: {type(error).__name__}: {line[:200]}") from None
    if not isinstance(content, dict) or content.get("format") != wanted:
        raise PlayerError(f"{path} is not a file of `ludens train` that this version reads ({wanted})")
    return content


def read_shape(path: Path, numbers: Any, encoding: Encoding) -> Shape:
    """The network shape in a file. Raises `PlayerError` unless it fits the game and is not too large."""
    wanted = Shape.of(encoding, 1, 0)
    names = {"inputs", "places", "roles", "hidden", "blocks"}
    if not isinstance(numbers, dict) or set(numbers) != names or not all(type(n) is int for n in numbers.values()):
        raise PlayerError(f"{path} does not contain the shape of its network")
    shape = Shape(**numbers)
    if (shape.inputs, shape.places, shape.roles) != (wanted.inputs, wanted.places, wanted.roles):
        raise PlayerError(f"{path} has a network whose shape does not match the game")
    if not (1 <= shape.hidden <= WIDEST and 0 <= shape.blocks <= DEEPEST):
        raise PlayerError(f"{path} has {shape.blocks} blocks of {shape.hidden}; the limit is {DEEPEST} of {WIDEST}")
    return shape


def load_weights(path: Path, network: Network, weights: Any) -> None:
    """Load the weights of a file into a network. Raises `PlayerError` if they do not fit."""
    own = network.state_dict()
    if not isinstance(weights, dict) or set(weights) != set(own):
        raise PlayerError(f"{path} has other weights than its network needs")
    for name, value in own.items():
        given = weights[name]
        if not is_plain(given) or given.shape != value.shape or given.dtype != value.dtype:
            raise PlayerError(f"{path} has weights {name} of the wrong shape")
        if not bool(given.isfinite().all()):
            raise PlayerError(f"{path} has weights {name} that are not numbers")
    network.load_state_dict(weights)


def is_plain(value: Any) -> TypeGuard[torch.Tensor]:
    """True for a dense tensor with data; files may also hold sparse tensors, and shapes without data."""
    return isinstance(value, torch.Tensor) and value.layout is torch.strided and value.device.type == "cpu"
