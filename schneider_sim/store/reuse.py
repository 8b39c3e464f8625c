"""Runs that last: what the store has of an experiment is taken from there, what is missing is played and put there.

    with Store(path) as store:
        tally = run(experiment, play=StoreRunner(threaded(), store))
"""

import contextlib
import functools
import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Protocol

import numpy as np

from ..base.tally import Counts, Layout
from ..engines.threads import Engine, Finished, joint_tables, ordered
from ..games import load_game
from ..runs.experiment import Experiment, play_range, usual_cut
from ..runs.recipe import recipe_of
from . import Changed, Part, Store, Stored
from .pieces import pieces_of
from .series import Ranges, joined, one_range

_MOMENT = 0.5  # seconds of playing that are lost at most when the process is killed
_MANY = 32  # rows made one that leave room worth giving back

_SPOT = 8  # a check of a stored run takes about this part of the time of its shortest range


class Keeper(Protocol):
    """What keeps the counts of deals start … stop - 1, with the short ranges that they are made of, if any."""

    def __call__(self, start: int, stop: int, counts: Counts, ranges: Ranges | None = None) -> None: ...


class StoreRunner:
    """A play (see execute.py) that keeps every range in its store as it finishes, and takes from there what there is.

    It yields the experiment's own ranges, so that who looks at them sees the same whether they were stored or not.
    fresh: play again what is stored, too; RunError when the counts differ. Users' preferences may depend on more than
    the key of a run names, such as a file that one reads: some deals of their stored runs are played again before these
    are believed, and RunError names the preferences where the counts differ. threads: how many whoever analyses deals
    beside it should use, by default one per processor. `reused` and `played` are the deals of all
    experiments that went through it, `reused_plays` the plays on the former. Without a store it plays everything and
    keeps nothing. The store may also be a function that opens it, called when first something is to be played, so that
    a request that turns out to be wrong leaves no file behind.

    A run that somebody deletes while it is played is played to its end and kept no further: `lost` has, by the first
    digits of its key, how many deals that were played are not in the store.
    """

    def __init__(self, engine: Engine, store: Store | Callable[[], Store | None] | None = None,
                 fresh: bool = False, threads: int | None = None) -> None:
        self.engine, self.fresh, self.threads = engine, fresh, threads
        self.reused = self.reused_plays = self.played = 0
        self.lost: dict[str, int] = {}
        self._store = store
        self._believed: set[str] = set()

    @functools.cached_property
    def store(self) -> Store | None:
        """The store, opened at the latest now."""
        return self._store if self._store is None or isinstance(self._store, Store) else self._store()

    def __call__(self, experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        if _unheld(experiment) or self.store is None:
            return ordered(self.engine)(experiment)
        return self._keeping(self.store, experiment)

    def pieces(self, experiment: Experiment) -> Iterator[tuple[int, int]]:
        """The experiment's ranges, cut further where what is stored begins and ends: for those who play all of it."""
        return ((start, stop) for start, stop, _ in pieces_of(experiment, self._parts(experiment)[1]))

    def keeper(self, experiment: Experiment) -> Keeper:
        """A function that keeps the counts of deals start … stop - 1, or sees that what is stored says the same.

        It may also be given the short ranges that these deals are made of.
        """
        run: Stored | None = None
        kept = 0  # deals since the run was last found to be deleted

        def keep(start: int, stop: int, counts: Counts, ranges: Ranges | None = None) -> None:
            nonlocal run, kept
            if self.store is not None and not _unheld(experiment):
                run = run or self.store.add_run(recipe_of(experiment))
                there = (self.store.put_series(run, start, ranges, counts) if ranges else
                         self.store.put(run, start, stop, counts))
                kept += stop - start
                if not there:
                    self.lost[run.key[:12]] = self.lost.get(run.key[:12], 0) + kept
                    kept = 0
            self.played += stop - start

        return keep

    def _parts(self, experiment: Experiment) -> tuple[Stored | None, list[Part]]:
        """The stored run of the experiment and its parts that touch the experiment's deals."""
        run = self.store.of(recipe_of(experiment)) if self.store and not _unheld(experiment) else None
        if self.store is None or run is None:
            return None, []
        return run, self.store.parts(run, experiment.first, experiment.first + experiment.deals)

    def _keeping(self, store: Store, experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        run, parts = self._believed_parts(store, experiment)
        missing = ((start, stop) for start, stop, part in pieces_of(experiment, parts) if part is None or self.fresh)
        played = self._kept(experiment, self.engine(play_range, experiment, missing))
        pieces, early = pieces_of(experiment, parts), dict[int, Counts]()
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

    def joint_tables(self, experiment: Experiment) -> Generator[tuple[Counts, Counts, Counts], None, None]:
        """The experiment's ranges in order, some at once, as `engines.threads.joint_tables` says.

        The ranges that are kept go into few rows, none of which takes longer to play than a usual range of work: who
        needs the tallies of its ranges plays them again in a moment.
        """
        if self.store is None:
            yield from joint_tables(ordered(self.engine), experiment)
            return
        store, layout = self.store, load_game(experiment.game).layout
        run, parts = self._believed_parts(store, experiment)
        ends = np.array([stop for _, stop in experiment.ranges()])
        found = {} if self.fresh or run is None else _merged(self._found(store, run, parts, experiment, ends))
        played, place = self._packing(experiment, list(_between(experiment, found))), experiment.first
        while place < experiment.first + experiment.deals:
            if place in found:
                ranges, counts = found.pop(place)
                self._count_reused(int(ranges.stops[-1]) - place, experiment)
            else:
                ranges, counts = next(played)
            yield ranges.stops, ranges.joint, counts
            place = int(ranges.stops[-1])
        played.close()
        self._pack(store, experiment, layout)

    def _believed_parts(self, store: Store, experiment: Experiment) -> tuple[Stored | None, list[Part]]:
        """The stored run and its parts, some deals played again first where users' preferences may have changed."""
        run, parts = self._parts(experiment)
        if run and experiment.match_up.plugins and not self.fresh and run.key not in self._believed:
            self._check(store, run, experiment)
            self._believed.add(run.key)
            parts = self._parts(experiment)[1]
        return run, parts

    def _found(self, store: Store, run: Stored, parts: list[Part], experiment: Experiment,
               ends: Counts) -> Iterator[tuple[int, Ranges, Counts]]:
        """First deal, ranges and tally of stored parts that divide into the experiment's ranges; `ends` of these."""
        layout = load_game(experiment.game).layout
        for part in parts:
            if part.start < experiment.first or part.stop > ends[-1]:
                continue
            try:
                counts, ranges = store.series(run, part, layout)
            except Changed:
                continue
            ranges = ranges or one_range(layout, part.stop, counts)
            starts = np.concatenate([[part.start], ranges.stops[:-1]])
            if np.array_equal(np.searchsorted(ends, starts, "right"), np.searchsorted(ends, ranges.stops, "left")):
                yield part.start, ranges, counts

    def _packing(self, experiment: Experiment,
                 missing: list[tuple[int, int]]) -> Generator[tuple[Ranges, Counts], None, None]:
        """The missing ranges, played and kept in rows of many, one row at least every moment."""
        layout, longest = load_game(experiment.game).layout, usual_cut(experiment)
        keep, waiting, since = self.keeper(experiment), list[tuple[int, int, Counts]](), time.monotonic()

        def settle() -> None:
            waiting.sort(key=itemgetter(0))
            while waiting:
                row = [waiting.pop(0)]
                while waiting and waiting[0][0] == row[-1][1] and waiting[0][1] - row[0][0] <= longest:
                    row.append(waiting.pop(0))
                total = layout.zeros()
                for _, _, counts in row:
                    total += counts
                keep(row[0][0], row[-1][1], total, joined(one_range(layout, stop, counts) for _, stop, counts in row))

        early = dict[int, tuple[int, Counts]]()
        finished = self.engine(play_range, experiment, iter(missing))
        try:
            for start, _ in missing:
                while start not in early:
                    found, stop, counts = next(finished)
                    early[found] = stop, counts
                    waiting.append((found, stop, counts))
                    if time.monotonic() - since > _MOMENT:
                        settle()
                        since = time.monotonic()
                stop, counts = early.pop(start)
                yield one_range(layout, stop, counts), counts
        finally:
            settle()

    def _pack(self, store: Store, experiment: Experiment, layout: Layout) -> None:
        """Make few rows of the many short ones that the store has of the experiment's deals."""
        run, parts = self._parts(experiment)
        longest, row = usual_cut(experiment), list[Part]()
        for part in [*parts, None]:
            if part and row and (row[-1].stop != part.start or part.stop - row[0].start > longest):
                row = self._packed(store, run, row, layout)
            if part is None:
                self._packed(store, run, row, layout)
            else:
                row.append(part)

    def _packed(self, store: Store, run: Stored | None, row: list[Part], layout: Layout) -> list[Part]:
        if run is not None and len(row) > 1:
            with contextlib.suppress(Changed):  # another process is at it
                store.pack(run, row, layout)
            if len(row) > _MANY:
                store.shrink()
        return []

    def _count_reused(self, deals: int, experiment: Experiment) -> None:
        self.reused += deals
        self.reused_plays += deals * (experiment.plays // experiment.deals)

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
        self._count_reused(deals, experiment)
        return counts

    def _kept(self, experiment: Experiment, finished: Finished) -> Finished:
        keep = self.keeper(experiment)
        for start, stop, counts in finished:
            keep(start, stop, counts)
            yield start, stop, counts


def _unheld(experiment: Experiment) -> bool:
    """Whether a preference uses what no key can hold, so that nothing is kept; says so, once."""
    items = [item for item in experiment.match_up.plugins if getattr(item, "unheld", "")]
    for item in items:
        _say_unheld(item.name, item.unheld)
    return bool(items)


@functools.lru_cache(maxsize=256)
def _say_unheld(name: str, why: str) -> None:
    logging.getLogger(__name__).warning("schneider-sim: runs with preference '%s' are not kept: %s", name, why)


def _merged(found: Iterator[tuple[int, Ranges, Counts]]) -> dict[int, tuple[Ranges, Counts]]:
    """By the first deal: what was found, neighbours together."""
    merged, first, several, stop = dict[int, tuple[Ranges, Counts]](), 0, list[Ranges](), -1
    for start, ranges, counts in found:
        if start == stop:
            several.append(ranges)
            merged[first] = joined(several[-1:]), merged[first][1] + counts
        else:
            if several:
                merged[first] = joined(several), merged[first][1]
            first, several, merged[start] = start, [ranges], (ranges, counts)
        stop = int(ranges.stops[-1])
    if several:
        merged[first] = joined(several), merged[first][1]
    return merged


def _between(experiment: Experiment, found: Mapping[int, tuple[Ranges, Counts]]) -> Iterator[tuple[int, int]]:
    """The experiment's ranges and pieces of ranges that lie outside what was found."""
    taken = deque(sorted((start, int(ranges.stops[-1])) for start, (ranges, _) in found.items()))
    for begin, end in experiment.ranges():
        while begin < end:
            while taken and taken[0][1] <= begin:
                taken.popleft()
            start, stop = taken[0] if taken else (end, end)
            if begin < start:
                yield begin, min(start, end)
            begin = min(max(stop, begin), end) if start < end else end
