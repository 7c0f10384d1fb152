"""The library: rule sheets and their cards. A file put into ``shelf/`` is found; there is no list to edit."""
