"""Every policy against every other on common deals: payoffs, ranking, equilibrium and cycles."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..base.estimate import Named
from ..base.limits import DEALS
from ..base.text import counted
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..games import load_game
from ..policy.grammar import Policy
from ..runs.experiment import Experiment
from ..stats import multiple, paired
from ..stats.values import FEW, tail
from ..version import __version__
from . import ranking as rank
from .contrasts import p_values
from .duplicates import Floats, random_ties
from .field import Hear, Joint, Series, check_common, check_size, combined, play_field, together
from .payoff import Payoff, compare_all
from .race import Heard, Settled, race
from .repeat import command, level_words, number


@dataclass(frozen=True, eq=False)
class Tournament:
    """A finished round robin.

    names: of the policies; series: the match-ups in the order of `ranking.match_ups`, all on common deals; settled:
    what a race settled, None where the number of deals was fixed; looks: how often the race looked; asked: the
    options of the command line that ask for this.
    """

    names: tuple[str, ...]
    series: tuple[Series, ...]
    settled: Settled | None = None
    looks: int = 1
    level: float = 0.95
    asked: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies' texts, in the order of the names."""
        return tuple(map(str, policies_of([one.experiment for one in self.series], self.size)))

    @cached_property
    def edges(self) -> Joint:
        """The edges of the match-ups with limits that all hold at once; after a race they hold at every look."""
        if self.settled is None:
            return together(self.series, self.level)
        level = 1.0 - (1.0 - self.level) / len(self.series)
        limits = np.array([one.anytime(level) for one in self.series])
        count = len(self.series)
        return Joint(np.array([one.mean for one in self.series]), limits[:, 0], limits[:, 1], np.zeros(count, bool),
                     np.zeros((count, count)), "betting intervals valid at every look, Bonferroni")

    @cached_property
    def payoff(self) -> Payoff:
        """Every policy compared with every other."""
        met = zip(rank.match_ups(self.size), self.series, strict=True)
        return compare_all(self.names, [(self.names[i], self.names[j], one) for (i, j), one in met], self.edges)

    @cached_property
    def p_adjusted(self) -> list[float | None]:
        """p-values of the edges being 0, adjusted for their number (max-T); None for each after a race."""
        if self.settled is not None:
            return [None] * len(self.series)
        return p_values(self.series, self.edges, np.eye(len(self.series)))


    @cached_property
    def better(self) -> rank.Bools:
        """Who is surely better than whom, for all pairs at once: bool[policies, policies]."""
        if self.settled is not None:
            return self.settled.better
        contrasts = multiple.pairwise_contrasts(self.size)
        difference = combined(self.edges, contrasts @ rank.rating_weights(self.size), self.level)
        better = np.zeros((self.size, self.size), bool)
        for k, (i, j) in enumerate(rank.match_ups(self.size)):
            better[i, j], better[j, i] = difference.low[k] > 0, difference.high[k] < 0
        return rank.closure(better)

    @cached_property
    def ranking(self) -> list[rank.Place]:
        """The policies by their mean edge against all, with the places that each may hold."""
        ratings = combined(self.edges, rank.rating_weights(self.size), self.level)
        return rank.places(ratings.estimates, ratings.low, ratings.high, self.better)

    @property
    def established(self) -> bool:
        """Whether all neighbours in the ranking are separated."""
        return not rank.ties(self.ranking, self.better)

    @property
    def payoffs(self) -> Floats:
        """What the row's policy gains from the column's, VP per deal: float64[policies, policies]."""
        return self.payoff.matrix("value", own=0.0)

    @property
    def limits(self) -> tuple[Floats, Floats]:
        """The simultaneous limits of the payoffs."""
        return self.payoff.matrix("all_low", own=0.0), self.payoff.matrix("all_high", own=0.0)

    def sessions(self, series: Series) -> list[Named]:
        """The exact session (match) rates of a match-up, without those that its rules do not have."""
        tally, match_up = series.tally, series.experiment.match_up
        return [named for named in series.reader.game.estimates(tally, match_up)
                if named.statistic in ("session_win_rate", "session_draw_rate") and named.given]

    def sentences(self) -> list[str]:
        """What the tournament says, plainly."""
        names, order = rank.quoted(self.names), [place.policy for place in self.ranking]
        said = [rank.first_in_words(names, order, self.better),
                rank.order_in_words(names, order, self.better, self.level),
                rank.circles(names, self.payoff.solution.hodge, self.limits[0])]
        said += _race_in_words(self) if self.settled is not None else []
        few = min(one.pairs for one in self.series)
        if few < FEW:
            said.append(f"Only {counted(few, 'deal')} a match-up: all limits are wide; {FEW:,} or more narrow them.")
        lots = {name for one in self.series for name in random_ties(one.experiment.match_up)}
        return said + ([_AT_RANDOM] if lots else []) + self._remarks()

    def _remarks(self) -> list[str]:
        """What the game says of any of the match-ups, once."""
        pairs = zip(self.series, rank.match_ups(self.size), strict=True)
        return list(dict.fromkeys(remark for one, (i, j) in pairs for remark in load_game(one.experiment.game).remarks(
            one.experiment.match_up, self.names[i], self.names[j])))

    @property
    def command(self) -> str:
        """The command that repeats the tournament, the policies in full."""
        return self.repeated(self.policies)

    def repeated(self, policies: Sequence[str]) -> str:
        """The command that repeats the tournament, the policies as they are given here."""
        return command("tournament", [*policies, *self.asked, *level_words(self.level)], self.series[0].experiment)

    def as_dict(self) -> dict[str, Any]:
        """The tournament in the form of `tournament --json`."""
        experiment, (hodge, weights, support) = self.series[0].experiment, self.payoff.solution
        return {
            "game": experiment.game, "rules": experiment.match_up.rules.as_dict(),
            "policies": dict(zip(self.names, self.policies, strict=True)), "seed": experiment.match_up.seed,
            "first": experiment.first, "design": "duplicate", "level": self.level, "method": self.edges.method,
            "match_ups": [_match_up(self, k) for k in range(len(self.series))],
            "ranking": [{"policy": self.names[place.policy], "rating": place.rating, "low": place.low,
                         "high": place.high, "best_place": place.best, "worst_place": place.worst}
                        for place in self.ranking],
            "established": self.established,
            "ranking_method": "max-T on all differences of ratings" if self.settled is None else
            "asymptotic confidence sequences of all differences of ratings, Bonferroni",
            "better": [[self.names[i], self.names[j]] for i, j in np.argwhere(self.better).tolist()],
            "nash": [{"policy": name, "weight": float(weight), "support": float(seen)}
                     for name, weight, seen in zip(self.names, weights, support, strict=True)],
            "hodge": rank.shares(hodge),
            "until_separated": self.settled is not None, "looks": self.looks,
            "sentences": self.sentences(), "command": self.command, "version": __version__,
        }


