"""Evaluation of clauses: relations, joins, derivation on demand."""
