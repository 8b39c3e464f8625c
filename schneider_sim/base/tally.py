"""A tally: exact integer counts as one flat int64 vector with named views; adds and hashes."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """Names and shapes of a tally's parts, in the order in which they lie in the vector.

    `version` is raised whenever a part is moved or changes its meaning, or one is added elsewhere than at the end.
    added: parts at the end that came later. A tally of before has no such counts, which then read zero; they are no
    part of a tally's hash, so that a run keeps it.
    """

    shapes: Mapping[str, tuple[int, ...]]
    version: int = 1
    added: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(math.prod(shape) for shape in self.shapes.values())

    @property
    def core(self) -> int:
        """The size without the added parts: that of a tally of before."""
        return sum(math.prod(shape) for name, shape in self.shapes.items() if name not in self.added)

    def offset(self, name: str) -> int:
        """Where the part `name` begins in the vector."""
        place = 0
        for part, shape in self.shapes.items():
            if part == name:
                return place
            place += math.prod(shape)
        raise KeyError(name)

    def part(self, name: str) -> slice:
        """Where the part `name` lies in the vector."""
        begin = self.offset(name)
        return slice(begin, begin + math.prod(self.shapes[name]))

    def zeros(self) -> Counts:
        return np.zeros(self.size, np.int64)

    def filled(self, counts: Counts) -> Counts:
        """The counts with zeros for the added parts, where they are those of a tally of before."""
        if counts.size != self.core:
            return counts
        return np.concatenate([counts, np.zeros(self.size - self.core, np.int64)])


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of everything a run observed: `vector` is int64[layout.size]; parts by name; `+` for disjoint ranges.

    Its arrays can only be read. Tallies are equal when layout and counts are.
    """

    layout: Layout
    vector: Counts

    def __post_init__(self) -> None:
        seen = self.vector.view()
        seen.flags.writeable = False
        object.__setattr__(self, "vector", seen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.layout == other.layout and np.array_equal(self.vector, other.vector)

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __getitem__(self, name: str) -> Counts:
        """A view of the part `name` in its shape."""
        start, shape = self.layout.offset(name), self.layout.shapes[name]
        return self.vector[start : start + math.prod(shape)].reshape(shape)

    def __add__(self, other: "Tally") -> "Tally":
        if other.layout != self.layout:
            raise ValueError("tallies of different layouts do not add")
        return Tally(self.layout, self.vector + other.vector)

    @property
    def sha256(self) -> str:
        """SHA-256 of the counts, added parts aside, as little-endian int64, the same on any machine."""
        return hashlib.sha256(np.ascontiguousarray(self.vector[: self.layout.core], "<i8").data).hexdigest()
