"""Drawings of states as SVG and pixels, showing what a role may see, for every game.

>>> import ludens
>>> from ludens.drawing import clicks, draw
>>> game = ludens.load("tic_tac_toe")
>>> view = game.initial_state().view("xplayer")
>>> drawing = draw(game, view)
>>> drawing.svg[:4], "cell:2:2" in drawing.svg
('<svg', True)
>>> clicks(game, view, ["(mark 2 2)"])
{'(mark 2 2)': ('cell:2:2',)}
"""

from ludens.drawing.drawing import Drawing, clicks, draw, film
from ludens.drawing.palette import STYLE

__all__ = ["STYLE", "Drawing", "clicks", "draw", "film"]
