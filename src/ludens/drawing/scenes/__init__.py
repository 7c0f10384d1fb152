"""Scenes of shapes, and their output as SVG and pixels."""
