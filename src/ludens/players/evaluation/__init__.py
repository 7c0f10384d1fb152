"""What a position that is not over is worth: mobility, nearness of the goal, learned weights."""
