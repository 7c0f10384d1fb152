"""The Lab: checks, draws, decomposes and plays rule sheets written in the browser, within limits."""
