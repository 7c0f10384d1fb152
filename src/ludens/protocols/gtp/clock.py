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
    """Canadian byo-yomi: main time, then repeated periods of seconds for a number of stones.

    Controllers may tell the time that is left before every move, at times or never: it is counted here meanwhile.
    """

    def __init__(self, default: float, main: int = 0, byo_yomi: int = 0, stones: int = 0) -> None:
        self._default = default
        self._main = main
        self._period = (byo_yomi, stones) if byo_yomi and stones else None
        self._left: dict[str, tuple[float, int]] = {}
        """By colour: seconds, and the stones that they are for; 0 for main time."""

    def restarted(self) -> GtpClock:
        """The same clock at the beginning of a game."""
        return GtpClock(self._default, self._main, *(self._period or (0, 0)))

    def set_left(self, colour: str, seconds: float, stones: int) -> None:
        """Take over what the controller counted."""
        self._left[colour] = (seconds, stones)

    def spend(self, colour: str, taken: float) -> None:
        """Count the seconds that a move of a colour took."""
        left = self._left_of(colour)
        if left is None:
            return
        seconds, stones = left
        if stones > 1:
            self._left[colour] = (seconds - taken, stones - 1)
        elif self._period is not None and (stones or seconds <= taken):
            self._left[colour] = self._period
        else:
            self._left[colour] = (seconds - taken, stones)

    def seconds(self, colour: str, size: int) -> float:
        """For the next move of a colour, on a board of that size."""
        left = self._left_of(colour)
        if left is None:
            return self._default
        seconds, stones = left
        period = self._period[0] / self._period[1] if self._period is not None else 0.0
        share = seconds / stones if stones else max(seconds / max(FEWEST, size * size // SHARE), min(period, seconds))
        return max(LEAST, share * (1 - RESERVE))

    def _left_of(self, colour: str) -> tuple[float, int] | None:
        """What is left; None without a limit."""
        return self._left.get(colour, (self._main, 0) if self._main else self._period)


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
