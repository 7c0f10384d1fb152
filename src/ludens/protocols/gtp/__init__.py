"""GTP, the Go Text Protocol, version 2: external programs as players, and players of ludens as GTP programs."""
