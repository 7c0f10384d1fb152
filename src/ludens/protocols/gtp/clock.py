"""The time for a move under a GTP controller's clock."""

from __future__ import annotations

from ludens.core import LudensError

SHARE = 3
"""Points of the board per expected move of each player; a game is assumed to last at least `FEWEST` more moves."""
FEWEST = 10
RESERVE = 0.1
"""The share of the time reserved for latency."""
LEAST = 0.01


class ClockError(LudensError):
    """A clock that is not known."""


class GtpClock:
    """Canadian byo-yomi: main time, then repeated periods of seconds for a number of stones."""

    def __init__(self, default: float, main: int = 0, byo_yomi: int = 0, stones: int = 0) -> None:
        self._default = default
        self._main = main
        self._byo_yomi = byo_yomi
        self._stones = stones
        self.left: dict[str, tuple[int, int]] = {}
        """The last ``time_left`` by colour: seconds, and the stones that they are for; 0 for main time."""

    def seconds(self, colour: str, size: int) -> float:
        """For the next move of a colour, on a board of that size."""
        if colour in self.left:
            seconds, stones = self.left[colour]
        elif self._main or (self._byo_yomi and self._stones):
            seconds, stones = (self._main, 0) if self._main else (self._byo_yomi, self._stones)
        else:
            return self._default
        period = self._byo_yomi / self._stones if self._byo_yomi and self._stones else 0.0
        share = seconds / stones if stones else max(seconds / max(FEWEST, size * size // SHARE), min(period, seconds))
        return max(LEAST, share * (1 - RESERVE))


def clock_of_kgs(default: float, system: str, numbers: list[int]) -> GtpClock:
    """The clock that ``kgs-time_settings`` describes. Raises `ClockError`."""
    match system.lower(), numbers:
        case "none", []:
            return GtpClock(default)
        case "absolute", [main]:
            return GtpClock(default, main)
        case "byoyomi", [main, period, _]:
            return GtpClock(default, main, period, 1)
        case "canadian", [main, period, stones]:
            return GtpClock(default, main, period, stones)
    raise ClockError("syntax error: none, absolute MAIN, byoyomi MAIN PERIOD PERIODS or canadian MAIN PERIOD STONES")
