"""The words that GDL reserves, with the number of arguments each takes."""

KEYWORDS = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "sees": 2,
}
"""Relations with a meaning of their own. ``random`` is one of them only in the stochastic dialect, where it takes
three arguments; in GDL-II it is the name of a role."""

LOGIC = ("<=", "not", "or", "and", "distinct")
"""Words that build rules and are never names."""

RESERVED = frozenset((*KEYWORDS, *LOGIC, "random"))
"""Words whose capitals are never the author's choice."""
