"""Rules as clauses: what depends on what, and in which order it is evaluated."""
