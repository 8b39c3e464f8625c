"""Writing a file beside the one that is meant, so that a name stands for a complete file or for none."""

import contextlib
import os
import platform
import zlib
from collections.abc import Iterator
from pathlib import Path

from .errors import RequestError, RunError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to, which takes its place when all went well and is gone otherwise.

    A process that is killed leaves its file; the next one on the same machine that writes to `path` removes it.
    Raises RequestError where the folder cannot be written, RunError when writing fails later.
    """
    machine = f".{path.name}.{zlib.crc32(platform.node().encode()):08x}-"  # others may write to a shared folder
    beside = path.with_name(f"{machine}{os.getpid()}")
    try:
        _remove_leftovers(path.parent, machine)
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


def _remove_leftovers(folder: Path, begin: str) -> None:
    """Delete the files called `begin` and the number of a process that lives no more, as far as that is allowed."""
    if os.name != "posix":  # elsewhere asking for a process by signal 0 ends it
        return
    with contextlib.suppress(OSError):
        for file in [file for file in folder.iterdir() if file.name.startswith(begin)]:
            number = file.name.removeprefix(begin)
            if number.isdecimal() and not _lives(int(number)):
                file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's, or no number of a process
        return True
    return True
