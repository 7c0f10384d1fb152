"""Engines: a player as an engine, and the Rules' end of the connection to one."""
