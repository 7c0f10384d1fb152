"""Machine code to states: playouts, batches of lanes, one state at a time, belief states."""
