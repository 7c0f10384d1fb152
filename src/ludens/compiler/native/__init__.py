"""Gates to machine code: operations, schedule, registers, the interpreter and the cache of code."""
