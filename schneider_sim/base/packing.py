"""Tally vectors as bytes: most counts are zero, so only the others are kept, byte planes apart, and deflated."""

import zlib

import numpy as np

from ..errors import RunError
from .tally import Counts

_WIDTH = 8  # bytes of a count


def pack(counts: Counts) -> bytes:
    """The bytes of a vector, the same on any machine: where its counts are not zero, and what they are."""
    places = np.flatnonzero(counts)
    steps = np.diff(places, prepend=0).astype("<u4")
    head = np.array([counts.size, places.size], "<u8")
    return zlib.compress(head.tobytes() + _planes(steps) + _planes(counts[places].astype("<i8")), 1)


def unpack(data: bytes) -> Counts:
    """The vector, int64, of `pack`; RunError when the bytes are no vector."""
    return unpack_from(data)[0]


def unpack_from(data: bytes) -> tuple[Counts, bytes]:
    """The vector of `pack`, and what follows its bytes."""
    try:
        stream = zlib.decompressobj()
        raw = stream.decompress(data)
        if not stream.eof:
            raise ValueError("it is cut short")
        size, used = (int(x) for x in np.frombuffer(raw, "<u8", 2))
        body = np.frombuffer(raw, np.uint8, offset=16)
        steps = body[: 4 * used].reshape(4, used).T.copy().view("<u4").ravel()
        values = body[4 * used :].reshape(_WIDTH, used).T.copy().view("<i8").ravel()
        counts = np.zeros(size, np.int64)
        counts[np.cumsum(steps, dtype=np.int64)] = values
    except (zlib.error, ValueError, IndexError) as error:
        raise RunError(f"a tally cannot be read: {error}") from None
    return counts, stream.unused_data


def _planes(values: "np.ndarray[tuple[int], np.dtype[np.generic]]") -> bytes:
    """First the low bytes of all values, then the next: high bytes are mostly zero and deflate to nothing."""
    return values.view(np.uint8).reshape(-1, values.itemsize).T.tobytes()
