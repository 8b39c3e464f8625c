"""Search by playing on: every legal card, bid, doubling or suit tried on sampled worlds, played to the end by words.

A world is a layout of the hidden cards (layouts.py) and a deal number beyond all that are dealt, whose ties, noise and
whims it has, so that nothing of the real deal's luck shows. All choices are tried on the same worlds, and the policy's
own one is given up only for one that is better by more than two standard errors of the paired difference.
Source: docs/policies.md, "Words of Bauernschnapsen".
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..decide.plugins import DEAL as FAULT_DEAL
from ..kernel import state as v
from ..kernel.bits import NOTHING, pairs_in, popcount
from ..kernel.deal import announce, announce_one, draw, finish_trick, play_bid, play_contract, play_tricks
from ..kernel.fields import FieldsType, address_of, fields_of, numbers
from ..kernel.opening import LATE_AT, ROWS, TIES_AT, TURN_ONE_UP, turn_one_up
from ..kernel.scoring import may_announce
from ..kernel.streams import CARDS as DECK
from ..kernel.streams import ROLLOUT_HANDS, ROLLOUT_KEPT, ROLLOUT_LUCK, TIES, TRUMPS, TURNED_UP
from ..kernel.tricks import legal_cards
from ..kernel.units import (
    AUCTION_QUESTION,
    BID_QUESTION,
    CALLS,
    CALLS_AGREE,
    CARDS,
    CARDS_QUESTION,
    DOUBLE_QUESTION,
    REST_OF_AUCTION,
    REST_OF_DOUBLING,
    SUIT_QUESTION,
    ask,
    introduced,
)
from .evidence import likelihood
from .layouts import count_layouts
from .sampling import NAMED, sample

CHOICES = 32  # at most this many to choose from
LOOK = 16  # worlds between two looks at who has fallen behind
BEHIND, SURE = 1.0, 2.0  # standard errors: a choice so far behind drops out; one so far ahead is taken
LATE, GAIN = 256, 0.01  # from this many worlds on, a choice that cannot gain this much of a game point drops out
DRAWN = 8  # worlds drawn for one that is kept, when plays are evidence
ATTEMPTS = 32  # worlds drawn at most for one in which the others would have called as they did
ROOM = np.dtype([("state", v.STATE), ("players", v.POLICY, (2,)), ("words", np.int64, (int(ROWS),)),
                 ("choices", np.int64, (CHOICES,)), ("gains", np.int64, (CHOICES,)),
                 ("squares", np.int64, (CHOICES,)), ("hands", np.int64, (4,)),
                 ("kept", np.int64, (LOOK,)), ("likely", np.int64, (DRAWN * LOOK,))])
ROOM_SIZE = v.size_of(ROOM)
BEFORE_SEARCH, WHOLE_POLICY = v.place(v.STATE, "search"), v.POLICY_SIZE
_, room_at = fields_of(FieldsType(ROOM))


@compiled(part="loop")
def enter(m, s, seat, informed):
    """Copy what is needed once for a decision: policies without their search, and addresses.

    informed: whether the rivals have the words of their own policy, and not those of the seat's.
    """
    out_of_line()
    _, p, _ = introduced(address_of(s))
    z = m.state
    for side in range(2):
        from_, to = numbers(p[side if informed else seat & 1]), numbers(m.players[side])
        for i in range(WHOLE_POLICY):
            to[i] = from_[i]
        me = m.players[side]
        me.search = 0
        me.thinks[0] = me.noise > 0 or me.lead.n > 0
        me.thinks[1] = me.noise > 0 or me.follow.n > 0
    for i in range(v.MOST_UNITS):
        z.units[i] = s.units[i]
    for i in range(v.MOST_PLUGINS):
        z.plugins[i] = s.plugins[i]
    z.rules_at, z.players_at, z.seed = s.rules_at, address_of(m.players[0]), s.seed
    z.fault[0] = 0


@compiled(part="loop")
def draw_luck(m, s, seat, number):
    """A world's deal number, and its words where the play of a deal looks for them."""
    out_of_line()
    four, w = four_words(s.deal, number, ROLLOUT_LUCK + ((seat + s.caller) & 3), s.seed), m.words
    deal = np.int64(-1) ^ (np.int64(four[0] >> 1) << 32 | np.int64(four[1]))
    for other in range(4):
        ties = four_words(deal, NOTHING, TIES + ((other + s.caller) & 3), s.seed)
        late = four_words(deal, NOTHING, TRUMPS, s.seed)
        for i in range(4):
            w[TIES_AT + 4 * other + i] = np.int64(ties[i])
            w[LATE_AT + i] = np.int64(late[i])
    w[LATE_AT + 4] = np.int64(four_words(deal, NOTHING, TURNED_UP, s.seed)[0])
    return deal


