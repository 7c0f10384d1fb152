"""The ``ludens`` command, one module for each subcommand."""
