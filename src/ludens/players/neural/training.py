"""Train a network: self-play, learning from it, and matches against the best network so far."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from ludens.core import GameError
from ludens.core.batch_game import BatchGame
from ludens.core.files import write_file
from ludens.players.learning.curve import Line, curve
from ludens.players.learning.files import CURVE, LOG, check_new
from ludens.players.learning.log import Log
from ludens.players.learning.pace import Pace, Spent
from ludens.players.neural.agents import Policy, Random, Searcher, mean_shares, score
from ludens.players.neural.checkpoint import Learner, read_checkpoint, write_checkpoint
from ludens.players.neural.encoding import Encoding, symmetries_of
from ludens.players.neural.file import write_network
from ludens.players.neural.network import Network, NetworkJudge, Shape
from ludens.players.neural.positions import Rules
from ludens.players.neural.samples import ILLEGAL, Samples, lesson, play

LESSON = 512
"""The size of a training batch."""
NOISE = 0.25
"""The share of Dirichlet noise at the root of a search in self-play."""
GATE_SHARE = 0.1
"""The share of the time for matches against the best network so far."""
PASS = 0.52
"""The score that makes a network the best."""
SAVE_SECONDS = 60.0
SLOWEST_RATE = 0.1
"""The final learning rate, as a share of the initial one."""
HEADINGS = (
    "step", "minutes", "cpu_seconds", "matches", "positions", "policy_loss", "value_loss", "against_best", "passed",
    "policy_against_random",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Options of a training."""

    simulations: int = 64
    """Leaves that a search evaluates per move."""
    matches: int = 256
    """Matches played at once."""
    hidden: int = 128
    """The width of the network."""
    blocks: int = 2
    """Its depth, two layers each."""
    rate: float = 0.002
    """The learning rate at the beginning."""
    uses: float = 4.0
    """How often a sample is used, on average."""
    kept: int = 100_000
    """The number of samples that are kept."""
    gate_matches: int = 128
    """Matches against the best network so far."""


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a training after a step of matches, learning, and perhaps a gate."""

    step: int
    """Counted from 1; like all counts, it includes earlier trainings that were resumed."""
    minutes: float
    cpu_seconds: float
    matches: int
    positions: int
    policy_loss: float | None
    value_loss: float | None
    against_best: float | None
    """The score against the best network so far, 0 to 1, if there was a gate."""
    passed: bool | None
    policy_against_random: float | None
    """The score of the policy alone, without search, against random moves."""


class _Gate(NamedTuple):
    """The result of a gate; empty if there was none."""

    against_best: float | None = None
    passed: bool | None = None
    policy_against_random: float | None = None


class Trainer:
    """Trains a network for a game, and writes it to a file whenever it improves.

    The newest network plays the matches to learn from, since waiting for the gate would slow down learning; the gate
    only decides which network is saved.
    """

    def __init__(self, game: BatchGame, out: Path, options: TrainingOptions, *, seed: int, resume: bool) -> None:
        if not resume:
            check_new(out)
        self._game, self._out, self._options = game, out, options
        self._rules, self._encoding = Rules(game), Encoding.of(game)
        self.symmetries = symmetries_of(game, self._encoding)
        """The symmetries by which samples are augmented, the identity first."""
        self._checkpoint = out.with_name(f"{out.name}.training")
        self._learner = self._read_learner() if resume else self._new_learner(seed)
        self._rng = np.random.default_rng([seed, self._learner.counters.step])
        self._log = Log(out.with_suffix(LOG), HEADINGS, self._learner.counters.step)
        self._saved = -math.inf

    @property
    def curve_path(self) -> Path:
        """The path of the training curve."""
        return self._out.with_suffix(CURVE)

    def run(self, seconds: float, steps: int | None = None) -> Iterator[Step]:
        """Train for ``seconds`` or ``steps``; ends with a gate. Writes a checkpoint every minute."""
        pace = Pace(seconds, steps, GATE_SHARE)
        while pace.begins_step():
            losses, gate = self._step(pace.share), _Gate()
            self._count(pace.spent())
            if pace.wants_gate():
                with pace.gate():
                    gate = self._gate()
                self._count(pace.spent())
            step = self._report_step(losses, gate)
            is_due = gate.passed or pace.is_over or time.monotonic() - self._saved > SAVE_SECONDS
            if is_due:  # before the log, from which nothing can be resumed
                self._save_state(better=bool(gate.passed))
            self._log.add(asdict(step))
            if is_due:
                self._draw()
            yield step

    def _report_step(self, losses: tuple[float | None, float | None], gate: _Gate) -> Step:
        now = self._learner.counters
        counted = now.step, now.minutes, now.cpu_seconds, now.matches, now.positions
        return Step(*counted, *losses, gate.against_best, gate.passed, gate.policy_against_random)

    def _count(self, spent: Spent) -> None:
        now = self._learner.counters
        minutes, cpu_seconds = now.minutes + spent.minutes, now.cpu_seconds + spent.cpu_seconds
        self._learner.counters = replace(now, minutes=minutes, cpu_seconds=cpu_seconds)

    def save(self) -> None:
        """Write the checkpoint and the curve, and the network itself if there is no better one yet."""
        self._save_state(better=False)
        self._draw()

    def _save_state(self, *, better: bool) -> None:
        write_checkpoint(self._checkpoint, self._game, self._learner)
        if better or (not self._out.exists() and self._learner.counters.step):
            self._write(self._learner.network)
        self._saved = time.monotonic()

    def _draw(self) -> None:
        write_file(self.curve_path, self._curve())

    def _new_learner(self, seed: int) -> Learner:
        torch.manual_seed(seed)
        shape = Shape.of(self._encoding, self._options.hidden, self._options.blocks)
        return Learner.of(Network(shape), Samples.empty(self._rules.width, self._encoding))

    def _read_learner(self) -> Learner:
        learner = read_checkpoint(self._checkpoint, self._game, self._encoding, self._rules.width)
        if learner is None:
            raise GameError(f"there is no {self._checkpoint} to resume from; train without --resume")
        return learner

    def _step(self, share: float) -> tuple[float | None, float | None]:
        """Play and learn, after ``share`` of the time; returns the mean losses of policy and values."""
        learner, options = self._learner, self._options
        judge = NetworkJudge(learner.network, self._encoding)
        turns = max(2, learner.counters.usual_turns // 2)
        searcher = Searcher(self._rules, judge, options.simulations, self._rng, turns, NOISE)
        found, ended = play(self._rules, self._encoding, searcher, options.matches)
        learner.samples = learner.samples.concatenate(found, options.kept)
        losses = self._learn(int(np.ceil(options.uses * len(found) / LESSON)), share)
        counters = learner.counters
        learner.counters = replace(
            counters,
            step=counters.step + 1,
            matches=counters.matches + ended,
            positions=counters.positions + len(found),
        )
        if not learner.counters.positions:
            raise GameError(
                f"no match of {self._game.name} ended, or none had a choice, so there is nothing to learn from"
            )
        return losses

    def _learn(self, lessons: int, share: float) -> tuple[float | None, float | None]:
        """Learn from batches; returns the mean losses of policy and values."""
        learner = self._learner
        learner.network.train()
        for group in learner.optimizer.param_groups:
            group["lr"] = self._options.rate * (1 - (1 - SLOWEST_RATE) * share)
        losses = []
        for _ in range(lessons):
            given = lesson(learner.samples, LESSON, self._encoding, self.symmetries, self._rng)
            policy, value = learner.network(torch.from_numpy(given.inputs))
            wanted = torch.from_numpy(given.policy)
            illegal = wanted == ILLEGAL
            logs = functional.log_softmax(policy.masked_fill(illegal, -1e9), dim=1)
            policy_loss = -(wanted.masked_fill(illegal, 0.0) * logs).sum(dim=1).mean()
            value_loss = functional.binary_cross_entropy_with_logits(value, torch.from_numpy(given.shares))
            learner.optimizer.zero_grad()
            torch.autograd.backward([policy_loss + value_loss])
            learner.optimizer.step()
            losses.append((float(policy_loss.detach()), float(value_loss.detach())))
        if not losses:
            return None, None
        policy_mean, value_mean = np.mean(losses, axis=0).tolist()
        return policy_mean, value_mean

    def _gate(self) -> _Gate:
        """Play the network against the best so far, which it replaces if it is better."""
        learner, matches = self._learner, self._options.gate_matches
        turns = max(2, learner.counters.usual_turns // 4)
        judges = [NetworkJudge(network, self._encoding) for network in (learner.network, learner.best)]
        first, second = (
            Searcher(self._rules, judge, max(2, self._options.simulations // 2), self._rng, turns) for judge in judges
        )
        against_best = score(*mean_shares(self._rules, (first, second), matches, self._rng))
        policy = score(*mean_shares(self._rules, (Policy(judges[0]), Random(self._rng)), matches, self._rng))
        passed = against_best >= PASS
        if passed:
            learner.best.load_state_dict(learner.network.state_dict())
        return _Gate(against_best, passed, policy)

    def _write(self, network: Network) -> None:
        notes = asdict(self._learner.counters) | {"options": asdict(self._options)}
        write_network(self._out, self._game, network, self._encoding, notes)

    def _curve(self) -> str:
        lines = [
            Line("policy against random", self._log.points("minutes", "policy_against_random")),
            Line("search against best", self._log.points("minutes", "against_best")),
            Line("loss of values", self._log.points("minutes", "value_loss")),
        ]
        return curve(f"Training of {self._game.name}", "minutes", lines, 1.0)
