"""What a game is played with: areas, boards, cards, dice, and the inventory of it all."""
