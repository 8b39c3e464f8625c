"""Make the gallery again: every report from its study file, every question from its study, and the index.

    scripts/gallery               everything in reports/; says whether the numbers changed
    scripts/gallery NAME...       some of it: a folder of reports/, and the index
    scripts/gallery --pages       pages and figures of the questions and the index, from what was found before
"""

import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence

from gallery_page import REPORTS, index, made, page, read_study, result_of, write_result, write_sentences

ORDER = ("memory", "words", "first-lead", "schneider-line", "skill", "early-or-late", "how-good",
         "gang", "contracts", "doubling", "match")


def questions() -> list[str]:
    """The folders of the questions, in the order of the index."""
    found = [path.parent.name for path in REPORTS.glob("*/study.py")]
    return sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def reports() -> list[tuple[str, str]]:
    """The folders of whole reports with their titles, as the index has them."""
    files = sorted(REPORTS.glob("*/study.toml"), key=lambda path: path.parent.name != "builtin")
    return [(path.parent.name, tomllib.loads(path.read_text(encoding="utf-8"))["title"]) for path in files]


def build_report(name: str) -> int:
    """Make a report from its study file."""
    words = ["report", str(REPORTS / name / "study.toml"), "--out", str(REPORTS / name), "--no-store"]
    return subprocess.call([sys.executable, "-m", "schneider_sim", *words])


def build_question(name: str) -> None:
    """Play a question's study and write its folder."""
    study, began = read_study(name), time.perf_counter()
    before = result_of(name)["sha256"] if (REPORTS / name / "result.json").exists() else None
    result = made(study)
    write_result(study, result)
    write_page(name)
    same = "" if before is None else ", every number as before" if before == result["sha256"] else ", numbers changed"
    print(f"reports/{name}: {time.perf_counter() - began:.0f} s{same}", flush=True)


def write_page(name: str) -> None:
    """Write a question's page, and its sentences into result.json, from what was found."""
    write_sentences(name)
    (REPORTS / name / "index.html").write_bytes(page(name).encode())


def write_index() -> None:
    """Write the index of what has been played."""
    played = [name for name in questions() if (REPORTS / name / "index.html").exists()]
    (REPORTS / "index.html").write_bytes(index(played, reports()).encode())


def main(arguments: Sequence[str]) -> int:
    if any(word in ("-h", "--help") for word in arguments):
        print(__doc__)
        return 0
    all_reports = [name for name, _ in reports()]
    pages_only = "--pages" in arguments
    names = [word.strip("/").removeprefix("reports/") for word in arguments if word != "--pages"]
    wrong = [name for name in names if name not in (*all_reports, *questions())]
    if wrong:
        print(f"there is no study '{wrong[0]}': give {', '.join([*questions(), *all_reports])}", file=sys.stderr)
        return 2
    for name in names or [*questions(), *all_reports]:
        if name in all_reports:
            if not pages_only and (status := build_report(name)):
                return status
        elif pages_only:
            write_result(read_study(name), result_of(name))
            write_page(name)
        else:
            build_question(name)
    write_index()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
