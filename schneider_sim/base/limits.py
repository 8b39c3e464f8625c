"""The limits of what is asked for, checked in one place: deals, seeds, threads."""

from .text import parse_int

DEALS = 2**63  # deals of a seed: they are numbered from 0 to LAST_DEAL
LAST_DEAL = DEALS - 1
LAST_SEED = 2**64 - 1
MOST_THREADS = 1024


def checked_deals(number: object, what: str = "deals", first: int = 0) -> int:
    """How many deals, from deal `first` on; raises RequestError, as all of these do."""
    return parse_int(number, what, 1, DEALS - first)


def checked_deal(number: object, what: str = "deal") -> int:
    """The number of a deal."""
    return parse_int(number, what, 0, LAST_DEAL)


def checked_seed(number: object) -> int:
    """The number that says which shuffles."""
    return parse_int(number, "seed", 0, LAST_SEED)


def checked_threads(number: object) -> int:
    """How many threads."""
    return parse_int(number, "threads", 1, MOST_THREADS)
