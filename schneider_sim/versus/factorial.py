"""Is it the lead rule or the follow rule? Every lead rule with every follow rule, on common deals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ..base.estimate import percent
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..policy.grammar import Grammar, Policy
from ..runs.experiment import Experiment
from ..stats.factorial import contrasts
from ..stats.multiple import pairwise_contrasts
from ..stats.paired import correlation
from ..stats.values import tail
from ..version import __version__
from .contrasts import contrast_rows, p_values, pairs_asked
from .duplicates import Floats, alike
from .field import Hear, Joint, Series, check_common, check_size, combined, play_field, together
from .ranking import apart, match_ups, may_be_first, rating_weights
from .repeat import command, level_words
from .variations import check_distinct, with_part

EACH_OTHER = "each-other"
_DRAWS, _SEED, _SURE = 2000, 1_906_026, 0.975
_MOST = 36  # cells up to which every pair of them is compared
_NAMED = 6  # cells that may be the best which are named

Make = Callable[[str, str], Experiment]


@dataclass(frozen=True, eq=False)
class Factorial:
    """A finished study of lead rules (rows) and follow rules (columns).

    against: the opponent's text, or EACH_OTHER; series: what was played; weights: float64[cells, series], what makes
    the cells, row by row, from the edges; base: the policy that the cells are made of; compared: "all", or the cell
    whose differences from the others are asked for.
    """

    leads: tuple[str, ...]
    follows: tuple[str, ...]
    against: str
    base: str
    series: tuple[Series, ...]
    weights: Floats
    level: float = 0.95
    compared: str | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.leads), len(self.follows)

    @cached_property
    def edges(self) -> Joint:
        """The edges of what was played."""
        return together(self.series, self.level)

    @cached_property
    def cells(self) -> Joint:
        """The mean edge of each cell, VP per deal, row by row, with limits that all hold at once."""
        return combined(self.edges, self.weights, self.level)

    @cached_property
    def effects(self) -> Joint:
        """Effects of the rows, of the columns and interactions (row by row), with limits that all hold at once."""
        return combined(self.edges, np.vstack(contrasts(*self.shape)) @ self.weights, self.level)

    @property
    def parts(self) -> tuple[slice, slice, slice]:
        """Where the effects of rows and columns and the interactions lie in `effects`."""
        k, m = self.shape
        return slice(0, k), slice(k, k + m), slice(k + m, None)

    @cached_property
    def noise(self) -> Floats:
        """The covariance of the effects; an edge whose error is not known counts with its limits as two of them."""
        edges = self.edges
        odd = np.where(edges.normal, 0.0, (edges.high - edges.low) / 4)
        weights = np.vstack(contrasts(*self.shape)) @ self.weights
        covariance = weights @ (edges.covariance + np.diag(odd**2)) @ weights.T
        return np.asarray((covariance + covariance.T) / 2)

    @cached_property
    def shares(self) -> tuple[float, float, float]:
        """Shares of the variance between cells due to lead rules, follow rules and interaction, without their noise."""
        net = net_squares(self.effects.estimates, np.diag(self.noise), self.shape)
        first, second, both = (net / net.sum() if net.sum() > 0 else net).tolist()
        return first, second, both

    @cached_property
    def lead_matters_more(self) -> float:
        """How often lead rules account for more than follow rules when the cells are redrawn within their errors."""
        values, vectors = np.linalg.eigh(self.noise)
        factor = vectors * np.sqrt(np.maximum(values, 0.0))
        noise = np.random.default_rng(_SEED).standard_normal((_DRAWS, values.size)) @ factor.T
        rows, columns, _ = net_squares(self.effects.estimates + noise, 0.0 * values, self.shape)
        return float(np.mean(rows > columns))

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The cells that may be the best, the highest first: those that no other surely exceeds.

        Up to 36 cells their differences are looked at, beyond that their limits, which tell fewer apart.
        """
        size = self.cells.estimates.size
        if size > _MOST:
            better = apart(self.cells.low, self.cells.high)
        else:
            difference = combined(self.edges, pairwise_contrasts(size) @ self.weights, self.level)
            better = np.zeros((size, size), bool)
            for k, (i, j) in enumerate(match_ups(size)):
                better[i, j], better[j, i] = difference.low[k] > 0, difference.high[k] < 0
        return tuple(sorted(may_be_first(better), key=lambda cell: -self.cells.estimates[cell]))

    def name(self, cell: int) -> str:
        """A cell in words."""
        i, j = divmod(cell, self.shape[1])
        return f"lead: {self.leads[i]}; follow: {self.follows[j]}"

    def sentences(self) -> list[str]:
        """The answer, plainly."""
        names = [self.name(cell) for cell in self.best]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        best = f"Best, ahead of every other: {names[0]}." if len(names) == 1 else (
            f"Which is the best is not established: not told apart are {' | '.join(names[:_NAMED])}{more}.")
        return [answer(self.effects, self.parts, self.shares, self.lead_matters_more), best]

    @property
    def command(self) -> str:
        """The command that repeats the study."""
        experiment = self.series[0].experiment
        words = ["--leads", ",".join(self.leads), "--follows", ",".join(self.follows), "--against", self.against,
                 "--base", self.base, "--deals", str(experiment.deals), *level_words(self.level),
                 *(["--contrasts", self.compared] if self.compared else [])]
        return command("factorial", words, experiment)

    def rows(self) -> list[dict[str, Any]]:
        """The cells as rows: lead, follow, edge, and the limits that all hold at once."""
        cells, p = self.cells, p_values(self.series, self.edges, self.weights)
        every = zip(product(self.leads, self.follows), cells.estimates, cells.low, cells.high, p, strict=True)
        return [{"lead": lead, "follow": follow, "edge": float(edge), "low": float(low), "high": float(high),
                 "p_adjusted": one} for (lead, follow), edge, low, high, one in every]

    def contrast_rows(self) -> list[dict[str, Any]]:
        """The differences between cells that were asked for."""
        names = [self.name(cell) for cell in range(len(self.weights))]
        return [] if self.compared is None else contrast_rows(names, self.series, self.edges, self.weights,
                                                               self.compared, self.level)

    def effect_rows(self) -> list[dict[str, Any]]:
        """The effects as rows: kind (lead, follow, interaction), rule or rules, effect and simultaneous limits."""
        names = [("lead", lead, "") for lead in self.leads] + [("follow", "", follow) for follow in self.follows]
        names += [("interaction", lead, follow) for lead, follow in product(self.leads, self.follows)]
        p = p_values(self.series, self.edges, np.vstack(contrasts(*self.shape)) @ self.weights)
        every = zip(names, self.effects.estimates, self.effects.low, self.effects.high, p, strict=True)
        return [{"kind": kind, "lead": lead, "follow": follow, "effect": float(effect), "low": float(low),
                 "high": float(high), "p_adjusted": one} for (kind, lead, follow), effect, low, high, one in every]

    def as_dict(self) -> dict[str, Any]:
        """The study in the form of `factorial --json`."""
        experiment, match_up = self.series[0].experiment, self.series[0].experiment.match_up
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(), "seed": match_up.seed,
            "first": experiment.first, "deals": experiment.deals,
            "design": "duplicate", "leads": list(self.leads), "follows": list(self.follows),
            "against": self.against, "base": self.base, "level": self.level, "method": self.edges.method,
            "mean": float(self.cells.estimates.mean()), "cells": self.rows(), "effects": self.effect_rows(),
            "contrasts": self.contrast_rows(),
            "shares": dict(zip(("lead", "follow", "interaction"), self.shares, strict=True)),
            "lead_matters_more": self.lead_matters_more,
            "match_ups": [match_up_as_dict(one, self.level) for one in self.series],
            "sentences": self.sentences(), "command": self.command, "version": __version__,
        }


