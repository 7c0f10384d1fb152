"""Equilibria: game trees with information sets, regret minimisation, best responses, policies that play."""
