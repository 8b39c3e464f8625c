"""Preferences that users write in a Python file: the decorator, what the function is shown, and loading the file.

    from schneider_sim import preference

    @preference("spades")                    # over masks: compiled, as fast as a built-in word within a factor of a few
    def spades(view):
        return view.candidates & 0xFF

    @preference("court", sections=("follow",), over="cards")      # over card names: plain Python, slow
    def court(view):
        return [card for card in view.candidates if card[0] in "JQK"]
"""

import functools
import hashlib
import inspect
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..base.text import clean, shown, unknown
from ..errors import RequestError
from .grammar import NOT, STAGE, Grammar
from .plugin_functions import Unheld, file_name, folder_of, module_text
from .plugin_imports import Neighbours, read_text


@dataclass(frozen=True)
class Preference:
    """A user's preference: its word, where it may stand, over "masks" or "cards", its function and its file.

    source: the text of the file; neighbours: the texts of the modules of its folder that it imports, by path there;
    unheld: why no text holds all that it uses, "" where one does: runs with it are not kept.
    """

    name: str
    sections: tuple[str, ...]
    over: str
    function: Callable[..., Any]
    meaning: str
    path: str = ""
    source: str = ""
    neighbours: Mapping[str, str] = field(default_factory=dict, hash=False)
    unheld: str = ""

    def __reduce__(self) -> Any:
        """Pickled as its text, which runs again where it is read."""
        if not self.source or self.unheld:
            return Preference, tuple(getattr(self, name) for name in self.__dataclass_fields__)
        return _revived, (self.name, self.path, self.source, dict(self.neighbours))

    def __call__(self, view: Any) -> Any:
        return self.function(view)


CARD_SECTIONS = ("lead", "follow")
SECTIONS = (*CARD_SECTIONS, "trump", "bid", "double")  # the last three: games with an auction


def preference(
    name: str, sections: tuple[str, ...] | str = CARD_SECTIONS, over: str = "masks"
) -> Callable[[Callable[..., Any]], Preference]:
    """Make a function of a view the preference `name` of policy text, in the given sections.

    over="masks": the function gets a view of bit masks, returns a mask and is compiled with Numba; over="cards": a view
    of card names, returns some of them (each game's `views` say what a view holds). In the sections trump, bid and
    double it is shown and answers something else, so it stands in one of them alone. The same view must always get
    the same answer. Raises RequestError otherwise.
    """
    _check_word(name)
    word = clean(name).strip().casefold()
    if not word or any(c.isspace() or c in f":;{STAGE}" for c in word) or word.startswith(NOT):
        raise RequestError(f"preference name '{shown(name)}' must be one word without ':', ';' or '{STAGE}', not begun "
                           f"by {NOT}")
    if over not in ("masks", "cards"):
        raise unknown("kind of view", str(over), ("masks", "cards"))
    places = (sections,) if isinstance(sections, str) else tuple(sections)
    for section in places:
        if section not in SECTIONS:
            raise unknown("section", str(section), SECTIONS)
    if not places or (len(places) > 1 and set(places) - set(CARD_SECTIONS)):
        raise RequestError(f"preference '{word}' must stand in lead, in follow, in both, or in one other section: "
                           "what it is shown and answers differs")

    def decorate(function: Callable[..., Any]) -> Preference:
        _check_function(function, word, over)
        meaning = (function.__doc__ or "a user's preference").strip().splitlines()[0]
        return Preference(word, places, over, function, meaning)

    return decorate


def _called(function: Any) -> str:
    return str(getattr(function, "__name__", "word"))


def _check_word(name: Any) -> None:
    if not isinstance(name, str):
        wrong = "@preference alone" if callable(name) else f"@preference({shown(name)})"
        raise RequestError(f"preference takes its word: write @preference(\"{_called(name)}\") above the function, not "
                           f"{wrong}")


def _check_function(function: Any, word: str, over: str) -> None:
    """Raise RequestError unless `function` can be asked with one view."""
    if over == "masks" and not inspect.isfunction(function):
        raise RequestError(f"preference '{word}' must be a plain function, without a decorator of its own, to be "
                           f"compiled, not {_kind(function)}: define it with def, or write over=\"cards\"")
    if not callable(function) or inspect.isclass(function) or inspect.iscoroutinefunction(function):
        raise RequestError(f"preference '{word}' must be a function of a view, not {_kind(function)}")
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError) as error:
        raise RequestError(f"preference '{word}' must be a function of one view, called as {_called(function)}(view): "
                           f"{error}") from None


def _kind(function: Any) -> str:
    if inspect.isclass(function):
        return f"the class {function.__name__}"
    if inspect.iscoroutinefunction(function):
        return "an async function"
    return f"a {type(function).__name__}" + (" (as @njit makes)" if hasattr(function, "py_func") else "")


