"""A server behind HTTP as a player; a package, since the standard library has a module of this name."""
