"""Rankings of policies from a payoff matrix or from results: Hodge, Nash, Davidson, alpha-rank."""

from schneider_sim.stats.alpharank import alpha_rank
from schneider_sim.stats.davidson import Davidson, davidson
from schneider_sim.stats.hodge import Hodge, hodge
from schneider_sim.stats.nash import Nash, nash, support_frequency

__all__ = ["Davidson", "Hodge", "Nash", "alpha_rank", "davidson", "hodge", "nash", "support_frequency"]
