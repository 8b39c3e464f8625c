"""Per-play records: a Parquet file with one row for every play, in the order of deal numbers, in constant memory.

What a game offers for this is described in games.protocol.Records.
In duplicates a deal's play with A as first leader comes before that with B. The file's metadata hold the recipe.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.files import replacing
from ..base.tally import Counts, Tally
from ..engines.threads import Progress, Ranges, in_deal_order
from ..errors import RequestError
from ..games import Game, load_game
from ..games.protocol import Records
from ..runs.experiment import Experiment
from ..runs.recipe import as_text, recipe_of
from .reuse import StoreRunner

GROUP = 1 << 16  # deals in a group of rows at most


def write_records(
    experiment: Experiment, path: str | Path, play: StoreRunner, progress: Progress | None = None
) -> Tally:
    """Play the whole experiment on the engine of `play`, write its plays to `path`, a .parquet, return the tally.

    The store of `play` keeps the tallies, and what it has of them is compared: RunError when counts differ. The file
    appears when it is complete. Raises RequestError for another kind of file, or where none can be written, or one is
    there that is no file of records.
    """
    place = Path(path)
    if place.suffix.lower() != ".parquet":
        raise RequestError(f"records are written to a file called NAME.parquet, not '{place.name}'")
    layout, keep = load_game(experiment.game).layout, play.keeper(experiment)
    total = layout.zeros()
    with replacing(place, _is_records) as beside, _writer(experiment, beside) as write:
        pieces = list(play.pieces(experiment))
        played = in_deal_order(experiment.first, play.engine(record_range, experiment, _groups(experiment, pieces)))
        for start, stop in pieces:
            counts, done = layout.zeros(), start
            while done < stop:
                _, done, (more, columns) = next(played)
                counts += more
                write(columns)
                if progress:
                    progress(done - experiment.first)
            keep(start, stop, counts)
            total += counts
    return Tally(layout, total)


def _is_records(path: Path) -> bool:
    """Whether a file is one that `write_records` wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return {b"recipe", b"first", b"deals"} <= set(pq.read_schema(path).metadata or ())
    except (pa.ArrowException, OSError):
        return False


def _groups(experiment: Experiment, pieces: Ranges) -> Ranges:
    """The pieces, cut into groups of rows."""
    size = min(experiment.cut, GROUP)
    return (group for start, stop in pieces
            for group in replace(experiment, first=start, deals=stop - start).ranges(size))


def record_range(experiment: Experiment, start: int, stop: int) -> tuple[Counts, dict[str, Any]]:
    """The tally of deals start..stop-1 and the columns of their plays, in the types of the file."""
    import numpy as np

    kept = offered_records(load_game(experiment.game))
    counts, columns = kept.records(experiment.match_up, start, stop)
    types = {name: kind if isinstance(kind, np.dtype) else np.dtype(np.int8) for name, kind in kept.COLUMNS.items()}
    return counts, {name: columns[name].astype(types[name]) for name in kept.COLUMNS}


def offered_records(game: Game) -> Records:
    """The records that a game offers; RequestError where it offers none."""
    if game.records is None:
        raise RequestError(f"{game.name} offers no records of its plays: leave out --records")
    return game.records


@contextlib.contextmanager
def _writer(experiment: Experiment, path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A function that appends columns to a new Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = offered_records(load_game(experiment.game)).COLUMNS
    fields = {name: pa.string() if isinstance(kind, tuple) else pa.from_numpy_dtype(kind)
              for name, kind in kinds.items()}
    told = {"recipe": as_text(recipe_of(experiment)), "first": str(experiment.first), "deals": str(experiment.deals)}
    schema = pa.schema(fields, metadata=told)

    def column(name: str, values: Any) -> Any:
        texts = kinds[name]
        return pa.DictionaryArray.from_arrays(values, texts).cast(pa.string()) if isinstance(texts, tuple) else values

    with pq.ParquetWriter(path, schema, compression="zstd") as file:

        def write(columns: dict[str, Any]) -> None:
            arrays = [pa.array(column(name, values)) for name, values in columns.items()]
            file.write_table(pa.Table.from_arrays(arrays, schema=schema))

        yield write
