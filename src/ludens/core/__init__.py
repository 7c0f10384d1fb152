"""The vocabulary of ludens as types: what a game, a state, a player and a clock are."""

from ludens.core.belief import PerceptView
from ludens.core.clock import NO_CLOCK, Clock, Deadline
from ludens.core.errors import GameError, IllegalMoveError, LudensError, PlayerError, TooManyOutcomesError
from ludens.core.facts import Answer, Fact, Facts
from ludens.core.game import (
    BEST_GOAL,
    Game,
    JointMove,
    Move,
    OpenView,
    Outcome,
    Role,
    SampledWorlds,
    SomeMovesView,
    State,
    StateView,
    View,
    Worlds,
    compiled_state,
    joint_moves,
    play_randomly,
    random_joint_move,
    settle_race,
)
from ludens.core.options import Option, OptionValue
from ludens.core.player import Channel, Decision, Message, Observation, Player, TakeBack
from ludens.core.thinking import MoveReport, Thinking

__all__ = [
    "BEST_GOAL",
    "NO_CLOCK",
    "Answer",
    "Channel",
    "Clock",
    "Deadline",
    "Decision",
    "Fact",
    "Facts",
    "Game",
    "GameError",
    "IllegalMoveError",
    "JointMove",
    "LudensError",
    "Message",
    "Move",
    "MoveReport",
    "Observation",
    "OpenView",
    "Option",
    "OptionValue",
    "Outcome",
    "PerceptView",
    "Player",
    "PlayerError",
    "Role",
    "SampledWorlds",
    "SomeMovesView",
    "State",
    "StateView",
    "TakeBack",
    "Thinking",
    "TooManyOutcomesError",
    "View",
    "Worlds",
    "compiled_state",
    "joint_moves",
    "play_randomly",
    "random_joint_move",
    "settle_race",
]
