"""The tree search behind the player `mcts`: once in native code on compiled games, once on the State contract."""
