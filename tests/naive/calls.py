"""What the words for trumps, bids and doublings say, once more and as plainly as can be: strings, sets, fractions.

The tests hold the compiled words to it. Hands are lists of cards in the order dealt; seats count from the caller (0);
`rules` is the dictionary of a trace; `weights` are the fitted tables, by name.
"""

import functools
import json
import math
from fractions import Fraction
from importlib import resources

from .bauernschnapsen import (
    ALL_TRICKS,
    GANGS,
    NO_TRICK,
    ORDER_OF_TABLE,
    POINTS,
    SCHNAPSERS,
    SHOWN,
    can_bid,
    has_trumps,
    strength,
    worth,
)

LOW = {"BETTLER", "PLAUDERER", "ASSENBETTLER", "ASS_BETTLER"}
EQUITY = json.loads(
    (resources.files("schneider_sim.games.bauernschnapsen.decide") / "equity.json").read_text(encoding="utf-8"))
FILTERS = {"if-better", "score-aware", "equity-aware"}


def of(cards, suit):
    return [card for card in cards if card[1] == suit]


def ranks(cards):
    return "".join(card[0] for card in cards)


def higher_held(contract, card, held, most):
    """Whether every higher (lower) card of its suit is held too."""
    order = strength(contract)
    place = order.index(card[0])
    return all(rank + card[1] in held for rank in (order[place + 1 :] if most else order[:place]))


def married(cards):
    return any("K" + suit in cards and "Q" + suit in cards for suit in "SHDC")


# --- trumps

def suits_wanted(word, seen, suits):
    """The suits that a word likes best, none if it likes none."""
    def liking(suit):
        cards = of(seen, suit)
        points = sum(POINTS[card[0]] for card in cards)
        if not cards:
            return None
        if word == "weighted":
            return points + 6 * len(cards)
        wanted = {"longest": True, "marriage": married(cards), "ace": "A" in ranks(cards),
                  "keep-aces": "A" not in ranks(cards) and len(cards) > 1,
                  "ten-guarded": "T" in ranks(cards) and len(cards) > 1}[word]
        return (len(cards), points) if wanted else None

    liked = {suit: liking(suit) for suit in suits if liking(suit) is not None}
    return [suit for suit in suits if suit in liked and liked[suit] == max(liked.values())]


def trumps(words, rules, seen):
    """The choice of a list of words: 'new-deal', 'turn-up', or the suits of which one is taken at random."""
    suits = [suit for suit in "SHDC" if of(seen, suit) or not rules["trump_must_be_held"]]
    for word in words:
        if word == "redeal-unters":
            if rules["three_unters"] == "optional" and ranks(seen) == "JJJ":
                return "new-deal"
        elif word == "turn-up-weak":
            weak = len({card[1] for card in seen}) == 3 and not set(ranks(seen)) & {"A", "T"}
            if weak and rules["turnup"] != "off":
                return "turn-up"
        elif suits_wanted(word, seen, suits):
            return suits_wanted(word, seen, suits)
    return suits


# --- chances and what they are worth

def thousandths(log_odds):
    """The chance of a score in hundredths."""
    return round(1000 / (1 + math.exp(-max(-600, min(600, log_odds)) / 100)))


def holding(cards, order):
    return sum(2 ** order.index(card[0]) for card in cards)


def chance_without_trumps(weights, contract, hand):
    table = weights["PLAUDERER" if contract == "PLAUDERER" else "BETTLER" if contract in NO_TRICK else "GANG"]
    return thousandths(sum(table[holding(of(hand, suit), strength(contract))] for suit in "SHDC"))


def odds_of_normal(weights, hand, trump, defending):
    side = "defender" if defending else "caller"
    return sum(weights[f"{side}_{'trumps' if suit == trump else 'sides'}"][holding(of(hand, suit), "JQKTA")]
               for suit in "SHDC")


def worth_of_standing(rules, seat, standing, holder):
    """In game points, for the seat's side: a special contract is made three times in four."""
    value = Fraction(7, 10) if standing == "NORMAL" else Fraction(1, 2) * worth(rules, standing)
    return value if (seat - holder) % 2 == 0 else -value


