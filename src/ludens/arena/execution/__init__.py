"""Where matches are played: in this process, in several, on a cluster."""
