"""What players want, compiled: bids, doublings, cards, and what they conclude about other hands."""
