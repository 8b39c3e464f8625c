"""Every figure by name: each function draws on the axes it is given and returns them."""

from .climbing import climb
from .distributions import honour_distribution, reply_kinds, session_outcomes
from .fitting import broken
from .intervals import MOST, Line, curve_height, floor_of, forest, height_of, option_curve, pitch_of
from .losing import losses_by_trick
from .matrices import NUMBERED, factorial_heat_map, heat_map_height, lead_success, payoff_heat_map
from .running import running_estimate, sprt_trace
from .style import as_png, as_svg, new_figure, style
from .tricks import honour_flow, lead_gain, leaves_axes

__all__ = [
    "MOST", "NUMBERED", "Line", "as_png", "as_svg", "broken", "climb", "curve_height", "factorial_heat_map", "floor_of",
    "forest", "heat_map_height", "height_of", "honour_distribution", "honour_flow", "lead_gain", "lead_success",
    "leaves_axes", "losses_by_trick", "new_figure", "option_curve", "payoff_heat_map", "pitch_of", "reply_kinds",
    "running_estimate", "session_outcomes", "sprt_trace", "style",
]
