"""Bohemian Schneider a second time, slow and obvious: cards are strings, hands are sets, the package is not used.

Rules and policies are plain dicts in their JSON form; whatever is missing has its default.
The tests hold the kernel, the referee and the rules module against this file.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
SUITS = ["S", "H", "D", "C"]
PACK = [rank + suit for suit in SUITS for rank in RANKS]
SIDES = ("A", "B")


def other(side: str) -> str:
    return "B" if side == "A" else "A"


def is_honour(card: str) -> bool:
    return card[0] in {"T", "J", "Q", "K", "A"}


def count_honours(cards: Sequence[str]) -> int:
    return len([card for card in cards if is_honour(card)])


def higher_ranks(rank: str) -> list[str]:
    return RANKS[RANKS.index(rank) + 1 :]


def trick_rule(rules: dict[str, Any]) -> tuple[str, str]:
    return rules.get("beat_rule", "next_same_suit"), rules.get("ace_by_seven", "off")


def captures(rules: dict[str, Any], led: str, reply: str) -> bool:
    """Whether the reply takes the trick, case by case."""
    beat_rule, ace_by_seven = trick_rule(rules)
    of_suit = led[1] == reply[1]
    higher = higher_ranks(led[0])
    if led[0] == "A":
        if reply[0] != "7" or ace_by_seven == "off":
            return False
        return of_suit or ace_by_seven == "any_suit"
    if beat_rule == "any_higher_same_suit":
        return of_suit and reply[0] in higher
    if beat_rule == "next_any_suit":
        return reply[0] == higher[0]
    return of_suit and reply[0] == higher[0]


@cache
def pairs(beat_rule: str, ace_by_seven: str) -> list[tuple[str, str]]:
    """Every (led, reply) in which the reply captures."""
    rules = {"beat_rule": beat_rule, "ace_by_seven": ace_by_seven}
    return [(led, reply) for led in PACK for reply in PACK if captures(rules, led, reply)]


def killers(rules: dict[str, Any], card: str) -> set[str]:
    """The cards that would capture `card` if it were led."""
    return {reply for led, reply in pairs(*trick_rule(rules)) if led == card}


def prey(rules: dict[str, Any], card: str) -> set[str]:
    """The cards that `card` would capture if they were led."""
    return {led for led, reply in pairs(*trick_rule(rules)) if reply == card}


def legal_replies(rules: dict[str, Any], hand: set[str], led: str, stock_left: int) -> set[str]:
    follow = rules.get("follow", "free")
    same_suit = {card for card in hand if card[1] == led[1]}
    if follow == "free" or (follow == "endgame_only" and stock_left > 0):
        return set(hand)
    return same_suit if same_suit else set(hand)


def victory_points(rules: dict[str, Any], honours: dict[str, int]) -> dict[str, int]:
    """Points of a deal from both sides' honours."""
    if honours["A"] + honours["B"] != 20:
        raise ValueError(f"honours add to 20, not {honours['A']} + {honours['B']}")
    points = {"A": 0, "B": 0}
    single, schneider, schwarz = rules.get("win_points", [1, 2, 3])
    for side in SIDES:
        if honours[side] == 20:
            points[side] = schwarz
        elif honours[side] >= rules.get("schneider_at", 16):
            points[side] = schneider
        elif honours[side] >= 11:
            points[side] = single
    return points


class Decision(NamedTuple):
    """What a player sees when a card is due: `led` is None when leading, `tricks` are the pairs played before."""

    side: str
    hand: frozenset[str]
    legal: frozenset[str]
    led: str | None
    tricks: tuple[tuple[str, str], ...]


Chooser = Callable[[Decision], str]


def in_pack_order(cards: Any) -> list[str]:
    return [card for card in PACK if card in cards]


