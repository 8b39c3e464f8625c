"""A run for people: the result as a value, as pandas frames, as text."""
