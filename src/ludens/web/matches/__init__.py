"""Pages to play and watch matches, and their connection to the browser."""
