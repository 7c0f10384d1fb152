"""The player `random`: a package, since a module of that name would be taken for the standard library's."""
