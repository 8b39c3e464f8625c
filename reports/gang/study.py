"""When is a Gang worth bidding? Every hand played as a Gang and as a normal game, by what its holder sees."""

from typing import Any

from gallery_page import Answer, Table, bold, count, dots, figure, interval, legend

from schneider_sim.games import Match, game
from schneider_sim.games.bauernschnapsen import whatif
from schneider_sim.report.charts.style import COLOURS

QUESTION = "When is a Gang worth bidding, by hand?"
GAME = "bauernschnapsen"
DEALS = 800_000
SLICE = 200

POLICY, CONTRACTS, SEED = "expert", "common", 801
LEVEL = 1 - 0.05 / (2 * len(whatif.CLASSES))  # all intervals hold at once with 95 % (Bonferroni)
CALLER, OTHER = whatif.SIDES
EXAMPLES = {  # a hand of each class, the strongest first
    "5 sure": "♠ A T K ♥ A T", "4 sure, 1 above": "♠ A T K ♥ A K", "4 sure, 2 above": "♠ A T K ♥ A Q",
    "4 sure, 3 above": "♠ A T K ♥ A J", "4 sure, 4 above": "♠ A T ♥ A T ♦ J", "3 sure, 2 above": "♠ A T ♥ A K ♦ T",
    "3 sure, 3 above": "♠ A T ♥ A Q ♦ T", "3 sure, 4 above": "♠ A T ♥ A J ♦ T", "3 sure, 5 or more above":
    "♠ A T ♥ A J ♦ Q", "2 sure": "♠ A ♥ A ♦ K ♣ Q J", "0 or 1 sure": "♠ A ♥ T Q ♦ K J",
}


def play(deals: int) -> dict[str, Any]:
    """Expert at every seat: each deal without bids as a normal game, then as a Gang of each seat."""
    rules = game(GAME)
    policy = rules.grammar.parse(POLICY)
    match = Match(rules.rules(None, {"contracts": CONTRACTS}), policy, policy, seed=SEED)
    found = whatif.gang_classes(whatif.gangs(match, 0, deals), match, LEVEL)
    return {"deals": deals, "rows": [
        {"side": row.side, "hand": row.hand, "n": row.n} | {name: plain_numbers(getattr(row, name)) for name in (
            "made", "gang", "normal", "gain", "break_even")} for row in found]}


def plain_numbers(one: Any) -> dict[str, float]:
    return {"value": float(one.value), "low": float(one.low), "high": float(one.high)}


def class_of(hand: str) -> str:
    """The class of a written hand, by the words of the table: sure cards, and cards of others above the rest."""
    order, suit, cards = "ATKQJ", "", []
    for word in hand.split():
        suit, cards = (word, cards) if word in "♠♥♦♣" else (suit, [*cards, (suit, order.index(word))])
    over = [sum((suit, higher) not in cards for higher in range(rank)) for suit, rank in cards]
    sure = over.count(0)
    if sure < 3:
        return "2 sure" if sure == 2 else "0 or 1 sure"
    return "5 sure" if sure == 5 else f"{sure} sure, {min(sum(over), 5) if sure == 3 else sum(over)} above".replace(
        "3 sure, 5", "3 sure, 5 or more")


