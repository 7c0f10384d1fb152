"""Evolution of judgements: fitness by matches on batches, and a gate where the best plays the last best."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from deap import tools

from ludens.core import Deadline, GameError, PlayerError
from ludens.core.batch_game import BatchGame
from ludens.core.files import write_file
from ludens.players.evaluation.choose import evaluation_of, learnt_weights
from ludens.players.evaluation.evaluators import Evaluation
from ludens.players.genetic.breeding import Breed, Individual, TreeBreed, VectorBreed
from ludens.players.genetic.file import FORMAT, judgement_as_json, judgement_of, read_json, write_json
from ludens.players.genetic.judgement import Evolved, Judgement
from ludens.players.genetic.matches import duel, openings, play
from ludens.players.learning.curve import Line, curve
from ludens.players.learning.files import CURVE, LOG, check_new
from ludens.players.learning.log import Log
from ludens.players.learning.pace import Pace, Spent
from ludens.players.space.compiled import CompiledSpace

CHECKPOINT = "ludens evolution 1"
KEPT_RESULTS = 0.85
"""The discount of results of earlier generations, since opponents improve; noise shrinks over a lifetime."""
PRIOR = 16.0
"""Prior matches with the mean result, so that a few lucky ones do not suffice."""
TOURNAMENT = 3
"""The tournament size: the best of so many individuals becomes a parent."""
GATE_SHARE = 0.15
"""The share of the time for matches of the best against the last best."""
PASS = 0.52
HALL = 3
"""Former bests that serve as opponents, beside the default evaluation of `alphabeta`."""
HEADINGS = (
    "step", "minutes", "cpu_seconds", "matches", "best_score", "mean_score", "against_best", "passed",
    "against_default",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvolutionOptions:
    """Options of an evolution."""

    trees: bool = False
    """Whether to evolve expressions rather than weights."""
    population: int = 24
    """Individuals that survive; each generation has as many children."""
    openings: int = 24
    """Random openings per generation; each individual plays each of them in every seat."""
    opening_turns: int = 8
    """The most random joint moves of an opening."""
    depth: int = 1
    """Search depth in matches for fitness, in plies.

    Small, since fitness needs thousands of matches. It differs from ``gate_depth`` by an even number, so that the same
    role is to move at the leaves.
    """
    gate_openings: int = 48
    """Openings of a gate."""
    gate_depth: int = 3
    """Search depth at the gate, in plies."""


@dataclass(frozen=True, slots=True)
class Generation:
    """The state of an evolution after a generation; counts include earlier runs that were resumed."""

    step: int
    minutes: float
    cpu_seconds: float
    matches: int
    best_score: float
    """The estimated score of the best individual against default and former bests, 0 to 1."""
    mean_score: float
    against_best: float | None
    """The score of the best individual against the last best, if there was a gate."""
    passed: bool | None
    against_default: float | None
    """The same against the default evaluation of `alphabeta`."""


class Evolution:
    """Evolves judgements for a game, and writes the best to a file whenever it improves."""

    def __init__(self, game: BatchGame, out: Path, options: EvolutionOptions, *, seed: int, resume: bool) -> None:
        if not resume:
            check_new(out)
        self._game, self._out, self._options = game, out, options
        self._space = CompiledSpace(game)
        self._default: Evaluation = evaluation_of(self._space, "auto", Deadline(3_600))
        learnt = learnt_weights(self._space, Deadline(3_600))
        if learnt is None:
            raise GameError(f"could not learn initial weights of {game.name}")
        known = np.vstack([learnt.by_fluent[: len(game.fluent_texts)], learnt.bias])
        self._breed: Breed = TreeBreed(game, known) if options.trees else VectorBreed(known)
        self._checkpoint = out.with_name(f"{out.name}.evolution")
        self._now = Generation(0, 0.0, 0.0, 0, 0.5, 0.5, None, None, None)
        self._hall: list[Judgement] = []
        self._population: list[Individual] = []
        if resume:
            self._resume()
        random.seed(f"{seed}/{self._now.step}")
        self._rng = np.random.default_rng([seed, self._now.step])
        self._population = self._population or self._breed.first_generation(options.population)
        self._log = Log(out.with_suffix(LOG), HEADINGS, self._now.step)

    @property
    def curve_path(self) -> Path:
        """The path of the curve."""
        return self._out.with_suffix(CURVE)

    def run(self, seconds: float, steps: int | None = None) -> Iterator[Generation]:
        """Evolve for ``seconds`` or ``steps`` generations; ends with a gate. Writes a checkpoint after each."""
        pace = Pace(seconds, steps, GATE_SHARE)
        while pace.begins_step():
            self._generation()
            self._count(pace.spent())
            if pace.wants_gate():
                with pace.gate():
                    self._gate()
                self._count(pace.spent())
            self._save_state()  # before the log, from which nothing can be resumed
            self._log.add(asdict(self._now))
            self._draw()
            yield self._now

    def _count(self, spent: Spent) -> None:
        minutes, cpu_seconds = self._now.minutes + spent.minutes, self._now.cpu_seconds + spent.cpu_seconds
        self._now = replace(self._now, minutes=minutes, cpu_seconds=cpu_seconds)

    def save(self) -> None:
        """Write the checkpoint, the best if it is new, and the curve."""
        self._save_state()
        self._draw()

    def _save_state(self) -> None:
        content = {
            "trees": self._options.trees,
            "generation": asdict(self._now),
            "hall": [judgement_as_json(self._game, one) for one in self._hall],
            "population": [
                judgement_as_json(self._game, self._breed.judgement(one)) | {"won": one.won, "played": one.played}
                for one in self._population
            ],
        }
        write_json(self._checkpoint, self._game, CHECKPOINT, content)
        if self._now.passed or not self._out.exists():
            self._write(self._hall[-1] if self._hall else self._breed.judgement(self._population[0]))

    def _draw(self) -> None:
        write_file(self.curve_path, self._curve())

    def _resume(self) -> None:
        path = self._checkpoint
        if not path.exists():
            raise GameError(f"there is no {path} to resume from; evolve without --resume")
        content = read_json(path, self._game, CHECKPOINT)
        if content.get("trees") != self._options.trees:
            raise GameError(
                f"{path} evolves {'expressions' if content.get('trees') else 'weights'}: --trees must be as before"
            )
        try:
            self._now = Generation(**content["generation"])
            self._hall = [judgement_of(path, self._game, one) for one in content["hall"][-HALL:]]
            for one in content["population"]:
                individual = self._breed.individual(judgement_of(path, self._game, one))
                individual.won, individual.played = float(one["won"]), float(one["played"])
                self._population.append(individual)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PlayerError(f"{path} cannot be resumed: {type(error).__name__}: {error}") from None
        if self._now.passed and self._hall:  # a full disk may have prevented writing the best
            self._write(self._hall[-1])

    def _generation(self) -> None:
        options = self._options
        parents = self._population
        children = [self._breed.child(*self._parents(parents)) for _ in range(options.population)]
        if (middle := self._breed.mean(parents)) is not None:
            children[-1] = middle
        individuals = [*parents, *children]
        matches = self._play(individuals)
        mean = sum(one.won for one in individuals) / sum(one.played for one in individuals)
        for one in individuals:
            one.fitness.values = ((one.won + PRIOR * mean) / (one.played + PRIOR),)
        self._population = tools.selBest(individuals, options.population)
        scores = [one.fitness.values[0] for one in self._population]
        self._now = replace(
            self._now,
            step=self._now.step + 1,
            matches=self._now.matches + matches,
            best_score=scores[0],
            mean_score=float(np.mean(scores)),
            against_best=None,
            passed=None,
            against_default=None,
        )

    def _parents(self, population: Sequence[Individual]) -> Sequence[Individual]:
        if not population[0].fitness.valid:
            return random.sample(list(population), 2)
        found: Sequence[Individual] = tools.selTournament(population, 2, TOURNAMENT)
        return found

    def _play(self, individuals: Sequence[Individual]) -> int:
        """Let all play the same openings against default and former bests; returns the number of matches."""
        opponents = [self._default, *(Evolved(self._game, one) for one in self._hall)]
        judges = [*(Evolved(self._game, self._breed.judgement(one)) for one in individuals), *opponents]
        roles = len(self._space.roles)
        begins = openings(self._space, self._options.openings, self._options.opening_turns, self._rng)
        against = len(individuals) + self._rng.integers(0, len(opponents), len(begins))
        seats = np.repeat(np.tile(against, roles * len(individuals))[:, None], roles, axis=1)
        who = np.repeat(np.arange(len(individuals)), roles * len(begins))
        seat = np.tile(np.repeat(np.arange(roles), len(begins)), len(individuals))
        seats[np.arange(len(seats)), seat] = who
        keys = begins * (roles * len(individuals))
        shares = play(self._space, judges, seats, keys, self._options.depth, self._rng)
        own = shares[np.arange(len(seats)), seat].reshape(len(individuals), -1)
        for one, results in zip(individuals, own, strict=True):
            one.won = KEPT_RESULTS * one.won + float(results.sum())
            one.played = KEPT_RESULTS * one.played + len(results)
        return len(seats)

    def _gate(self) -> None:
        """Play the best against the last best, which it replaces if it is better."""
        judgement = self._breed.judgement(self._population[0])
        best = Evolved(self._game, judgement)
        begins = openings(self._space, self._options.gate_openings, self._options.opening_turns, self._rng)
        depth = self._options.gate_depth
        against_default = duel(self._space, (best, self._default), begins, depth, self._rng)
        against_best = against_default
        if self._hall:
            last = Evolved(self._game, self._hall[-1])
            against_best = duel(self._space, (best, last), begins, depth, self._rng)
        passed = against_best >= PASS
        self._now = replace(self._now, against_best=against_best, passed=passed, against_default=against_default)
        if passed:
            self._hall = [*self._hall, judgement][-HALL:]  # bounded, so that the checkpoint does not grow

    def _write(self, judgement: Judgement) -> None:
        notes = {"notes": asdict(self._now) | {"options": asdict(self._options)}}
        write_json(self._out, self._game, FORMAT, judgement_as_json(self._game, judgement) | notes)

    def _curve(self) -> str:
        lines = [
            Line("best against default, gate", self._log.points("minutes", "against_default")),
            Line("best, fitness", self._log.points("minutes", "best_score")),
            Line("mean fitness", self._log.points("minutes", "mean_score")),
        ]
        return curve(f"Evolution for {self._game.name}", "minutes", lines, 1.0)
