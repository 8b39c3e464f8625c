"""Many policies: tournaments, lead rules with follow rules, one part or switch varied, and whole reports."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..base.limits import DEALS
from ..base.text import parse_int
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Files, make_experiment
from ..store.recorder import recording
from .arguments import in_arguments
from .outcomes import Found, Reported
from .playing import Kept, Player, Progress, bar, playing

Rules = Mapping[str, Any] | None
Names = Sequence[str] | str


@in_arguments
def tournament(
    policies: Sequence[str] | Mapping[str, str] = (), *, all: bool = False, deals: int = 100_000,
    until_separated: bool = False, max_deals: int | None = None, margin: float | None = None, game: str = "bohemian",
    variant: str | None = None, rules: Rules = None, load: Files = (), score: tuple[int, int] = (0, 0), seed: int = 1,
    first: int = 0, level: float = 0.95, threads: int | None = None, engine: Player = None, store: Kept = None,
    fresh: bool = False, scheduler: str | None = None, progress: Progress = None,
    records: str | Path | None = None, cards: bool = False,
) -> Found:
    """Play every policy against every other on the same deals, and say what order that establishes.

    policies: texts, or names with their texts; all: every preset of the game besides; deals: of a match-up;
    until_separated: play on where the order is unclear, to max_deals (10 million) a match-up, differences below
    margin (VP per deal) left open.

    Returns an outcome with the tables `ranking` (policy, rating, low, high, best_place, worst_place), `match_ups` and
    `nash`, and the figures "payoffs" and "ratings". Raises RequestError.
    """
    from ..versus import tournament as versus

    if isinstance(policies, str):
        raise RequestError(f"policies must be a list of policies, or a dict of names and policies, not '{policies}'")
    named = dict(policies) if isinstance(policies, Mapping) else dict.fromkeys(policies)
    names, texts = list(named), [name if text is None else text for name, text in named.items()]
    if not isinstance(policies, Mapping) and len(named) < len(policies):
        raise RequestError("a policy is named twice in policies: name each once")
    more = [name for name in load_game(game).grammar.presets if all and name not in texts]
    if not until_separated and (max_deals is not None or margin is not None):
        raise RequestError("max_deals and margin need until_separated=True")
    deals = parse_int(deals, "deals", 1, DEALS)
    until = parse_int(10_000_000 if max_deals is None else max_deals, "max_deals", 1, DEALS)
    if until_separated and until < deals:
        raise RequestError(f"max_deals {until} is less than deals {deals}: give more, or fewer deals")
    make = partial(make_experiment, game_name=game, variant=variant, rules=rules, load=load, score=score, seed=seed,
                   first=first, deals=max(deals, 1024) if until_separated else deals)
    experiments = versus.round_robin([*texts, *more], make, game)
    labels = [name if isinstance(policies, Mapping) else versus.label(name, place)
              for place, name in enumerate(names, 1)] + more
    total = sum(one.deals for one in experiments)
    called = dict(zip(map(str, versus.policies_of(experiments, len(labels))), labels, strict=True))
    with (playing(engine, threads, store, fresh, scheduler) as runner,
          recording(runner, records, called, cards) as play, bar(progress, "deals", total) as hear):
        played = versus.tournament(labels, experiments, play, hear=hear, margin=margin or 0.0, level=level,
                                   until=until if until_separated else None)
    return Found("tournament", played)


@in_arguments
def factorial(
    leads: Names, follows: Names, *, against: str | None = None, base: str | None = None, deals: int = 100_000,
    game: str = "bohemian", variant: str | None = None, rules: Rules = None, load: Files = (), seed: int = 1,
    first: int = 0, level: float = 0.95, contrasts: str | None = None, threads: int | None = None,
    engine: Player = None, store: Kept = None, fresh: bool = False, scheduler: str | None = None,
    progress: Progress = None, records: str | Path | None = None, cards: bool = False,
) -> Found:
    """Play every lead rule with every follow rule on the same deals: is it the lead or the follow rule?

    leads, follows: lists of rules, such as ["safe honour", "low"], or text with commas between them; "random" is no
    rule. against: the opponent, or "each-other"; base: where the other sections and options come from; contrasts:
    "all", or a cell ("lead: low; follow: capture"), for differences between cells.

    Returns an outcome with the tables `cells` (lead, follow, edge, low, high: VP per deal, limits for all at once),
    `effects`, `match_ups`, and `contrasts` where they are asked for; figures "cells" and "effects".
    """
    from ..versus.factorial import deals_to_play, default_opponent
    from ..versus.factorial import factorial as cross
    from ..versus.variations import BY_LOT

    grammar = _grammar(game, load)
    against = against or default_opponent(grammar)
    both = _rules(leads, "leads"), _rules(follows, "follows")
    make = partial(make_experiment, game_name=game, variant=variant, rules=rules, load=load, seed=seed, first=first,
                   deals=deals)
    total = deals_to_play(len(both[0]) * len(both[1]), against, parse_int(deals, "deals", 1, DEALS))
    with (playing(engine, threads, store, fresh, scheduler) as runner, recording(runner, records, cards=cards) as play,
          bar(progress, "deals", total) as hear):
        played = cross(*both, make, grammar, against=against, base=base or BY_LOT, play=play, hear=hear, level=level,
                       contrasts=contrasts)
    return Found("factorial", played)


@in_arguments
def vary(
    name: str, settings: Sequence[Any] | str, *, against: str | None = None, base: str | None = None,
    deals: int = 100_000, game: str = "bohemian", variant: str | None = None, rules: Rules = None, load: Files = (),
    seed: int = 1, first: int = 0, level: float = 0.95, contrasts: str | None = None, threads: int | None = None,
    engine: Player = None, store: Kept = None, fresh: bool = False, scheduler: str | None = None,
    progress: Progress = None, records: str | Path | None = None, cards: bool = False,
) -> Found:
    """Vary one option or section of a policy on the same deals: what is each setting worth?

    name, settings: such as "memory", ["none", "last-3", "full"]. base: the policy, by default the best preset;
    against: the opponent, by default the base. contrasts: "all" or a setting, for differences between settings.

    Also a switch of the rules, "rules.schneider_at", [15, 16, 17]; "variant"; or "score", [(0, 0), (12, 7)]: then base
    plays against another policy, by default plain or the second preset, and `contrasts` has the differences between
    all settings, on the same deals; settings that only score differently are played once.

    Returns an outcome with the table `curve` (the setting, edge and the first leader's advantage, each with limits for
    all settings at once), `match_ups`, and `contrasts` where asked for; figure "curve".
    """
    from ..versus.curve import curve
    from ..versus.factorial import EACH_OTHER
    from ..versus.settings import default_opponent, is_of_rules, settings_of, vary_rules
    from ..versus.variations import strongest

    if against == EACH_OTHER:
        raise RequestError("vary plays against one policy: name it with against")
    grammar = _grammar(game, load)
    base = base or strongest(grammar)
    if is_of_rules(name.casefold()):
        switches = settings_of(_written(settings), "settings")
        make = partial(make_experiment, game_name=game, variant=variant, rules=rules, load=load, seed=seed, first=first,
                       deals=deals)
        with (playing(engine, threads, store, fresh, scheduler) as runner,
              recording(runner, records, cards=cards) as play, bar(progress, "deals", None) as hear):
            return Found("rules", vary_rules(name.casefold(), switches, make, base=base, rules=rules, play=play,
                                             against=against or default_opponent(grammar, base), hear=hear, level=level,
                                             compared=contrasts))
    texts = _rules(settings, "settings")
    make = partial(make_experiment, game_name=game, variant=variant, rules=rules, load=load, seed=seed, first=first,
                   deals=deals)
    total = 2 * len(texts) * parse_int(deals, "deals", 1, DEALS)
    with (playing(engine, threads, store, fresh, scheduler) as runner, recording(runner, records, cards=cards) as play,
          bar(progress, "deals", total) as hear):
        played = curve(name.casefold(), texts, make, grammar, against=against or base, base=base, play=play, hear=hear,
                       level=level, contrasts=contrasts)
    return Found("vary", played)


def _rules(given: Sequence[Any] | str, what: str) -> tuple[str, ...]:
    """Rules or settings as texts; RequestError for fewer than two, or one that stands twice."""
    from ..versus.variations import rules_of

    if isinstance(given, str):
        return rules_of(given, what)
    for rule in given:
        if isinstance(rule, str) and "," in rule:
            raise RequestError(f"{what}: '{rule}' must be one rule without commas")
    return rules_of(",".join(map(str, given)), what)


def _written(settings: Sequence[Any] | str) -> str:
    """Settings of a switch as the command line has them."""
    if isinstance(settings, str):
        return settings
    return ",".join(f"{one[0]}:{one[1]}" if isinstance(one, tuple) and len(one) == 2 else
                    f"[{','.join(map(str, one))}]" if isinstance(one, (tuple, list)) else
                    ("on" if one else "off") if isinstance(one, bool) else str(one) for one in settings)


def _grammar(game: str, load: Files) -> Any:
    """The game's grammar with the words of the user's files."""
    from ..policy.plugins import as_sources, load_all

    return load_all(as_sources(load), load_game(game).grammar)[0]


@in_arguments
def make_report(
    study: str | Path | None = None, out: str | Path | None = None, *, game: str = "bohemian",
    threads: int | None = None, engine: Player = None, store: Kept = None, fresh: bool = False,
    scheduler: str | None = None, progress: Progress | Callable[[str, int, int], None] = None,
    records: str | Path | None = None, cards: bool = False, level: float | None = None,
    format: str | Sequence[str] | None = None, width: float | str | None = None, dpi: int | None = None,
    style: str | None = None,
) -> Reported:
    """Play a study, or the built-in one of the game, and write its page, figures and tables to the folder `out`.

    study: a TOML file (docs/studies.md); out: by default "report", for a study file reports/NAME. progress: True for
    bars, or a function of ("plays" or "figures", done, all). level: of all intervals; format: "png", "svg", "pdf" or
    several; width: 80 to 500 millimetres, or text such as "3.5in"; dpi: of PNG files; style: "screen", "print" or
    "print-serif": these by default as the study says.

    Returns an outcome with `page` (the Path of index.html), the report's tables and figures by name, and `to_dict()`,
    what its result.json holds. Raises RequestError where `out` holds anything but a report, RunError where a figure
    could not be drawn.
    """
    from ..report.build import build
    from ..report.charts.paper import paper
    from ..report.folder import default_folder
    from ..report.study import builtin_study, changed_study, read_study

    path = None if study is None else Path(study)
    written = read_study(path) if path else builtin_study(game)
    chosen = changed_study(written, level, paper(format, width, dpi, style, written.figures, ""))
    called = {str(chosen.grammar.parse(text)): name for name, text in chosen.policies.items()}
    with (playing(engine, threads, store, fresh, scheduler) as runner,
          recording(runner, records, called, cards) as play, _bars(progress) as hears):
        built = build(chosen, out or default_folder(path), play=play, progress=hears)
    return Reported(built, json.loads((built.page.parent / "result.json").read_text(encoding="utf-8")))


def _bars(progress: Any) -> Any:
    """What hears ("plays", done, all), then ("figures", done, all), as a context."""
    import contextlib

    if progress is not True:
        return contextlib.nullcontext(progress or None)

    @contextlib.contextmanager
    def shown() -> Any:
        with contextlib.ExitStack() as bars:
            tell: dict[str, Any] = {}

            def hears(what: str, done: int, total: int) -> None:
                if what not in tell:
                    bars.pop_all().close()
                    tell[what] = bars.enter_context(bar(True, what, total))
                tell[what](done)

            yield hears

    return shown()



