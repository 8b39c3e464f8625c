"""Runs from one store to another: export to one Parquet or JSON file, import, merge; nothing is counted twice.

A file holds every part by itself with its run's recipe. Parquet: a row a part, `counts` as a list of int64. JSON:
{"format", "form", "runs": [{"key", "recipe", "version", "parts": [{"start", "stop", "sha256", "size", "places",
"counts"}]}]}, where `counts` are those at `places` of a vector of `size`, all others being zero.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import RequestError, RunError
from ..files import replacing
from ..recipe import PARTS, Recipe, as_text, key_of
from ..tally import Counts
from .database import Store, Stored, mismatch, sha256

FORMAT, FORM = "schneider-sim runs", 1
SUFFIXES = (".parquet", ".json")


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

    Parts whose deals are all there already are passed over. Raises RequestError naming parts that partly overlap what
    is there, unless those are to be skipped; RunError for counts that differ or do not fit their SHA-256.
    """
    tally = {"added": 0, "same": 0, "left_out": 0}
    overlaps: list[str] = []
    with store.changing():
        for piece in source:
            if sha256(piece.counts) != piece.sha256 or not 0 <= piece.start < piece.stop <= 2**63:
                where = f"deals {piece.start} to {piece.stop - 1} of run {key_of(piece.recipe)[:12]}"
                raise RunError(f"{where} are damaged in what is to be merged: nothing was taken over")
            run = store.add_run(piece.recipe, piece.version)
            there = store.parts(run, piece.start, piece.stop)
            if not there:
                store.put(run, piece.start, piece.stop, piece.counts)
                tally["added"] += 1
                continue
            if there[0][1:3] == (piece.start, piece.stop) and there[0].sha256 != piece.sha256:
                raise RunError(mismatch(run, piece.start, piece.stop, store.path))
            common = sum(min(part.stop, piece.stop) - max(part.start, piece.start) for part in there)
            if common == piece.stop - piece.start:
                tally["same"] += 1
                continue
            tally["left_out"] += 1
            overlaps.append(f"deals {piece.start} to {piece.stop - 1} of {run}, of which the store has {common}")
        if overlaps and not skip_overlaps:
            more = f" and {len(overlaps) - 3} more" if len(overlaps) > 3 else ""
            raise RequestError(f"some deals would count twice: {'; '.join(overlaps[:3])}{more}; nothing was taken "
                               "over; --skip-overlaps leaves these out, and a later run fills the gaps")
    return Merged(**tally)


def export(source: Iterable[Piece], path: Path) -> int:
    """Write the pieces to `path`, a name in .parquet or .json; the number of parts. Complete or not there at all."""
    writer = {".parquet": _write_parquet, ".json": _write_json}.get(path.suffix.lower())
    if writer is None:
        raise RequestError(f"an export is called NAME.parquet or NAME.json, not '{path.name}'")
    with replacing(path) as beside:
        return writer(source, beside)


def read_export(path: Path) -> Iterator[Piece]:
    """The pieces of a file that `export` wrote; RequestError for any other file."""
    reader = {".parquet": _read_parquet, ".json": _read_json}.get(path.suffix.lower())
    if reader is None:
        raise RequestError(f"an export is called NAME.parquet or NAME.json, not '{path.name}'")
    if not path.is_file():
        raise RequestError(f"there is no file '{path}'")
    try:
        for piece in reader(path):
            if set(piece.recipe) != PARTS:
                raise ValueError("a recipe has other parts")
            yield piece
    except (KeyError, TypeError, ValueError, OSError, IndexError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(f"'{path}' is not an export of runs ({type(error).__name__}: {error})") from None


def _write_json(source: Iterable[Piece], path: Path) -> int:
    number, key = 0, ""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write(f'{{"format": "{FORMAT}", "form": {FORM}, "runs": [')
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


def _read_json(path: Path) -> Iterator[Piece]:
    data = json.loads(path.read_text(encoding="utf-8"))
    _check_form(data["format"], data["form"], path)
    for run in data["runs"]:
        for part in run["parts"]:
            counts = np.zeros(part["size"], np.int64)
            counts[part["places"]] = part["counts"]
            yield Piece(run["recipe"], run["version"], part["start"], part["stop"], part["sha256"], counts)


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


def _read_parquet(path: Path) -> Iterator[Piece]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        told = file.schema_arrow.metadata or {}
        _check_form(told.get(b"format", b"").decode(), int(told.get(b"form", b"0")), path)
        for batch in file.iter_batches(batch_size=16):
            counts = batch.column("counts")
            rows = batch.drop_columns(["counts"]).to_pylist()
            for place, row in enumerate(rows):
                yield Piece(json.loads(row["recipe"]), row["version"], row["start"], row["stop"], row["sha256"],
                            counts[place].values.to_numpy().astype(np.int64))


def _check_form(name: str, form: int, path: Path) -> None:
    if name != FORMAT:
        raise RequestError(f"'{path}' is not an export of runs: make one with `runs export`")
    if form > FORM:
        raise RequestError(f"'{path}' was written by a newer schneider-sim: update schneider-sim to read it")

