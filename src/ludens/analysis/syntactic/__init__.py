"""Analyses of the text of the rules, without grounding."""
