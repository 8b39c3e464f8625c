"""Preferences that users write in a Python file: the decorator, what the function is shown, and loading the file.

    from schneider_sim import preference

    @preference("spades")                    # over masks: compiled, as fast as a built-in word within a factor of a few
    def spades(view):
        return view.candidates & 0xFF

    @preference("court", sections=("follow",), over="cards")      # over card names: plain Python, slow
    def court(view):
        return [card for card in view.candidates if card[0] in "JQK"]
"""

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..base.text import clean, shown, unknown
from ..errors import RequestError
from .grammar import NOT, STAGE, Grammar
from .plugin_imports import Neighbours, read_text


class MaskView(NamedTuple):
    """What a player may know at a decision, as bit masks (bit 8 * suit + rank, suits S H D C, ranks 7 to A).

    candidates: the legal cards that the words before this one have left; never 0
    hand: the player's own cards
    known: all cards whose place the player knows: the own hand, the card on the table, and the played cards that its
    `memory` keeps (full: all; honours: the honours; last-K: those of the last K completed tricks; none: none)
    led: the card on the table, 0 when the player leads
    trick: 1 to 16
    stock: cards left in the stock, 20 in the first trick, 2 fewer in each after it, 0 from the eleventh on
    honours, opponent_honours: T J Q K A in the tricks that the player, the opponent has taken so far, 0 to 20

    A preference returns the cards it wants, as a mask within `hand`; 0 leaves the candidates as they are.
    """

    candidates: int
    hand: int
    known: int
    led: int
    trick: int
    stock: int
    honours: int
    opponent_honours: int


class CardView(NamedTuple):
    """The same as card names such as 'TS'; sets of cards are tuples in pack order, and `led` is None when leading.

    `killers(card)` are the cards that capture a card when it is led, `prey(card)` those it captures when they are led,
    by the rules in force. A preference returns the cards of its hand that it wants, as names: none, one or several.
    """

    candidates: tuple[str, ...]
    hand: tuple[str, ...]
    known: tuple[str, ...]
    led: str | None
    trick: int
    stock: int
    honours: int
    opponent_honours: int
    killers: Callable[[str], tuple[str, ...]]
    prey: Callable[[str], tuple[str, ...]]


@dataclass(frozen=True)
class Preference:
    """A user's preference: its word, where it may stand, over "masks" or "cards", its function and its file.

    source: the text of the file; neighbours: the texts of the modules of its folder that it imports, by path there.
    """

    name: str
    sections: tuple[str, ...]
    over: str
    function: Callable[..., Any]
    meaning: str
    path: str = ""
    source: str = ""
    neighbours: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __call__(self, view: Any) -> Any:
        return self.function(view)


CARD_SECTIONS = ("lead", "follow")
SECTIONS = (*CARD_SECTIONS, "trump", "bid", "double")  # the last three: games with an auction


def preference(
    name: str, sections: tuple[str, ...] | str = CARD_SECTIONS, over: str = "masks"
) -> Callable[[Callable[..., Any]], Preference]:
    """Make a function of a view the preference `name` of policy text, in the given sections.

    over="masks": the function gets a MaskView, returns a mask and is compiled with Numba; over="cards": it gets a
    CardView and returns card names. In the sections trump, bid and double it sees and answers something else, so it
    can stand in only one of them. The same view must always get the same answer. Raises RequestError otherwise.
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


def load_all(paths: tuple[str | Path, ...], grammar: Grammar) -> tuple[Grammar, tuple[Preference, ...]]:
    """Load several files into a grammar; a word that exists already, built in or loaded, is an error.

    A name means the same preference in every section, so that files cannot be confused.
    """
    loaded: dict[str, Preference] = {}
    resolved = {_file(path).resolve(): path for path in paths}
    for path in resolved.values():
        for item in load(path):
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
    if isinstance(path, Preference):
        raise RequestError(f"load takes Python files, not preference '{path.name}' itself: save its function in a "
                           "file and say load=\"FILE.py\"")
    if not isinstance(path, (str, Path)):
        raise RequestError(f"load takes the names of Python files, such as load=\"FILE.py\", not {shown(path)}")
    return Path(path)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["no message"])[0]
