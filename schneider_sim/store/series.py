"""Short ranges of a run packed into one row: the tally of all, and behind it what each range says of its duplicates.

Match-ups on common deals are compared through sums over some hundred short ranges, and these need the joint tables
alone. A tally of a short range is mostly detail that few deals fill, so that one row in place of hundreds takes a
tenth of the room. The bytes stand behind those of the row's tally, where a program that does not know them sees the
tally of a long range and nothing else.
"""

import hashlib
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..base.tally import Counts, Layout

_DIGEST = 32  # bytes of a SHA-256


class Ranges(NamedTuple):
    """Neighbouring ranges of deals: where each ends, int64[ranges], and its joint table, int64[ranges, cells]."""

    stops: Counts
    joint: Counts

    def before(self, stop: int) -> "Ranges":
        """Those that end at `stop` or before."""
        inside = self.stops <= stop
        return Ranges(self.stops[inside], self.joint[inside])

    def after(self, start: int) -> "Ranges":
        """Those that end after `start`."""
        inside = self.stops > start
        return Ranges(self.stops[inside], self.joint[inside])


def one_range(layout: Layout, stop: int, counts: Counts) -> Ranges:
    """A single range that ends at `stop`, from its tally."""
    return Ranges(np.array([stop], np.int64), joint_of(layout, counts)[None])


def joint_of(layout: Layout, counts: Counts) -> Counts:
    """The joint table of a tally vector, int64[cells]."""
    return counts[layout.part("joint")]


def joined(several: Iterable[Ranges]) -> Ranges:
    """Ranges that follow on each other as one."""
    stops, joints = zip(*several, strict=True)
    return Ranges(np.concatenate(stops), np.concatenate(joints))


def encode(ranges: Ranges, sha256: str) -> bytes:
    """The bytes of ranges in the row of a tally with this SHA-256; none for a single range."""
    if ranges.stops.size < 2:
        return b""
    cells = np.flatnonzero(ranges.joint.any(axis=0))
    head = np.array([ranges.stops.size, cells.size, ranges.joint.shape[1], ranges.stops[0]], "<u8")
    steps = np.diff(ranges.stops).astype("<u8")
    seen = np.ascontiguousarray(ranges.joint[:, cells].T.astype("<u8"))
    body = zlib.compress(head.tobytes() + _planes(steps) + _planes(cells.astype("<u8")) + _planes(seen), 9)
    return _digest(body, sha256) + body


def decode(data: bytes, sha256: str, joint: Counts) -> Ranges | None:
    """The ranges of `encode`; None where the bytes are none, or do not agree with the row's joint table."""
    digest, body = data[:_DIGEST], data[_DIGEST:]
    if not body or digest != _digest(body, sha256):
        return None
    raw = np.frombuffer(zlib.decompress(body), np.uint8)
    count, used, size, first = (int(number) for number in raw[:32].view("<u8"))
    numbers = _numbers(raw[32:], (count - 1, used, used * count))
    table = np.zeros((count, size), np.int64)
    table[:, numbers[1]] = numbers[2].reshape(used, count).T
    if not np.array_equal(table.sum(axis=0), joint):
        return None
    return Ranges(np.concatenate([[first], first + np.cumsum(numbers[0])]).astype(np.int64), table)


def _planes(values: "np.ndarray[tuple[int, ...], np.dtype[np.uint64]]") -> bytes:
    """First the low bytes of all values, then the next: high bytes are mostly zero and deflate to nothing."""
    return values.ravel().view(np.uint8).reshape(-1, 8).T.tobytes()


def _numbers(raw: "np.ndarray[tuple[int], np.dtype[np.uint8]]", sizes: tuple[int, ...]) -> list[Counts]:
    found, place = [], 0
    for size in sizes:
        planes = raw[place : place + 8 * size].reshape(8, size)
        found.append(planes.T.copy().view("<u8").ravel().astype(np.int64))
        place += 8 * size
    return found


def _digest(body: bytes, sha256: str) -> bytes:
    return hashlib.sha256(sha256.encode() + body).digest()
