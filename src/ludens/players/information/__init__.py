"""Search in games with hidden information: sampled states, and trees of information sets."""
