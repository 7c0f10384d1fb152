"""Engines in C++ that play as pages do (`ludens.tabletop.EngineTwin`), and how tables become their numbers."""

PACKAGE = __name__
"""The package with the engines."""
