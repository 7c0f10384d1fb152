"""The agents, one module each. `make_player` makes one by name: ``flat:playouts=200``."""

from ludens.players.registry import make_player, player_class, player_classes

__all__ = ["make_player", "player_class", "player_classes"]
