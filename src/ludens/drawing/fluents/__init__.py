"""Infers from the fluents of a GDL game, whose meaning is not declared, panels to draw."""
