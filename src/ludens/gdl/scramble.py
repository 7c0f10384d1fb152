"""Scrambling: replaces all names of a rule sheet, so that players cannot recognise a game by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from ludens.gdl.keywords import RESERVED
from ludens.gdl.read import read_rules
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import functor
from ludens.gdl.write import write_kif

_WORD = re.compile(r"[^\s()]+")
_NUMBER = re.compile(r"[+-]?\d+", re.ASCII)
_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def scramble_sheet(sheet: RuleSheet, seed: int) -> RuleSheet:
    """The same rules with all names of roles, moves, relations, constants and variables replaced, in random order."""
    rng = Random(f"{seed}/scramble")
    rules = list(sheet.rules)
    rng.shuffle(rules)
    rules.sort(key=lambda rule: functor(rule.head) != "role")  # the roles keep their order, and with it their seats
    roles = [rule for rule in sheet.rules if functor(rule.head) == "role"]
    rules[: len(roles)] = roles
    text = write_kif(rules)
    scrambler = Scrambler([text], rng)
    rule = sheet.repetition
    hidden = None if rule is None else replace(rule, counters=tuple(map(scrambler.hide, rule.counters)))
    return replace(read_rules(scrambler.hide(text), name="scrambled"), repetition=hidden)


class Scrambler:
    """One mapping from names to words and back, for one match. Keywords and integers stay as they are."""

    def __init__(self, sentences: Iterable[str], rng: Random) -> None:
        """Words for all names in some KIF, drawn with ``rng``; none of them is a name of the rules, so that a player
        that answers with memorised names is detected.
        """
        names = dict.fromkeys(word for text in sentences for word in _WORD.findall(text) if not _is_kept(word))
        taken = {name.lower().removeprefix("?") for name in names} | RESERVED
        self._hidden = {name: _new_word(taken, rng, "?" if name.startswith("?") else "") for name in names}
        self._revealed = {word: name for name, word in self._hidden.items()}

    def hide(self, text: str) -> str:
        """KIF as the players see it."""
        return _WORD.sub(lambda found: _translate(found.group(), self._hidden), text)

    def reveal(self, text: str) -> str | None:
        """KIF as the rules have it; None if there is a word that the players were not given."""
        if all(_is_kept(word) or word in self._revealed for word in _WORD.findall(text)):
            return _WORD.sub(lambda found: _translate(found.group(), self._revealed), text)
        return None


def _is_kept(word: str) -> bool:
    return word.lower() in RESERVED or _NUMBER.fullmatch(word) is not None


def _translate(word: str, words: Mapping[str, str]) -> str:
    return words.get(word, word)


def _new_word(taken: set[str], rng: Random, mark: str) -> str:
    """A new word, longer if the short ones are used up."""
    tries = 0
    while True:
        syllables = 3 + tries // 20
        word = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables))
        tries += 1
        if word not in taken:
            taken.add(word)
            return mark + word