def by_hand(played: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Rows by class and side."""
    found: dict[str, dict[str, dict[str, Any]]] = {hand: {} for hand in EXAMPLES}
    for row in played["rows"]:
        found[row["hand"]][row["side"]] = row
    return found


def verdict(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    return bold("bid") if row["gain"]["low"] > 0 else "pass" if row["gain"]["high"] < 0 else "open"


def answer(played: dict[str, Any]) -> Answer:
    assert all(class_of(hand) == name for name, hand in EXAMPLES.items())
    found = by_hand(played)
    pays = {side: [hand for hand, sides in found.items() if side in sides and sides[side]["gain"]["low"] > 0]
            for side in whatif.SIDES}
    unsure = [f"{hand} ({side})" for hand, sides in found.items() for side, row in sides.items()
              if row["gain"]["low"] <= 0 <= row["gain"]["high"]]
    also = f" (open: {', '.join(unsure)})" if unsure else ""
    last = found[pays[OTHER][-1]][OTHER]
    alike = pays[CALLER] == pays[OTHER]
    whose = (f"on either side with {' or '.join(f'“{hand}”' for hand in pays[CALLER])}" if alike else
             f"on the caller's side with {' or '.join(f'“{hand}”' for hand in pays[CALLER])}, on the other side with "
             f"{' or '.join(f'“{hand}”' for hand in pays[OTHER])}")
    return Answer(
        [(f"A Gang pays {whose}: with “{last['hand']}” it is made in {interval(last['made'], percent=True)} where "
          f"{interval(last['break_even'], percent=True)} is needed; all other hands lose by it{also}."),
         ("Count two numbers. Sure: your cards that no card in other hands can beat in its suit. Above: cards of "
          "others that lie above the rest of your hand. Four sure cards are not enough by themselves: each card that "
          "lies above the fifth makes the Gang rarer "
          f"({', '.join(chance(found, hand) for hand in list(EXAMPLES)[:4])})."),
         ("On the other side a Gang needs less "
          f"({interval(found['4 sure, 1 above'][OTHER]['break_even'], percent=True)} against "
          f"{interval(found['4 sure, 1 above'][CALLER]['break_even'], percent=True)}), because the normal game that "
          "it replaces is the caller's.")],
        "Chance of making a Gang by hand (dots); strokes: the chance that it needs to earn what the normal game of "
        "the same deals does.",
        [Table(("hand", "for example", "chance", "caller's side", "gains", "other side", "gains"),
               [[hand, EXAMPLES[hand], interval(sides.get(CALLER, sides.get(OTHER))["made"], percent=True),  # type: ignore[index]
                 verdict(sides.get(CALLER)), interval(sides[CALLER]["gain"]) if CALLER in sides else "–",
                 verdict(sides.get(OTHER)), interval(sides[OTHER]["gain"]) if OTHER in sides else "–"]
                for hand, sides in found.items()],
               "Gains: game points of the holder's side over the normal game of the same deals. The intervals hold "
               "for all hands and sides at once with 95 %.")],
        "contracts=common (the normal game, Schnapser, Gang, Bauernschnapser and the two Kontra games). Policy "
        f"{POLICY} at every seat, doublings included, {count(played['deals'])} deals from 0 of seed {SEED}, each "
        "played without bids as a normal game and as a Gang of each of the four seats: "
        f"{count(min(row['n'] for row in played['rows']))} hands and more a line.",
        "The alternative is the normal game. Where another contract is already bid, or is better for the hand, the "
        "Gang must beat that; under all fourteen contracts, where no-trick games are bid on most deals, these limits "
        "are not measured. The partner's bid says nothing here, and the score of the match is left out.",
        [f"schneider-sim report --game {GAME}    # the same for four policies under all contracts"])


def chance(found: dict[str, dict[str, dict[str, Any]]], hand: str) -> str:
    row = found[hand][CALLER]["made"]
    return f"{hand}: {interval(row, percent=True)}"


def draw(played: dict[str, Any]) -> Any:
    found = by_hand(played)
    drawn, ax = figure(3.8)
    dots(ax, list(EXAMPLES), {side: [sides[side]["made"] if side in sides else None for sides in found.values()]
                              for side in whatif.SIDES}, "makes the Gang (stroke: chance that it needs)", percent=True,
         zero=None)
    for number, side in enumerate(whatif.SIDES):
        needs = [(place + 0.25 * (number - 0.5), sides[side]["break_even"]["value"]) for place, sides in
                 enumerate(found.values()) if side in sides]
        ax.plot([value for _, value in needs], [place for place, _ in needs], "|", color=COLOURS[number], markersize=10,
                markeredgewidth=1.6)
    legend(drawn, ax)
    return drawn
