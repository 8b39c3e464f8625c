"""Bohemian Schneider as the rest of the house sees it: policy text, rules, deals to tallies, deals to traces."""

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from ...base.estimate import Named
from ...base.tally import Counts, Layout, Tally
from ...policy.grammar import Grammar, Policy, Section, load_presets, read_word
from ..belongs import in_policies, read_rules
from ..protocol import Game, MatchUp, Switch, part
from . import referee
from .layout import LAYOUT
from .options import OPTIONS, conflict
from .rules import PACK, PLAYED, STOCK, SWITCHES, TRICKS, VARIANTS, Rules, has_table, make_rules
from .words import NEGATED, PLUGIN, STAGE, WORDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ...policy.callbacks import Callback
    from ...stats import paired

_Count = Callable[[int, int], None]
_ALL = 0xFFFFFFFF
_HONOURS = 0xF8F8F8F8


class Bohemian(Game):
    """The game `bohemian`."""

    name = "bohemian"
    unit = "VP"
    version = 1
    pack = PACK
    layout: Layout = LAYOUT
    variants = VARIANTS
    switches: Mapping[str, Switch] = SWITCHES
    replay_page = part(".replay_page", "page")
    accounts = part(".replay_page")
    reasons = part(".reasons")
    sessions = part(".sessions")
    records = part(".records")
    losses = part(".endgame.losses")
    steps = part(".steps")
    positions = part(".appraisal")
    responses = part(".endgame.responses")
    decisions = part(".decisions")
    report = part(".report.sections", "REPORT")

    @cached_property
    def grammar(self) -> Grammar:
        presets = load_presets(resources.files(__package__).joinpath("presets.toml").read_text(encoding="utf-8"))
        sections = tuple(
            Section(name, {word: entry.meaning for word, entry in WORDS.items() if name in entry.sections})
            for name in ("lead", "follow")
        )
        stages = {"stock": (1, STOCK // 2), "endgame": (STOCK // 2 + 1, TRICKS)}
        return Grammar(sections, presets, OPTIONS, tricks=TRICKS, stages=stages, conflict=conflict,
                       elsewhere=in_policies(self.name))

    def rules(self, variant: str | None = None, overrides: Mapping[str, object] | None = None) -> Rules:
        return read_rules(self.name, make_rules, variant, overrides)

    def play(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        counts = self.layout.zeros()
        _run(match_up, start, stop - start, match_up.design, match_up.detail == "all", counts)
        return counts

    def work(self, match_up: MatchUp) -> int:
        options, looked_up = [policy.options for policy in (match_up.a, match_up.b)], has_table(match_up.rules)
        samples = max(int(each["samples"]) if each["search"] != "none" else 0 for each in options)
        opens = looked_up and any(each["search"] == "pimc" for each in options)
        doublings = samples.bit_length() + (9 if opens else 3 if looked_up else 11) if samples else 0
        if not samples and not looked_up and any(each["endgame"] == "exact" for each in options):
            doublings = 4
        return max(super().work(match_up), 1 << min(doublings, 19))

    def traces(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Iterator[dict[str, Any]]:
        from .trace import read_trace

        counts = self.layout.zeros()
        while start < stop:
            end = min(stop, (start // 256 + 1) * 256)
            space = _run(match_up, start, end - start, first_leader, True, counts)
            for deal in range(start, end):
                yield read_trace(space, match_up, deal, first_leader)
            start = end

    @property
    def card_columns(self) -> Mapping[str, type]:
        return {"hand_a": int, "hand_b": int, "stock": str, "first_lead": str}

    def cards(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        hands = {f"hand_{who.lower()}": PACK.to_mask(cards) for who, cards in trace["hands"].items()}
        return {**hands, "stock": "".join(trace["stock"]), "first_lead": trace["tricks"][0]["led"]}

    def points_by_deal(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        import numpy as np

        from .rules import value_of_honours

        honours = scores_by_deal(match_up, start, stop, "duplicate", self.layout.zeros()) & 255
        return np.array(value_of_honours(match_up.rules), np.int64)[honours]

    def plays_alike(self, one: MatchUp, other: MatchUp) -> bool:
        """Where nobody searches, only how cards are captured, followed and drawn decides what is played."""
        if any(policy.options.get("search", "none") != "none" for policy in (one.a, one.b, other.a, other.b)):
            return one == other
        same = all(getattr(one.rules, name) == getattr(other.rules, name) for name in PLAYED)
        return same and replace(one, rules=other.rules) == other

    def joint(self, tally: Tally, match_up: MatchUp) -> Counts | None:
        return tally["joint"] if match_up.design == "duplicate" else None

    def by_first_leader(self, tally: Tally) -> dict[str, Counts]:
        counts = tally["outcome"].sum(axis=1)
        return {"A": counts[0], "B": counts[1]}

    def estimates(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
        from .estimates import estimates

        return estimates(tally, match_up.rules, match_up.design, level)

    def meanings(self, match_up: MatchUp) -> dict[str, str]:
        from .meanings import meanings

        return meanings(match_up.rules)

    def honours(self, by_first_leader: Mapping[str, Counts], level: float = 0.95) -> "pd.DataFrame":
        from .tables import honours

        return honours(by_first_leader, level)

    def victory_pairs(self, tally: Tally, match_up: MatchUp) -> "paired.Pairs":
        from .estimates import victory_pairs

        return victory_pairs(tally, match_up.rules)

    def victory_counts(self, tally: Tally, match_up: MatchUp) -> "tuple[npt.NDArray[np.float64], Counts, Counts]":
        from .estimates import victory_counts

        return victory_counts(tally, match_up.rules)

    def judge(self, trace: Mapping[str, Any]) -> None:
        referee.judge(trace)


def _run(match_up: MatchUp, first: int, deals: int, seating: str, detail: bool, counts: Counts) -> Any:
    """Count deals first..first+deals-1 into `counts`; returns the kernel's space, which holds the last record."""
    with _counter(match_up, seating, detail, counts) as (count, room):
        count(first, deals)
    return room


def scores_by_deal(match_up: MatchUp, start: int, stop: int, seating: str, counts: Counts) -> Counts:
    """A's score words (honours + 256 * tricks) in the plays of deals start..stop-1, which are added to `counts`.

    int64[deals, 2] for the seating "duplicate", with A first and with B first; int64[deals, 1] for another.
    """
    import numpy as np

    from ...compiled.lanes import LANES
    from .state import FINAL

    plays = 2 if seating == "duplicate" else 1
    scores = np.empty((stop - start, plays), np.int64)
    with _counter(match_up, seating, match_up.detail == "all", counts) as (count, room):
        final, place = room[FINAL : FINAL + plays * LANES].reshape(plays, LANES), start
        while place < stop:
            lane, deals = place % LANES, min(stop - place, LANES - place % LANES)
            count(place, deals)
            scores[place - start : place - start + deals] = final[:, lane : lane + deals].T
            place += deals
    return scores


def recorded(match_up: MatchUp, start: int, stop: int, first_leader: str) -> Iterator[tuple[int, int, Any]]:
    """Play deals start..stop-1 with `first_leader` in seat 0: (first deal, deals, the kernel's space) of each block.

    The space holds the record of the block's plays until the next one is asked for.
    """
    from ...compiled.lanes import LANES

    with _counter(match_up, first_leader, True, LAYOUT.zeros()) as (count, room):
        while start < stop:
            deals = min(stop - start, LANES - start % LANES)
            count(start, deals)
            yield start, deals, room
            start += deals


@contextlib.contextmanager
def _counter(match_up: MatchUp, seating: str, detail: bool, counts: Counts) -> Iterator[tuple[_Count, Any]]:
    """The kernel at work: a function that counts (first deal, number of deals) into `counts`, and its space.

    What users' preferences did is checked when the block ends.
    """
    import numpy as np

    from ...compiled.lanes import LANES, make_space
    from . import callbacks, counting
    from . import state as space

    backs = [callbacks.callback(item, match_up.rules) for item in match_up.plugins]
    table, a, b = seated(match_up, backs)
    room, seed, code = make_space(space.SIZE), np.uint64(match_up.seed), counting.SEATINGS[seating]

    rooms: tuple[Any, ...] = (room,)
    plays = counting.count_exact if table.perfect else counting.count_range
    if a.samples or b.samples:
        from .search.lanes import count_searching as plays
        from .search.policies import thinking

        rooms += (thinking(table, match_up.informed, opens_cards(match_up)),)

    def count(first: int, deals: int) -> None:
        plays(*rooms, first // LANES, first % LANES, deals, seed, code, detail, table, a, b, counts)

    arguments = (*rooms, 0, 0, 0, seed, code, detail, table, a, b, counts)
    deal, record = _units(_Call(plays, arguments, table, opens_cards(match_up)))
    table = table._replace(deal=deal, detail=record)
    yield count, room
    callbacks.check(match_up.plugins, backs, table.fault.array)


class _Call:
    """A call of a compiled loop with a table; calls of one loop are alike where their types are.

    opens: whether there is room for open cards, the one thing in which the types of a loop's calls differ.
    """

    def __init__(self, plays: Any, arguments: tuple[Any, ...], table: Any, opens: bool) -> None:
        self.plays, self.arguments, self.table, self.opens = plays, arguments, table, opens

    def __hash__(self) -> int:
        return hash((self.plays, self.opens))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Call) and (self.plays, self.opens) == (other.plays, other.opens)


@functools.lru_cache(maxsize=8)
def _units(call: _Call) -> tuple[int, int]:
    """The addresses of what is compiled apart, dealing and detail; on a first start beside the loop that is called."""
    from ...compiled.aside import compile_aside
    from ...compiled.calls import entry
    from . import counting, kernel

    typed = call.plays.typeof_pyval
    of_table = typed(call.table)
    deal, detail = (kernel.deal_unit, kernel.DEAL_TYPES), (counting.detail_unit, counting.detail_types(of_table))
    compile_aside([(call.plays, tuple(map(typed, call.arguments))), detail, deal])
    return entry(*deal), entry(*detail)


def seated(match_up: MatchUp, backs: "list[Callback]") -> tuple[Any, Any, Any]:
    """The rules and the two policies as the kernel reads them."""
    import numpy as np

    from ...compiled.cells import Address
    from ...compiled.lanes import LANES
    from . import kernel, tricks
    from .endgame.rules import exact_of
    from .endgame.values import ROOM
    from .plugins import FAULT_SIZE
    from .rules import value_of_honours

    a, b = _player(match_up.a, match_up), _player(match_up.b, match_up)
    rules, perfect = match_up.rules, bool(a.exact or b.exact)
    exact = exact_of(rules)
    table = kernel.CompiledRules(
        reach=tricks.REACH[rules.beat_rule],
        ace=tricks.ACE[rules.ace_by_seven],
        follow=kernel.FOLLOW_RULES[rules.follow],
        draw_at_once=np.uint32(_ALL if rules.draw_timing == "on_play" else 0),
        random_ties=bool(a.random_ties or b.random_ties),
        noise=bool(a.noisy or b.noisy),
        words=_schedule(match_up.a, match_up.b, match_up),
        plugins=Address.of(np.array([back.address for back in backs], np.int64)),
        fault=Address.of(np.zeros(FAULT_SIZE, np.int64)),
        perfect=perfect,
        exact=exact,
        room=np.zeros(LANES * ROOM if perfect and not exact.known else 0, np.int8),
        points=Address.of(np.array(value_of_honours(rules), np.int64)),
    )
    return table, a, b


def _player(policy: Policy, match_up: MatchUp) -> Any:
    import numpy as np

    from . import kernel
    from .state import DRAWS, OPEN

    threshold, searches = policy.noise_threshold, policy.options["search"] != "none"
    full = policy.options["memory"] == "full"
    return kernel.CompiledPolicy(
        words=_schedule(policy, policy, match_up),
        memory=policy.memory,
        sees=np.uint32(_HONOURS if policy.options["memory"] == "honours" else _ALL),
        random_ties=np.uint32(_ALL if policy.options["ties"] == "random" else 0),
        noisy=np.uint32(_ALL if threshold else 0),
        noise=np.uint32(max(threshold - 1, 0)),
        exact=np.uint32(_ALL if policy.options["endgame"] == "exact" or (searches and full) else 0),
        samples=int(policy.options["samples"]) if searches else 0,
        inference=int(policy.options["inference"]) if searches else 0,
        open_from=OPEN if policy.options["search"] == "pimc" and has_table(match_up.rules) else DRAWS,
    )


def opens_cards(match_up: MatchUp) -> bool:
    """Whether a policy looks at open cards in its worlds."""
    return any(policy.options["search"] == "pimc" for policy in (match_up.a, match_up.b))


def _schedule(a: Policy, b: Policy, match_up: MatchUp) -> Any:
    from .schedule import schedule

    places = {item.name: PLUGIN + place for place, item in enumerate(match_up.plugins)}
    lead, follow = ((_codes(a.sections[name], places), _codes(b.sections[name], places)) for name in ("lead", "follow"))
    return schedule(lead, follow)


def _codes(words: tuple[str, ...], places: Mapping[str, int]) -> tuple[int, ...]:
    known = {word: entry.code for word, entry in WORDS.items()} | dict(places)
    every = (1 << TRICKS) - 1
    return tuple(known[word.name] | NEGATED * word.negated | (word.tricks & every) << STAGE
                 for word in map(read_word, words))


GAME = Bohemian()
