"""The last six tricks played perfectly: positions, their values, tables of them, and what policies lose there."""
