"""GTP, the Go Text Protocol, version 2: programs of others as players, and our players as such programs."""
