"""Values and words that know no game: text, files, cards, the terminal, estimates, tallies."""
