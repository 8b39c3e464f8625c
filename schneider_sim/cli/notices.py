"""What the package logs, as lines on standard error while a command runs: that it compiles, that nothing is kept."""

import contextlib
import logging
import sys
from collections.abc import Iterator


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            wipe = "\r\x1b[2K" if sys.stderr.isatty() else ""  # a progress bar may stand there
            print(f"{wipe}schneider-sim: {record.getMessage().removeprefix('schneider-sim: ')}", file=sys.stderr,
                  flush=True)


@contextlib.contextmanager
def notices() -> Iterator[None]:
    """A block in which the package's log is shown."""
    logger, lines = logging.getLogger(__name__.partition(".")[0]), _Lines()
    before = logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(lines)
        logger.setLevel(before)
