"""How cards are played: what is legal, who is winning, what a card tells. The one place that knows, for all players.

`beat` is the mask of the cards that would beat the best card of the trick; with it a card wins exactly when it is in
`beat`, in every contract. Source: docs/rules-bauernschnapsen.md section 4.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from .bits import ALL, SUIT, above, suit_of
from .state import FREE_OVER, FREE_SUIT, FREE_UNDER, HEAD_RUFFED


@compiled(part="expression")
def beat_of(order, trumps, card):
    """What beats `card` once it is the best of the trick."""
    higher = above(order, card)
    return higher if card & trumps else higher | trumps


@compiled(part="expression")
def _above_all(order, cards):
    """The cards of a suit above every one of `cards` (all of one suit, not empty)."""
    higher = ALL
    while cards:
        higher &= above(order, cards & -cards)
        cards &= cards - 1
    return higher


@compiled(part="expression")
def _or(some, otherwise):
    return some if some else otherwise


@compiled(part="loop")
def _with_duties(hand, led, beat, trumps, duties, order, table):
    """`legal_cards` where a switch frees a player of some duty or adds one."""
    out_of_line()
    whole = suit_of(led)
    suit = hand & whole
    if suit:
        if duties & FREE_SUIT:
            return suit
        higher = suit & (_above_all(order, table & whole) if duties & HEAD_RUFFED else beat)
        return _or(higher, suit)
    mine = hand & trumps
    if not mine:
        return hand
    if not mine & beat:
        return hand if duties & FREE_UNDER else mine
    return mine if duties & FREE_OVER else mine & beat


@compiled(part="loop")
def legal_cards(hand, led, beat, trumps, duties, order, table):
    """The cards of `hand` that may be played to a trick with the card `led` first and `table` on the table.

    Follow and head, else trump and overtrump, else undertrump, else anything: by selection, since no branch here
    could be foreseen.
    """
    if duties:
        return _with_duties(hand, led, beat, trumps, duties, order, table)
    suit, mine = hand & suit_of(led), hand & trumps
    same = suit if suit else mine
    higher = same & beat
    best = higher if higher else same
    return best if best else hand


@compiled(part="loop")
def ruled_out(card, led, beat, trumps, duties, order, table):
    """The cards that a player of `card` cannot hold, since with one of them `card` would not have been legal."""
    out_of_line()
    whole = suit_of(led)
    if not duties:
        tops = suit_of(card) & beat & ~table & ~card if not card & beat else 0
        if card & whole:
            return tops & whole
        return whole & ~table | (tops if card & trumps else trumps & ~table)
    gone = 0
    rest = ALL & ~card & ~table
    while rest:
        other = rest & -rest
        rest &= rest - 1
        if not legal_cards(card | other, led, beat, trumps, duties, order, table) & card:
            gone |= other
    return gone


@compiled(part="loop")
def set_contract(r, s):
    """What follows from the contract for the play of cards."""
    out_of_line()
    contract, declarer = s.contract, s.declarer
    s.leader = declarer if r.lead_by_d[contract] else 0
    s.away = declarer ^ 2 if r.away_partner[contract] else -1
    s.now_aim = r.aim[contract]
    s.now_order = r.order[contract]
    s.now_trumps = SUIT << 8 * s.trump if r.trumped[contract] else 0
    s.now_duties = r.duties[contract]
