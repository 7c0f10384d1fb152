"""The one family of exceptions: each message says what was wrong, where, and what to do."""


class LudensError(Exception):
    """Anything that ludens reports to its user; the message is one clear sentence."""


class GameError(LudensError):
    """A game cannot be found, loaded or computed with."""


class OutOfTimeError(GameError, TimeoutError):
    """A computation was given up, since its time is over."""


class IllegalMoveError(LudensError):
    """A joint move names a move that is not legal in the state, or leaves out a role that has to move."""


class TooManyOutcomesError(LudensError):
    """The exact list of chance outcomes is longer than the caller's bound; use `State.sample` instead."""


class PlayerError(LudensError):
    """A player cannot be made: unknown name, unknown option, or a value out of range."""
