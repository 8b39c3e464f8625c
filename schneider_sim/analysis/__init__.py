"""Questions about single decisions and lists of words: which list is best, which deals are worth seeing."""
