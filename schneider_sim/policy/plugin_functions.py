"""Preferences that are used where they are defined: a function becomes the text of a module that holds all it needs.

The text has the function, the helper functions that it calls, the modules that it imports, and the values of the
globals and closures that it uses. It is this text that runs, so that a run's key and a copy of it elsewhere mean what
was played. What no text can hold is played as it stands, and `unheld` says why such runs are not kept.
"""

import ast
import dis
import inspect
import math
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

_INSTALLED = ("site-packages", "dist-packages")
_HEAD = "from __future__ import annotations\n"
_OURS = "from schneider_sim.policy.plugins import preference as _preference"
_LONGEST = 1 << 16  # characters of a value that is written out


class Unheld(Exception):
    """What a text cannot hold, in words."""


def module_text(function: Any, name: str, sections: tuple[str, ...], over: str) -> str:
    """The text of a module that defines the preference `name` by `function`; raises Unheld where there is none."""
    if not isinstance(function, FunctionType):
        raise Unheld(f"a {type(function).__name__} has no text of its own")
    found = _Text(folder_of(function))
    called = found.add_function(function)
    last = f"{called} = _preference({name!r}, sections={sections!r}, over={over!r})({called})"
    return "\n".join([_HEAD, _OURS, *found.parts, "", last, ""])


def folder_of(function: Any) -> Path:
    """Where the modules of the user's own are that a function imports: its file's folder, in a notebook this one."""
    file = getattr(sys.modules.get(getattr(function, "__module__", "") or ""), "__file__", None)
    return Path(file).resolve().parent if file else Path.cwd()


class _Text:
    """The parts of a module's text, what is needed before what needs it."""

    def __init__(self, folder: Path) -> None:
        self.parts: list[str] = []
        self._folder = folder
        self._seen: dict[str, Any] = {"_preference": None}

    def add_function(self, function: FunctionType) -> str:
        """Add a function and what it uses; the name that it has in the text."""
        node, text = _definition(function)
        name = str(node.name)
        if self._known(name, function):
            return name
        for used in _names(function.__code__, node):
            self._add_name(used, function)
        self.parts.append(text)
        return name

    def _known(self, name: str, value: Any) -> bool:
        """Whether a name is in the text already; Unheld where it means something else there."""
        if name not in self._seen:
            self._seen[name] = value
            return False
        if self._seen[name] is not value:
            raise Unheld(f"'{name}' means two things in what it uses")
        return True

    def _add_name(self, name: str, function: FunctionType) -> None:
        inside = _closure(function)
        if name in inside:
            value = inside[name]
        elif name in function.__globals__:
            value = function.__globals__[name]
        else:
            return  # a builtin, or an attribute's name
        plain = getattr(value, "py_func", value)  # what @njit has made
        plain = getattr(value, "function", plain) if type(value).__name__ == "Preference" else plain
        if isinstance(value, ModuleType):
            if not self._known(name, value):
                self._check_module(value)
                self.parts.append(f"import {value.__name__} as {name}")
        elif _is_imported(plain, function):
            if not self._known(name, value):
                self._check_module(sys.modules[plain.__module__])
                self.parts.append(f"from {_home(value, plain)} import {plain.__name__} as {name}")
        elif isinstance(plain, FunctionType):
            called = self.add_function(plain)
            if called != name and not self._known(name, plain):
                self.parts.append(f"{name} = {called}")
        elif not self._known(name, value):
            self.parts.append(f"{name} = {literal(value, name)}")

    def _check_module(self, module: ModuleType) -> None:
        """Raise Unheld for a module whose text would not travel: neither installed nor beside the function."""
        top = sys.modules.get(module.__name__.partition(".")[0], module)
        file = getattr(top, "__file__", None)
        if file is None or top.__name__ in sys.stdlib_module_names or top.__name__ == "schneider_sim":
            return
        place = Path(file).resolve()
        if not (set(place.parts) & set(_INSTALLED) or self._folder in place.parents):
            raise Unheld(f"the module {module.__name__} is neither installed nor in {self._folder}")


def _home(value: Any, plain: Any) -> str:
    """The module that people import a function or class from: its package, where that offers it."""
    top = str(plain.__module__).partition(".")[0]
    return top if getattr(sys.modules.get(top), plain.__name__, None) is value else str(plain.__module__)


def _is_imported(value: Any, function: FunctionType) -> bool:
    """Whether a function or class comes from another module than the function that uses it."""
    home = getattr(value, "__module__", None)
    named = isinstance(value, type) or callable(value)
    return (named and isinstance(home, str) and home in sys.modules and home != function.__module__
            and getattr(sys.modules[home], getattr(value, "__name__", ""), None) is not None)


def _definition(function: FunctionType) -> tuple[Any, str]:
    """The syntax of a function's definition, and its text; a decorator that made a preference of it is left out."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        node = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        raise Unheld(f"the text of {function.__name__} is not to be found") from None
    if not isinstance(node, ast.FunctionDef) or node.name != function.__name__:
        raise Unheld(f"{function.__name__} is not defined by def")
    node.decorator_list = [one for one in node.decorator_list if not _makes_preference(one)]
    return node, ast.unparse(node)


def _makes_preference(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func).rpartition(".")[2] == "preference"


def _names(code: CodeType, node: Any) -> list[str]:
    """The names that a function looks up outside itself, decorators and defaults included, in a fixed order."""
    around = [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one)]
    outside = {part.id for one in around for part in ast.walk(one) if isinstance(part, ast.Name)}
    return sorted({*_looked_up(code), *outside})


def _looked_up(code: CodeType) -> Iterator[str]:
    yield from code.co_freevars
    yield from (step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _looked_up(constant)


def _closure(function: FunctionType) -> dict[str, Any]:
    """The values of the variables that a function has from the functions around it."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise Unheld(f"'{name}' has no value yet") from None
    return found


def literal(value: Any, name: str) -> str:
    """A value as Python text that makes it again, the same for equal values; Unheld where there is none."""
    text = _literal(value, name)
    if len(text) > _LONGEST:
        raise Unheld(f"the value of {name} is too large to be written out")
    return text


def _literal(value: Any, name: str) -> str:
    kind = type(value)
    if kind in (int, bool, str, bytes, type(None)):
        return repr(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if kind in (tuple, list):
        inner = ", ".join(_literal(one, name) for one in value)
        return f"({inner}{',' * (len(value) == 1)})" if kind is tuple else f"[{inner}]"
    if kind in (set, frozenset):
        return f"{kind.__name__}([{', '.join(sorted(_literal(one, name) for one in value))}])"
    if kind is dict:
        return "{" + ", ".join(f"{_literal(k, name)}: {_literal(v, name)}" for k, v in value.items()) + "}"
    if kind.__module__ == "numpy" and hasattr(value, "tolist") and value.dtype.kind in "biuf":
        made = f"__import__('numpy').array({_literal(value.tolist(), name)}, dtype={value.dtype.str!r})"
        return made if value.ndim else f"{made}[()]"
    raise Unheld(f"the value of {name} (a {kind.__name__}) cannot be written out")


def file_name(word: str) -> str:
    """The name of a file for a preference's text."""
    plain = re.sub(r"[^a-z0-9_]", "_", word)
    return f"{plain}.py" if plain == word else f"{plain}_{word.encode().hex()[:12]}.py"
