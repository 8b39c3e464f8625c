"""What MkDocs asks while it builds the site: pages and files from outside docs/, and links between them.

The pages are written for a forge, where a link is a path in the checkout. Here such a path is turned into the place
that the file has on the site: a page, a report, or a copy below files/.
"""

import ast
import base64
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
INDEXES = {"docs/decisions": "decisions/index.md", "reports": "gallery.md", "docs": "index.md"}
EVERY = re.compile(r"^::: ([\w.]+)\.\*$", re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the navigation's names with *."""
    config.nav = _filled(config.nav, Path(config.docs_dir))
    return config


def _filled(entry: Any, docs: Path) -> Any:
    if isinstance(entry, dict):
        return {title: _filled(part, docs) for title, part in entry.items()}
    if isinstance(entry, list):
        several = ([_filled(part, docs)] if not _is_pattern(part) else _found(part, docs) for part in entry)
        return [part for parts in several for part in parts]
    return entry


def _is_pattern(part: Any) -> bool:
    return isinstance(part, str) and "*" in part


def _found(pattern: str, docs: Path) -> list[str]:
    return [_page(path.relative_to(docs).as_posix()) for path in sorted(docs.glob(pattern))]


def _page(place: str) -> str:
    """The page of a source: a notebook has one of its name."""
    return re.sub(r"\.ipynb$", ".md", place)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files of the site that are not in docs/."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    files.append(File.generated(config, INDEXES["docs/decisions"], content=_decisions(Path(config.docs_dir))))
    files.append(File.generated(config, INDEXES["reports"], content=_gallery()))
    for path in sorted((ROOT / "reports").rglob("*")):
        if path.is_file():
            files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for notebook in sorted(Path(config.docs_dir).glob("notebooks/*.ipynb")):
        _add_notebook(notebook, files, config)
    for place in sorted(_linked_files(files)):
        files.append(File.generated(config, f"files/{place}", abs_src_path=str(ROOT / place)))
    return files


def _decisions(docs: Path) -> str:
    lines = ["# Decisions", "", "Why it is built as it is, a page each.", ""]
    for path in sorted((docs / "decisions").glob("[0-9]*.md")):
        heading = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        lines.append(f"* [{heading}]({path.name})")
    return "\n".join(lines)


def _gallery() -> str:
    """What players ask, with the answers that `scripts/gallery` found, in the order of its own index."""
    reports = ROOT / "reports"
    index = (reports / "index.html").read_text(encoding="utf-8")
    names = dict.fromkeys(re.findall(r'href="([\w-]+)/index\.html"', index))
    lines = ["# What players ask", "", ("Answered by studies that `scripts/gallery` plays; the same [on one page]"
             "(reports/index.html)."), ""]
    for name in (name for name in names if (reports / name / "study.py").exists()):
        found = json.loads((reports / name / "result.json").read_text(encoding="utf-8"))
        lines += [f"## {found['question']}", "", f"**{found['answer'][0]}**", "",
                  f"![{found['picture']}](reports/{name}/figure.png)", "",
                  f"[The whole answer](reports/{name}/index.html)", ""]
    lines += ["## Whole reports", "", "Every policy against every other, with all tables and figures:", ""]
    for study in sorted(reports.glob("*/study.toml")):
        title = tomllib.loads(study.read_text(encoding="utf-8")).get("title") or study.parent.name
        lines.append(f"* [{title}](reports/{study.parent.name}/index.html)")
    return "\n".join(lines)


def _add_notebook(path: Path, files: Files, config: MkDocsConfig) -> None:
    """Add the page of a notebook, with the outputs that it holds; its figures are files beside the page."""
    parts: list[str] = []
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            shown = output.get("data", {})
            if "image/png" in shown:
                image = f"{path.stem}-{number}.png"
                content = base64.b64decode(shown["image/png"])
                files.append(File.generated(config, f"notebooks/{image}", content=content))
                parts.append(f"![The figure that the cell above shows]({image})")
            elif "text/html" in shown:
                parts.append(f'<div class="output" markdown="0">\n{"".join(shown["text/html"]).strip()}\n</div>')
            else:
                parts.append("```text\n" + "".join(output.get("text") or shown["text/plain"]).rstrip() + "\n```")
    parts.insert(1, f"[This page as a notebook]({path.name})")
    files.append(File.generated(config, _page(f"notebooks/{path.name}"), content="\n\n".join(parts)))


def _linked_files(files: Files) -> set[str]:
    """Files of the checkout, by their path there, that pages link to and that are neither pages nor of a report."""
    found = set()
    for file in files.documentation_pages():
        for _, _, target in LINK.findall(CODE.sub("", file.content_string)):
            place = _in_checkout(file, target.partition("#")[0])
            if place and (_on_site(place) or "").startswith("files/"):
                found.add(place)
    return found


def _in_checkout(file: File, target: str) -> str | None:
    """The path below the checkout that a page's link means; None for an address, an anchor, or what is not there."""
    if not target or re.match(r"[a-z]+:|/", target):
        return None
    source = next((name for name, page in PAGES.items() if page == file.src_uri), f"docs/{file.src_uri}")
    if file.src_uri == INDEXES["reports"]:
        source = file.src_uri
    path = (ROOT / source).parent.joinpath(target).resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) and path.exists() else None


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links into the checkout into links within the site, and `::: package.*` into all that the package offers.

    A link to what has no place on the site is left as its text.
    """

    def fitted(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        path, hash_, anchor = target.partition("#")
        place = _in_checkout(page.file, path)
        if place is None:
            return found[0]
        on_site = _on_site(place)
        if on_site is None:
            return text
        return f"{mark}[{text}]({get_relative_url(on_site, page.file.src_uri)}{hash_}{anchor})"

    return _outside_code(LINK, fitted, EVERY.sub(_offered, markdown))


def _offered(found: re.Match[str]) -> str:
    """A directive for every name in the `__all__` of a package, functions and modules before classes."""
    package = found[1]
    tree = ast.parse(ROOT.joinpath(*package.split("."), "__init__.py").read_text(encoding="utf-8"))
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign)
             and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)]
    names = [name for each in lists for name in ast.literal_eval(each) if not name.startswith("_")]
    return "\n\n".join(f"::: {package}.{name}" for name in sorted(names, key=lambda name: name[0].isupper()))


def _on_site(place: str) -> str | None:
    """Where a file or folder of the checkout is in the site's sources; None for a folder that is not there."""
    if place in PAGES:
        return PAGES[place]
    if place in INDEXES:
        return INDEXES[place]
    if place.startswith("reports/"):
        return f"{place}/index.html" if (ROOT / place).is_dir() else place
    if place.startswith("docs/"):
        return _page(place.removeprefix("docs/"))
    return f"files/{place}" if (ROOT / place).is_file() else None


def _outside_code(pattern: re.Pattern[str], change: Any, text: str) -> str:
    """`text` with the changed matches of `pattern`, blocks and spans of code left as they are."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        # A link's text may itself be code, so only blocks end a stretch.
        if code[0].startswith("```"):
            parts += [pattern.sub(change, text[end : code.start()]), code[0]]
            end = code.end()
    return "".join([*parts, pattern.sub(change, text[end:])])
