"""Commands about what there is: games, their cards and pages, players."""
