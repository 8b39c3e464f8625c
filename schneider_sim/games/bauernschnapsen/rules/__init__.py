"""The game in plain Python, to be read: contracts, legality, score, match, referee."""
