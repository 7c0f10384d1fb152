"""Hidden information: what players know, perceive and consider possible."""
