"""Functions that do not depend on each other are compiled side by side, in processes, where there are processors.

Compiled code is kept on disk, so a process that compiles a function hands it over through the cache folder. A helper
that fails, or is another version of the package, costs time and nothing else: what it leaves out is compiled here.

    python -m schneider_sim.compiled.aside      is such a helper; it reads what to compile from standard input
"""

import base64
import contextlib
import importlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Wanted = tuple[Any, tuple[Any, ...]]  # a compiled function of a module, and the types of its arguments

_ONE_AT_A_TIME = threading.Lock()  # threads that begin to play together want the same


def compile_aside(wanted: Iterable[Wanted]) -> None:
    """Compile what is wanted, what takes longest first; where that takes one process, nothing is done beforehand."""
    with _ONE_AT_A_TIME:
        _compile_missing([each for each in wanted if not each[0]._cache.holds(*each)])


def _compile_missing(missing: list[Wanted]) -> None:
    helpers = min(len(missing), _processors()) - 1
    if helpers < 1 or not _may_help() or any(not each[0]._cache.shared for each in missing):
        return
    queue = deque(missing)
    threads = [threading.Thread(target=_hand_out, args=(queue,), daemon=True) for _ in range(helpers)]
    for thread in threads:
        thread.start()
    try:
        with contextlib.suppress(IndexError):  # the others have taken the last one
            while True:
                function, types = queue.popleft()
                function.compile(types)
    finally:
        queue.clear()
    for thread in threads:
        thread.join()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _may_help() -> bool:
    """Whether a helper can be started: a worker of some pool has neighbours that compile, too."""
    return bool(sys.executable) and not hasattr(sys, "frozen") and multiprocessing.parent_process() is None


def _hand_out(queue: "deque[Wanted]") -> None:
    """Have a process of its own compile one function after the other."""
    found = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))
    with contextlib.suppress(OSError, IndexError), subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": found}) as helper:
        assert helper.stdin is not None and helper.stdout is not None
        while True:
            function, types = queue.popleft()
            what = function.py_func.__module__, function.py_func.__name__, types
            helper.stdin.write(base64.b64encode(pickle.dumps(what)).decode() + "\n")
            helper.stdin.flush()
            if not helper.stdout.readline():
                break


def main() -> None:
    """Compile what standard input names, a line each, and answer with a line when it is done."""
    for line in sys.stdin:
        module, name, types = pickle.loads(base64.b64decode(line))
        getattr(importlib.import_module(module), name).compile(types)
        print(flush=True)


if __name__ == "__main__":
    main()
