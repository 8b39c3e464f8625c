"""The words of the sections `lead` and `follow`: their codes and meanings, without anything that has to be compiled."""

from typing import NamedTuple

(MASTER, TRUMP, ACE, TEN, RICH, POOR, HIGH, LOW, LONG, SHORT, MARRIAGE_CARD, WIN, WIN_CHEAP, WIN_RICH, SMEAR,
 KEEP_MARRIAGE, KEEP_GUARD, DODGE, STING, UNBLOCK, SAFE, DUCK, FORCE, SHIELD, DRAW, FORCE_OUT, HOLD_TEN, TO_PARTNER,
 KEEP_LAST, KEEP_FORK, UNLOAD, KEEP_STOP, HAND_OVER, OPEN_HANDS) = range(34)
NEGATED, PLUGIN = 64, 128  # added to a code; a user's preference is PLUGIN + its place in the list
STAGE = 32  # from this bit of a code on: a bit for each trick in which the word acts
LATER = 1 << 30  # open-hands: whether it may be asked after the words that follow it, see `may_wait`
BARE = (1 << STAGE) - 1 - NEGATED - LATER  # the bits of a code that say which word it is


class Word(NamedTuple):
    """A preference: its code, the sections it may stand in, the cards it wants, and where it wants any.

    aims: those of the contracts (contracts.py), role: of the player; empty: any.
    """

    code: int
    sections: tuple[str, ...]
    meaning: str
    aims: tuple[str, ...] = ()
    role: str = ""


_BOTH, _LEAD, _FOLLOW = ("lead", "follow"), ("lead",), ("follow",)
WORDS = {
    "master": Word(MASTER, _BOTH, "cards of which every higher card of the suit is remembered or in hand"),
    "trump": Word(TRUMP, _BOTH, "trumps, where there are any"),
    "ace": Word(ACE, _BOTH, "aces"),
    "ten": Word(TEN, _BOTH, "tens"),
    "rich": Word(RICH, _BOTH, "the candidates of the most card points"),
    "poor": Word(POOR, _BOTH, "the candidates of the fewest card points"),
    "high": Word(HIGH, _BOTH, "the candidates of the highest rank in the contract's order, any suit"),
    "low": Word(LOW, _BOTH, "the candidates of the lowest rank in the contract's order, any suit"),
    "long": Word(LONG, _BOTH, "cards of the suits that, among the candidates' suits, are longest in hand"),
    "short": Word(SHORT, _BOTH, "cards of the suits that, among the candidates' suits, are shortest in hand"),
    "marriage-card": Word(MARRIAGE_CARD, _LEAD, "kings and queens of a marriage in hand"),
    "win": Word(WIN, _FOLLOW, "cards that beat the trick so far"),
    "win-cheap": Word(WIN_CHEAP, _FOLLOW, "of the cards that beat the trick so far those of the fewest points"),
    "win-rich": Word(WIN_RICH, _FOLLOW, "of the cards that beat the trick so far those of the most points"),
    "smear": Word(SMEAR, _FOLLOW, "the richest candidates, when the partner's card is sure to win the trick"),
    "keep-marriage": Word(KEEP_MARRIAGE, _FOLLOW, "cards that do not break a marriage which may still be announced"),
    "keep-guard": Word(KEEP_GUARD, _FOLLOW, "cards that leave a ten beside its only guard while its ace is out"),
    "dodge": Word(DODGE, _BOTH, "declarer of a no-trick contract: the highest card that will not win, else the "
                                "most dangerous discard", ("none",), "declarer"),
    "sting": Word(STING, _BOTH, "against a no-trick contract: the lowest candidates", ("none",), "defender"),
    "unblock": Word(UNBLOCK, _BOTH, "partner in an all-trick contract or Schnapser: the highest candidates",
                    ("all", "schnapser"), "partner"),
    "safe": Word(SAFE, _BOTH, "cards that win and that no seat still to play can beat, by all it has shown"),
    "duck": Word(DUCK, _BOTH, "cards that do not win, or that a seat still to play has to beat"),
    "force": Word(FORCE, _BOTH, "against a no-trick contract: the cards that the declarer may have to beat and fewest "
                                "cards of others can, else the highest to be rid of them", ("none",), "defender"),
    "shield": Word(SHIELD, _BOTH, "partner in a no-trick contract: winning cards that the declarer yet to play cannot "
                                  "beat, else the highest that win", ("none",), "partner"),
    "draw": Word(DRAW, _LEAD, "trumps of which no higher is out, while trumps are out"),
    "force-out": Word(FORCE_OUT, _LEAD, "kings and queens that the next hand may have to beat with an ace or a ten"),
    "hold-ten": Word(HOLD_TEN, _LEAD, "cards other than a ten whose ace is out"),
    "to-partner": Word(TO_PARTNER, _LEAD, "suits that the partner can trump, having shown none of them, or has a "
                                          "marriage of"),
    "hand-over": Word(HAND_OVER, _LEAD, "declarer of a no-trick contract: cards below the highest one out of the suit "
                                        "where only the partner can have that", ("none",), "declarer"),
    "keep-last": Word(KEEP_LAST, _BOTH, "fourth trick of a normal game: not the highest trump, unless the rivals could "
                                        "get 66 in this trick", ("normal",)),
    "keep-fork": Word(KEEP_FORK, _FOLLOW, "against an all-trick contract: cards that do not break a fork, such as ten "
                                          "and queen while ace and king are out", ("all",), "defender"),
    "keep-stop": Word(KEEP_STOP, _FOLLOW, "against an all-trick contract: cards other than the highest of a suit and a "
                                          "small one for each higher card out", ("all",), "defender"),
    "unload": Word(UNLOAD, _BOTH, "declarer of a no-trick contract: of the cards sure to lose those with most lower "
                                  "cards out for each higher one, else those that most cards of later seats may beat",
                   ("none",), "declarer"),
    "open-hands": Word(OPEN_HANDS, _BOTH, "declarer and partner of a Plauderer whose rivals' hands lie open, so that "
                                          "all four are known: the cards that make it against any defence", ("none",)),
}

# Words that want a card whatever the other candidates are, and words that rank the candidates and want the highest.
FIXED = frozenset((MASTER, TRUMP, ACE, TEN, MARRIAGE_CARD, WIN, KEEP_MARRIAGE, KEEP_GUARD, SAFE, DUCK, DRAW, FORCE_OUT,
                   HOLD_TEN, TO_PARTNER, KEEP_FORK, KEEP_STOP, HAND_OVER))
RANKED = frozenset((RICH, POOR, HIGH, LOW, LONG, SHORT, WIN_CHEAP, WIN_RICH, SMEAR, STING, UNBLOCK, FORCE, SHIELD,
                    UNLOAD))


def may_wait(codes: list[int], place: int) -> bool:
    """Whether the card that the words after a place leave of all candidates is also the one they leave of any of these
    with it among them: so it is for words that rank, and for a last word that wants all but the highest."""
    later = codes[place + 1 :]
    return all(code & BARE in FIXED or (code & BARE in RANKED and (not code & NEGATED or n == len(later)))
               for n, code in enumerate(later, 1))
