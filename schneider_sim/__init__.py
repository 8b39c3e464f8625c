"""Monte Carlo strategy analysis of Bohemian Schneider and Bauernschnapsen.

    import schneider_sim as ss
    result = ss.simulate("careful", "greedy", deals=1_000_000, seed=1)
"""

from typing import TYPE_CHECKING, Any

from .errors import RequestError, RunError
from .version import __version__

if TYPE_CHECKING:
    from .engines.dask import cluster as dask_cluster
    from .engines.threads import serial, threaded
    from .library.decisions import analyse, exploit, position
    from .library.fields import factorial, make_report, tournament, vary
    from .library.judging import judge
    from .library.matches import (
        compare,
        deals,
        plan,
        play_sessions,
        records,
        replay,
        replays,
        simulate,
        tune,
    )
    from .library.pages import replay_page
    from .policy.plugins import preference
    from .results.outcome import Outcome
    from .results.result import Result
    from .store import Store
    from .store.reuse import StoreRunner

__all__ = ["Outcome", "RequestError", "Result", "RunError", "Store", "StoreRunner", "__version__", "analyse", "compare",
           "dask_cluster", "deals", "exploit", "factorial", "judge", "make_report", "plan", "play_sessions", "position",
           "preference", "records", "replay", "replay_page", "replays", "serial", "simulate", "threaded", "tournament",
           "tune", "vary"]

_HOMES = {
    "analyse": "library.decisions",
    "compare": "library.matches",
    "dask_cluster": "engines.dask:cluster",
    "deals": "library.matches",
    "exploit": "library.decisions",
    "factorial": "library.fields",
    "judge": "library.judging",
    "make_report": "library.fields",
    "Outcome": "results.outcome",
    "plan": "library.matches",
    "play_sessions": "library.matches",
    "position": "library.decisions",
    "preference": "policy.plugins",
    "records": "library.matches",
    "replay": "library.matches",
    "replay_page": "library.pages",
    "replays": "library.matches",
    "Result": "results.result",
    "serial": "engines.threads",
    "simulate": "library.matches",
    "Store": "store",
    "StoreRunner": "store.reuse",
    "threaded": "engines.threads",
    "tournament": "library.fields",
    "tune": "library.matches",
    "vary": "library.fields",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: importing the package costs nothing."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    home, _, other = _HOMES[name].partition(":")
    value = getattr(importlib.import_module(f".{home}", __name__), other or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
