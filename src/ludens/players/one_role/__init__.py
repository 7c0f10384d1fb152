"""Searches for games with one role, used by the player `single`."""