def load(path: str | Path) -> tuple[Preference, ...]:
    """The preferences of a Python file, in the order of its names; the file runs once, as a module of its own.

    What runs is the text that was read, without bytecode; its folder is on its import path (see plugin_imports). Its
    module name comes from its full path, so that two files of one name, or one named like a standard module, do not
    collide. Raises RequestError where the file cannot be read or run, or holds no preference.
    """
    file = _file(path)
    try:
        source = read_text(file)
        place = file.resolve()
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror or error}") from None
    if file.suffix != ".py":
        raise RequestError(f"cannot load {path}: it must be a Python file whose name ends in .py")
    name = f"schneider_sim_plugin_{hashlib.sha256(str(place).encode()).hexdigest()[:16]}"
    neighbours = Neighbours(place.parent, name)
    try:
        module = neighbours.run(file, source)
    except RequestError as error:
        raise RequestError(f"cannot load {path}: {_first_line(error)}") from None
    except (Exception, SystemExit) as error:
        raise RequestError(f"cannot load {path}: {type(error).__name__}: {_first_line(error)}") from None
    found = [value for value in vars(module).values() if isinstance(value, Preference)]
    unique = {id(value): value for value in found}.values()
    if not unique:
        raise RequestError(f"{path} holds no preference: decorate a function with @preference('name')")
    return tuple(replace(value, path=str(file), source=source, neighbours=dict(neighbours.sources)) for value in unique)


def as_sources(given: Any) -> tuple[Any, ...]:
    """What `load` was given, one or several, as a tuple of files and preferences."""
    single = isinstance(given, (str, Path, Preference)) or not isinstance(given, Iterable)
    return (given,) if single else tuple(given)


def from_function(item: Preference) -> Preference:
    """A preference as `preference` makes it, where it was defined, in a form that travels: see plugin_functions.

    Raises RequestError where its text, run by itself, fails.
    """
    try:
        text = module_text(item.function, item.name, item.sections, item.over)
        return _loaded(text, str(folder_of(item.function)), item.name, item.meaning)
    except Unheld as why:
        return replace(item, path=file_name(item.name), source=f"# {item.name}: {why}\n", unheld=str(why))


def _loaded(text: str, folder: str, name: str, meaning: str) -> Preference:
    """The preference of a text, which runs as if it stood in `folder`."""
    made = _run_once(text, folder, name)
    if made.neighbours:  # they may have changed
        made = _run(text, folder, name)
    return replace(made, meaning=meaning)


def _run(text: str, folder: str, name: str) -> Preference:
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    neighbours, file = Neighbours(Path(folder), f"schneider_sim_plugin_{digest}"), file_name(name)
    try:
        module = neighbours.run(Path(folder, file), text)
    except RequestError:
        raise
    except (Exception, SystemExit) as error:
        raise RequestError(f"preference '{name}' cannot be run from its text: {type(error).__name__}: "
                           f"{_first_line(error)}") from None
    found = next(value for value in vars(module).values() if isinstance(value, Preference) and value.name == name)
    return replace(found, path=file, source=text, neighbours=dict(neighbours.sources))


_run_once = functools.lru_cache(maxsize=64)(_run)


def _revived(name: str, path: str, source: str, neighbours: dict[str, str]) -> Preference:
    """The preference `name` of a text that was pickled, with the modules beside it."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in neighbours.items():
            place = Path(folder, file)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        place = Path(folder, Path(path).name)
        place.write_bytes(source.encode())
        found = next(item for item in load(place) if item.name == name)
    return replace(found, path=path)


def load_all(paths: tuple[Any, ...], grammar: Grammar) -> tuple[Grammar, tuple[Preference, ...]]:
    """Load several files, or preferences themselves, into a grammar; a word that exists already is an error.

    A name means the same preference in every section, so that files cannot be confused.
    """
    loaded: dict[str, Preference] = {}
    resolved = {path if isinstance(path, Preference) else _file(path).resolve(): path for path in paths}
    for path in resolved.values():
        for item in (from_function(path),) if isinstance(path, Preference) else load(path):
            if item.name in loaded:
                other = loaded[item.name].path
                raise RequestError(f"preference '{item.name}' of {item.path} stands in {other} too: rename one of them")
            for section in item.sections:
                try:
                    grammar = grammar.with_words(section, {item.name: item.meaning})
                except RequestError as error:
                    raise RequestError(f"{item.path}: {error}") from None
            loaded[item.name] = item
    return grammar, tuple(loaded.values())


def _file(path: object) -> Path:
    if not isinstance(path, (str, Path)):
        raise RequestError("load takes the names of Python files, such as load=\"FILE.py\", and functions that "
                           f"@preference decorates, not {shown(path)}")
    return Path(path)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["no message"])[0]
