"""Runs that last: what the store has of an experiment is taken from there, what is missing is played and put there.

    with Store(path) as store:
        tally = run(experiment, play=StoreRunner(threaded(), store))
"""

import functools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..base.tally import Counts
from ..engines.threads import Engine, Finished, ordered
from ..games import load_game
from ..runs.experiment import Experiment, play_range
from ..runs.recipe import recipe_of
from . import Changed, Part, Store, Stored

_SPOT = 8  # a check of a stored run takes about this part of the time of its shortest range


class StoreRunner:
    """A play (see execute.py) that keeps every range in its store as it finishes, and takes from there what there is.

    It yields the experiment's own ranges, so that who looks at them sees the same whether they were stored or not.
    fresh: play again what is stored, too; RunError when the counts differ. Users' preferences may depend on more than
    the key of a run names, such as a file that one reads: some deals of their stored runs are played again before these
    are believed, and RunError names the preferences where the counts differ. `reused` and `played` are the deals of all
    experiments that went through it, `reused_plays` the plays on the former. Without a store it plays everything and
    keeps nothing. The store may also be a function that opens it, called when first something is to be played, so that
    a request that turns out to be wrong leaves no file behind.

    A run that somebody deletes while it is played is played to its end and kept no further: `lost` has, by the first
    digits of its key, how many deals that were played are not in the store.
    """

    def __init__(self, engine: Engine, store: Store | Callable[[], Store | None] | None = None,
                 fresh: bool = False) -> None:
        self.engine, self.fresh = engine, fresh
        self.reused = self.reused_plays = self.played = 0
        self.lost: dict[str, int] = {}
        self._store = store
        self._believed: set[str] = set()

    @functools.cached_property
    def store(self) -> Store | None:
        """The store, opened at the latest now."""
        return self._store if self._store is None or isinstance(self._store, Store) else self._store()

    def __call__(self, experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        return ordered(self.engine)(experiment) if self.store is None else self._keeping(self.store, experiment)

    def pieces(self, experiment: Experiment) -> Iterator[tuple[int, int]]:
        """The experiment's ranges, cut further where what is stored begins and ends: for those who play all of it."""
        return ((start, stop) for start, stop, _ in _pieces(experiment, self._parts(experiment)[1]))

    def keeper(self, experiment: Experiment) -> Callable[[int, int, Counts], None]:
        """A function that keeps the counts of deals start … stop - 1, or sees that what is stored says the same."""
        run: Stored | None = None
        kept = 0  # deals since the run was last found to be deleted

        def keep(start: int, stop: int, counts: Counts) -> None:
            nonlocal run, kept
            if self.store is not None:
                run = run or self.store.add_run(recipe_of(experiment))
                there = self.store.put(run, start, stop, counts)
                kept += stop - start
                if not there:
                    self.lost[run.key[:12]] = self.lost.get(run.key[:12], 0) + kept
                    kept = 0
            self.played += stop - start

        return keep

    def _parts(self, experiment: Experiment) -> tuple[Stored | None, list[Part]]:
        """The stored run of the experiment and its parts that touch the experiment's deals."""
        run = self.store.of(recipe_of(experiment)) if self.store else None
        if self.store is None or run is None:
            return None, []
        return run, self.store.parts(run, experiment.first, experiment.first + experiment.deals)

    def _keeping(self, store: Store, experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        run, parts = self._parts(experiment)
        if run and experiment.match_up.plugins and not self.fresh and run.key not in self._believed:
            self._check(store, run, experiment)
            self._believed.add(run.key)
            parts = self._parts(experiment)[1]
        missing = ((start, stop) for start, stop, part in _pieces(experiment, parts) if part is None or self.fresh)
        played = self._kept(experiment, self.engine(play_range, experiment, missing))
        pieces, early = _pieces(experiment, parts), dict[int, Counts]()
        for begin, end in experiment.ranges():
            total, place = load_game(experiment.game).layout.zeros(), begin
            while place < end:
                start, place, part = next(pieces)
                if run and part and not self.fresh:
                    total += self._stored(store, run, part, experiment)
                    continue
                while start not in early:
                    found, _, counts = next(played)
                    early[found] = counts
                total += early.pop(start)
            yield begin, end, total

    def _check(self, store: Store, run: Stored, experiment: Experiment) -> None:
        """Play the shortest stored part of a run again; one that takes longer is divided for the next time."""
        part = min(store.parts(run), key=lambda part: (part.stop - part.start, part.start), default=None)
        if part is None:
            return
        middle = min(part.start + max(1, experiment.cut // _SPOT), part.stop)
        wanted = replace(experiment, first=part.start, deals=part.stop - part.start)
        ranges = [(part.start, middle), *([(middle, part.stop)] if middle < part.stop else [])]
        head, total = None, load_game(experiment.game).layout.zeros()
        for start, _, counts in self.engine(play_range, wanted, iter(ranges)):
            head = counts if start == part.start else head
            total += counts
        store.put(run, part.start, part.stop, total)
        if head is not None and middle < part.stop:
            store.put(run, part.start, middle, head)

    def _stored(self, store: Store, run: Stored, part: Part, experiment: Experiment) -> Counts:
        """The counts of a stored part, which is played where somebody deleted or divided it meanwhile."""
        deals, total = part.stop - part.start, load_game(experiment.game).layout.zeros()
        try:
            counts = store.counts(run, part, total.size)
        except Changed:
            ranges = replace(experiment, first=part.start, deals=deals).ranges()
            for _, _, more in self._kept(experiment, self.engine(play_range, experiment, ranges)):
                total += more
            return total
        self.reused += deals
        self.reused_plays += deals * (experiment.plays // experiment.deals)
        return counts

    def _kept(self, experiment: Experiment, finished: Finished) -> Finished:
        keep = self.keeper(experiment)
        for start, stop, counts in finished:
            keep(start, stop, counts)
            yield start, stop, counts


def _pieces(experiment: Experiment, parts: list[Part]) -> Iterator[tuple[int, int, Part | None]]:
    """The experiment's ranges, cut further where stored parts that lie within one begin and end: start, stop, part."""
    waiting = deque(parts)
    for begin, end in experiment.ranges():
        while waiting and waiting[0].stop <= end:
            part = waiting.popleft()
            if part.start >= begin:
                if begin < part.start:
                    yield begin, part.start, None
                yield part.start, part.stop, part
                begin = part.stop
        if begin < end:
            yield begin, end, None
