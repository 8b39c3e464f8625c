"""The table [strength] of a study file: how strong its policies are, where they lose points, and deals worth seeing.

    [strength]                         # may be empty
    against = ["master", "searcher"]   # whom they are measured against: presets, policies of the study, or texts; or a
                                       # table of name = text; by default these two, or the game's best preset
    deals = 100_000                    # of a policy against one of them; by default the study's, at most this many
    searched = 1_000                   # the same where one of the two searches
    analysed = 200                     # deals in which every decision of a policy is measured; 0 for none
    worlds = 128                       # imagined deals that choose the best card, and as many that measure the loss
    looked_through = 20_000            # deals among which three are found that are worth seeing; 0 for none
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.limits import checked_deals
from ..base.text import clean, parse_int, unknown
from ..errors import RequestError
from ..games import load_game
from ..policy.grammar import Grammar
from ..versus.field import Joint, Series, play_series, together
from ..versus.variations import searches, strongest
from .pieces import Counted, game_report

if TYPE_CHECKING:
    from ..analysis.deals import Deals, Seen
    from ..analysis.errors_of_play import Analysis
    from ..engines.threads import Runner
    from ..runs.experiment import Experiment
    from .findings import Findings
    from .study import Study

KEYS = ("against", "deals", "searched", "analysed", "worlds", "looked_through")
MOST = 10  # policies to be measured against
SHOWN = 3  # deals worth seeing
_BEST = ("master", "searcher")
_DEALS, _SEARCHED, _ANALYSED, _WORLDS, _LOOKED = 100_000, 1_000, 200, 128, 20_000
_SLOW = 1 << 8  # from this Game.work on, a match-up plays no more deals than one that searches
_SORTS = ("swing", "loss", "schneider", "parting")  # what a deal is worth seeing for, the best reason first

Hear = Callable[[int], None]


class Asked(NamedTuple):
    """A checked table; against: name -> text of those that policies are measured against."""

    against: Mapping[str, str]
    deals: int
    searched: int
    analysed: int
    worlds: int
    looked: int


class Rung(NamedTuple):
    """A policy against one that it is measured against, both by name; None where they are one and the same.

    side: of the policy in the series, "A" or "B".
    """

    policy: str
    against: str
    series: Series | None
    side: str = "A"


class Lost(NamedTuple):
    """What a policy loses: as analysed, or why it cannot be; counted: exactly, by the tally of its rung, where known.
    """

    policy: str
    analysis: "Analysis | None"
    refused: str
    counted: Counted | None


class Choice(NamedTuple):
    """A deal worth seeing, among the deals of its kind."""

    found: "Deals"
    seen: "Seen"


@dataclass(frozen=True)
class Strength:
    """What a study found of its policies' strength.

    known: those of the rungs that are match-ups of the study; joint: the edges of A in the rungs that have a series, in
    their order, with limits that hold at once; yardstick: the policy against which losses are measured; pair: the
    policies A and B of the deals.
    """

    asked: Asked
    rungs: tuple[Rung, ...]
    known: tuple[Rung, ...]
    joint: Joint | None
    yardstick: str
    losses: tuple[Lost, ...]
    pair: tuple[str, str]
    deals: tuple[Choice, ...]

    @property
    def series(self) -> tuple[Series, ...]:
        """The match-ups that were played for it: those of the study itself are not among them."""
        return tuple(one.series for one in self.rungs if one.series and one not in self.known)


def strength_in(given: object, policies: Mapping[str, str], grammar: Grammar, deals: int, first: int) -> Asked | None:
    """What the table asks for; None where there is none. policies: name -> text; deals, first: those of the study."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise RequestError("strength must be a table [strength], which may be empty")
    for key in given:
        if key not in KEYS:
            raise unknown("key in strength", key, KEYS)

    def number(key: str, usual: int, least: int = 1) -> int:
        value = given.get(key, min(usual, deals))
        return 0 if least == 0 and value == 0 and value is not False else checked_deals(value, f"strength {key}", first)

    return Asked(_against(given.get("against"), policies, grammar), number("deals", _DEALS),
                 number("searched", _SEARCHED), number("analysed", _ANALYSED, 0),
                 parse_int(given.get("worlds", _WORLDS), "strength worlds", 1, 1 << 16),
                 number("looked_through", _LOOKED, 0))


