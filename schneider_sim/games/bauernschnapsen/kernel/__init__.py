"""A deal, compiled: its state, what is legal, who wins, what counts."""
