"""Bauernschnapsen once more, as plainly as can be: sets and strings, no package code. The tests hold the game to it.

A card is a string such as 'TS'. Seats count from the caller (0). `rules` is the dictionary of a trace.
"""

POINTS = dict(zip("JQKTA", (2, 3, 4, 10, 11), strict=True))
NO_TRICK = {"BETTLER", "ASSENBETTLER", "ASS_BETTLER", "PLAUDERER"}
ALL_TRICKS = {"GANG", "ZEHNERGANG", "KOENIGSGANG", "DAMENGANG", "BAUERNSCHNAPSER", "BAUERNLOCH",
              "KONTRABAUERNSCHNAPSER"}
GANGS = {"GANG", "ZEHNERGANG", "KOENIGSGANG", "DAMENGANG"}
SCHNAPSERS = {"SCHNAPSER", "KONTRASCHNAPSER", "SCHNAPSER_MIT_MANN", "FREUNDSCHAFTSSCHNAPSER"}
SHOWN = {"FARBENRINGERL", "TRUMPFFARBENRINGERL"}
ORDER_OF_TABLE = ["NORMAL", "BETTLER", "ASSENBETTLER", "ASS_BETTLER", "SCHNAPSER", "PLAUDERER", "GANG", "ZEHNERGANG",
                  "BAUERNSCHNAPSER", "BAUERNLOCH", "KONTRASCHNAPSER", "FARBENRINGERL", "TRUMPFFARBENRINGERL",
                  "KONTRABAUERNSCHNAPSER", "SCHNAPSER_MIT_MANN", "FREUNDSCHAFTSSCHNAPSER", "KOENIGSGANG", "DAMENGANG"]


def strength(contract):
    """The ranks of a contract from low to high."""
    if contract in {"ASSENBETTLER", "ZEHNERGANG", "BAUERNLOCH"}:
        return "AJQKT"
    return {"KOENIGSGANG": "TAJQK", "DAMENGANG": "KTAJQ"}.get(contract, "JQKTA")


def has_trumps(contract):
    return contract not in NO_TRICK | GANGS | SHOWN


def higher(contract, trump, a, b):
    """Whether a, played after b, beats it."""
    if a[1] == b[1]:
        return strength(contract).index(a[0]) > strength(contract).index(b[0])
    return has_trumps(contract) and a[1] == trump


def best(contract, trump, cards):
    top = cards[0]
    for card in cards[1:]:
        if higher(contract, trump, card, top):
            top = card
    return top


def legal(rules, contract, trump, hand, trick):
    """The set of cards that may be played."""
    if not trick:
        return set(hand)
    led, top = trick[0][1], best(contract, trump, trick)
    following = {card for card in hand if card[1] == led}
    if following:
        if rules["must_head"] == "trick_contracts_only" and contract in NO_TRICK | {"NORMAL"}:
            return following
        target = top
        if rules["head_over_ruffed"]:
            target = best(contract, None, [card for card in trick if card[1] == led])
        if target[1] != led:
            return following
        heading = {card for card in following if higher(contract, trump, card, target)}
        return heading or following
    trumps = {card for card in hand if has_trumps(contract) and card[1] == trump}
    winning = {card for card in trumps if higher(contract, trump, card, top)}
    if winning:
        return trumps if rules["overtrump"] == "free" else winning
    if trumps and rules["undertrump"] == "forced":
        return trumps
    return set(hand)


def deal(rules, pack):
    """The four hands, in the order dealt, from a pack of twenty cards."""
    pack = list(pack)
    hands: list[list[str]] = [[], [], [], []]
    if rules["cut_mode"] == "knock":
        packets = [(seat, 5) for seat in range(4)]
    elif rules["deal_pattern"] == "1x5":
        packets = [(seat, 1) for _ in range(5) for seat in range(4)]
    else:
        packets = [(seat, 3) for seat in range(4)] + [(seat, 2) for seat in range(4)]
    for seat, n in packets:
        hands[seat] += [pack.pop(0) for _ in range(n)]
    return hands


def worth(rules, contract):
    return 0 if contract == "NORMAL" else rules["value_" + contract]


