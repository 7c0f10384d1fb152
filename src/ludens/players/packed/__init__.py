"""Searches on packed positions in machine code (`source`): graphs of one role, proofs for two."""
