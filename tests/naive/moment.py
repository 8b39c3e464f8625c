"""A decision in a play of cards, as plainly as can be: what happened, and what the player may know of it.

Seats count from the caller (0).
"""

from dataclasses import dataclass

from .bauernschnapsen import GANGS, NO_TRICK, best, has_trumps, higher, legal, strength

PACK = [rank + suit for suit in "SHDC" for rank in "JQKTA"]
MATE = {"K": "Q", "Q": "K"}


@dataclass
class Moment:
    """A decision: the facts of the deal, the tricks so far as [(seat, card), ...], and the candidates.

    announced: numbers of the tricks whose leader announced a marriage; memory: remembered tricks; hands: of all seats.
    """

    rules: dict
    contract: str
    trump: str
    declarer: int
    seat: int
    hands: list
    tricks: list
    table: list
    candidates: set
    turned: str | None = None
    announced: tuple = ()
    memory: int = 99
    total: tuple = (0, 0)

    @property
    def hand(self):
        return self.hands[self.seat]

    @property
    def away(self):
        variant = {"bettler_partner": NO_TRICK, "gang_partner": GANGS}
        out = any(self.rules[switch] == "sits_out" and self.contract in some for switch, some in variant.items())
        return (self.declarer + 2) % 4 if out else None

    @property
    def trumps(self):
        return {card for card in PACK if card[1] == self.trump} if has_trumps(self.contract) else set()

    def rank(self, card):
        return strength(self.contract).index(card[0])

    def over(self, card):
        """The higher cards of its suit."""
        return {c for c in PACK if c[1] == card[1] and self.rank(c) > self.rank(card)}

    def remembered(self):
        return range(max(0, len(self.tricks) - self.memory), len(self.tricks))

    def unseen(self):
        known = self.hand | set(self.on_table())
        known |= {card for number in self.remembered() for _, card in self.tricks[number]}
        if self.rules["first_trick_open"]:
            for team in (0, 1):
                won = [trick for trick in self.tricks if self.winner(trick) % 2 == team]
                known |= {card for _, card in (won[0] if won else [])}
        return set(PACK) - known

    def winner(self, trick):
        top = best(self.contract, self.trump, [card for _, card in trick])
        return next(seat for seat, card in trick if card == top)

    def wins(self, card):
        """Whether a card would win the trick so far."""
        return not self.table or self.beats(card, best(self.contract, self.trump, self.on_table()))

    def beats(self, card, other):
        return higher(self.contract, self.trump, card, other)

    def on_table(self):
        return [card for _, card in self.table]

    def later(self):
        """The seats that play to this trick after this one."""
        played = {seat for seat, _ in self.table} | {self.seat, self.away}
        return {seat for seat in range(4) if seat not in played}

    def open_to(self, other):
        """Whether the other seat's cards lie open to this one."""
        if self.contract != "PLAUDERER" or other % 2 == self.declarer % 2:
            return False
        view = self.rules["plauderer_view"]
        return view == "before_lead" or (view == "after_trick1" and len(self.tricks) > 0) or (
            view == "defenders_only" and self.seat % 2 != self.declarer % 2)

    def shown(self):
        """The tricks whose course is known: number -> plays."""
        return {number: self.tricks[number] for number in self.remembered()} | (
            {len(self.tricks): self.table} if self.table else {})

    def may(self, other):
        """The cards that another seat may hold."""
        if self.open_to(other):
            return set(self.hands[other])
        cards = self.unseen()
        for third in range(4):
            if third not in (other, self.seat):
                cards -= self.hands[third] if self.open_to(third) else self.must(third)
        for trick in self.shown().values():
            for place, (seat, card) in enumerate(trick):
                before = [c for _, c in trick[:place]]
                if seat == other and before:
                    cards = {c for c in cards if card in self.legal({card, c}, before)}
        return cards

    def legal(self, hand, before):
        return legal(self.rules, self.contract, self.trump, hand, before)

    def must(self, other):
        """The cards that it has shown to hold and not played yet."""
        cards = {self.turned} if other == 0 and self.turned else set()
        for number, trick in self.shown().items():
            if number in self.announced and trick[0][0] == other:
                card = trick[0][1]
                cards.add(MATE[card[0]] + card[1])
        return cards - {card for trick in [*self.tricks, self.table] for _, card in trick}
