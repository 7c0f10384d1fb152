"""What fluents and moves depend on, read off the gates."""
