"""Limited worker processes for visitors' texts, so that none can block the server."""
