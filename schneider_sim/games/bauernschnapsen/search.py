"""stub"""
from ...jit import compiled


@compiled(part="loop")
def mc_bid(r, p, me, s, seat, legal, high, high_seat):
    return 0

@compiled(part="loop")
def mc_trumps(r, p, me, s, seat, suits):
    return -1

@compiled(part="loop")
def search_card(r, p, me, s, seat, allowed):
    return 0
