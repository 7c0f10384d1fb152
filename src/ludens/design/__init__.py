"""Reports for designers: how a game plays, what is wrong with it, and what a change of its rules did."""
