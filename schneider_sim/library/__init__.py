"""Everything that the commands do as Python functions that return values."""
