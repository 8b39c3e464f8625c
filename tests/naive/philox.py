"""Philox4x32-10 once more, as plainly as can be: integers of Python, no package code.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 3.
"""

WORD = 2**32 - 1


def four_words(deal, block, stream, seed):
    """The four words (0 to 2**32 - 1) of a block of a stream of a deal."""
    words = [deal & WORD, deal >> 32, block, stream]
    low, high = seed & WORD, seed >> 32
    for _ in range(10):
        first, second = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [(second >> 32) ^ words[1] ^ low, second & WORD, (first >> 32) ^ words[3] ^ high, first & WORD]
        low, high = (low + 0x9E3779B9) & WORD, (high + 0xBB67AE85) & WORD
    return words
