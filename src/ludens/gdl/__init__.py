"""GDL as a language: reading, checking and writing rules, and the reference reasoner."""
