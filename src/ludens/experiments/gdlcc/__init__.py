"""The experiment of seed 001 (gdlcc) as a program: a Monte-Carlo player on Prolog, generated C++ and the circuit."""
