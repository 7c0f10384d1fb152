"""The fast interpreter of GDL: starts as soon as the rules are read; the reference reasoner is its oracle."""
