"""Tree search for the player `mcts`: in native code on compiled games, and on the State contract."""
