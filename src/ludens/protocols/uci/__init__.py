"""UCI, the Universal Chess Interface: external programs as players of chess, and players of ludens as UCI programs."""
