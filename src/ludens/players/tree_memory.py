"""How much memory the trees and tables of a search may take."""

from __future__ import annotations

from ludens.core import Clock, Option, OptionValue
from ludens.core.process import machine_bytes

LEAST_MEGABYTES = 256
"""With the shortest clocks."""
_MEGABYTES_A_SECOND = 128
"""What a tree in machine code grows by: 412,000 nodes of breakthrough took 256 MB in two seconds."""
_MOVES = 4
"""The time of how many moves is kept: subtrees survive moves, and players think in the opponent's time."""
_SHARE = 8
"""All of the machine's memory, divided by this, is the most."""

MEMORY_OPTION = Option(
    "memory", 0, "memory for the search in megabytes; 0: by the clock, at most an eighth of the machine's", 0, 65_536
)


def megabytes_for(setting: OptionValue, clock: Clock) -> int:
    """The value of the option ``memory``, or what suits the clock and the machine."""
    return int(setting) or automatic_megabytes(clock, machine_bytes())


def automatic_megabytes(clock: Clock, machine: int) -> int:
    """Enough for what a search finds in a few moves, within the limits of a machine with so many bytes."""
    most = max(LEAST_MEGABYTES, machine // _SHARE >> 20)
    return int(min(most, max(LEAST_MEGABYTES, _MOVES * _MEGABYTES_A_SECOND * clock.play)))
