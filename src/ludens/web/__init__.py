"""The page in the browser: play, watch and understand any game that ludens knows."""
