"""The notebooks of docs/notebooks show what their cells give, and are short."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def texts(notebook: Any) -> list[list[str]]:
    """What the code cells show, as text: prints, values, and that there is a figure."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [["".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]]
            for cell in cells]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_has_run(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(texts(notebook)) and [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))


def test_there_are_three_notebooks_and_a_tournament_with_its_figure_and_plays_takes_less_than_25_lines() -> None:
    assert len(NOTEBOOKS) == 3
    cells = json.loads(NOTEBOOKS[1].read_text(encoding="utf-8"))["cells"]
    ends = [number for number, cell in enumerate(cells) if "by hand" in "".join(cell["source"])]
    code = [cell["source"] for cell in cells[1 : ends[0] if ends[0] else ends[1]] if cell["cell_type"] == "code"]
    assert 0 < sum(len([line for line in source if line.strip()]) for source in code) < 25


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    pytest.importorskip("nbclient", reason="the extra 'notebook' is not installed")
    place = ROOT / "scripts" / "play_notebooks.py"
    spec = importlib.util.spec_from_file_location("play_notebooks", place)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert texts(script.played(path)) == texts(json.loads(path.read_text(encoding="utf-8")))
