"""Commands that train players."""
