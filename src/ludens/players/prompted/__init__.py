"""Prompts: game, position and moves in words, for language models and people; replies; players that use both."""
