"""Clauses to clauses: the rule sheet rewritten so that it grounds to less."""
