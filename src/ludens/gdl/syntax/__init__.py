"""The two syntaxes of GDL, read into one form of expressions."""
