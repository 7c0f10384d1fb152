"""The language of GGTP: lines, commands, options, and the texts of answers."""
