"""A study: which policies meet on which deals, read from a TOML file that is checked to the last key.

    title = "Does card counting pay?"
    game = "bohemian"            # the default, as are the values below but those of the policies
    variant = "standard"
    rules = {schneider_at = 16}
    deals = 1_000_000            # duplicates of every match-up, independent deals of every policy against itself
    seed = 1
    first = 0
    match_ups = "all"            # or "vs full", or a list of pairs: [["full", "none"], ["full", "last"]]
    level = 0.95                 # of all intervals
    sprt = [0, 0.02]             # the two gains per deal that the report's sequential test tells apart
    load = ["my_preferences.py"]     # preferences of one's own: files beside the study or below it

    [policies]                   # name = text; or a list of presets: policies = ["plain", "careful"]
    full = "careful"
    none = "careful; memory: none"

    [factorial]                  # optional: every lead rule with every follow rule, see factors.py
    leads = ["safe honour", "low"]
    follows = ["capture", "capture dead pip"]
    against = "full"

    [vary]                       # optional: switches of the rules, or parts of a policy, varied, see varied.py
    rules.schneider_at = [15, 16, 17]

    [strength]                   # optional: how strong the policies are, where they lose points, see strength.py
"""

import itertools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ..base.limits import checked_deal, checked_deals, checked_seed
from ..base.text import clean, unknown
from ..errors import RequestError
from ..games import load_game
from ..policy.grammar import Grammar
from ..runs.experiment import Experiment, make_experiment
from ..stats.values import tail
from .charts.paper import SCREEN, Paper, paper_in
from .factors import Factors, check_factors, factors_in
from .strength import Asked, check_strength, strength_in
from .varied import Varied, check_varied, varied_in

KEYS = ("title", "game", "variant", "rules", "deals", "seed", "first", "match_ups", "load", "policies",
        "factorial", "sprt", "vary", "level", "figures", "strength")
LONGEST_NAME = 60


