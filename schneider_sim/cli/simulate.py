"""`schneider-sim simulate`: play a match on many deals and print what it says."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import RequestError
from ..results.text_tables import meanings, opening, settings, statistics
from . import options
from .engine_options import engine_options
from .output import say, say_json
from .progress import Hear, progress

if TYPE_CHECKING:
    from ..results.result import Result
    from ..store.reuse import StoreRunner


@click.command()
@options.policies
@options.deals_option
@options.level_option
@options.seed_option
@options.first_option
@options.score_option
@click.option("--design", default="duplicate", type=options.Plain("duplicate", "independent"), show_default=True,
              help="Each deal twice, the policies changing seats; or once, even deals with A as first leader.")
@click.option("--detail", default="sample", type=options.Plain("sample", "all"), show_default=True,
              help="Count trick by trick on a fixed sample of the deals, or on all.")
@options.records_options
@engine_options
@options.common
def command(a: str, b: str, as_json: bool, play: "StoreRunner", records: Path | None, cards: bool,
            **request: Any) -> None:
    """Play policies A and B against each other and estimate what separates them."""
    from ..api import simulate
    from ..versus.names import label
    from ..versus.repeat import command as command_line
    from ..versus.repeat import level_words

    if cards and records is None:
        raise RequestError("--cards needs --records: they are columns of its file")
    with progress("playing", request["deals"], start=lambda: play.reused) as hear:
        if records is None:
            result = simulate(a, b, progress=hear, play=play, **request)
        else:
            result = _recorded(a, b, records, play, hear, cards=cards, **request)
        shown = result.as_dict()
    if as_json:
        say_json(shown)
        return
    say(opening(result.experiment, result.estimates, label(a, "A"), label(b, "B"), result.level))
    say()
    say(settings(result.experiment, a, b))
    say()
    say(statistics(result.estimates, result.level))
    say()
    say(meanings(result.experiment))
    say()
    for remark in remarks(result):
        say(remark)
    say(f"Tally {result.tally_sha256}")
    words = [a, b, "--deals", str(request["deals"]), *level_words(result.level)]
    say(f"Again: {command_line('simulate', words, result.experiment)}")


def _recorded(a: str, b: str, records: Path, play: "StoreRunner", hear: Hear, game: str, level: float,
              cards: bool, **request: Any) -> "Result":
    """The result of a run whose plays are written to the file `records`."""
    from ..results.result import Result
    from ..runs.experiment import make_experiment
    from ..store.records import write_records

    experiment = make_experiment(a, b, game_name=game, **request)
    return Result(experiment, write_records(experiment, records, play, hear, cards), level)


def remarks(result: "Result") -> list[str]:
    """What pairing bought, and whatever else a reader must know beside the numbers."""
    from ..games import load_game
    from ..stats import paired

    experiment = result.experiment
    said = list(load_game(experiment.game).remarks(experiment.match_up))
    if experiment.match_up.design != "duplicate":
        return said
    pairs = load_game(experiment.game).victory_pairs(result.tally, experiment.match_up)
    return [*said, paired.correlation(*pairs).sentence, *paired.remarks(*pairs)]
