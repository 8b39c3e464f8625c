"""Writing a file beside the one that is meant, so that a name stands for a complete file or for none."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from .errors import RequestError, RunError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to, which takes its place when all went well and is gone otherwise.

    Raises RequestError where the folder cannot be written, RunError when writing fails later.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.touch(exist_ok=False)
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise RequestError(f"cannot write '{path}': {error.strerror or error}") from None
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        raise RunError(f"cannot write '{path}': {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)
