"""Tabletop: games of boards, cards and dice as one short page of Python (docs/tabletop.md)."""

from ludens.core import Option
from ludens.tabletop.actions.basic import Action, Del, Do, Mark, Pass, Set
from ludens.tabletop.actions.each import Each
from ludens.tabletop.actions.moving import Distribute, Move, Sort
from ludens.tabletop.actions.randomness import Roll, Shuffle
from ludens.tabletop.actions.result import FinishPlay
from ludens.tabletop.actions.telling import Refuse, Show, Tell
from ludens.tabletop.errors import RuleError
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.loading import load_game
from ludens.tabletop.material.areas import Area
from ludens.tabletop.material.cards import french_deck
from ludens.tabletop.material.equipment import (
    Assortment,
    Dice,
    Direction,
    Element,
    Equipment,
    Place,
    Player,
    Position,
    Score,
)
from ludens.tabletop.quick_form import QuickForm, QuickTurn
from ludens.tabletop.rule import Rule
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import Table
from ludens.tabletop.turns import Arc, Stage, alternate, everybody, round_robin, stage, waiting
from ludens.tabletop.twin import EngineTwin, StonesPosition, StonesTwin, Twin

__all__ = [
    "Action",
    "Arc",
    "Area",
    "Assortment",
    "Del",
    "Dice",
    "Direction",
    "Distribute",
    "Do",
    "Each",
    "Element",
    "EngineTwin",
    "Equipment",
    "FinishPlay",
    "Mark",
    "Move",
    "Option",
    "Pass",
    "Place",
    "Player",
    "Position",
    "QuickForm",
    "QuickTurn",
    "Refuse",
    "Roll",
    "Rule",
    "RuleError",
    "Score",
    "Set",
    "Show",
    "Shuffle",
    "Sort",
    "Stage",
    "StonesPosition",
    "StonesTwin",
    "Table",
    "TabletopGame",
    "TabletopState",
    "Tell",
    "Twin",
    "alternate",
    "everybody",
    "french_deck",
    "load_game",
    "round_robin",
    "stage",
    "waiting",
]
