"""Runs from one store to another: export to one Parquet or JSON file, import, merge; nothing is counted twice.

A file holds every part by itself with its run's recipe. Parquet: a row a part, `counts` as a list of int64. JSON:
{"format", "form", "runs": [{"key", "recipe", "version", "parts": [{"start", "stop", "sha256", "size", "places",
"counts"}]}]}, where `counts` are those at `places` of a vector of `size`, all others being zero.
"""

import functools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..base.files import replacing
from ..base.tally import Counts
from ..errors import RequestError, RunError
from ..runs.experiment import DESIGNS
from ..runs.recipe import PARTS, Recipe, as_text, key_of
from .database import Part, Store, Stored, mismatch, sha256
from .plays import cut_alike, unlike

FORMAT, FORM = "schneider-sim runs", 1
_BEGIN = f'{{"format": "{FORMAT}"'  # of a JSON file


class Piece(NamedTuple):
    """A part with all that a store must know of it."""

    recipe: Recipe
    version: str
    start: int
    stop: int
    sha256: str
    counts: Counts


class Merged(NamedTuple):
    """What a merge did, in parts: taken over, there already, left out because they overlap what is there."""

    added: int
    same: int
    left_out: int


def pieces(store: Store, runs: Iterable[Stored]) -> Iterator[Piece]:
    """Every part of `runs`, read one at a time."""
    for run in runs:
        recipe = store.recipe(run)
        for part in store.parts(run):
            yield Piece(recipe, run.version, part.start, part.stop, part.sha256, store.counts(run, part))


def merge(store: Store, source: Iterable[Piece], skip_overlaps: bool = False) -> Merged:
    """Take `source` into the store, all of it or, where anything is wrong, nothing.

    Parts whose deals are all there already are compared and passed over, as far as those of both sides begin and end
    together somewhere. Raises RequestError for counts that cannot be those of their deals and, unless they are to be
    skipped, naming parts that overlap what is there without that; RunError for counts that differ or do not fit their
    SHA-256.
    """
    with store.changing():
        merging = _Merging(store)
        for piece in source:
            _check(piece)
            merging.take(store.add_run(piece.recipe, piece.version), piece)
        merging.give_up()
        overlaps = merging.overlaps
        if overlaps and not skip_overlaps:
            more = f" and {len(overlaps) - 3} more" if len(overlaps) > 3 else ""
            raise RequestError(f"some deals overlap what is there: {'; '.join(overlaps[:3])}{more}; nothing was taken "
                               "over; --skip-overlaps leaves these out, and a later run fills the gaps")
    return Merged(merging.added, merging.same, len(overlaps))


class _Merging:
    """A merge on its way: what was done so far, and the parts that wait for their last neighbour to be compared."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.added = self.same = 0
        self.overlaps: list[str] = []
        self._run: Stored | None = None
        self._waiting: list[tuple[int, int]] = []  # deals of one run without a gap, beginning where a stored part does
        self._total = np.zeros(0, np.int64)  # their counts together

    def take(self, run: Stored, piece: Piece) -> None:
        """Keep a part, compare it with what is there, or note that it overlaps it."""
        if self._waiting and (self._run, self._waiting[-1][1]) != (run, piece.start):
            self.give_up()
        there = self.store.parts(run, piece.start, piece.stop)
        if not there:
            self.store.put(run, piece.start, piece.stop, piece.counts)
            self.added += 1
        elif _common(there, piece.start, piece.stop) < piece.stop - piece.start or not (
                self._waiting or there[0].start == piece.start):
            self.give_up()
            self._overlap(run, piece.start, piece.stop)
        else:
            self._total = _sum(self._total, piece.counts) if self._waiting else piece.counts
            self._run = run
            self._waiting.append((piece.start, piece.stop))
            if there[-1].stop == piece.stop:
                self._compare(run)

    def give_up(self) -> None:
        """Count the parts that wait as overlapping what is there."""
        for start, stop in self._waiting:
            assert self._run is not None
            self._overlap(self._run, start, stop)
        self._waiting.clear()

    def _compare(self, run: Stored) -> None:
        start, stop = self._waiting[0][0], self._waiting[-1][1]
        there = self.store.parts(run, start, stop)
        if len(there) > 1 or sha256(self._total) != there[0].sha256:
            stored = functools.reduce(_sum, (self.store.counts(run, part) for part in there))
            same = np.array_equal(*cut_alike(self._total, stored))
        else:
            same = True
        if not same:
            raise RunError(mismatch(self.store, run, start, stop))
        self.same += len(self._waiting)
        self._waiting.clear()

    def _overlap(self, run: Stored, start: int, stop: int) -> None:
        common = _common(self.store.parts(run, start, stop), start, stop)
        how = f"of which the store has {common}" if common < stop - start else "which the store has cut otherwise"
        self.overlaps.append(f"deals {start} to {stop - 1} of {run}, {how}")


def _sum(some: Counts, others: Counts) -> Counts:
    """The sum of counts, as far as both go."""
    one, other = cut_alike(some, others)
    return one + other


def _common(parts: list[Part], start: int, stop: int) -> int:
    """How many of deals start … stop - 1 the parts have."""
    return sum(min(part.stop, stop) - max(part.start, start) for part in parts)


def _check(piece: Piece) -> None:
    """Raises for counts that are not those that were written, or cannot be those of their deals."""
    where = f"deals {piece.start} to {piece.stop - 1} of run {key_of(piece.recipe)[:12]}"
    if sha256(piece.counts) != piece.sha256 or not 0 <= piece.start < piece.stop <= 2**63:
        raise RunError(f"{where} are damaged in what is to be merged: nothing was taken over")
    if wrong := unlike(piece.recipe, piece.start, piece.stop, piece.counts):
        raise RequestError(f"{where} are altered in what is to be merged ({wrong}): nothing was taken over; export "
                           "them again")


def export(source: Iterable[Piece], path: Path) -> int:
    """Write the pieces to `path`, a name in .parquet or .json; the number of parts. Complete or not there at all.

    Raises RequestError where a file is there that is no export, or none can be written.
    """
    writer = {".parquet": _write_parquet, ".json": _write_json}.get(path.suffix.lower())
    if writer is None:
        raise RequestError(f"an export is called NAME.parquet or NAME.json, not '{path.name}'")
    with replacing(path, _is_export) as beside:
        return writer(source, beside)


def _is_export(path: Path) -> bool:
    """Whether a file is one that `export` wrote, by its beginning or its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with path.open("rb") as file:
        if file.read(len(_BEGIN)) == _BEGIN.encode():
            return True
    try:
        return (pq.read_schema(path).metadata or {}).get(b"format") == FORMAT.encode()
    except (pa.ArrowException, OSError):
        return False


