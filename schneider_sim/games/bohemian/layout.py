"""What a tally of Bohemian Schneider counts, and where in the vector it lies."""

from ...base.tally import Layout

SAMPLE = 16  # every sixteenth block of 256 deals is counted in detail: deal // 256 divisible by 16
CAPTURED, DECLINED, DISCARDED = range(3)  # the reply took the trick; could have taken it; could not
KINDS = ("captured", "declined", "discarded")

LAYOUT = Layout({
    "joint": (21, 21),  # duplicates: A's honours as first leader x A's honours when B was
    "outcome": (2, 17, 21),  # first leader (A, B) x A's tricks x A's honours
    "event": (2, 16, 2, 8, 2, 8, 3),  # first leader x trick x leader (A, B) x led rank x safe x reply rank x kind
    "lead_changes": (2, 17),  # first leader x tricks won by the player who did not lead
    "stock_end": (2, 21, 21),  # first leader x A's honours when the stock has run out x A's honours at the end
    # where endgames are looked up: what was lost in the last six tricks against perfect play of both from there on
    "endgame_deals": (1,),  # deals of the sample in which that was counted
    "endgame_leads": (2, 6),  # leads of A, of B in each of the tricks
    "endgame_lost": (2, 6, 2, 21, 12),  # who lost x trick x lead, reply x own honours in the end until then x lost - 1
    "endgame_sums": (5,),  # over deals, both plays together: points lost by A, by B, their squares, their product
}, added=("endgame_deals", "endgame_leads", "endgame_lost", "endgame_sums"))
