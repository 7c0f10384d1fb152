"""A circuit as C++: the grounded variant of ``ludens compile --emit c++``."""
