"""What a plug-in's file and the modules beside it run: the very text that was read, no bytecode, imports on record.

A plug-in's folder is first on its import path, as a script's is. Modules found there belong to this one plug-in: they
are compiled from what was read once, and Python's own modules of these names stay what they are.
"""

import ast
import builtins
import importlib.util
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import RequestError

_NEVER = frozenset({"schneider_sim", *sys.builtin_module_names})  # what no file beside a plug-in may stand for
_COMPILERS = ("jit", "njit", "vectorize", "guvectorize", "cfunc")  # Numba's decorators that can keep compiled code
_INSTALLED = ("site-packages", "dist-packages")  # in such a folder, neighbours are other people's packages


def read_text(path: Path) -> str:
    """The text of a Python file; OSError where it cannot be read, RequestError where it is not UTF-8."""
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RequestError(f"{path} line {line}: not UTF-8 text; save it as UTF-8") from None


class Neighbours:
    """The modules of a plug-in's folder that it imports, and those that these import.

    sources: their texts by path below the folder, such as "helper.py" or "tools/__init__.py". What an import statement
    names is read when the plug-in is, even if the statement stands in a function that is called later.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.sources: dict[str, str] = {}
        self._folder, self._name = folder.resolve(), name
        self._own = self._folder.name not in _INSTALLED
        self._modules: dict[str, ModuleType] = {}
        self._here: dict[str, bool] = {}
        self._lock = threading.RLock()  # a function may import while several threads play

    def run(self, path: Path, source: str) -> ModuleType:
        """The module of the plug-in's file itself, run; what an earlier run of it left is forgotten."""
        for full in [full for full in list(sys.modules) if full.startswith(f"{self._name}.")]:
            sys.modules.pop(full, None)
        return self._run(path.stem, path, source, "")

    def _run(self, dotted: str, path: Path, source: str, package: str) -> ModuleType:
        full = f"{self._name}.{dotted}"
        module = ModuleType(full)
        module.__dict__.update(__file__=str(path), __package__=f"{self._name}.{package}".rstrip("."),
                               __builtins__={**vars(builtins), "__import__": self._import})
        self._modules[dotted] = sys.modules[full] = module  # where dataclasses, pickle and others look for it
        try:
            code = compile(source.encode(), str(path), "exec", dont_inherit=True)
            nodes = _nodes(source)
            _check_no_cache(nodes, path)
            self._record(nodes, package)
            exec(code, vars(module))
        except BaseException:
            del self._modules[dotted]
            sys.modules.pop(full, None)
            raise
        return module

    def _import(self, name: str, globals: Mapping[str, Any] | None = None, locals: Mapping[str, Any] | None = None,
                fromlist: Sequence[str] | None = (), level: int = 0) -> Any:
        """`__import__` for the code of the folder."""
        package = (globals or {}).get("__package__") or self._name
        dotted = _absolute(name, package.removeprefix(self._name).strip("."), level)
        if not level and not self._has(dotted.partition(".")[0]):
            return self._elsewhere(name, globals, locals, fromlist)
        with self._lock:
            module = self._load(dotted)
            for item in getattr(module, "__all__", ()) if "*" in (fromlist or ()) else fromlist or ():
                if not hasattr(module, item) and self._find(f"{dotted}.{item}".strip(".")):
                    self._load(f"{dotted}.{item}".strip("."))
        return module if fromlist else self._modules[dotted.partition(".")[0]]

    def _elsewhere(self, name: str, *how: Any) -> Any:
        try:
            return builtins.__import__(name, *how)
        except ModuleNotFoundError as error:
            if error.name is None or error.name != name.partition(".")[0]:
                raise
            there = [path.name for path in sorted(self._folder.glob(f"{error.name}.*"))]
            found = f" (only {', '.join(there)}, which cannot be imported)" if there else ""
            raise ModuleNotFoundError(f"there is no module '{error.name}': neither {error.name}.py in {self._folder}"
                                      f"{found} nor one installed beside schneider-sim", name=error.name) from None

    def _has(self, top: str) -> bool:
        """Whether a name without dots stands for something in the folder, as far as was seen when first asked."""
        if top not in self._here:
            path = self._find(top) if self._own and top not in _NEVER else None
            self._here[top] = path is not None and (path.suffix == ".py" or not _installed(top))
        return self._here[top]

    def _find(self, dotted: str) -> Path | None:
        """The file of a module, the folder of a package without __init__.py, or None."""
        place = self._folder.joinpath(*dotted.split(".")) if dotted else self._folder
        for path in (place / "__init__.py", place.with_suffix(".py")) if dotted else ():
            if path.is_file():
                return path
        return place if place.is_dir() else None

    def _load(self, dotted: str) -> ModuleType:
        """A module of the folder, run if it has not been, with the packages that it stands in; "" is the folder."""
        if dotted in self._modules:
            return self._modules[dotted]
        parent, _, last = dotted.rpartition(".")
        above = self._load(parent) if dotted else None
        path = self._find(dotted)
        if path is None:
            raise ModuleNotFoundError(f"there is no module '{dotted}' in {self._folder}", name=dotted)
        if path.suffix == ".py":
            module = self._run(dotted, path, self._text(path), dotted if path.name == "__init__.py" else parent)
        else:
            module = self._modules[dotted] = ModuleType(f"{self._name}.{dotted}")
        if above is not None:
            setattr(above, last, module)
        return module

    def _text(self, path: Path) -> str:
        """The text of a file of the folder, read once."""
        key = path.relative_to(self._folder).as_posix()
        if key not in self.sources:
            self.sources[key] = read_text(path)
        return self.sources[key]

    def _record(self, nodes: Sequence[ast.AST], package: str) -> None:
        """Read what the import statements of a text name, and what those texts import."""
        for dotted in _imported(nodes, package):
            parts = dotted.split(".")
            if not self._has(parts[0]):
                continue
            for count in range(1, len(parts) + 1):
                name = ".".join(parts[:count])
                path = self._find(name)
                key = path.relative_to(self._folder).as_posix() if path else ""
                if path is None or path.suffix != ".py" or key in self.sources or name in self._modules:
                    continue
                nodes = _nodes(self._text(path))
                self._record(nodes, name if path.name == "__init__.py" else name.rpartition(".")[0])


def _installed(top: str) -> bool:
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False


def _absolute(name: str, package: str, level: int) -> str:
    """The dotted name of what a statement with `level` leading dots imports in a module of `package`."""
    if not level:
        return name
    parts = package.split(".") if package else []
    if level - 1 > len(parts):
        raise ImportError("attempted relative import beyond the plug-in's folder")
    return ".".join([*parts[: len(parts) - level + 1], *filter(None, [name])])


def _nodes(source: str) -> list[ast.AST]:
    """Every node of a text's syntax; none where it has an error, which is reported when the text is run."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _check_no_cache(nodes: Sequence[ast.AST], path: Path) -> None:
    """Raise RequestError where Numba is asked to keep compiled code: it looks at the file's time stamp and length."""
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _COMPILERS:
            for word in node.keywords:
                if word.arg == "cache" and not (isinstance(word.value, ast.Constant) and not word.value.value):
                    raise RequestError(f"{path.name} line {node.lineno}: leave out cache=True, with which Numba may "
                                       "play old code after an edit")


def _imported(nodes: Sequence[ast.AST], package: str) -> Iterator[str]:
    """The dotted names of the modules that import statements may mean, wherever they stand."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level <= len(package.split(".")) + 1:
            base = _absolute(node.module or "", package, node.level)
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)