@compiled(part="loop")
def lay_world(m, s, deal, hands):
    """Lay the real play so far into the room, with the hands and the luck of a world."""
    out_of_line()
    z = m.state
    some, other = numbers(s), numbers(z)
    for i in range(BEFORE_SEARCH):
        other[i] = some[i]
    z.deal = deal
    for holder in range(4):
        z.hand[holder] = hands[holder]


@compiled(part="loop")
def deal_again(r, s, z, seat, question):
    """Before the first card what was dealt is what the hands hold; where it matters, in random order."""
    out_of_line()
    for other in range(4):
        left = z.dealt[other] = z.hand[other]
        if question != SUIT_QUESTION and not r.by_auction:
            continue
        seen = z.first[other] = s.first[seat] if other == seat else NOTHING
        four, last = four_words(z.deal, 2 * other, DECK, s.seed), four_words(z.deal, 2 * other + 1, DECK, s.seed)
        for i in range(5):
            cards = seen & left if seen & left else left
            word = np.int64(four[i] if i < 4 else last[0])
            for _ in range(word * popcount(cards) >> 32):
                cards &= cards - 1
            card = z.ordered[5 * other + i] = cards & -cards
            left &= ~card
            z.first[other] |= card if i < r.seen else NOTHING


@compiled(part="loop")
def play_on(r, m, s, seat, question, choice):
    """Game points of the seat's side when it takes a choice in the world of the room, which is used up."""
    out_of_line()
    z, p, w = m.state, m.players, m.words
    if question == CARDS_QUESTION:
        over, only = False, choice
        pair = pairs_in(z.hand[seat]) & (choice | choice >> 1) if z.place == 0 else NOTHING
        if pair and z.announced[z.done] == 0 and p[seat & 1].announce != v.NEVER and may_announce(r, z, seat):
            over, only = announce_one(r, p[seat & 1], z, seat, pair, choice)
        if not over and not finish_trick(r, p, z, w, z.place, z.place + 1, z.led, z.beat, z.table, z.best_seat,
                                         choice):
            play_tricks(r, p, z, w)
    elif question == DOUBLE_QUESTION and r.window_open:
        if choice:
            z.doubled_by[z.level] = seat
            z.level += 1
        place = z.place
        only = z.hand[seat]
        if place:
            only = legal_cards(only, z.led, z.beat, z.now_trumps, z.now_duties, z.now_order, z.table)
        if not finish_trick(r, p, z, w, place, place + 1, z.led, z.beat, z.table, z.best_seat, only):
            play_tricks(r, p, z, w)
    elif question == DOUBLE_QUESTION:
        ask(CALLS, REST_OF_DOUBLING, z, seat, choice)
        play_tricks(r, p, z, w)
    elif question == BID_QUESTION:
        z.asked[0], z.asked[1], z.asked[2] = s.asked[0], s.asked[1], s.asked[2]
        ask(CALLS, REST_OF_AUCTION, z, seat, choice)
        play_bid(r, p, z, w)
    else:
        if choice == TURN_ONE_UP:
            turn_one_up(r, z, seat, w[LATE_AT + 4])
        else:
            z.trump = choice
        if r.by_auction:
            play_contract(r, p, z, w)
        else:
            ask(CALLS, AUCTION_QUESTION, z, NOTHING, NOTHING)
            play_bid(r, p, z, w)
    points = z.worth << z.level
    return points if z.team == seat & 1 else -points


