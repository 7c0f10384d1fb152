"""Scenes of shapes, and what is made of them: SVG and pixels."""
