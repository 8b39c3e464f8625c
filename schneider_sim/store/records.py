"""Per-play records: a Parquet file with one row for every play, in the order of deal numbers, in constant memory.

What a game offers for this is described in games.protocol.Records.
In duplicates a deal's play with A as first leader comes before that with B. The file's metadata hold the recipe.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.files import replacing
from ..base.tally import Counts, Tally
from ..engines.threads import Progress, Ranges, Work, in_deal_order
from ..errors import RequestError
from ..games import Game, load_game
from ..games.protocol import Records
from ..runs.experiment import Experiment
from ..runs.recipe import as_text, recipe_of
from .reuse import StoreRunner

if TYPE_CHECKING:
    import pandas as pd

GROUP = 1 << 16  # deals in a group of rows at most


def write_records(
    experiment: Experiment, path: str | Path, play: StoreRunner, progress: Progress | None = None,
    cards: bool = False,
) -> Tally:
    """Play the whole experiment on the engine of `play`, write its plays to `path`, a .parquet, return the tally.

    The store of `play` keeps the tallies, and what it has of them is compared: RunError when counts differ. The file
    appears when it is complete. Raises RequestError for another kind of file, or where none can be written, or one is
    there that is no file of records.
    """
    place = checked_place(path)
    layout, keep = load_game(experiment.game).layout, play.keeper(experiment)
    total = layout.zeros()
    with replacing(place, is_records) as beside, _writer(experiment, beside, cards) as write:
        pieces = list(play.pieces(experiment))
        played = in_deal_order(experiment.first, play.engine(works(cards), experiment, _groups(experiment, pieces)))
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


def checked_place(path: str | Path) -> Path:
    """Where records are to be written; RequestError for a file of another kind."""
    place = Path(path)
    if place.suffix.lower() != ".parquet":
        raise RequestError(f"records are written to a file called NAME.parquet, not '{place.name}'")
    return place


def is_records(path: Path) -> bool:
    """Whether a file is one that `write_records` wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        told = set(pq.read_schema(path).metadata or ())
        return {b"recipe", b"first", b"deals"} <= told or {b"records", b"game"} <= told
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


def works(cards: bool) -> Work:
    """What plays a range and gives the columns of its plays, with those of the cards or without."""
    return record_range_with_cards if cards else record_range


def record_range_with_cards(experiment: Experiment, start: int, stop: int) -> tuple[Counts, dict[str, Any]]:
    """The same as `record_range` with the cards that were dealt and the first lead: see Game.card_columns."""
    import numpy as np

    game, match_up = load_game(experiment.game), experiment.match_up
    counts, columns = record_range(experiment, start, stop)
    by_leader = [[game.cards(trace) for trace in game.traces(match_up, start, stop, leader)] for leader in "AB"]
    if match_up.design == "duplicate":
        rows = [row for both in zip(*by_leader, strict=True) for row in both]
    else:
        rows = [by_leader[deal & 1][deal - start] for deal in range(start, stop)]
    more = {name: np.array([row[name] for row in rows], np.uint32 if kind is int else object)
            for name, kind in game.card_columns.items()}
    return counts, columns | more


def kinds_of(experiment: Experiment, cards: bool) -> dict[str, Any]:
    """Name -> NumPy dtype, texts that numbers stand for, or str, of the columns of a file of records."""
    import numpy as np

    game = load_game(experiment.game)
    kinds = dict(offered_records(game).COLUMNS)
    if cards and not game.card_columns:
        raise RequestError(f"{game.name} offers no columns of cards: leave out --cards")
    more = {name: np.dtype(np.uint32) if kind is int else str for name, kind in game.card_columns.items()}
    return kinds | more if cards else kinds


def table_of(columns: dict[str, Any], kinds: Mapping[str, Any]) -> Any:
    """Columns as an Arrow table."""
    import pyarrow as pa

    arrays = {}
    for name, values in columns.items():
        kind = kinds[name]
        if isinstance(kind, tuple):
            arrays[name] = pa.DictionaryArray.from_arrays(values, kind).cast(pa.string())
        else:
            arrays[name] = pa.array(values, pa.string()) if kind is str else pa.array(values)
    return pa.table(arrays)


def records_frame(experiment: Experiment, play: StoreRunner, progress: Progress | None = None,
                  cards: bool = False) -> "pd.DataFrame":
    """The columns of all plays of an experiment in memory; text as categories."""
    import numpy as np
    import pandas as pd

    kinds = kinds_of(experiment, cards)
    parts: dict[str, list[Any]] = {name: [] for name in kinds}
    groups = experiment.ranges(min(experiment.cut, GROUP))
    for _, stop, (_, columns) in in_deal_order(experiment.first, play.engine(works(cards), experiment, groups)):
        for name, values in columns.items():
            parts[name].append(values)
        if progress:
            progress(stop - experiment.first)
    whole = {name: np.concatenate(some) for name, some in parts.items()}
    return pd.DataFrame({name: pd.Categorical.from_codes(values, list(kind)) if isinstance(
        kind := kinds[name], tuple) else values for name, values in whole.items()})


def offered_records(game: Game) -> Records:
    """The records that a game offers; RequestError where it offers none."""
    if game.records is None:
        raise RequestError(f"{game.name} keeps no records of its plays, which --records and the command deals need")
    return game.records


@contextlib.contextmanager
def _writer(experiment: Experiment, path: Path, cards: bool) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A function that appends columns to a new Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = kinds_of(experiment, cards)
    fields = {name: pa.string() if isinstance(kind, tuple) or kind is str else pa.from_numpy_dtype(kind)
              for name, kind in kinds.items()}
    told = {"recipe": as_text(recipe_of(experiment)), "first": str(experiment.first), "deals": str(experiment.deals)}
    schema = pa.schema(fields, metadata=told)

    with pq.ParquetWriter(path, schema, compression="zstd") as file:

        def write(columns: dict[str, Any]) -> None:
            file.write_table(table_of(columns, kinds).replace_schema_metadata(told))

        yield write
