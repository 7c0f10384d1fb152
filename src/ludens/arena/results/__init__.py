"""Evaluation of results: crosstables, plots, tests."""
