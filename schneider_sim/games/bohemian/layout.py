"""What a tally of Bohemian Schneider counts, and where in the vector it lies."""

from ...base.tally import Layout

SAMPLE = 16  # one block of 256 deals in so many is counted in detail: deal // 256 divisible by 16
CAPTURED, DECLINED, DISCARDED = range(3)  # the reply took the trick; could have taken it; could not
KINDS = ("captured", "declined", "discarded")

LAYOUT = Layout({
    "joint": (21, 21),  # duplicates: A's honours as first leader x A's honours when B was
    "outcome": (2, 17, 21),  # first leader (A, B) x A's tricks x A's honours
    "event": (2, 16, 2, 8, 2, 8, 3),  # first leader x trick x leader (A, B) x led rank x safe x reply rank x kind
    "lead_changes": (2, 17),  # first leader x tricks won by the player who did not lead
    "stock_end": (2, 21, 21),  # first leader x A's honours when the stock has run out x A's honours at the end
})
