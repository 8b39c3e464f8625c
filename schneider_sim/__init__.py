"""Monte Carlo strategy analysis of Bohemian Schneider and Bauernschnapsen.

    import schneider_sim as ss
    result = ss.simulate("careful", "greedy", deals=1_000_000, seed=1)
"""

from typing import TYPE_CHECKING, Any

from .errors import RequestError, RunError
from .version import __version__

if TYPE_CHECKING:
    from .analysis.deals import deals
    from .analysis.errors_of_play import analyse
    from .analysis.tune import tune
    from .api import replay, replays, simulate
    from .policy.plugins import preference
    from .results.result import Result

__all__ = ["RequestError", "Result", "RunError", "__version__", "analyse", "deals", "preference", "replay", "replays",
           "simulate", "tune"]

_HOMES = {
    "analyse": "analysis.errors_of_play",
    "deals": "analysis.deals",
    "preference": "policy.plugins",
    "replay": "api",
    "replays": "api",
    "Result": "results.result",
    "simulate": "api",
    "tune": "analysis.tune",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: importing the package costs nothing."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
