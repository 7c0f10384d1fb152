"""Ray for players and matches: the connection, and searchers on other machines."""
