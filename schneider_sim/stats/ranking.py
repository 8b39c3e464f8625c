"""Rankings of policies from a payoff matrix or from results: Hodge, Nash, Davidson, alpha-rank."""

from .alpharank import alpha_rank
from .davidson import Davidson, davidson
from .hodge import Hodge, hodge
from .nash import Nash, nash, support_frequency

__all__ = ["Davidson", "Hodge", "Nash", "alpha_rank", "davidson", "hodge", "nash", "support_frequency"]