def _against(given: object, policies: Mapping[str, str], grammar: Grammar) -> dict[str, str]:
    """Name -> text of those that policies are measured against."""
    if given is None:
        given = [name for name in _BEST if name in grammar.presets] or [strongest(grammar)]
    if isinstance(given, list) and all(isinstance(text, str) for text in given):
        names = [" ".join(clean(text).split()) for text in given]
        if len(set(names)) < len(names):
            raise RequestError("strength against names a policy twice: name each once")
        given = {name: policies.get(name, name) for name in names}
    if not isinstance(given, dict) or not 0 < len(given) <= MOST or not all(map(_is_text, given.items())):
        raise RequestError(f"strength against must be a list of 1 to {MOST} policies, such as [\"master\", "
                           "\"searcher\"], or a table of name = \"text\"")
    return {" ".join(clean(name).split()): text for name, text in given.items()}


def _is_text(entry: tuple[object, object]) -> bool:
    return all(isinstance(part, str) and part.strip() for part in entry)


def check_strength(study: "Study") -> None:
    """Raises RequestError where a policy to be measured against is none, or the rules make no deal worth anything."""
    if study.asked is None:
        return
    from ..versus.duplicates import duplicates

    try:
        for text in study.asked.against.values():
            study.grammar.parse(text)
        for pair in _ladder(study, study.asked):
            if pair.experiment is not None:
                duplicates(pair.experiment)
                break
    except RequestError as error:
        raise RequestError(f"strength: {error}") from None


class _Pair(NamedTuple):
    """Who is measured against whom, as in Rung; met: as which pair of the study; experiment: what else is to be played.
    """

    policy: str
    against: str
    met: tuple[str, str] | None
    experiment: "Experiment | None"


def _ladder(study: "Study", asked: Asked) -> list[_Pair]:
    """All pairs; where both are one policy, there is nothing to be played."""
    def of(text: str) -> str:
        return str(study.grammar.parse(text))

    players = {name: study.policies[name] for name in study.players}
    met = {frozenset(of(study.policies[name]) for name in pair): pair for pair in study.pairs}
    known, rivals, found = set(map(of, players.values())), list(asked.against.items()), []
    for place, (rival, reference) in enumerate(rivals):
        earlier = {name: text for name, text in rivals[:place] if of(text) not in known | {of(reference)}}
        for name, text in (players | earlier).items():
            both = frozenset((of(text), of(reference)))
            played = met.get(both) if len(both) == 2 else None
            new = len(both) == 2 and played is None
            found.append(_Pair(name, rival, played, _experiment(study, text, reference, asked) if new else None))
    return found


def _experiment(study: "Study", a: str, b: str, asked: Asked) -> "Experiment":
    """A match-up of two texts; one that searches, or takes as long, plays fewer deals."""
    experiment = study.of(a, b, asked.deals)
    if load_game(study.game).work(experiment.match_up) < _SLOW:
        return experiment
    return study.of(a, b, min(asked.deals, asked.searched))


def plays_of(study: "Study") -> int:
    """The plays of all that is asked, for the progress."""
    asked = study.asked
    if asked is None:
        return 0
    ladder = sum(pair.experiment.plays for pair in _ladder(study, asked) if pair.experiment)
    analysed = asked.analysed if load_game(study.game).decisions is not None else 0
    return ladder + 2 * analysed * len(study.players)


