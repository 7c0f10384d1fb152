"""Games in Python, one file each with its card beside it; `ludens.games.library` finds them."""
