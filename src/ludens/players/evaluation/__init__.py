"""Evaluations of nonterminal positions: mobility, nearness to the goal, learned weights."""
