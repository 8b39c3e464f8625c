"""Bohemian Schneider: two players, 32 cards, only the next rank of the suit captures."""
