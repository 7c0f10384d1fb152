"""What the commands share: consoles, common options, positions, seats and tables."""
