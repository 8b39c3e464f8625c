"""The plays of many match-ups in one Parquet file: a Runner that writes what it plays."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.files import replacing
from ..base.tally import Counts
from ..engines.threads import in_deal_order
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Experiment
from ..version import __version__
from .records import GROUP, checked_place, is_records, kinds_of, table_of, works
from .reuse import StoreRunner

WHO = ("policy_a", "policy_b", "design")


@contextlib.contextmanager
def recording(play: StoreRunner, path: str | Path | None, names: Mapping[str, str] | None = None,
              cards: bool = False) -> Iterator[Any]:
    """A runner in the place of `play` that plays everything, those stored too, and writes a row for every play.

    Columns: policy_a, policy_b, design, then those of the game's records; names: a policy's canonical text -> what to
    call it. The file appears when the block ends well. Without a path it is `play` itself.
    """
    if path is None:
        if cards:
            raise RequestError("--cards needs --records: they are columns of its file")
        yield play
        return
    with replacing(checked_place(path), is_records) as beside, contextlib.ExitStack() as opened:
        yield _Recorder(play, beside, dict(names or {}), cards, opened)


class _Recorder:
    """Plays experiments of one game and writes their plays."""

    def __init__(self, play: StoreRunner, path: Path, names: Mapping[str, str], cards: bool,
                 opened: contextlib.ExitStack) -> None:
        self._play, self._path, self._names, self._cards, self._opened = play, path, names, cards, opened
        self._file: Any = None
        self.threads = play.threads

    @property
    def reused(self) -> int:
        """Nothing comes from the store."""
        return 0

    reused_plays = reused

    def __call__(self, experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        layout, keep = load_game(experiment.game).layout, self._play.keeper(experiment)
        pieces = list(self._play.pieces(experiment))
        size = min(experiment.cut, GROUP)
        groups = (group for start, stop in pieces
                  for group in replace(experiment, first=start, deals=stop - start).ranges(size))
        played = in_deal_order(experiment.first, self._play.engine(works(self._cards), experiment, groups))
        ends, (begin, end) = experiment.ranges(), (experiment.first, experiment.first)
        total = layout.zeros()
        for start, stop in pieces:
            if start >= end:
                begin, end = next(ends)
                total = layout.zeros()
            counts, done = layout.zeros(), start
            while done < stop:
                _, done, (more, columns) = next(played)
                counts += more
                self._write(experiment, columns)
            keep(start, stop, counts)
            total += counts
            if stop == end:
                yield begin, end, total

    def _write(self, experiment: Experiment, columns: dict[str, Any]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        match_up, kinds = experiment.match_up, kinds_of(experiment, self._cards)
        table = table_of(columns, kinds)
        said = [self._names.get(str(match_up.a), str(match_up.a)), self._names.get(str(match_up.b), str(match_up.b)),
                match_up.design]
        text = pa.dictionary(pa.int32(), pa.string())
        for place, (name, value) in enumerate(zip(WHO, said, strict=True)):
            same = pa.DictionaryArray.from_arrays(pa.array([0] * table.num_rows, pa.int32()), [value])
            table = table.add_column(place, pa.field(name, text), same)
        if self._file is None:
            schema = table.schema.with_metadata({"records": f"schneider-sim {__version__}", "game": experiment.game})
            self._file = self._opened.enter_context(pq.ParquetWriter(self._path, schema, compression="zstd"))
        self._file.write_table(table.replace_schema_metadata(self._file.schema.metadata))
