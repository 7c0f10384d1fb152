"""The web page: play, watch and understand games."""