@compiled(part="loop")
def _own_card(r, m, s, seat, allowed):
    """The card that the policy plays without search."""
    out_of_line()
    z, me = m.state, m.players[seat & 1]
    some, other = numbers(s), numbers(z)
    for i in range(BEFORE_SEARCH):
        other[i] = some[i]
    leads = z.place == 0
    if leads and pairs_in(allowed) and z.announced[z.done] == 0:
        over, allowed = announce(r, me, z, seat, pairs_in(allowed))
        if over:
            return allowed & -allowed
    words = me.lead.n if leads else me.follow.n
    if words and allowed & (allowed - 1):
        allowed = ask(CARDS, np.int64(v.P_LEAD if leads else v.P_FOLLOW), z, seat, allowed)
    ties = four_words(s.deal, NOTHING, TIES + ((seat + s.caller) & 3), s.seed)
    m.words[TIES_AT + 4 * seat + (s.done & 3)] = np.int64(ties[s.done & 3])
    return draw(me, m.words, seat, s.done & 3, allowed)


@compiled(part="loop")
def _list_choices(r, m, s, seat, question, argument):
    """List what may be chosen, the policy's own choice first; how many."""
    out_of_line()
    choices = m.choices
    if question == CARDS_QUESTION:
        own = _own_card(r, m, s, seat, argument)
    elif question == SUIT_QUESTION:
        own = s.asked[0]
    else:
        own = s.asked[3]
    choices[0], n = own, 1
    if question == DOUBLE_QUESTION:
        choices[1], n = 1 - own, 2
    elif question == SUIT_QUESTION:
        for suit in range(TURN_ONE_UP + (r.turn_up > 0)):
            if suit != own and (suit == TURN_ONE_UP or argument >> 8 * suit & 1):
                choices[n], n = suit, n + 1
    elif question == BID_QUESTION:
        for contract in range(v.N):
            if contract != own and (contract == v.NORMAL or argument >> contract & 1):
                choices[n], n = contract, n + 1
    else:
        while argument:
            card = argument & -argument
            argument &= argument - 1
            if card != own:
                choices[n], n = card, n + 1
    return n


@compiled(part="loop")
def draw_hands(r, m, s, seat, count, named, number):
    """Draw a world's hands; False if none is found to fit."""
    out_of_line()
    found = sample(r, s, m.state, seat, count, named, ROLLOUT_HANDS, number)
    for other in range(4):
        m.hands[other] = m.state.hand[other]
    return found


@compiled(part="loop")
def draw_agreeing(r, m, s, seat, question, count, number, deal):
    """Draw hands with which the others would have called as they did, had they the policy's words; False for none."""
    out_of_line()
    for attempt in range(ATTEMPTS):
        if draw_hands(r, m, s, seat, count, NAMED, number + attempt):
            lay_world(m, s, deal, m.hands)
            if s.done or s.table:  # doubling before the own first card, when others have played theirs
                return True
            deal_again(r, s, m.state, seat, question)
            if ask(CALLS, CALLS_AGREE, m.state, seat, NOTHING):
                return True
    return False


@compiled(part="loop")
def _keep_likely(r, m, s, seat, count, named, base, plays):
    """Choose LOOK worlds of DRAWN times as many, each as often as its likelihood says; alike if all have none."""
    out_of_line()
    total = NOTHING
    for drawn in range(DRAWN * LOOK):
        weight = NOTHING
        if draw_hands(r, m, s, seat, count, named, base + drawn):
            lay_world(m, s, NOTHING, m.hands)
            weight = np.int64(likelihood(r, m.players, s, m.state, seat, plays) * (1 << 40))
        m.likely[drawn] = weight
        total += weight
    if total < LOOK:
        for drawn in range(DRAWN * LOOK):
            m.likely[drawn] = 1 << 20
        total = np.int64(DRAWN * LOOK << 20)
    word = np.int64(four_words(s.deal, base, ROLLOUT_KEPT + ((seat + s.caller) & 3), s.seed)[0])
    step = total // LOOK
    point, reached, world = word * step >> 32, m.likely[0], NOTHING
    for slot in range(LOOK):
        while reached <= point and world < DRAWN * LOOK - 1:
            world += 1
            reached += m.likely[world]
        m.kept[slot * 7 & LOOK - 1] = world
        point += step


