"""The words of the sections `trump`, `bid` and `double`: their codes and meanings, without anything to be compiled.

No two words share a code, also where they share a name, so a code says its section. What each word does is in
decide/bidding.py, decide/doubling.py and search/sampling.py.
"""

from typing import NamedTuple

REDEAL_UNTERS = 0
TURN_UP_WEAK = 1
LONGEST = 2
MARRIAGE = 3
WEIGHTED = 4
ACE = 5
KEEP_ACES = 6
TEN_GUARDED = 7
TRUMP_MC = 8

RINGERL = 16
SURE = 17
BETTLER_LOW = 18
ASS_BETTLER = 19
SCHNAPSER = 20
BAUER = 21
KONTRA = 22
LOW_CARDS = 23
HIGH_CARDS = 24
OUTBID = 25
BID_MC = 26
BID_WHIM = 27
IF_BETTER = 28
BID_SCORE_AWARE = 29
BID_EQUITY_AWARE = 30

THRESHOLD = 32
ACES_TRUMPS = 33
DOUBLE_WHIM = 34
DOUBLE_SCORE_AWARE = 35
DOUBLE_EQUITY_AWARE = 36

MOST_CODES = 64  # a filter is a bit of an int64, and users' words begin above (words.py)


class CallWord(NamedTuple):
    """A word for a call: its code, what it does, and, of a bid, more.

    chance: in thousandths, that a contract bid on the word is made, where the word has no better estimate, as measured
    in play of `cautious`; is_filter: whether it bids nothing itself but holds other words back.
    """

    code: int
    meaning: str
    chance: int = 0
    is_filter: bool = False


CALL_WORDS = {
    "trump": {
        "redeal-unters": CallWord(REDEAL_UNTERS, "with three Unters first, asks for a new deal where the rules allow "
                                                 "it"),
        "turn-up-weak": CallWord(TURN_UP_WEAK, "with three suits, no ace, no ten and no marriage, turns a card up"),
        "longest": CallWord(LONGEST, "the longest suit seen, then the one with most card points, then at random"),
        "marriage": CallWord(MARRIAGE, "the suit of a marriage seen"),
        "weighted": CallWord(WEIGHTED, "the suit of the most card points plus 6 for each card"),
        "ace": CallWord(ACE, "the longest suit with its ace"),
        "keep-aces": CallWord(KEEP_ACES, "the longest suit of two or more cards without its ace"),
        "mc": CallWord(TRUMP_MC, "the suit that does best over sampled deals played out with open cards"),
        "ten-guarded": CallWord(TEN_GUARDED, "the longest suit with its ten and another card of it"),
    },
    "bid": {
        "ringerl": CallWord(RINGERL, "Farbenringerl and Trumpffarbenringerl when held", 1000),
        "sure": CallWord(SURE, "a Gang of top cards or a Bettler of bottom cards that cannot fail", 1000),
        "bettler-low": CallWord(BETTLER_LOW, "Bettler or Assenbettler on low cards", 620),
        "ass-bettler": CallWord(ASS_BETTLER, "Ass-Bettler with one ace, well covered or alone, on low cards", 620),
        "schnapser": CallWord(SCHNAPSER, "Schnapser with three trumps from ace and ten and two aces, or the trump ace "
                                         "and marriage on lead", 620),
        "bauer": CallWord(BAUER, "Bauernschnapser or Bauernloch with three trumps and only top cards", 700),
        "kontra": CallWord(KONTRA, "Kontraschnapser or Kontrabauernschnapser with still more", 620),
        "mc": CallWord(BID_MC, "the contract that earns most over sampled deals played out with open cards"),
        "whim": CallWord(BID_WHIM, "a random legal contract, one time in three"),
        "low-cards": CallWord(LOW_CARDS, "the no-trick contract of the best expectation, if made more often than not "
                                         "by a fitted table"),
        "high-cards": CallWord(HIGH_CARDS, "the Gang contract of the best expectation, likewise"),
        "outbid": CallWord(OUTBID, "the no-trick or Gang contract of the best expectation by those tables, if above "
                                   "the standing contract's"),
        "if-better": CallWord(IF_BETTER, "filter: only when it is worth more than the standing contract",
                              is_filter=True),
        "score-aware": CallWord(BID_SCORE_AWARE, "filter: only when it raises the chance to win the match above that "
                                                 "of the standing contract", is_filter=True),
        "equity-aware": CallWord(BID_EQUITY_AWARE, "filter: the same, by the match equity of played deals instead of "
                                                   "one to nine points with equal chances", is_filter=True),
    },
    "double": {
        "threshold": CallWord(THRESHOLD, "when by fitted tables the player's side is more likely than not to score"),
        "aces-trumps": CallWord(ACES_TRUMPS, "against a normal game with two aces and three trumps"),
        "whim": CallWord(DOUBLE_WHIM, "one time in four"),
        "score-aware": CallWord(DOUBLE_SCORE_AWARE, "filter: never when the match is won anyway, always when it is "
                                                    "lost anyway", is_filter=True),
        "equity-aware": CallWord(DOUBLE_EQUITY_AWARE, "filter: the same, and only when it raises the chance to win the "
                                                      "match, by the match equity of played deals", is_filter=True),
    },
}
