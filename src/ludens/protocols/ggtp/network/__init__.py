"""GGTP over the network: tokens, TLS, and protection from misbehaving peers."""