def factorial(leads: Sequence[str], follows: Sequence[str], make: Make, grammar: Grammar, *, against: str, base: str,
              play: Runner = in_order, hear: Hear | None = None, level: float = 0.95,
              contrasts: str | None = None) -> Factorial:
    """Play the study: every lead rule with every follow rule in `base`, against one policy or EACH_OTHER.

    make(a, b): an Experiment of two policies' texts, always of the same deals. Raises RequestError where two cells
    are the same policy.
    """
    tail(level)  # refuses what is no level
    check_size(len(leads) * len(follows), against == EACH_OTHER)
    policies = combinations(leads, follows, grammar, base)
    if contrasts is not None:
        pairs_asked([f"lead: {lead}; follow: {follow}" for lead, follow in product(leads, follows)], contrasts)
    experiments, weights = _pairings(policies, against, make)
    check_common(experiments)
    if not experiments:
        raise RequestError("every cell is the opponent itself: name other rules, or another policy with --against")
    series = play_field(experiments, play, hear)
    return Factorial(tuple(leads), tuple(follows), against, base, tuple(series), weights, level, contrasts)


def combinations(leads: Sequence[str], follows: Sequence[str], grammar: Grammar, base: str) -> list[Policy]:
    """The policies of all cells, row by row; raises RequestError where a rule is none or two cells are the same."""
    policies = [with_part(grammar, with_part(grammar, grammar.parse(base), "lead", lead), "follow", follow)
                for lead, follow in product(leads, follows)]
    check_distinct([f"lead: {lead}; follow: {follow}" for lead, follow in product(leads, follows)], policies)
    return policies


