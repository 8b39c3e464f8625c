"""The rules in force in a few sentences, from the switches: how the report on each game opens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...games.bauernschnapsen.rules.contracts import BETTLERS, CONTRACTS
from ...versus.repeat import changed_rules

_NUMBERS = ("no", "once", "twice", "three times")

_REPLY = {
    "free": "replies with any card",
    "must_follow": "replies with a card of the suit led, or with any card where the hand has none",
    "endgame_only": "replies with any card, once the stock is empty with one of the suit led if the hand has one",
}
_TAKES = {
    "next_same_suit": "takes the trick only if it is the next higher card of the suit led",
    "any_higher_same_suit": "takes the trick if it is a higher card of the suit led",
    "next_any_suit": "takes the trick only if it is of the next higher rank, in whatever suit",
}
_ACE = {"off": "", "same_suit": "; a seven takes an ace of its suit", "any_suit": "; a seven of any suit takes an ace"}
_TIE = {"no_score": "", "redeal": " In a session a deal of 10:10 is dealt again.",
        "carry": " In a session the deal that is decided after one of 10:10 is worth 1 more."}


def bohemian(rules: Any) -> str:
    """Bohemian Schneider by these rules."""
    one, two, three = rules.win_points
    at = rules.schneider_at
    drawn = " Each player draws from the stock on playing a card." if rules.draw_timing == "on_play" else ""
    return (
        f"Two players play sixteen tricks with 32 cards and no trumps: one leads, the other {_REPLY[rules.follow]}, "
        f"which {_TAKES[rules.beat_rule]}{_ACE[rules.ace_by_seven]}.{drawn} Whoever ends with more than half of the 20 "
        f"honours (ten, jack, queen, king, ace) wins the deal: {_points(one, 'victory point')}, from {at} honours on "
        f"{two} (Schneider), for all of them {three} (Schwarz).{_TIE[rules.tie_10_10]}"
        + _also("bohemian", rules, ("follow", "beat_rule", "ace_by_seven", "draw_timing", "win_points", "schneider_at",
                                    "tie_10_10", "session")))


def bohemian_words(rules: Any) -> Mapping[str, str]:
    """The words of Bohemian Schneider as these rules define them."""
    one, two, three = rules.win_points
    at = rules.schneider_at
    schneider = "19 honours" if at == 19 else f"{at} to 19 honours"
    kind, number = rules.session_plan
    session = {"deals": f"{'six' if number == 6 else number} deals, each player being first leader in "
                        f"{'three' if number == 6 else number // 2}",
               "target": f"deals until a player has {_points(number, 'victory point')}",
               "stakes": "none: every deal is paid on its own"}[kind]
    return {
        "honour": "a ten, jack, queen, king or ace; there are 20, and only they count",
        "victory points (VP)": f"what a deal is worth to its winner: {one}, {two} for Schneider, {three} for Schwarz",
        "Schneider, Schwarz": f"a win with {schneider}; one with all 20",
        "safe lead": "a card led that no card its leader could not place would capture",
        "session": session,
    }


def bauernschnapsen(rules: Any) -> str:
    """Bauernschnapsen by these rules."""
    allowed = [contract for contract in CONTRACTS[1:] if rules.is_on(contract.name)]
    if rules.trump_timing == "auction_winner":
        begins = ("the players bid on their first two cards what they undertake, and the winner names trumps from them"
                  if allowed else "the caller names trumps after two cards")
    else:
        begins = f"the caller names trumps after three{', then the players bid what they undertake' if allowed else ''}"
    out = [f"in the {what} contracts the partner sits out" for what, switch in (
        ("no-trick", rules.bettler_partner), ("Gang", rules.gang_partner)) if switch == "sits_out"]
    doubled = _NUMBERS[rules.max_double]
    doubling = "Nobody doubles." if not rules.max_double else f"What a deal is worth may be doubled {doubled}."
    return (
        f"Two teams of two play with 20 cards, five each: {begins}. {_contracts(rules, allowed)}"
        f"{f'{_sentence(out)} ' if out else ''}{doubling} A deal is worth game points to the team that fulfils its "
        "contract or breaks the other's; the team that first has 24 of them wins the match."
        + _also("bauernschnapsen", rules, ("trump_timing", "bettler_partner", "gang_partner", "max_double", "contracts",
                                           "auction", "retour", *(c.name for c in CONTRACTS),
                                           *(f"value_{c.name}" for c in CONTRACTS))))


def _contracts(rules: Any, allowed: Sequence[Any]) -> str:
    """Which contracts may be bid, where that is not the standard, and how bidding goes."""
    if not allowed:
        return "Every deal is a normal game to 66. "
    standard = all(rules.is_on(c.name) is not c.extra and rules.value(c.name) == c.value for c in CONTRACTS[1:])
    once = " Bidding goes round once." if rules.auction == "single" else ""
    if standard:
        return f"{once.strip()} " if once else ""
    listed = ", ".join(f"{c.name} ({rules.value(c.name)})" for c in allowed)
    return f"Besides the normal game to 66 they may bid {listed}: in brackets what it is worth.{once} "


def bauernschnapsen_words(rules: Any) -> Mapping[str, str]:
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


def _points(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _sentence(clauses: Iterable[str]) -> str:
    text = ", and ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}."


def _also(game: str, rules: Any, told: Iterable[str]) -> str:
    """Switches that are not the standard's and that the sentences before do not tell."""
    known = {*told}
    left = [change for change in changed_rules(game, rules) if change.partition("=")[0] not in known]
    return f" Other rules that are not the standard's: {', '.join(left)}." if left else ""
