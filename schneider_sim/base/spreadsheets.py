"""CSV that a spreadsheet reads as it was meant: its letters, and no cell that would be run as a formula."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_BOM = b"\xef\xbb\xbf"


def cell(value: Any) -> Any:
    """A cell; a text that a spreadsheet would run as a formula has an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def encoded(text: str) -> bytes:
    """CSV text as UTF-8; with a byte-order mark where it is not plain ASCII, without which Excel misreads it."""
    return text.encode() if text.isascii() else _BOM + text.encode()


def csv_bytes(header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as a CSV file with a header."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [cell(name) for name in header], lineterminator="\n")
    writer.writeheader()
    writer.writerows({cell(name): cell(value) for name, value in row.items()} for row in rows)
    return encoded(text.getvalue())
