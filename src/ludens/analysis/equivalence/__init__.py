"""Whether two games are the same: by their rules up to names, or by all that can happen in them."""
