"""What the report on Bauernschnapsen has beyond every game's: the questions that players ask, and their answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....base.tally import Counts
from ....report.findings import Findings
from ....report.pieces import Answer, Drawing, GameReport, Table
from ....report.sections.leading_first import best_first
from ....report.study import Study
from ....stats.values import Estimate
from ....versus.sessions import Sessions
from ..results import self_play
from ..results import tables as detail
from . import contracts, doubling, gang, marriages, matches, opening


class BauernschnapsenReport(GameReport):
    """What players of Bauernschnapsen ask."""

    title = "Bauernschnapsen"
    unit = "game points"
    short = "game points"
    session, sessions = "match", "matches"
    leading = "Being on the caller's side"
    leading_title, leading_short = "The caller's side", "being on the caller's side"
    first, advantage = "caller's side", "advantage of the caller's side"
    first_leader = "the caller's team"
    rates = (("schneider_rate", "Schneider", "matches"), ("retour_rate", "Retourschneider", "matches"))
    method = "Tables of contracts, bids and marriages count every play."

    def game_in_short(self, rules: Any) -> str:
        return opening.rules_in_short(rules)

    def glossary(self, rules: Any) -> Mapping[str, str]:
        return opening.glossary(rules)

    def extra_plays(self, study: Study) -> int:
        return gang.plays(study)

    def more(self, study: Study, threads: int | None, hear: Callable[[int], None]) -> "More":
        return More(gang.play(study, threads, hear), matches.play(study, threads))

    def answers(self, findings: Findings) -> Iterator[Answer]:
        if findings.self_plays:
            yield contracts.answer(findings)
            yield from gang.answer(findings)
            yield doubling.answer(findings)
            yield matches.answer(findings)
            yield marriages.of_normal_games(findings)
            yield marriages.of_marriages(findings)

    def figures(self, findings: Findings) -> Iterator[Drawing]:
        if findings.self_plays:
            for part in (contracts, gang, doubling, marriages):
                yield from part.drawings(findings)

    def tables(self, findings: Findings) -> Iterator[Table]:
        import pandas as pd

        frames: dict[str, list[Any]] = {}
        for one in findings.played:
            match_up = one.result.experiment.match_up
            for name, frame in detail.tables(one.result.tally, match_up.rules, match_up.design,
                                             findings.level).items():
                frames.setdefault(name, []).append(frame.assign(a=one.a, b=one.b))
        for name, parts in frames.items():
            frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
            title = name.replace("_", " ").capitalize()
            yield Table(name, title, _ABOUT.get(name, "by side, the policy concerned"),
                        frame[["a", "b", *(c for c in frame.columns if c not in ("a", "b"))]])
        if findings.self_plays:
            yield from own_tables(findings)
            yield from gang.tables(findings)


class More(NamedTuple):
    """What is played beside the match-ups: Gangs against normal games by policy, and matches by match-up."""

    gangs: dict[str, Counts]
    matches: dict[tuple[str, str], Sessions]


def own_tables(findings: Findings) -> Iterator[Table]:
    """The numbers of the answers, unrounded."""
    import pandas as pd

    made: dict[str, list[dict[str, Any]]] = {name: [] for name in _OWN}
    for one in best_first(findings):
        tally, rules, level = one.result.tally, contracts.rules_of(one), findings.level
        parts: list[Sequence[Any]] = [self_play.contracts(tally, rules, level),
                                      self_play.doubling(tally, rules, level),
                                      self_play.endings(tally, level), self_play.marriages(tally, level)]
        for name, rows in zip(made, parts, strict=True):
            made[name] += [{"policy": one.a, **_flat(row)} for row in rows]
    made["matches"] = [_flat(row) for row in matches.rows(findings)]
    for name, rows in made.items():
        if rows:
            about = _OWN.get(name, "every match-up from the side that is ahead; balance: Bummerl ahead per match; "
                             "played: from matches, not from the law of a deal")
            yield Table(name, name.replace("_", " ").capitalize(), f"{about}; {findings.sure} intervals",
                        pd.DataFrame(rows))


def _flat(row: Any) -> dict[str, Any]:
    """A row with every estimate as value, low, high."""
    flat: dict[str, Any] = {}
    for name, value in row._asdict().items():
        if value is None or isinstance(value, Estimate):
            flat |= dict(zip((name, f"{name}_low", f"{name}_high"), value.limits if value else [None] * 3, strict=True))
        else:
            flat[name] = value
    return flat


_OWN = {
    "own_contracts": "every policy against itself: contracts bid, played and made, game points a play",
    "own_doubling": "every policy against itself: deals by how often they were raised (step), as the side sees them "
                    "that did it; gain: game points per deal by raising",
    "own_normal_games": "every policy against itself: how normal games end, as shares of them",
    "own_marriages": "every policy against itself: marriages dealt, counted, void, not announced",
}
_ABOUT = {
    "game_points": "how often each result came out, A's game points minus B's",
    "contracts": "what each contract does for the side that plays it, by seat of the declarer",
    "bids": "calls made, by side and seat",
    "doubling": "what doubling earns the declarer's side",
}


REPORT = BauernschnapsenReport()