def default_opponent(grammar: Grammar) -> str:
    """The opponent of a study that names none: plain, or the game's second preset."""
    presets = list(grammar.presets)
    return "plain" if "plain" in presets else presets[1]


def deals_to_play(cells: int, against: str, deals: int) -> int:
    """The deals of all match-ups of a study, for its progress."""
    return deals * (cells * (cells - 1) // 2 if against == EACH_OTHER else cells)


def net_squares(effects: Floats, variances: Floats, shape: tuple[int, int]) -> Floats:
    """Sums of squares over all cells of rows, columns and interaction, without what the variances alone would give.

    effects: float64[..., k + m + k m]; variances: float64[k + m + k m]; returns float64[3, ...], none negative.
    """
    k, m = shape
    parts = ((slice(0, k), m), (slice(k, k + m), k), (slice(k + m, None), 1))
    net = [times * (np.sum(effects[..., part] ** 2, axis=-1) - np.sum(variances[part])) for part, times in parts]
    return np.maximum(np.stack(net), 0.0)


def answer(effects: Joint, parts: tuple[slice, slice, slice], shares: tuple[float, float, float],
           lead_more: float) -> str:
    """Which of the two rules matters, in a sentence that claims no more than the limits allow."""
    lead, follow, both = (bool(np.any((effects.low[part] > 0) | (effects.high[part] < 0))) for part in parts)
    if not (lead or follow or both):
        return "Nothing is established: no lead rule, follow rule or combination differs from the others for sure."
    lead_part, follow_part, both_part = (f"{percent(share)} %" for share in shares)
    split = f"lead rules {lead_part}, follow rules {follow_part}, interaction {both_part} of the variance"
    apart = " What a rule is worth depends on the other." if both and shares[2] >= 0.05 else ""
    if lead_more >= _SURE and lead:
        return f"The lead rule matters more than the follow rule: {split} between cells.{apart}"
    if lead_more <= 1 - _SURE and follow:
        return f"The follow rule matters more than the lead rule: {split} between cells.{apart}"
    return f"It is not established which of the two matters more: {split} between cells.{apart}"


def match_up_as_dict(series: Series, level: float = 0.95) -> dict[str, Any]:
    """A match-up's policies, edge and what pairing bought."""
    match_up, pairing = series.experiment.match_up, correlation(*series.reader.pairs(series.tally.vector))
    return {"a": str(match_up.a), "b": str(match_up.b), "deals": series.pairs,
            "estimate": {"statistic": "vp_per_deal", **series.estimate(level)._asdict()},
            "pairing": {"correlation": pairing.correlation,
                        "factor": pairing.factor if np.isfinite(pairing.factor) else None,
                        "sentence": pairing.sentence},
            "tally_sha256": series.tally.sha256}


def _pairings(policies: Sequence[Policy], against: str, make: Make) -> tuple[list[Experiment], Floats]:
    """What is to be played, and what makes the cells from it; a cell that is the opponent itself is 0, unplayed."""
    texts = [str(policy) for policy in policies]
    if against == EACH_OTHER:
        return [make(texts[i], texts[j]) for i, j in match_ups(len(texts))], rating_weights(len(texts))
    experiments = [make(text, against) for text in texts]
    played = [place for place, experiment in enumerate(experiments) if not alike(experiment.match_up)]
    return [experiments[place] for place in played], np.eye(len(texts))[:, played]
