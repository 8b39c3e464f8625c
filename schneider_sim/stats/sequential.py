"""Answers that may be looked at while the deals are played."""

from schneider_sim.stats.betting import betting_interval, log_wealth

__all__ = ["betting_interval", "log_wealth"]
