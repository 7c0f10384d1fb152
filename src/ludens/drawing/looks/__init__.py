"""How things look: each module draws one kind of thing into a box of its own."""
