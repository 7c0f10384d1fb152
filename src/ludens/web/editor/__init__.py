"""The position editor: positions of games in GDL are set up by clicks, checked, and played from."""