@compiled(part="expression")
def _error(gain, square, worlds):
    """The standard error of a mean difference; that of a single one is unknown."""
    mean = gain / worlds
    return np.sqrt(max(square / worlds - mean * mean, 0.0) / (worlds - 1)) if worlds > 1 else np.inf


@compiled(part="loop")
def _drop_behind(m, tried, worlds):
    """Drop the choices that have fallen behind; how many are left."""
    out_of_line()
    kept = 1
    for place in range(1, tried):
        mean, error = m.gains[place] / worlds, _error(m.gains[place], m.squares[place], worlds)
        late = worlds >= LATE and mean + SURE * error < GAIN
        if mean >= -BEHIND * error and not late:
            m.choices[kept], m.gains[kept], m.squares[kept] = m.choices[place], m.gains[place], m.squares[place]
            kept += 1
    return kept


@compiled(part="loop")
def _race(r, m, s, seat, question, tried, samples, base, plays):
    """Try the choices on one world after another; (how many are left, on how many worlds)."""
    out_of_line()
    named = NOTHING if question == SUIT_QUESTION else NAMED
    count = count_layouts(r, m.players[seat & 1], s, seat, s.first[seat] if question == SUIT_QUESTION else s.hand[seat])
    for place in range(tried):
        m.gains[place] = m.squares[place] = 0
    worlds = NOTHING
    for n in range(samples):
        deal, own = draw_luck(m, s, seat, base + n), NOTHING
        if plays:
            if n % LOOK == 0:
                _keep_likely(r, m, s, seat, count, named, base + DRAWN * n, plays)
            drawn = draw_hands(r, m, s, seat, count, named, base + DRAWN * (n - n % LOOK) + m.kept[n % LOOK])
        elif question in (BID_QUESTION, DOUBLE_QUESTION):
            drawn = draw_agreeing(r, m, s, seat, question, count, base + ATTEMPTS * n, deal)
        else:
            drawn = draw_hands(r, m, s, seat, count, named, base + n)
        if not drawn:
            continue
        worlds += 1
        for place in range(tried):
            lay_world(m, s, deal, m.hands)
            if not s.done and not s.table:
                deal_again(r, s, m.state, seat, question)
            points = play_on(r, m, s, seat, question, m.choices[place])
            own = points if place == 0 else own
            m.gains[place] += points - own
            m.squares[place] += (points - own) * (points - own)
        if m.state.fault[0]:
            break
        if worlds % LOOK == 0:
            tried = _drop_behind(m, tried, worlds)
            if tried == 1:
                break
    return tried, worlds


@compiled
def rollout_unit(question, state, seat, argument):
    """The unit of rollouts: the card, suit, bid or doubling that does best, the policy's own unless another is better.

    argument: the cards or suits allowed, the contracts that may be bid (bits).
    """
    r, p, s = introduced(state)
    m = room_at(s.room_at)
    samples, plays = p[seat & 1].samples, p[seat & 1].inference if question == CARDS_QUESTION else NOTHING
    enter(m, s, seat, p[seat & 1].informed != 0)
    if question != CARDS_QUESTION and not (question == DOUBLE_QUESTION and r.window_open):
        s.table = s.place = NOTHING
    if question == CARDS_QUESTION:
        decision = s.done
    elif question == SUIT_QUESTION:
        decision = 8 + (s.redeals & 7)
    else:
        decision = 16 + s.calls if question == BID_QUESTION else 112 + 4 * s.level + seat
    tried, worlds = _list_choices(r, m, s, seat, question, argument), NOTHING
    if tried > 1:
        tried, worlds = _race(r, m, s, seat, question, tried, samples, np.int64(decision) << 21, plays)
    best, most = m.choices[0], 0.0
    for place in range(1, tried if worlds > 1 else 1):
        mean = m.gains[place] / worlds
        if mean > max(most, SURE * _error(m.gains[place], m.squares[place], worlds)):
            best, most = m.choices[place], mean
    if m.state.fault[0] and not s.fault[0]:
        for i in range(v.FAULT_SIZE):
            s.fault[i] = m.state.fault[i]
        s.fault[FAULT_DEAL] = s.deal
    return best
