"""Clauses to ground rules: clingo grounds them within limits, and equal atoms become one."""