@functools.cache
def chance_of_match(ours, theirs):
    """As if every deal brought either side 1 to 9 points with equal chances."""
    if ours >= 24 or theirs >= 24:
        return 1 if ours >= 24 else 0
    return sum(chance_of_match(ours + n, theirs) + chance_of_match(ours, theirs + n) for n in range(1, 10)) / 18


def equity_of_play(rules, table, ours, theirs, value, chance):
    """The same by a table of how matches went on, where Plauderer is played or not."""
    chances = table["full" if rules["PLAUDERER"] else "common"]
    won, lost = chances[min(24, ours + value)][theirs], chances[ours][min(24, theirs + value)]
    return chance * won + (1000 - chance) * lost


def equity(ours, theirs, value, chance):
    won, lost = round(1000 * chance_of_match(ours + value, theirs)), round(1000 * chance_of_match(ours, theirs + value))
    return chance * won + (1000 - chance) * lost


def passes(filters, rules, seat, contract, standing, holder, chance, score):
    """Whether a bid made with a chance in thousandths passes the filters among the words."""
    value = worth(rules, contract)
    gain = Fraction(2 * chance - 1000, 1000) * value
    if "if-better" in filters and gain <= worth_of_standing(rules, seat, standing, holder):
        return False
    stake, trust = (2, 600) if standing == "NORMAL" else (worth(rules, standing), 750)
    if (seat - holder) % 2:
        trust = 1000 - trust
    ours, theirs = score
    tests: dict = {"score-aware": equity, "equity-aware": functools.partial(equity_of_play, rules, EQUITY)}
    return all(chances(ours, theirs, value, chance) > chances(ours, theirs, stake, trust)
               for word, chances in tests.items() if word in filters)


# --- bids

def sure(rules, hand):
    """What cannot be lost, whoever holds what."""
    many = len({card[1] for card in hand}) > 1
    found = {contract for contract in GANGS if all(higher_held(contract, card, hand, True) for card in hand)}
    if rules["bettler_partner"] == "plays" and many:
        found |= {contract for contract in LOW - {"ASS_BETTLER"}
                  if all(higher_held(contract, card, hand, False) for card in hand)}
    return found


def shapes(word, rules, seat, hand, trump):
    """The contracts that a word for shapes of hands would bid."""
    held, mine = ranks(hand), ranks(of(hand, trump))
    aces, found = held.count("A"), set()
    from_the_top = [card for card in hand if higher_held("BAUERNSCHNAPSER", card, hand, True)]
    if word == "bettler-low":
        if not set(held) & {"A", "T"} and held.count("K") < 2 and held.count("J") >= 2:
            found.add("BETTLER")
        if not set(held) & {"T", "K"} and held.count("Q") < 2 and held.count("A") + held.count("J") >= 3:
            found.add("ASSENBETTLER")
    elif word == "ass-bettler":
        if aces == 1 and not set(held) & {"T", "K"} and held.count("J") >= 2:
            [ace] = [card for card in hand if card[0] == "A"]
            if len(of(hand, ace[1])) != 2:
                found.add("ASS_BETTLER")
    elif word == "schnapser":
        three = {"A", "T"} <= set(mine) and len(mine) >= 3
        forty = seat == 0 and "A" in mine and {"K", "Q"} <= set(mine)
        if (three and aces >= 2) or forty:
            found |= {"SCHNAPSER", "SCHNAPSER_MIT_MANN"}
        if three:
            found.add("FREUNDSCHAFTSSCHNAPSER")
    elif word == "bauer":
        if (len(mine) >= 3 and len(from_the_top) == 5) or (len(mine) >= 4 and len(from_the_top) >= 4):
            found.add("BAUERNSCHNAPSER")
        if len(mine) >= 3 and all(higher_held("BAUERNLOCH", card, hand, True) for card in hand):
            found.add("BAUERNLOCH")
    elif word == "kontra":
        if {"A", "T"} <= set(mine) and len(mine) >= 3 and aces >= 2 and len(mine) + aces >= 6:
            found.add("KONTRASCHNAPSER")
        if len(mine) >= 3 and len(from_the_top) == 5:
            found.add("KONTRABAUERNSCHNAPSER")
    return found


