"""The looks of things: each module draws one kind of thing into its own box."""
