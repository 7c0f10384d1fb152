"""Chance and percepts: the dialects, their random variables, and both in plain GDL."""
