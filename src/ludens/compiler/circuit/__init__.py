"""Ground rules to gates: the circuit of a game, its turn order, random choices and invariants."""
