"""The GGP HTTP protocol: matches with players of others, and players for servers of others (docs/ggp-http.md)."""