def can_bid(rules, seat, contract, hand, trump, standing, holder):
    """Whether a bid is legal."""
    if contract == "NORMAL" or not rules[contract]:
        return False
    callers, others = {0, 2}, {1, 3}
    who = {0, 1, 2, 3}
    if contract in {"SCHNAPSER", "SCHNAPSER_MIT_MANN", "BAUERNSCHNAPSER", "BAUERNLOCH"}:
        who = callers
    if contract == "SCHNAPSER" and rules["schnapser_bidder"] == "F_only":
        who = {0}
    if contract in {"BAUERNSCHNAPSER", "BAUERNLOCH"} and rules["bauernschnapser_bidder"] == "F_only":
        who = {0}
    if contract == "FREUNDSCHAFTSSCHNAPSER":
        who = {2}
    if contract.startswith("KONTRA"):
        who = others
    flush = len(hand) == 5 and len({card[1] for card in hand}) == 1
    if contract == "TRUMPFFARBENRINGERL":
        who = {0} if flush and hand[0][1] == trump else set()
    if contract == "FARBENRINGERL":
        who = {1, 2, 3} if flush else set()
        if flush and not rules["trump_must_be_held"] and hand[0][1] != trump:
            who = who | {0}
    if contract == "ASS_BETTLER" and not [card for card in hand if card[0] == "A"]:
        return False
    if seat not in who:
        return False
    new, old = worth(rules, contract), worth(rules, standing)
    if rules["gang_priority"] == "gang" and {contract, standing} == {"GANG", "ZEHNERGANG"}:
        if worth(rules, "GANG") <= worth(rules, "ZEHNERGANG"):
            return contract == "GANG"
        return new > old
    if new == old and standing != "NORMAL":
        if rules["equal_rank"] == "earlier_seat_may_hold":
            return seat < holder
        if rules["equal_rank"] == "table_order":
            return ORDER_OF_TABLE.index(contract) > ORDER_OF_TABLE.index(standing)
    return new > old


def auction(rules, calls):
    """(declarer, contract) of a list of calls (seat, contract or 'PASS'); an assertion when the order is wrong."""
    standing, holder, number = "NORMAL", 0, 0
    out: set[int] = set()
    turn: int | None = 0
    for seat, call in calls:
        assert turn is not None and seat == turn
        number += 1
        if call != "PASS":
            standing, holder = call, seat
            if call in SHOWN and rules["ringerl_timing"] == "ends_auction":
                turn = None
                continue
        elif number != 1:
            out = out | {seat}
        if rules["auction"] == "single":
            turn = turn + 1 if turn < 3 else None
            continue
        if {0, 1, 2, 3} - {holder} <= out:
            turn = None
            continue
        turn = (turn + 1) % 4
        while turn in out or turn == holder:
            turn = (turn + 1) % 4
    assert turn is None
    return holder, standing


def counted(rules, seats, tricks, marriages):
    """Marriage points that count: `tricks` and `marriages` list what each seat won and announced."""
    if rules["marriage_unit"] == "player":
        return sum(marriages[seat] for seat in seats if tricks[seat])
    return sum(marriages[seat] for seat in seats) if any(tricks[seat] for seat in seats) else 0


def verdict(rules, contract, declarer, tricks, announced):
    """(how, team, value) when the deal is over, else None.

    tricks: (winner, card points) in order; announced: (seat, points, tricks played before) in order; an announcement
    that no card has followed yet has as many tricks before it as there are tricks.
    """
    if contract in SHOWN:
        return "declared", declarer % 2, worth(rules, contract)
    won = [sum(1 for winner, _ in tricks if winner == seat) for seat in range(4)]
    taken = [sum(points for winner, points in tricks if winner == seat) for seat in range(4)]
    said = [sum(points for seat, points, _ in announced if seat == s) for s in range(4)]
    made = ("contract_made", declarer % 2, worth(rules, contract))
    lost = ("contract_failed", 1 - declarer % 2, worth(rules, contract))
    if contract == "NORMAL":
        totals = []
        for team in (0, 1):
            seats = (team, team + 2)
            totals.append(sum(taken[s] for s in seats) + counted(rules, seats, won, said))
        for team in (0, 1):
            if won[team] + won[team + 2] and totals[team] >= 66:
                return "66", team, value_of_win(won[1 - team] + won[3 - team], totals[1 - team])
        if len(tricks) == 5:
            team = tricks[-1][0] % 2
            return "last_trick", team, value_of_win(won[1 - team] + won[3 - team], totals[1 - team])
        return None
    if contract in NO_TRICK:
        return lost if won[declarer] else made if len(tricks) == 5 else None
    if contract in ALL_TRICKS:
        return lost if won[declarer] < len(tricks) else made if len(tricks) == 5 else None
    return schnapser(rules, contract, declarer, tricks, announced, won, taken, said, made, lost)


