"""What players that learn share: their files, the log of a training, and its curve."""
