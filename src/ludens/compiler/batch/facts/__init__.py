"""Facts about compiled games: examples from random play, proofs by induction over the circuit."""
