"""Runs the notebooks of docs/notebooks and keeps what they show: python scripts/play_notebooks.py [NAME...]"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
SHOWN = ("text/html", "text/plain", "image/png")  # of an output's forms; the other ones are for programs


def played(path: Path) -> Any:
    """The notebook of `path`, run from its first cell on in an empty folder; a cell that raises is an error."""
    notebook: Any = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
        if cell.cell_type == "code":
            cell.outputs = [_plain(output) for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def _plain(output: Any) -> Any:
    if "data" in output:
        output.data = {form: output.data[form] for form in SHOWN if form in output.data}
        if "image/png" in output.data:
            output.data["text/plain"] = "a figure"  # not the address in memory
    return output


def main(*names: str) -> int:
    """Run the named notebooks, or all, and write each beside its old version before it takes the place of that."""
    paths = sorted(FOLDER.glob("*.ipynb"))
    unknown = set(names) - {path.stem for path in paths}
    if unknown:
        print(f"no notebook {', '.join(sorted(unknown))}; there are {', '.join(path.stem for path in paths)}",
              file=sys.stderr)
        return 2
    for path in paths:
        if not names or path.stem in names:
            print(path.stem, file=sys.stderr, flush=True)
            beside = path.with_suffix(".new")
            nbformat.write(played(path), beside)
            os.replace(beside, path)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
