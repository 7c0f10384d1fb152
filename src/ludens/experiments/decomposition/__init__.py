"""The experiments of the paper on decomposition, run again."""
