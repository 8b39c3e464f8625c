"""What every decision of a recorded play lost: on sampled worlds one set of which chooses and another measures.

The measuring worlds took no part in the choice, so that the best choice does not profit from its own luck.
"""

import numpy as np

from ....compiled.cells import cells, keep_alive
from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..call_words import HIGH_CARDS, LOW_CARDS, OUTBID
from ..decide.auction import by_chance, outbid
from ..decide.bidding import proposals, trump_word
from ..decide.card_words import wanted_by
from ..decide.doubling import double_word
from ..kernel import state as v
from ..kernel.bits import ALL, JACKS, NOTHING, SUIT, suits_in
from ..kernel.loops import take_in
from ..kernel.tricks import legal_cards
from ..kernel.units import (
    CARDS_QUESTION,
    DOUBLE_QUESTION,
    SUIT_QUESTION,
    introduce,
    policies_in,
    rules_in,
    state_in,
)
from .standing import (
    CALL_COLUMNS,
    INDEX,
    MADE,
    MOST_CALLS,
    QUESTION,
    SEAT,
    before_call,
    before_card,
    card_played,
    list_calls,
    list_choices,
)
from .worlds import look_around, report_fault, room_in, try_on_world

MOST_CHOICES = 32
MOST_ROWS = MOST_CALLS + 20
OTHERS = 5  # as games.decisions has it
COLUMNS = 9 + OTHERS  # of what is found
(ASKED, WHOM, AT, CALLED, CHOICES, PLAYED, BETTER, LOST, WORDS, OTHER_WORDS) = range(10)
FIRST_DROP = 32  # worlds after which choices that are far behind are dropped, and again at every doubling
BEHIND = 3.0  # standard errors
THERE = 1 << 31  # as games.decisions has it


@compiled(part="loop")
def _drop_behind(choices, n, points, row, worlds):
    """Drop the choices that are far behind the best; how many are left, in order."""
    out_of_line()
    best, most = NOTHING, NOTHING
    for choice in range(n):
        total = NOTHING
        for world in range(worlds):
            total += points[row * choice + world]
        if choice == 0 or total > most:
            best, most = NOTHING + choice, total
    kept, best_kept = NOTHING, NOTHING
    for choice in range(n):
        total = square = NOTHING
        for world in range(worlds):
            gap = points[row * best + world] - points[row * choice + world]
            total += gap
            square += gap * gap
        mean = total / worlds
        error = np.sqrt(max(square / worlds - mean * mean, 0.0) / (worlds - 1))
        if choice == best or mean <= BEHIND * error:
            best_kept = kept if choice == best else best_kept
            choices[kept] = choices[choice]
            for world in range(worlds if kept != choice else 0):
                points[row * kept + world] = points[row * choice + world]
            best = kept if choice == best else best
            kept += 1
    return kept


@compiled(part="loop")
def _best(r, m, s, seat, question, count, choices, n, made, worlds, points):
    """The choice that does best on the first worlds; the one made, where none does better."""
    out_of_line()
    drop = FIRST_DROP + NOTHING
    for world in range(worlds):
        try_on_world(r, m, s, seat, question, count, choices, n, NOTHING + world, NOTHING, choices, points, worlds,
                     NOTHING + world)
        if world + 1 == drop:
            n, drop = _drop_behind(choices, n, points, worlds, drop), 2 * drop
        if n == 1 or m.state.fault[0]:
            break
    found, most = choices[0], NOTHING
    for choice in range(n if n > 1 else 0):
        total = NOTHING
        for world in range(worlds):
            total += points[worlds * choice + world]
        if choice == 0 or total > most or (total == most and choices[choice] == made):
            found, most = choices[choice], total
    return found


@compiled(part="loop")
def _lose(r, p, m, s, seat, question, made, worlds, points, choices, row):
    """Fill in the choices, the better one and what the one made loses, in game points times worlds."""
    out_of_line()
    n = list_choices(r, s, question, seat, choices)
    row[CHOICES], row[PLAYED], row[BETTER], row[LOST] = n, made, made, NOTHING
    if n < 2 or m.state.fault[0]:
        return
    count = look_around(r, m, s, seat, question, p[2])
    better = _best(r, m, s, seat, question, count, choices, n, made, worlds, points)
    if better == made or m.state.fault[0]:
        return
    choices[0], choices[1], lost = made, better, NOTHING
    for world in range(worlds):
        try_on_world(r, m, s, seat, question, count, choices, NOTHING + 2, worlds + world, NOTHING, choices, points,
                     worlds, NOTHING + world)
        lost += points[worlds + world] - points[world]
    row[BETTER], row[LOST] = better, lost


@compiled(part="loop")
def _card_words(r, s, seat, codes, n, wanted):
    """wanted[word] = the legal cards that a word wants."""
    out_of_line()
    hand = s.hand[seat]
    legal = hand
    if s.place:
        legal = legal_cards(hand, s.led, s.beat, s.now_trumps, s.now_duties, s.now_order, s.table)
    unseen = ALL & ~(hand | s.played | s.table)
    for word in range(n):
        wanted[word] = legal & wanted_by(r, s, NOTHING + 5, codes[word], seat, hand, legal, unseen)


