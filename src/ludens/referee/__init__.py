"""One match from start to record, and the stream of events that everybody follows."""

from ludens.referee.events import Event, MatchEnded, MatchStarted, PlayerFailed, TurnPlayed
from ludens.referee.match import Match
from ludens.referee.record import RecordWriter

__all__ = ["Event", "Match", "MatchEnded", "MatchStarted", "PlayerFailed", "RecordWriter", "TurnPlayed"]
