"""The Prolog baseline: rule sheets as plain Prolog, run by SWI-Prolog."""