def read_export(path: Path) -> Iterator[Piece]:
    """The pieces of a file that `export` wrote; RequestError for any other file."""
    reader = {".parquet": _read_parquet, ".json": _read_json}.get(path.suffix.lower())
    if reader is None:
        raise RequestError(f"an export is called NAME.parquet or NAME.json, not '{path.name}'")
    if not path.is_file():
        raise RequestError(f"there is no file '{path}'")
    try:
        for key, piece in reader(path):
            _check_kinds(piece)
            if key != key_of(piece.recipe):
                raise RequestError(f"'{path}' has a recipe that does not match the key of its run {key[:12]}: it was "
                                   "altered, and nothing was taken over; export it again")
            yield piece
    except (KeyError, TypeError, ValueError, OSError, IndexError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(f"'{path}' is not an export of runs ({type(error).__name__}: {error})") from None


def _write_json(source: Iterable[Piece], path: Path) -> int:
    number, key = 0, ""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write(f'{_BEGIN}, "form": {FORM}, "runs": [')
        for piece in source:
            places = np.flatnonzero(piece.counts)
            part = {"start": piece.start, "stop": piece.stop, "sha256": piece.sha256, "size": piece.counts.size,
                    "places": places.tolist(), "counts": piece.counts[places].tolist()}
            if key_of(piece.recipe) != key:
                file.write("]}," if key else "")
                key = key_of(piece.recipe)
                file.write(f'\n{{"key": "{key}", "version": {json.dumps(piece.version)}, "recipe": '
                           f'{as_text(piece.recipe)}, "parts": [')
            else:
                file.write(",")
            file.write("\n" + json.dumps(part, separators=(",", ":")))
            number += 1
        file.write("]}" if key else "")
        file.write("]}\n")
    return number


def _read_json(path: Path) -> Iterator[tuple[str, Piece]]:
    """Key and piece, part by part."""
    data = json.loads(path.read_text(encoding="utf-8"))
    _check_form(data["format"], data["form"], path)
    for run in data["runs"]:
        for part in run["parts"]:
            counts = np.zeros(part["size"], np.int64)
            counts[part["places"]] = part["counts"]
            yield run["key"], Piece(run["recipe"], run["version"], part["start"], part["stop"], part["sha256"], counts)


def _write_parquet(source: Iterable[Piece], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields: dict[str, Any] = {"key": pa.string(), "recipe": pa.string(), "version": pa.string(), "start": pa.uint64(),
                              "stop": pa.uint64(), "sha256": pa.string(), "counts": pa.list_(pa.int64())}
    schema = pa.schema(fields, metadata={"format": FORMAT, "form": str(FORM)})
    number = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for piece in source:
            row = piece._asdict() | {"key": key_of(piece.recipe), "recipe": as_text(piece.recipe)}
            columns = [pa.array([row[name]], kind) for name, kind in fields.items()]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            number += 1
    return number


def _read_parquet(path: Path) -> Iterator[tuple[str, Piece]]:
    """Key and piece, part by part."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        told = file.schema_arrow.metadata or {}
        _check_form(told.get(b"format", b"").decode(), int(told.get(b"form", b"0")), path)
        for batch in file.iter_batches(batch_size=16):
            counts = batch.column("counts")
            rows = batch.drop_columns(["counts"]).to_pylist()
            for place, row in enumerate(rows):
                yield row["key"], Piece(json.loads(row["recipe"]), row["version"], row["start"], row["stop"],
                                        row["sha256"], counts[place].values.to_numpy().astype(np.int64))


def _check_kinds(piece: Piece) -> None:
    """ValueError for a piece of other parts than `export` writes; what they say is not looked at."""
    recipe = piece.recipe
    if set(recipe) != PARTS:
        raise ValueError("a recipe has other parts")
    words = [piece.version, piece.sha256, *(recipe[name] for name in ("game", "a", "b", "design"))]
    numbers = [piece.start, piece.stop, recipe["seed"]]
    if not all(isinstance(word, str) for word in words) or not all(isinstance(number, int) for number in numbers):
        raise ValueError("a word or a number is of another kind")
    if recipe["design"] not in DESIGNS:
        raise ValueError(f"there is no design {recipe['design']}")


def _check_form(name: str, form: int, path: Path) -> None:
    if name != FORMAT:
        raise RequestError(f"'{path}' is not an export of runs: make one with `runs export`")
    if form > FORM:
        raise RequestError(f"'{path}' was written by a newer schneider-sim: update schneider-sim to read it")

