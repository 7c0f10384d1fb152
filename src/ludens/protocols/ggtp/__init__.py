"""GGTP, the General Gaming Text Protocol: Supervisor, Rules and Engines talk in lines of text (docs/ggtp.md)."""
