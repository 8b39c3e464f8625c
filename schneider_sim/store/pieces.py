"""The ranges of an experiment, cut where what is stored of it begins and ends."""

from collections import deque
from collections.abc import Iterator

from ..runs.experiment import Experiment
from . import Part


def pieces_of(experiment: Experiment, parts: list[Part]) -> Iterator[tuple[int, int, Part | None]]:
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
