"""`schneider-sim factorial`: measure what each part of a policy contributes."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.limits import DEALS
from ..errors import RequestError
from ..results.text_tables import table
from . import options, output_folder
from .engine_options import engine_options
from .figure_options import figure_options
from .output import say, say_json
from .progress import progress

if TYPE_CHECKING:
    from ..report.charts.paper import Paper
    from ..versus.curve import Curve
    from ..versus.factorial import Factorial
    from ..versus.settings import RulesVaried


@click.command()
@click.option("--leads", type=options.Plain(), metavar="L1,L2,...",
              help='Lead rules: words, commas between rules, such as "safe honour, low"; random is no rule.')
@click.option("--follows", type=options.Plain(), metavar="F1,F2,...", help="Follow rules, in the same form.")
@click.option("--vary", type=options.Plain(), metavar="OPTION=V1,V2,...",
              help="Instead: one option or section of --base, such as memory=none,last-2,full; or of the rules: "
                   "rules.schneider_at=15,16,17, rules.win_points=[1,2,3],[1,1,1], variant=…, score=….")
@click.option("--against", type=options.Plain(), metavar="POLICY|each-other",
              help="The opponent, or each-other.  [default: plain or the second preset; with --vary: the base]")
@click.option("--base", type=options.Plain(), metavar="POLICY",
              help="Where the other sections and options come from.  [default: random; with --vary: the best preset]")
@click.option("--contrasts", type=options.Plain(), metavar="all|NAME",
              help="Also the differences between all cells or settings, or between NAME and each other.")
@click.option("--deals", default=100_000, type=options.Whole(1, DEALS), metavar="N", show_default=True,
              help="Deals per match-up, such as 250k or 1M.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write tables and the figure there.")
@figure_options
@options.records_options
@options.level_option
@options.seed_option
@options.first_option
@engine_options
@options.common
def command(leads: str | None, follows: str | None, vary: str | None, against: str | None, base: str | None,
            deals: int, out: Path | None, as_json: bool, game: str, play: Any, level: float,
            contrasts: str | None, records: Path | None, cards: bool, look: "Paper", **request: Any) -> None:
    """Play every lead rule with every follow rule on the same deals: is it the lead or the follow rule?

    Or play one policy with an option varied: what is the option worth, and what does it do to leading first?
    """
    from ..runs.experiment import make_experiment
    from ..store.recorder import recording
    from ..versus import factorial_text as text
    from ..versus.curve import Curve
    from ..versus.settings import RulesVaried

    if out is not None:
        output_folder.check(out, "factorial" if vary is None else "curve")
    make = partial(make_experiment, game_name=game, deals=deals, **request)
    if vary is not None and (leads or follows):
        raise RequestError("--vary excludes --leads and --follows: leave out one or the other")
    settings: dict[str, Any] = {"against": against, "base": base, "deals": deals, "level": level,
                                "contrasts": contrasts}
    load = request["load"]
    with recording(play, records, cards=cards) as settings["play"]:
        result = _curve(vary, make, game, load, rules=request["rules"], **settings) if vary is not None else _study(
            leads, follows, make, game, load, **settings)
    failed = output_folder.write(out, look=look, make=lambda: output_folder.of_curve(result) if isinstance(
        result, (Curve, RulesVaried)) else output_folder.of_study(result))
    if as_json:
        say_json(result.as_dict())
    else:
        say(text.curve(result, table) if isinstance(result, Curve) else text.rules_varied(result, table) if isinstance(
            result, RulesVaried) else text.study(result, table))
    output_folder.complain(failed)


def _study(leads: str | None, follows: str | None, make: Any, game: str, load: tuple[str, ...], *, against: str | None,
           base: str | None, deals: int, play: Any, level: float, contrasts: str | None) -> "Factorial":
    from ..versus.factorial import deals_to_play, default_opponent, factorial
    from ..versus.variations import BY_LOT, rules_of

    if not leads or not follows:
        raise RequestError("a factorial study needs --leads and --follows, or --vary OPTION=V1,V2,...")
    grammar = _grammar(game, load)
    against = against or default_opponent(grammar)
    rules = rules_of(leads, "--leads"), rules_of(follows, "--follows")
    total = deals_to_play(len(rules[0]) * len(rules[1]), against, deals)
    with progress("match-ups", total, start=lambda: play.reused) as hear:
        return factorial(*rules, make, grammar, against=against, base=base or BY_LOT, play=play, hear=hear,
                         level=level, contrasts=contrasts)


def _curve(vary: str, make: Any, game: str, load: tuple[str, ...], *, against: str | None, base: str | None, deals: int,
           play: Any, level: float, contrasts: str | None, rules: dict[str, Any]) -> "Curve | RulesVaried":
    from ..versus.curve import curve
    from ..versus.factorial import EACH_OTHER
    from ..versus.settings import default_opponent, is_of_rules, settings_of, vary_rules
    from ..versus.variations import rules_of, strongest

    name, equals, values = (part.strip() for part in vary.partition("="))
    if not equals:
        raise RequestError(f"--vary must be OPTION=V1,V2,..., such as memory=none,last-4,full, not '{vary}'")
    if against == EACH_OTHER:
        raise RequestError("--vary plays against one policy: name it with --against")
    grammar = _grammar(game, load)
    base = base or strongest(grammar)
    if is_of_rules(name := name.casefold()):
        switches = settings_of(values, f"--vary {name}")
        with progress("match-ups", None, start=lambda: play.reused) as hear:
            return vary_rules(name, switches, make, base=base, against=against or default_opponent(grammar, base),
                              rules=rules, play=play, hear=hear, level=level, compared=contrasts)
    settings = rules_of(values, f"--vary {name}")
    with progress("match-ups", 2 * len(settings) * deals, start=lambda: play.reused) as hear:
        return curve(name.casefold(), settings, make, grammar, against=against or base, base=base, play=play, hear=hear,
                     level=level, contrasts=contrasts)


def _grammar(game_name: str, load: tuple[str, ...]) -> Any:
    """The game's grammar with the words of the user's files."""
    from ..games import load_game
    from ..policy.plugins import load_all

    return load_all(load, load_game(game_name).grammar)[0]
