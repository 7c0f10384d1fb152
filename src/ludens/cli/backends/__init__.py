"""Commands that compile, measure and compare backends."""