@dataclass(frozen=True)
class Study:
    """A checked study: names of policies to their texts, pairs of names that meet, and what their deals are.

    sprt: the gains per deal that the sequential test holds against each other, set before anything is played; level:
    of all intervals; figures: how they are drawn; asked: what is to be found of the policies' strength.
    text: the TOML it came from; folder: where `load` is looked up.
    """

    title: str
    game: str
    variant: str | None
    rules: Mapping[str, Any]
    policies: Mapping[str, str]
    pairs: tuple[tuple[str, str], ...]
    deals: int
    seed: int
    first: int
    load: tuple[str, ...] = ()
    factors: Factors | None = None
    sprt: tuple[float, float] = (0.0, 0.02)
    varied: tuple[Varied, ...] = ()
    level: float = 0.95
    figures: Paper = SCREEN
    asked: Asked | None = None
    text: str = field(default="", repr=False)
    folder: Path = field(default=Path(), repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The policies that meet somebody, in the study's order; all of them where nobody meets anybody."""
        met = {name for pair in self.pairs for name in pair}
        return tuple(name for name in self.policies if name in met or not met)

    @property
    def is_round_robin(self) -> bool:
        """Whether every policy meets every other."""
        return len(self.pairs) == len(self.policies) * (len(self.policies) - 1) // 2

    def experiment(self, a: str, b: str) -> Experiment:
        """The match-up of two names: duplicates; independent deals where a policy meets itself.

        A policy's duplicate against itself cancels exactly and says nothing; what leading first is worth needs
        independent deals anyway.
        """
        return self.of(self.policies[a], self.policies[b], self.deals, "independent" if a == b else "duplicate")

    def of(self, a: str, b: str, deals: int, design: str = "duplicate", **changed: Any) -> Experiment:
        """Two policies' texts on a number of the study's deals, under its rules; changed: variant, rules or score."""
        usual: dict[str, Any] = {"variant": self.variant, "rules": dict(self.rules)}
        return make_experiment(a, b, game_name=self.game, deals=deals, seed=self.seed, first=self.first, design=design,
                               load=self.files, **usual | changed)

    @property
    def files(self) -> tuple[str, ...]:
        """Where the files of preferences are."""
        return tuple(str(self.folder / path) for path in self.load)

    @property
    def grammar(self) -> Grammar:
        """The game's words and those of the study's files."""
        from ..policy.plugins import load_all

        return load_all(self.files, load_game(self.game).grammar)[0]


def read_study(path: str | Path) -> Study:
    """The study in a file; raises RequestError, in one line with the file's name, for anything that is wrong."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RequestError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RequestError(f"{path} line {line}: not UTF-8 text; save the study as UTF-8") from None
    return parse_study(text, Path(path).parent, str(path))


def builtin_study(game_name: str = "bohemian") -> Study:
    """The study that comes with a game; raises RequestError where there is none."""
    text = load_game(game_name).study
    if text is None:
        raise RequestError(f"{game_name} has no built-in study: give a study file")
    return parse_study(text, Path(), f"the built-in study of {game_name}")


def parse_study(text: str, folder: Path = Path(), source: str = "study") -> Study:
    """The study that TOML text describes; `source` names it in errors. Raises RequestError."""
    try:
        table = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise RequestError(f"{source}: not valid TOML: {_located(str(error), text)}") from None
    try:
        study = _checked(table, folder)
        name = next(iter(study.policies))
        study.experiment(name, name)
        _check_sprt(study)
    except RequestError as error:
        raise RequestError(f"{source}: {error}") from None
    return replace(study, text=text)


def written_study(study: Study) -> Study:
    """The study as its text has it, without what options of the command changed."""
    return parse_study(study.text, study.folder) if study.text else replace(study, level=0.95, figures=SCREEN)


def changed_study(study: Study, level: object = None, figures: Paper | None = None) -> Study:
    """The study with another level or other figures; RequestError for a level that is none."""
    level = study.level if level is None else checked_level(level)
    return replace(study, level=level, figures=figures or study.figures)


def _located(message: str, text: str) -> str:
    """A parser's message that says the line, also where the text ended too early."""
    end = f"line {text.rstrip().count(chr(10)) + 1}"
    return re.sub(r"\s+", " ", message.replace("at end of document", f"at {end}, the end of the file"))


def _checked(table: Mapping[str, Any], folder: Path) -> Study:
    for key in table:
        if key not in KEYS:
            raise unknown("key", key, KEYS)
    name = _text(table, "game", "bohemian")
    game = load_game(name)
    variant = _text(table, "variant", "") or None
    rules = table.get("rules", {})
    if not isinstance(rules, dict):
        raise RequestError("rules must be a table of switches, such as {schneider_at = 17}")
    game.rules(variant, rules)
    policies = _policies(table.get("policies"), game.grammar.presets)
    title = _text(table, "title", "") or f"A study of {len(policies)} {'policy' if len(policies) == 1 else 'policies'}"
    study = Study(
        title=title, game=name, variant=variant, rules=rules, policies=policies,
        pairs=_pairs(table.get("match_ups", "all"), tuple(policies)),
        deals=checked_deals(table.get("deals", 1_000_000)),
        seed=checked_seed(table.get("seed", 1)),
        first=checked_deal(table.get("first", 0), "first"), load=_load(table.get("load", [])),
        sprt=_sprt(table.get("sprt", [0, 0.02])), level=checked_level(table.get("level", 0.95)),
        figures=paper_in(table.get("figures")), folder=folder)
    study = replace(study, factors=factors_in(table.get("factorial"), policies, study.deals, study.first))
    _check_policies(study)
    study = replace(study, varied=varied_in(table.get("vary"), policies, study.grammar, study.deals, study.first))
    check_varied(study)
    study = replace(study, asked=strength_in(table.get("strength"), policies, study.grammar, study.deals, study.first))
    check_strength(study)
    return study


def _check_policies(study: Study) -> None:
    """Raises RequestError, with the policy's name, where a text is no policy; a user's words are known by then."""
    grammar = study.grammar
    for name, text in study.policies.items():
        try:
            grammar.parse(text)
        except RequestError as error:
            raise RequestError(f"policy '{name}': {error}") from None
    if study.factors is not None:
        check_factors(study.factors, grammar)


def _sprt(given: object) -> tuple[float, float]:
    """The hypotheses of the sequential test: two gains per deal, the lower first."""
    numbers = [one for one in given if type(one) in (int, float)] if isinstance(given, list) else []
    if not isinstance(given, list) or len(given) != 2 or len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise RequestError("sprt must be two gains per deal, the lower first, such as [0, 0.02], not "
                           f"{str(given)[:60]}")
    return float(numbers[0]), float(numbers[1])


def _check_sprt(study: Study) -> None:
    """Raises RequestError where the rules allow no deal the gains that the sequential test asks about."""
    if not study.pairs:
        return
    from ..versus.duplicates import duplicates

    widest = max((duplicates(study.experiment(*pair)) for pair in study.pairs), key=lambda reader: reader.high)
    if not widest.low < study.sprt[0] < study.sprt[1] < widest.high:
        raise RequestError(f"sprt = [{study.sprt[0]:g}, {study.sprt[1]:g}] must lie within {widest.low:g} to "
                           f"{widest.high:g}, the gains that these rules allow")


def checked_level(given: object) -> float:
    """A confidence level; RequestError for what is none."""
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise RequestError(f"level must be a number between 0 and 1, such as 0.99, not {str(given)[:60]!r}")
    tail(float(given))
    return float(given)


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise RequestError(f"{key} must be text in quotes, not {value!r}")
    return " ".join(clean(value).split())


def _policies(given: object, presets: Mapping[str, Any]) -> dict[str, str]:
    """Name -> text from a table, or from a list of presets' names."""
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        for name in given:
            if name not in presets:
                raise unknown("preset", name, presets)
        if len(set(given)) < len(given):
            raise RequestError("a preset is named twice in policies")
        given = {name: name for name in given}
    if not isinstance(given, dict) or not given:
        raise RequestError("policies are missing: give a table [policies] of name = \"text\", or a list of presets")
    policies: dict[str, str] = {}
    for raw, text in given.items():
        name = " ".join(clean(raw).split())
        if not name or not name.isprintable() or len(name) > LONGEST_NAME:
            raise RequestError(f"policy name {raw[:LONGEST_NAME]!r} must be 1 to {LONGEST_NAME} visible characters")
        if name in policies:
            raise RequestError(f"two policies are called '{name}': give each a name of its own")
        if not isinstance(text, str):
            raise RequestError(f"policy '{name}' must be text in quotes, not {text!r}")
        policies[name] = text
    return policies


def _pairs(given: object, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs of different policies that meet; each policy's play against itself goes without saying."""
    if isinstance(given, str):
        word = " ".join(clean(given).split())
        if word == "all":
            return tuple(itertools.combinations(names, 2))
        if word.startswith("vs "):
            rival = _known(word.removeprefix("vs "), names)
            return tuple((name, rival) for name in names if name != rival)
    if not isinstance(given, list) or not all(_is_pair(pair) for pair in given):
        raise RequestError('match_ups must be "all", "vs NAME" or a list of pairs such as [["a", "b"], ["a", "c"]], '
                           f"not {str(given)[:60]!r}")
    pairs = [(_known(a, names), _known(b, names)) for a, b in given if a != b]
    for place, (a, b) in enumerate(pairs):
        if (a, b) in pairs[:place] or (b, a) in pairs[:place]:
            raise RequestError(f"the match-up of '{a}' and '{b}' is named twice in match_ups")
    return tuple(pairs)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)


def _known(name: str, names: tuple[str, ...]) -> str:
    plain = " ".join(clean(name).split())
    if plain not in names:
        raise unknown("policy", plain, names)
    return plain


def _load(given: object) -> tuple[str, ...]:
    """Files of preferences: relative and not above the study, so that a report can hold copies of them."""
    if not isinstance(given, list) or not all(_is_inside(path) for path in given):
        raise RequestError('load must be a list of files beside the study or below it, such as ["my_preferences.py"]')
    return tuple(given)


def _is_inside(path: object) -> bool:
    if not isinstance(path, str) or "\\" in path or ":" in path:
        return False
    plain = PurePosixPath(path)
    return bool(plain.parts) and not plain.is_absolute() and ".." not in plain.parts