def play_strength(findings: "Findings", play: "Runner", threads: int | None, heard: Hear) -> Strength | None:
    """Play and analyse what a study asks of its policies' strength, when its match-ups are played; None for nothing.

    heard: called with the plays done.
    """
    study, done = findings.study, 0
    asked = study.asked
    if asked is None:
        return None
    rungs, known = list[Rung](), list[Rung]()
    for pair in _ladder(study, asked):
        if pair.experiment is not None:
            rungs.append(Rung(pair.policy, pair.against, play_series(pair.experiment, play, _onwards(heard, done))))
            done += pair.experiment.plays
            continue
        rungs.append(_met(findings, pair))
        known += rungs[-1:] if rungs[-1].series else []
    met = [one.series for one in rungs if one.series]
    yardstick, text = _yardstick(study, asked)
    losses = []
    if asked.analysed and load_game(study.game).decisions is not None:
        for name in study.players:
            counted = _counted(study, rungs, name, yardstick)
            losses.append(_losses(study, asked, name, text, threads, counted, _onwards(heard, done)))
            done += 2 * asked.analysed
            heard(done)
    two = findings.foremost or (study.players[0], yardstick)
    joint = together(met, findings.level) if met else None
    return Strength(asked, tuple(rungs), tuple(known), joint, yardstick, tuple(losses), two,
                    tuple(_choices(study, asked, two, threads)))


def _met(findings: "Findings", pair: _Pair) -> Rung:
    """A rung that is a match-up of the study, or of a policy with itself."""
    one = findings.find(*pair.met) if pair.met else None
    if one is None:
        return Rung(pair.policy, pair.against, None)
    own, a = (str(findings.study.grammar.parse(findings.study.policies[name])) for name in (pair.policy, one.a))
    return Rung(pair.policy, pair.against, one.series, "A" if own == a else "B")


def _onwards(heard: Hear, done: int) -> Hear:
    """What hears the deals of a match-up and tells the plays in all, of which `done` came before."""
    return lambda deals: heard(done + 2 * deals)


def _yardstick(study: "Study", asked: Asked) -> tuple[str, str]:
    """Against whom losses are measured, by name and text: the first that does not search."""
    quick = [(name, text) for name, text in asked.against.items() if not searches(study.grammar, text)]
    best = strongest(study.grammar)
    return quick[0] if quick else (best, best)


def _counted(study: "Study", rungs: Sequence[Rung], name: str, yardstick: str) -> Counted | None:
    """What the game counted exactly of a policy's losses while it played the yardstick."""
    one = next((one for one in rungs if (one.policy, one.against) == (name, yardstick)), None)
    return game_report(study.game).counted_losses(one.series, one.side) if one and one.series else None


def _common(study: "Study", threads: int | None) -> dict[str, Any]:
    """What every analysis of a study's deals is called with."""
    return {"game": study.game, "variant": study.variant, "rules": dict(study.rules), "seed": study.seed,
            "first": study.first, "load": study.files, "threads": threads}


def _losses(study: "Study", asked: Asked, name: str, text: str, threads: int | None, counted: Counted | None,
            hear: Hear) -> Lost:
    from ..analysis.errors_of_play import analyse

    try:
        found = analyse(study.policies[name], text, deals=asked.analysed, worlds=asked.worlds, limit=1, hear=hear,
                        **_common(study, threads))
    except RequestError as error:
        return Lost(name, None, str(error), counted)
    return Lost(name, found, "", counted)


def _choices(study: "Study", asked: Asked, pair: tuple[str, str], threads: int | None) -> list[Choice]:
    """Three deals of a pair, each for another reason as far as the game knows them."""
    from ..analysis.deals import deals

    if not asked.looked or load_game(study.game).steps is None or load_game(study.game).records is None:
        return []
    a, b = (study.policies.get(name, asked.against.get(name, name)) for name in pair)
    if str(study.grammar.parse(a)) == str(study.grammar.parse(b)):
        return []
    slow = load_game(study.game).work(study.of(a, b, 1).match_up) >= _SLOW
    number = min(asked.looked, asked.searched) if slow else asked.looked
    sought = []
    for sort in _SORTS:
        try:
            found = deals(a, b, sort=sort, deals=number, limit=SHOWN, **_common(study, threads))
        except RequestError:  # the game, or these rules, do not know this reason
            continue
        sought.append([Choice(found, seen) for seen in found.seen])
    in_turn = [some[place] for place in range(SHOWN) for some in sought if place < len(some)]
    distinct = {one.seen.deal: one for one in reversed(in_turn)}  # each deal for its best reason
    return [one for one in in_turn if one is distinct[one.seen.deal]][:SHOWN]