TRUSTED = {"ringerl": 1000, "sure": 1000, "bauer": 700}  # by word, in thousandths; the other shapes 620


def rank_of(rules, contract):
    return worth(rules, contract)


def best(found):
    """The contracts of the highest number."""
    return {contract for contract, number in found.items() if number == max(found.values())}


def bids(words, rules, weights, seat, hand, trump, standing, holder, score, random):
    """The contracts one of which is bid, empty for a pass. score: own, other; random: two words of this call."""
    filters = FILTERS & set(words)
    legal = [c for c in ORDER_OF_TABLE if can_bid(rules, seat, c, hand, trump, standing, holder)]

    def open_to(chance, filters=filters):
        return [c for c in legal if passes(filters, rules, seat, c, standing, holder, chance, score)]

    for word in words:
        found: dict = {}
        if word in FILTERS:
            continue
        if word == "whim":
            some = open_to(999, filters - {"if-better"})
            if some and 3 * random[0] < 2**32:
                return {some[random[1] * len(some) // 2**32]}
            continue
        if word in ("low-cards", "high-cards", "outbid"):
            kinds = {"low-cards": LOW, "high-cards": GANGS, "outbid": LOW | GANGS}[word]
            for contract in kinds & set(legal):
                chance = min(999, chance_without_trumps(weights, contract, hand))
                gain = Fraction(2 * chance - 1000, 1000) * worth(rules, contract)
                least = worth_of_standing(rules, seat, standing, holder) if standing != "NORMAL" else Fraction(7, 10)
                enough = gain > least if word == "outbid" else chance >= 550
                if enough and contract in open_to(chance):
                    found[contract] = gain
        else:
            wanted = SHOWN if word == "ringerl" and len({card[1] for card in hand}) == 1 else set()
            wanted = sure(rules, hand) if word == "sure" else wanted or shapes(word, rules, seat, hand, trump)
            found = {c: rank_of(rules, c) for c in open_to(TRUSTED.get(word, 620)) if c in wanted}
        if found:
            return best(found)
    return set()


# --- doublings

def doubles(word, rules, weights, seat, hand, trump, contract, declarer, level, random):
    """Whether a word says yes. random: the first word of this question."""
    defending = (seat - declarer) % 2 == 1
    mine = of(hand, trump)
    if word == "whim":
        return 4 * random < 2**32
    if word == "aces-trumps":
        return contract == "NORMAL" and defending and ranks(hand).count("A") >= 2 and len(mine) >= 3
    assert word == "threshold"
    if contract == "NORMAL":
        return thousandths(odds_of_normal(weights, hand, trump, defending) - (100 if level else 0)) >= 550
    if not has_trumps(contract):
        return seat == declarer and chance_without_trumps(weights, contract, hand) >= 750
    runs = [card for card in hand if higher_held(contract, card, hand, True)]
    if contract in ALL_TRICKS:
        return len(runs) == 5 if seat == declarer else defending and bool(of(runs, trump))
    assert contract in SCHNAPSERS
    return len(of(runs, trump)) > 2 if seat == declarer else defending and bool(of(runs, trump))


def wants_double(words, rules, weights, seat, hand, trump, contract, declarer, level, score, random):
    """Whether a list of words raises the level."""
    others = [word for word in words if word not in FILTERS]
    if len(others) < len(words) and others:
        stake = max(1, worth(rules, contract)) * 2**level
        if score[0] + stake >= 24:
            return False
        if score[1] + stake >= 24:
            return True
        chance = 750
        if contract == "NORMAL":
            odds = odds_of_normal(weights, hand, trump, (seat - declarer) % 2 == 1)
            chance = thousandths(odds - (100 if level else 0))
        ours, theirs = score
        if "equity-aware" in words and equity_of_play(
                rules, EQUITY, ours, theirs, 2 * stake, chance) <= equity_of_play(
                rules, EQUITY, ours, theirs, stake, chance):
            return False
    return any(doubles(word, rules, weights, seat, hand, trump, contract, declarer, level, random) for word in others)
