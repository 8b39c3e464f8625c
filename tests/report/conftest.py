"""A report made once for the tests that read it."""

from pathlib import Path

import pytest

from commandline import call

STUDY = """# names that try to break out of the page, and of figures
title = "<script>alert(1)</script> & \\"Größe\\""
deals = 1500
seed = 5
rules = {schneider_at = 17}

[policies]
"</script><b>" = "plain"
"$x^2$ {{ 7*7 }} 10 %" = "greedy"
"a/../b: with a name of sixty characters, which is the most" = "careful; memory: none"

[factorial]
leads = ["random", "safe honour"]
follows = ["capture dead pip", "low"]
against = "</script><b>"
deals = 1200
"""


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on STUDY, in a place with a space and an umlaut."""
    place = tmp_path_factory.mktemp("report") / "mit Größe"
    place.mkdir()
    (place / "three.toml").write_text(STUDY, encoding="utf-8")
    done = call("report", str(place / "three.toml"), "--out", str(place / "out"), "--threads", "1")
    assert done.exit_code == 0, done.output
    assert all(line.startswith(("plays: ", "figures: ")) for line in done.stderr.splitlines()), done.stderr
    assert done.stdout == f"{place / 'out' / 'index.html'}\n"
    return place / "out"