@compiled(part="loop")
def _call_words(r, s, question, seat, codes, n, wanted):
    """wanted[word] = the choices, as bits, that a word makes; the last word is the pass."""
    out_of_line()
    if question == SUIT_QUESTION:
        first = s.first[seat]
        suits = suits_in(first) if r.must_hold else JACKS + NOTHING
        redeal = r.three_unters != 0 and first & ~JACKS == 0
        for word in range(n):
            wanted[word] = NOTHING
            for tie in (NOTHING, NOTHING + 4294967295):
                choice = trump_word(r, codes[word], first, suits, redeal, tie)
                wanted[word] |= 1 << choice if choice >= 0 else 0
        return
    for word in range(n - 1):
        wanted[word] = NOTHING
        if question == DOUBLE_QUESTION:
            wanted[word] = 2 if double_word(r, s, codes[word], seat, s.dealt[seat]) else 0
        elif not r.by_auction:
            hand, high, holder = s.dealt[seat], s.asked[0], s.asked[1]
            if codes[word] in (LOW_CARDS, HIGH_CARDS):
                bid = by_chance(r, s, codes[word] == LOW_CARDS, NOTHING, seat, hand, s.trump, high, holder)
                wanted[word] = 1 << bid if bid else 0
            elif codes[word] == OUTBID:
                bid = outbid(r, s, NOTHING, seat, hand, s.trump, high, holder)
                wanted[word] = 1 << bid if bid else 0
            else:
                wanted[word] = proposals(r, codes[word], seat, hand, SUIT << 8 * s.trump)
    wanted[n - 1] = 1


@compiled(part="expression")
def _set_of(question, choice, n, wanted):
    """The words of a choice, as bits."""
    bit, found = choice if question == CARDS_QUESTION else 1 << choice, NOTHING
    for word in range(n):
        found |= 1 << word if wanted[word] & bit else 0
    return found


@compiled(part="loop")
def _describe(r, s, question, seat, codes, n, wanted, choices, row):
    """Fill in the words of the choice made, and those of at most OTHERS different others, the most words first."""
    out_of_line()
    if question == CARDS_QUESTION:
        _card_words(r, s, seat, codes, n, wanted)
    else:
        _call_words(r, s, question, seat, codes, n, wanted)
    for i in range(OTHERS):
        row[OTHER_WORDS + i] = NOTHING
    made, others = row[PLAYED], NOTHING
    row[WORDS] = _set_of(question, made, n, wanted)
    for choice in range(list_choices(r, s, question, seat, choices)):
        if choices[choice] == made:
            continue
        words, known = _set_of(question, choices[choice], n, wanted) | THERE, False
        for i in range(others):
            known |= row[OTHER_WORDS + i] == words
        if known and question != CARDS_QUESTION:
            continue
        if others < OTHERS:
            row[OTHER_WORDS + others], others = words, others + 1
        elif words != THERE:
            for i in range(OTHERS):
                if row[OTHER_WORDS + i] == THERE:
                    row[OTHER_WORDS + i] = words
                    break


@compiled
def lose(rules, players, outside, room, record, worlds, points, codes, sizes, found):
    """found[row, column], int64[MOST_ROWS, COLUMNS], of all decisions of a play in order; how many.

    players: as worlds.try_block has them; points: int64[MOST_CHOICES * worlds] of room; codes: int64[5, n], the words
    of a lead, a card that follows, a bid, a suit and a doubling; sizes: int64[5], how many.
    """
    own, calls = np.zeros(v.STATE_SIZE, np.int64), np.zeros(MOST_CALLS * CALL_COLUMNS, np.int64)
    choices, wanted = np.zeros(MOST_CHOICES, np.int64), np.zeros(32, np.int64)
    r, p, m, s, whole = (rules_in(rules, 0), policies_in(players, 0), room_in(room, 0), state_in(own, 0),
                         state_in(record, 0))
    take_in(s, outside)
    introduce(r, p, s)
    table, rows = cells(calls, 0), NOTHING
    n = list_calls(r, whole, s, table)
    for call in range(n):
        at = CALL_COLUMNS * call
        question, seat, made = table[at + QUESTION], table[at + SEAT], table[at + MADE]
        row = cells(found, rows * COLUMNS)
        row[ASKED], row[WHOM], row[AT], row[CALLED] = question, seat, table[at + INDEX], call + 1
        before_call(r, whole, s, question, table[at + INDEX])
        _lose(r, p, m, s, seat, question, made, worlds, cells(points, 0), cells(choices, 0), row)
        before_call(r, whole, s, question, table[at + INDEX])
        words = question + 1
        _describe(r, s, question, seat, cells(codes, words * codes.shape[1]), sizes[words], cells(wanted, 0),
                  cells(choices, 0), row)
        rows += 1
    for at in range(20):
        turn, place = NOTHING + at // 4, NOTHING + at % 4
        made = card_played(whole, turn, place)
        if not made:
            continue
        seat = (whole.trick_leader[turn] + place) & 3
        row = cells(found, rows * COLUMNS)
        row[ASKED], row[WHOM], row[AT], row[CALLED] = CARDS_QUESTION, seat, NOTHING + at, NOTHING
        before_card(r, whole, s, turn, place)
        _lose(r, p, m, s, seat, CARDS_QUESTION, made, worlds, cells(points, 0), cells(choices, 0), row)
        before_card(r, whole, s, turn, place)
        words = NOTHING + (place > 0)
        _describe(r, s, CARDS_QUESTION, seat, cells(codes, words * codes.shape[1]), sizes[words], cells(wanted, 0),
                  cells(choices, 0), row)
        rows += 1
        if m.state.fault[0]:
            break
    report_fault(m, s, outside)
    keep_alive(rules, players, room, record, own, calls, choices, wanted, points, codes, found)
    return rows