def tournament(
    names: Sequence[str], experiments: Sequence[Experiment], play: Runner = in_order, *, until: int | None = None,
    margin: float = 0.0, level: float = 0.95, hear: Hear | None = None, heard: Heard | None = None,
) -> Tournament:
    """Play a round robin.

    names: of two policies or more; experiments: of the match-ups in the order of `ranking.match_ups`, on the same
    deals (see `round_robin`). until: play on where the order is unclear, up to this many deals a match-up; margin: a
    difference of ratings (VP per deal) that does not matter then. hear: called with the deals done of the first part;
    heard: at every look of the race.
    """
    check_common(experiments)
    tail(level)  # refuses what is no level
    played = play_field(experiments, play, hear)
    asked = ("--deals", str(experiments[0].deals))
    if until is None:
        return Tournament(tuple(names), tuple(played), level=level, asked=asked)
    until = min(until, DEALS - experiments[0].first)
    raced, settled, looks = race(played, len(names), until, play, level, margin, heard)
    asked += ("--until-separated", "--max-deals", str(until), *(("--margin", number(margin)) if margin else ()))
    return Tournament(tuple(names), tuple(raced), settled, looks, level, asked)


def policies_of(experiments: Sequence[Experiment], size: int) -> list[Policy]:
    """The `size` policies of a round robin's match-ups, in order."""
    first = experiments[: size - 1]
    return [first[0].match_up.a, *(one.match_up.b for one in first)]


def round_robin(names: Sequence[str], make: Any, game_name: str = "bohemian") -> list[Experiment]:
    """The experiments of all match-ups; make(a, b): an Experiment of two policies.

    Raises RequestError for fewer than two policies, or where two are the same.
    """
    if len(names) < 2:
        raise RequestError("a tournament needs two policies or more, or --all for every preset of "
                           f"{game_name}: {', '.join(load_game(game_name).grammar.presets)}")
    check_size(len(names), each_other=True)
    experiments = [make(names[i], names[j]) for i, j in rank.match_ups(len(names))]
    for (i, j), experiment in zip(rank.match_ups(len(names)), experiments, strict=True):
        if str(experiment.match_up.a) == str(experiment.match_up.b):
            raise RequestError(f"'{names[i]}' and '{names[j]}' are the same policy: name each once")
    return experiments


def label(policy: str, number: int) -> str:
    """A name short enough for a table: the policy's own text, or P and its number for a longer one."""
    return policy if len(policy) <= 24 else f"P{number}"


_AT_RANDOM = "One of them plays at random: what separates the others from it says little about their strength."


def _race_in_words(played: Tournament) -> list[str]:
    close = played.settled.close if played.settled is not None else np.zeros((0, 0), bool)
    deals = [one.pairs for one in played.series]
    said = (f"Played on where the order was unclear: {min(deals):,} to {max(deals):,} deals a match-up, {played.looks} "
            f"look{'s' * (played.looks > 1)}; the statements hold for all looks together.")
    names = rank.quoted(played.names)
    pairs = [f"{names[i]} and {names[j]}" for i, j in rank.match_ups(played.size) if close[i, j]]
    return [said, f"Within the margin, or alike: {'; '.join(pairs)}."] if pairs else [said]


def _match_up(played: Tournament, k: int) -> dict[str, Any]:
    series, (i, j), edges = played.series[k], rank.match_ups(played.size)[k], played.edges
    wins, ties, losses = series.reader.plays(series.tally.vector)
    pairing = paired.correlation(*series.reader.pairs(series.tally.vector))
    return {
        "a": played.names[i], "b": played.names[j], "deals": series.pairs,
        "estimate": {"statistic": "vp_per_deal", **series.estimate(played.level)._asdict()},
        "all_low": float(edges.low[k]), "all_high": float(edges.high[k]), "p_adjusted": played.p_adjusted[k],
        "wins": wins, "ties": ties,
        "losses": losses, "sessions": [named.as_dict() for named in played.sessions(series)],
        "pairing": {"correlation": pairing.correlation,
                    "factor": pairing.factor if np.isfinite(pairing.factor) else None, "sentence": pairing.sentence},
        "tally_sha256": series.tally.sha256,
    }
