"""The GGP HTTP protocol: matches with external players, and players for external servers (docs/ggp-http.md)."""