def play_out(rules: dict[str, Any], hands: Mapping[str, Sequence[str]], stock: Sequence[str], first_leader: str,
             choose: Chooser) -> dict[str, Any]:
    """Play a deal to the end, `choose` naming every card; from `hands` to `victory_points` as in a trace."""
    held = {side: set(hands[side]) for side in SIDES}
    pile: dict[str, list[str]] = {"A": [], "B": []}
    left, leader = list(stock), first_leader
    tricks: list[dict[str, Any]] = []
    played: list[tuple[str, str]] = []
    while held["A"] or held["B"]:
        responder = other(leader)
        led = choose(Decision(leader, frozenset(held[leader]), frozenset(held[leader]), None, tuple(played)))
        legal = legal_replies(rules, held[responder], led, len(left))
        reply = choose(Decision(responder, frozenset(held[responder]), frozenset(legal), led, tuple(played)))
        held[leader].remove(led)
        legal.remove(reply)
        held[responder].remove(reply)
        played.append((led, reply))
        winner = responder if captures(rules, led, reply) else leader
        pile[winner] += [led, reply]
        drawn = None
        if left:
            first = leader if rules.get("draw_timing", "after_trick") == "on_play" else winner
            top, below = left.pop(0), left.pop(0)
            drawn = {side: top if side == first else below for side in SIDES}
            for side in SIDES:
                held[side].add(drawn[side])
        tricks.append({"leader": leader, "led": led, "reply": reply, "winner": winner, "drawn": drawn})
        leader = winner
    honours = {side: count_honours(pile[side]) for side in SIDES}
    return {"hands": {side: in_pack_order(hands[side]) for side in SIDES}, "stock": list(stock), "tricks": tricks,
            "honours": honours, "tricks_won": {side: len(pile[side]) // 2 for side in SIDES},
            "victory_points": victory_points(rules, honours)}


def remembered(memory: str, tricks: Sequence[tuple[str, str]]) -> set[str]:
    """The played cards that a policy with this memory still knows."""
    if memory == "none":
        return set()
    if memory == "honours":
        return {card for card in chain(*tricks) if is_honour(card)}
    if memory == "full":
        return set(chain(*tricks))
    return set(chain(*tricks[-int(memory.removeprefix("last-")) :]))


def wants(rules: dict[str, Any], word: str, card: str, candidates: set[str], hand: set[str], known: set[str],
          led: str | None) -> bool:
    """Whether the preference `word` (without `not-`) wants `card`."""
    wins = led is not None and captures(rules, led, card)
    ranks = [RANKS.index(c[0]) for c in candidates]
    in_suit = {suit: len([c for c in hand if c[1] == suit]) for suit in {c[1] for c in candidates}}
    match word:
        case "safe":
            return killers(rules, card) <= known
        case "guarded":
            return any(killer in hand for killer in killers(rules, card))
        case "dead":
            return prey(rules, card) <= known
        case "blocker":
            return any(is_honour(c) and c not in known for c in prey(rules, card))
        case "honour":
            return is_honour(card)
        case "exposed":
            return is_honour(card) and any(killer not in known for killer in killers(rules, card))
        case "cheap":
            return not is_honour(card) and not any(is_honour(killer) for killer in killers(rules, card))
        case "pip":
            return card[0] in {"7", "8", "9"}
        case "high":
            return RANKS.index(card[0]) == max(ranks)
        case "low":
            return RANKS.index(card[0]) == min(ranks)
        case "long":
            return in_suit[card[1]] == max(in_suit.values())
        case "short":
            return in_suit[card[1]] == min(in_suit.values())
        case "capture":
            return wins
        case "capture-honour":
            return wins and led is not None and (is_honour(led) or is_honour(card))
        case "capture-safe":
            return wins and any(killers(rules, c) <= known for c in hand if c != card)
    raise ValueError(f"no such preference: {word}")


def acts(word: str, trick: int) -> bool:
    """Whether a word with a stage such as `safe@3` or `safe@1-5` acts in a trick (from 1)."""
    if "@" not in word:
        return True
    first, _, last = word[word.index("@") + 1 :].partition("-")
    return int(first) <= trick <= int(last or first)


def candidates(rules: dict[str, Any], words: Sequence[str], decision: Decision, memory: str = "full") -> set[str]:
    """The cards left after each preference in turn has kept those it wants, if there are any."""
    hand, led = set(decision.hand), decision.led
    known = remembered(memory, decision.tricks) | hand | ({led} if led else set())
    left = set(decision.legal)
    for word in words:
        name = word.split("@")[0]
        bare = name.removeprefix("not-")
        if not acts(word, len(decision.tricks) + 1):
            continue
        wanted = {c for c in left if wants(rules, bare, c, left, hand, known, led) == (name == bare)}
        left = wanted or left
    return left


def worth(rules: dict[str, Any], leader: frozenset[str], other: frozenset[str], found: dict[Any, int]) -> int:
    """Honours that the leader wins from here on minus the other's, with an empty stock and perfect play of both."""
    if not leader:
        return 0
    if (leader, other) not in found:
        found[leader, other] = max(min(reached(rules, leader, other, led, reply, found)
                                       for reply in legal_replies(rules, set(other), led, 0)) for led in leader)
    return found[leader, other]


def reached(rules: dict[str, Any], leader: frozenset[str], other: frozenset[str], led: str, reply: str,
            found: dict[Any, int]) -> int:
    """The same once both cards of a trick are known."""
    won = count_honours([led, reply])
    if captures(rules, led, reply):
        return -won - worth(rules, other - {reply}, leader - {led}, found)
    return won + worth(rules, leader - {led}, other - {reply}, found)


def lossless(rules: dict[str, Any], decision: Decision) -> frozenset[str]:
    """With an empty stock, the legal cards that lose no honour: the other hand is all that has not been seen."""
    found: dict[Any, int] = {}
    led = decision.led
    unseen = frozenset(PACK) - decision.hand - set(chain(*decision.tricks)) - {led}
    if led is None:
        values = {card: min(reached(rules, decision.hand, unseen, card, reply, found)
                            for reply in legal_replies(rules, set(unseen), card, 0)) for card in decision.legal}
    else:
        values = {card: -reached(rules, unseen | {led}, decision.hand, led, card, found) for card in decision.legal}
    return frozenset(card for card in values if values[card] == max(values.values()))


def philox(seed: int, deal: int, block: int, stream: int) -> list[int]:
    """Philox4x32-10: counter (deal low, deal high, block, stream), key = seed. Source: Salmon et al., SC11."""
    low = 0xFFFFFFFF
    c0, c1, c2, c3 = deal & low, deal >> 32, block, stream
    k0, k1 = seed & low, seed >> 32
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & low, (p0 >> 32) ^ c3 ^ k1, p0 & low
        k0, k1 = (k0 + 0x9E3779B9) & low, (k1 + 0xBB67AE85) & low
    return [c0, c1, c2, c3]


def random_word(seed: int, deal: int, stream: int, number: int) -> int:
    """The word `number` of a stream: four to a block."""
    return philox(seed, deal, number // 4, stream)[number % 4]


def deal_cards(seed: int, deal: int) -> tuple[list[str], list[str], list[str]]:
    """The deal's cards: hand of the first leader, hand of the other (both in pack order), stock with its top first."""
    left = list(PACK)
    order = [left.pop(random_word(seed, deal, 0, n) * len(left) >> 32) for n in range(31)] + left
    return in_pack_order(order[:6]), in_pack_order(order[6:12]), order[12:]


def choose_by_policy(rules: dict[str, Any], policy: dict[str, Any], decision: Decision, seed: int, deal: int,
                     seat: int) -> str:
    """The card a policy plays; its random words depend on seed, deal, seat and trick only."""
    trick = len(decision.tricks)
    tie_word = random_word(seed, deal, 1 + seat, trick)
    noisy = random_word(seed, deal, 9 + seat, trick) < round(float(policy.get("noise", 0)) * 2**32)
    words = policy.get("lead" if decision.led is None else "follow", [])
    if policy.get("endgame") == "exact" and trick >= 10 and not noisy:
        decision = decision._replace(legal=lossless(rules, decision))
    best = in_pack_order(decision.legal if noisy else
                         candidates(rules, words, decision, policy.get("memory", "full")))
    if policy.get("ties", "random") == "first" and not noisy:
        return best[0]
    return best[tie_word * len(best) >> 32]


def play(rules: dict[str, Any], policy_a: dict[str, Any], policy_b: dict[str, Any], seed: int, deal: int,
         first_leader: str) -> dict[str, Any]:
    """The trace of one play, as `replay --json` without rules and policies."""
    first, second, stock = deal_cards(seed, deal)
    hands = {first_leader: first, other(first_leader): second}
    policies = {"A": policy_a, "B": policy_b}

    def choose(decision: Decision) -> str:
        seat = 0 if decision.side == first_leader else 1
        return choose_by_policy(rules, policies[decision.side], decision, seed, deal, seat)

    head = {"game": "bohemian", "seed": seed, "deal": deal, "first_leader": first_leader}
    return head | play_out(rules, hands, stock, first_leader, choose)


class Session(NamedTuple):
    """A match: both scores, who won ("A", "B", "draw", or None under stakes), the dealer of every deal dealt."""

    score: dict[str, int]
    winner: str | None
    dealers: list[str]


def first_dealer(how: str, draws: Sequence[tuple[str, str]]) -> str:
    """Who deals first: `draws` are the cards A and B draw, again and again while their ranks are equal."""
    for a, b in draws:
        if a[0] != b[0]:
            lower = "A" if RANKS.index(a[0]) < RANKS.index(b[0]) else "B"
            return lower if how == "low_card" else other(lower)
    raise ValueError("equal ranks draw again")


def session(rules: dict[str, Any], dealer: str, honours_of_a: Sequence[int]) -> Session:
    """Score a match whose deals give A these honours, `dealer` dealing first; ValueError when they are too few.

    Under stakes every deal given is played and paid.
    """
    kind, _, number = rules.get("session", "deals-6").partition("-")
    tie_rule = rules.get("tie_10_10", "no_score")
    score, dealers, counted, carried = {"A": 0, "B": 0}, [], 0, 0
    for honours in honours_of_a:
        dealers.append(dealer)
        if honours == 10 and tie_rule == "redeal":
            continue
        counted += 1
        dealer = other(dealer)
        if honours == 10:
            carried = 1 if tie_rule == "carry" else 0
        else:
            winner = "A" if honours > 10 else "B"
            score[winner] += victory_points(rules, {"A": honours, "B": 20 - honours})[winner] + carried
            carried = 0
        if (kind == "target" and max(score.values()) >= int(number)) or (kind == "deals" and counted == int(number)):
            best = max(SIDES, key=lambda side: score[side])
            return Session(score, "draw" if score["A"] == score["B"] else best, dealers)
    if kind == "stakes":
        return Session(score, None, dealers)
    raise ValueError("the deals end before the match does")
