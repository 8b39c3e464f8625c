"""Plays as evidence of hidden cards: how likely a sampled world makes the last plays, by the words of a policy."""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import ALL, NOTHING, pairs_in, popcount
from ..kernel.deal import announce, end_trick, lay
from ..kernel.tricks import beat_of, legal_cards
from ..kernel.units import CARDS, ask


@compiled(part="loop")
def _rewind(s, z):
    """Take all cards of a world back into its hands."""
    out_of_line()
    z.played = z.first_tricks = z.done = z.just = z.routed = z.how = NOTHING
    for seat in range(4):
        z.tricks[seat] = z.points[seat] = z.marriages[seat] = NOTHING
    for turn in range(5):
        z.announced[turn] = NOTHING
        for place in range(4):
            z.cards[4 * turn + place] = NOTHING
    for turn in range(s.done + (s.place > 0)):
        for place in range(4 if turn < s.done else s.place):
            z.hand[(s.trick_leader[turn] + place) & 3] |= s.cards[4 * turn + place]


@compiled(part="loop")
def _lead_choices(r, me, z, seat, told):
    """The cards among which a leader who announced this many points chose, none if its policy announces otherwise."""
    out_of_line()
    hand, married = z.hand[seat], z.marriages[seat]
    if not pairs_in(hand):
        return hand
    over, allowed = announce(r, me, z, seat, pairs_in(hand))
    same = not over and z.announced[z.done] >> 2 == told
    z.marriages[seat] = married
    z.just = z.routed = z.how = z.announced[z.done] = NOTHING
    return allowed if same else NOTHING


@compiled(part="loop")
def _chance(me, z, seat, card, allowed):
    """The chance that a policy plays a card of those allowed."""
    out_of_line()
    found, leads = allowed, z.place == 0
    if (me.lead.n if leads else me.follow.n) and found & (found - 1):
        found = ask(CARDS, NOTHING + (v.P_LEAD if leads else v.P_FOLLOW), z, seat, found)
    chance = 0.0
    if me.ties_first:
        chance = 1.0 if card == found & -found else 0.0
    elif found & card:
        chance = 1.0 / popcount(found)
    if me.noise and allowed & card:
        noise = me.noise / 4294967296.0
        chance = (1.0 - noise) * chance + noise / popcount(allowed)
    return chance


@compiled(part="loop")
def likelihood(r, p, s, z, seat, plays):
    """How likely the last `plays` cards of the other seats than `seat` are in the world `z`, by the policies `p`.

    s: the real state, of which only what lies open is read; z: the same with the world's hands, which is used up.
    """
    out_of_line()
    _rewind(s, z)
    skipped, chance = NOTHING - plays, 1.0
    for turn in range(s.done + (s.place > 0)):
        for place in range(4 if turn < s.done else s.place):
            skipped += s.cards[4 * turn + place] != 0 and (s.trick_leader[turn] + place) & 3 != seat
    order, trumps, duties = z.now_order, z.now_trumps, z.now_duties
    for turn in range(s.done + (s.place > 0)):
        leader = z.leader = z.trick_leader[turn] = s.trick_leader[turn]
        z.before[turn], z.done = z.played, turn
        led, beat, table, winner = NOTHING, ALL, NOTHING, leader
        for place in range(4 if turn < s.done else s.place):
            player, card = (leader + place) & 3, s.cards[4 * turn + place]
            if not card:
                continue
            judged = player != seat and skipped <= 0
            skipped -= player != seat
            if judged:
                lay(z, place, led, beat, table, winner)
                if place:
                    allowed = legal_cards(z.hand[player], led, beat, trumps, duties, order, table)
                else:
                    allowed = _lead_choices(r, p[player & 1], z, player, s.announced[turn] >> 2)
            if place == 0:
                z.announced[turn] = s.announced[turn]
                z.marriages[leader] += s.announced[turn] >> 2
            if judged:
                chance *= _chance(p[player & 1], z, player, card, allowed) if allowed & card else 0.0
                if chance == 0.0:
                    return chance
            led = led if place else card
            z.hand[player] &= ~card
            z.cards[4 * turn + place] = card
            table |= card
            higher = beat_of(order, trumps, card)
            winner, beat = (player, higher) if card & beat else (winner, beat)
        if turn < s.done:
            end_trick(z, turn, table, winner)
    return chance
