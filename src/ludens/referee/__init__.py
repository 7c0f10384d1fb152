"""One match from start to record, and the stream of events that everybody follows."""

from ludens.referee.events import (
    Event,
    MatchEnded,
    MatchStarted,
    MessageSent,
    PlayerFailed,
    PlayerThinking,
    TakenBack,
    TurnPlayed,
)
from ludens.referee.match import Match
from ludens.referee.record import RecordWriter
from ludens.referee.stream import Subscription

__all__ = [
    "Event",
    "Match",
    "MatchEnded",
    "MatchStarted",
    "MessageSent",
    "PlayerFailed",
    "PlayerThinking",
    "RecordWriter",
    "Subscription",
    "TakenBack",
    "TurnPlayed",
]
