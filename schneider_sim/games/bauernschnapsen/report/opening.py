"""How a report on Bauernschnapsen opens: the rules in force in a few sentences, from the switches."""

from collections.abc import Mapping, Sequence
from typing import Any

from ....report.sections.opening import other_rules, sentence
from ..rules.contracts import BETTLERS, CONTRACTS

_NUMBERS = ("no", "once", "twice", "three times")


def rules_in_short(rules: Any) -> str:
    """Bauernschnapsen by these rules."""
    allowed = [contract for contract in CONTRACTS[1:] if rules.is_on(contract.name)]
    if rules.trump_timing == "auction_winner":
        begins = ("the players bid contracts on their first two cards, and the winner names trumps from them"
                  if allowed else "the caller names trumps after two cards")
    else:
        begins = f"the caller names trumps after three{', then the players bid contracts' if allowed else ''}"
    out = [f"in the {what} contracts the partner sits out" for what, switch in (
        ("no-trick", rules.bettler_partner), ("Gang", rules.gang_partner)) if switch == "sits_out"]
    doubled = _NUMBERS[rules.max_double]
    doubling = "Nobody doubles." if not rules.max_double else f"What a deal is worth may be doubled {doubled}."
    return (
        f"Two teams of two play with 20 cards, five each: {begins}. {_contracts(rules, allowed)}"
        f"{f'{sentence(out)} ' if out else ''}{doubling} A deal is worth game points to the team that fulfils its "
        "contract or breaks the other's; the team that first has 24 of them wins the match."
        + other_rules("bauernschnapsen", rules, (
            "trump_timing", "bettler_partner", "gang_partner", "max_double", "contracts", "auction", "retour",
            *(c.name for c in CONTRACTS), *(f"value_{c.name}" for c in CONTRACTS))))


def _contracts(rules: Any, allowed: Sequence[Any]) -> str:
    """Which contracts may be bid, where that is not the standard, and how bidding goes."""
    if not allowed:
        return "Every deal is a normal game to 66. "
    standard = all(rules.is_on(c.name) is not c.extra and rules.value(c.name) == c.value for c in CONTRACTS[1:])
    once = " Bidding goes round once." if rules.auction == "single" else ""
    if standard:
        return f"{once.strip()} " if once else ""
    listed = ", ".join(f"{c.name} ({rules.value(c.name)})" for c in allowed)
    return f"Besides the normal game to 66 they may bid {listed}; values are in brackets.{once} "


def glossary(rules: Any) -> Mapping[str, str]:
    """The words of Bauernschnapsen as these rules define them; contracts that nobody may bid are left out."""
    names = {c.name for c in CONTRACTS if rules.is_on(c.name)}
    words = {
        "game points": "what a deal is worth to the team that scores; a match goes to 24 of them",
        "caller": "the player after the dealer, who chooses trumps" if rules.trump_timing == "caller_first3" else
        "the player after the dealer, who speaks first",
        "contract": "what the declarer undertakes; NORMAL, the normal game to 66, where nobody bids",
    }
    for asked, word, meaning in _CONTRACT_WORDS:
        if names & asked:
            words[word] = meaning
    words |= {"Bummerl": "what losing a match costs: 1, 2 for a Schneider" + (
        "" if rules.retour == "off" else ", 4 for a Retourschneider"),
        "Schneider": "a match that the losers end without a single game point"}
    return words if rules.retour == "off" else words | {"Retourschneider": _RETOUR[rules.retour]}


_BETTLER = ("no trick at all, without trumps (Assenbettler: aces are lowest; Ass-Bettler: with an ace in hand; "
            "Plauderer: the opponents' cards lie open)")
_CONTRACT_WORDS = (
    ({*BETTLERS}, "Bettler, Plauderer", _BETTLER),
    ({"GANG", "ZEHNERGANG", "KOENIGSGANG", "DAMENGANG"}, "Gang",
     "every trick, without trumps (Zehnergang: aces are lowest)"),
    ({"SCHNAPSER", "KONTRASCHNAPSER", "SCHNAPSER_MIT_MANN", "FREUNDSCHAFTSSCHNAPSER"}, "Schnapser",
     "66 within three tricks (Kontra-: bid by an opponent of the caller)"),
    ({"BAUERNSCHNAPSER", "BAUERNLOCH", "KONTRABAUERNSCHNAPSER"}, "Bauernschnapser",
     "every trick, with trumps (Bauernloch: aces are lowest; Kontra-: bid by an opponent)"),
    ({"FARBENRINGERL", "TRUMPFFARBENRINGERL"}, "Farbenringerl",
     "five cards of one suit, shown and scored at once (Trumpf-: five trumps)"),
)
_RETOUR = {"exact_23_0": "a match won from 0:23", "comeback_from_zero": "a match won by a team that had no game point "
           "when the others had some, and scored in every deal from then on"}
