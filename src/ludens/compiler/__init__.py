"""GDL to machine code: condense, ground, circuit, schedule, code, select, play out.

Each stage is a module with a typed input and output.
"""
