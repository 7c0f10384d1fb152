"""The vocabulary of ludens as types: what a game, a state, a player and a clock are."""

from ludens.core.errors import GameError, IllegalMoveError, LudensError, PlayerError, TooManyOutcomesError
from ludens.core.game import Game, JointMove, Move, Outcome, Role, State, joint_moves, random_joint_move
from ludens.core.player import Clock, Deadline, Decision, Option, OptionValue, Player
from ludens.core.view import OpenView, View

__all__ = [
    "Clock",
    "Deadline",
    "Decision",
    "Game",
    "GameError",
    "IllegalMoveError",
    "JointMove",
    "LudensError",
    "Move",
    "OpenView",
    "Option",
    "OptionValue",
    "Outcome",
    "Player",
    "PlayerError",
    "Role",
    "State",
    "TooManyOutcomesError",
    "View",
    "joint_moves",
    "random_joint_move",
]
