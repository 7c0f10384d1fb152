"""Commands on rule sheets: check, convert, query."""
