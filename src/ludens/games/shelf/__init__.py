"""The games in GDL: rule sheets, or generators of them, and their cards."""
