"""Reading GDL: from fluents, whose meaning nobody declares, to panels that can be drawn."""
