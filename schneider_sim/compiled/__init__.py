"""The Numba workshop: one decorator, lanes, random words, cells."""
