"""Answers that may be looked at while the deals are played: tests, anytime intervals, estimates after a stop."""

from .betting import betting_interval, log_wealth
from .elo import (
    Elo,
    elo_estimate,
    elo_to_score,
    normalised_elo_to_t,
    score_to_elo,
    t_to_normalised_elo,
)
from .sprt import Sprt, bounds, sprt
from .stopped import stopped_estimate, worse_outcome

__all__ = [
    "Elo", "Sprt", "betting_interval", "bounds", "elo_estimate", "elo_to_score", "log_wealth", "normalised_elo_to_t",
    "score_to_elo", "sprt", "stopped_estimate", "t_to_normalised_elo", "worse_outcome",
]
