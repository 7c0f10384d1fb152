"""GGTP between machines: who may connect, how, and what a peer that misbehaves can do, which is nothing to others."""
