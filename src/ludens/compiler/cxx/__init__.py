"""The backend ``cxx`` and the C++ emitter: rules compiled query by query (the scheme of gdlcc)."""