def schnapser(rules, contract, declarer, tricks, announced, won, taken, said, made, lost):
    together = contract == "SCHNAPSER_MIT_MANN" or (
        contract == "FREUNDSCHAFTSSCHNAPSER" and rules["freundschaft_test"] == "team")
    seats = (declarer, (declarer + 2) % 4) if together else (declarer,)
    if any(winner not in seats for winner, _ in tricks):
        return lost
    total = sum(taken[s] for s in seats)
    last = announced[-1] if announced and announced[-1][2] == len(tricks) else None
    if rules["schnapser_test"] == "by_trick3":
        total += counted(rules, seats, won, said)
    elif last and last[2] == {40: 1, 20: 2}[last[1]]:
        total += last[1]
    if tricks and total >= 66:
        return made
    if len(tricks) == 3 or (last and rules["failed_announce_loses"]):
        return lost
    return None


def value_of_win(tricks_of_losers, total_of_losers):
    if not tricks_of_losers:
        return 3
    return 2 if total_of_losers < 33 else 1


def best_for_caller(rules, contract, declarer, trump, hands, leader, tricks, announced, trick=()):
    """The value for the caller's side with open cards and best play, by trying everything. Small positions only."""
    away = None
    if (contract in NO_TRICK and rules["bettler_partner"] == "sits_out") or (
            contract in GANGS and rules["gang_partner"] == "sits_out"):
        away = (declarer + 2) % 4
    order = [seat for seat in ((leader + i) % 4 for i in range(4)) if seat != away]
    seat = order[len(trick)]
    found = []
    for card in sorted(legal(rules, contract, trump, hands[seat], trick)):
        said = announced
        mate = {"K": "Q", "Q": "K"}.get(card[0], "-") + card[1]
        solo = contract in SCHNAPSERS and seat in (
            (declarer, (declarer + 2) % 4) if contract == "SCHNAPSER_MIT_MANN" else (declarer,))
        if not trick and mate in hands[seat] and (contract == "NORMAL" or solo):
            said = [*announced, (seat, 40 if card[1] == trump else 20, len(tricks))]
        end = verdict(rules, contract, declarer, tricks, said)
        if end is None:
            left = [hand - {card} if s == seat else hand for s, hand in enumerate(hands)]
            now = (*trick, card)
            if len(now) < len(order):
                found.append(best_for_caller(rules, contract, declarer, trump, left, leader, tricks, said, now))
                continue
            winner = order[now.index(best(contract, trump, now))]
            done = [*tricks, (winner, sum(POINTS[c[0]] for c in now))]
            end = verdict(rules, contract, declarer, done, said)
            if end is None:
                found.append(best_for_caller(rules, contract, declarer, trump, left, winner, done, said))
                continue
        found.append(end[2] if end[1] == 0 else -end[2])
    return max(found) if seat % 2 == 0 else min(found)


def bummerl(results, retour="exact_23_0"):
    """(winner, Bummerl) of a match given as (team, points) deal by deal, teams 'A' and 'B'."""
    history = [(0, 0)]
    for team, points in results:
        a, b = history[-1]
        history.append((a + points, b) if team == "A" else (a, b + points))
        if max(history[-1]) >= 24:
            break
    win = 0 if history[-1][0] >= 24 else 1
    mine, theirs = [h[win] for h in history], [h[1 - win] for h in history]
    worst = 1
    if theirs[-1] == 0:
        worst = 2
    if retour == "exact_23_0" and any(m == 0 and t == 23 for m, t in zip(mine, theirs, strict=True)):
        worst = 4
    if retour == "comeback_from_zero":
        behind = [i for i, (m, t) in enumerate(zip(mine, theirs, strict=True)) if m == 0 and t > 0]
        if behind and theirs[behind[-1]] == theirs[-1]:
            worst = 4
    return "AB"[win], worst
