"""The compiled kernel of Bohemian Schneider against the plain version, the referee and known numbers."""

import re

import numpy as np
import pytest
from scipy import stats

import schneider_sim as ss
from naive import bohemian as naive
from schneider_sim.base.tally import Tally
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian import words as card_words

GAME = load_game("bohemian")
GRAMMAR = GAME.grammar
SWITCHES = [
    {},
    {"beat_rule": "any_higher_same_suit"},
    {"beat_rule": "any_higher_same_suit", "follow": "must_follow"},
    {"beat_rule": "any_higher_same_suit", "ace_by_seven": "same_suit"},
    {"beat_rule": "next_any_suit"},
    {"beat_rule": "next_any_suit", "ace_by_seven": "same_suit"},
    {"beat_rule": "next_any_suit", "ace_by_seven": "any_suit"},
    {"ace_by_seven": "same_suit"},
    {"follow": "must_follow"},
    {"follow": "endgame_only"},
    {"draw_timing": "on_play"},
    {"schneider_at": 13, "win_points": [2, 5, 9]},
]
WORDS = {section.name: list(section.words) for section in GRAMMAR.sections}


def match(a: str, b: str, rules: dict | None = None, **more) -> MatchUp:
    return MatchUp(GAME.rules(None, rules or {}), GRAMMAR.parse(a), GRAMMAR.parse(b), **more)


def as_plain(policy) -> dict:
    return {**{name: list(words) for name, words in policy.sections.items()}, "ties": policy.options["ties"],
            "memory": policy.options["memory"], "noise": float(policy.options["noise"]),
            "endgame": policy.options["endgame"]}


def random_policy(rng: np.random.Generator) -> str:
    """A policy that any of the registered words may stand in."""
    parts = []
    for section, words in WORDS.items():
        chosen = rng.choice(words, rng.integers(1, 5), replace=False)
        words = ["not-" * int(rng.integers(4) == 0) + word for word in chosen]
        parts.append(f"{section}: " + " ".join(word + rng.choice(["", "", "@1-4", "@endgame", "@7"]) for word in words))
    memory = rng.choice(["full", "none", "honours", "last-1", "last-3"])
    return "; ".join([*parts, f"memory: {memory}", f"ties: {rng.choice(['random', 'first'])}",
                      f"noise: {rng.choice([0, 0, 0.125, 1])}"])


@pytest.mark.parametrize("rules", SWITCHES, ids=str)
def test_plays_what_the_plain_version_plays(rules):
    """Cards, candidates of random lists of words, memory, ties, noise, winners, draws: card by card the same."""
    rng = np.random.default_rng(7)
    for start in (0, 2**32 - 3, 2**63 - 4):
        playing = match(random_policy(rng), random_policy(rng), rules, seed=2**64 - 1)
        for leader in "AB":
            for trace in GAME.traces(playing, start, start + 4, leader):
                GAME.judge(trace)
                plain = naive.play(trace["rules"], as_plain(playing.a), as_plain(playing.b), 2**64 - 1, trace["deal"],
                                   leader)
                assert all(plain[key] == trace[key] for key in plain if key != "policies")


@pytest.mark.parametrize("rules", SWITCHES, ids=str)
def test_exact_endgames_are_those_of_the_plain_version(rules):
    """Against an exact and another opponent, with ties, noise and words among the cards that lose nothing."""
    exact = "lead: high; follow: capture; endgame: exact; noise: 0.2"
    for other in ("plain; endgame: exact; ties: first", "random"):
        playing = match(exact, other, rules, seed=6)
        for trace in GAME.traces(playing, 40, 42, "AB"[other == "random"]):
            GAME.judge(trace)
            plain = naive.play(trace["rules"], as_plain(playing.a), as_plain(playing.b), 6, trace["deal"],
                               trace["first_leader"])
            assert plain["tricks"] == trace["tricks"]


@pytest.mark.parametrize("section, word", [(section, word) for section in WORDS for word in WORDS[section]])
def test_every_word_picks_the_plain_candidates(section, word):
    """Each word and its complement alone, under a rule where killers and prey are many."""
    for text in (f"{section}: {word}", f"{section}: not-{word}", f"{section}: {word}@2-9 not-{word}@12-13"):
        playing = match(text, text, {"beat_rule": "any_higher_same_suit"}, seed=3)
        for trace in GAME.traces(playing, 0, 3, "A"):
            plain = naive.play(trace["rules"], as_plain(playing.a), as_plain(playing.b), 3, trace["deal"], "A")
            assert plain["tricks"] == trace["tricks"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", SWITCHES, ids=str)
def test_thousands_of_deals_pass_the_referee(rules):
    rng = np.random.default_rng(11)
    for _ in range(8):
        for trace in GAME.traces(match(random_policy(rng), random_policy(rng), rules), 1000, 1250, "B"):
            GAME.judge(trace)


def test_the_tally_counts_what_the_traces_say():
    """Core and detail of every deal, recounted from the traces of the same deals."""
    playing = match("plain", "classic", {"follow": "endgame_only"}, seed=5, detail="all")
    vector = GAME.play(playing, 100, 400)
    tally = Tally(GAME.layout, vector)
    joint, outcome, event = (np.zeros_like(tally[name]) for name in ("joint", "outcome", "event"))
    changes, stock_end = np.zeros_like(tally["lead_changes"]), np.zeros_like(tally["stock_end"])
    ranks = "789TJQKA"
    with_a_first: list[int] = []
    for first, leader in enumerate("AB"):
        finals: list[int] = []
        for trace in GAME.traces(playing, 100, 400, leader):
            honours, finals = {"A": 0, "B": 0}, [*finals, trace["honours"]["A"]]
            outcome[first, trace["tricks_won"]["A"], trace["honours"]["A"]] += 1
            hands = {who: set(cards) for who, cards in trace["hands"].items()}
            played: set[str] = set()
            for number, trick in enumerate(trace["tricks"]):
                who, other = trick["leader"], "B" if trick["leader"] == "A" else "A"
                known = played | hands[who]
                safe = naive.killers(trace["rules"], trick["led"]) <= known
                suit = {card for card in hands[other] if card[1] == trick["led"][1]}
                legal = suit if number >= 10 and suit else hands[other]
                able = any(naive.captures(trace["rules"], trick["led"], card) for card in legal)
                kind = 0 if trick["winner"] == other else 1 if able else 2
                event[first, number, "AB".index(who), ranks.index(trick["led"][0]), int(safe),
                      ranks.index(trick["reply"][0]), kind] += 1
                honours[trick["winner"]] += sum(card[0] in "TJQKA" for card in (trick["led"], trick["reply"]))
                if number == 9:
                    at_end = honours["A"]
                played |= {trick["led"], trick["reply"]}
                hands[who].remove(trick["led"])
                hands[other].remove(trick["reply"])
                for taker, card in (trick["drawn"] or {}).items():
                    hands[taker].add(card)
            changes[first, sum(t["winner"] != t["leader"] for t in trace["tricks"])] += 1
            stock_end[first, at_end, honours["A"]] += 1
        if leader == "A":
            with_a_first = finals
    np.add.at(joint, (with_a_first, finals), 1)
    for name, expected in {"joint": joint, "outcome": outcome, "event": event, "lead_changes": changes,
                           "stock_end": stock_end}.items():
        np.testing.assert_array_equal(tally[name], expected, err_msg=name)


def test_parts_of_a_tally_agree():
    tally = ss.simulate("careful", "greedy", deals=20_000, seed=9, detail="all").tally
    by_first = tally["outcome"].sum(axis=1)
    np.testing.assert_array_equal(tally["joint"].sum(axis=1), by_first[0])
    np.testing.assert_array_equal(tally["joint"].sum(axis=0), by_first[1])
    np.testing.assert_array_equal(tally["stock_end"].sum(axis=1), by_first)
    events = tally["event"].sum(axis=(2, 3, 4, 5, 6))
    assert (events == 20_000).all()
    ranks = np.arange(8)
    per_event = (ranks[:, None, None] >= 3).astype(int) + (ranks[None, None, :] >= 3)
    captured = (tally["event"].sum(axis=(0, 1, 2, 6)) * per_event).sum()
    assert captured == 20 * 40_000
    tricks_won_in_reply = tally["event"][..., 0].sum()
    assert tricks_won_in_reply == (tally["lead_changes"] * np.arange(17)).sum()


def test_the_sample_is_a_function_of_the_deal_number():
    """The detail of a range is that of its deals with number // 256 divisible by 16, wherever the range begins."""
    sampled = GAME.play(match("plain", "plain"), 4000, 9000)
    expected = np.sum([GAME.play(match("plain", "plain", detail="all"), start, stop)
                       for start, stop in ((4096, 4352), (8192, 8448))], axis=0)
    layout = GAME.layout
    for name in ("event", "lead_changes", "stock_end"):
        place = layout.offset(name)
        size = int(np.prod(layout.shapes[name]))
        np.testing.assert_array_equal(sampled[place : place + size], expected[place : place + size])


@pytest.mark.parametrize("design", ["duplicate", "independent"])
def test_threads_chunks_and_splits_change_nothing(design):
    whole = ss.simulate("plain", "greedy; noise: 0.1", deals=600_000, first=77, design=design, threads=1)
    assert ss.simulate("plain", "greedy; noise: 0.1", deals=600_000, first=77, design=design,
                       threads=3).tally_sha256 == whole.tally_sha256
    parts = [ss.simulate("plain", "greedy; noise: 0.1", deals=deals, first=first, design=design)
             for first, deals in ((77, 1), (78, 299_999), (300_077, 300_000))]
    total = parts[0].tally + parts[1].tally + parts[2].tally
    assert total.sha256 == whole.tally_sha256
    chunks = sum(GAME.play(whole.experiment.match_up, start, stop)
                 for start, stop in whole.experiment.ranges(size=7777))
    np.testing.assert_array_equal(chunks, whole.tally.vector)


def test_independent_design_gives_even_deals_to_a():
    both = match("classic", "random", seed=4, design="independent", detail="all")
    tally = Tally(GAME.layout, GAME.play(both, 11, 41))
    expected = np.zeros_like(tally["outcome"])
    for deal in range(11, 41):
        trace = GAME.trace(both, deal, "AB"[deal % 2])
        expected[deal % 2, trace["tricks_won"]["A"], trace["honours"]["A"]] += 1
    np.testing.assert_array_equal(tally["outcome"], expected)
    assert tally["joint"].sum() == 0


def test_the_last_deals_there_are():
    result = ss.simulate("plain", "plain", deals=300, first=2**63 - 300)
    assert result.joint is not None and result.joint.sum() == 300


def test_random_against_random():
    """Known from an independent simulation: the first leader takes 16.33 honours of 20."""
    result = ss.simulate("random", "random", deals=500_000, seed=2)
    row = result.summary.set_index("statistic").loc["mean_honours_first_leader"]
    assert row["value"] == pytest.approx(16.33, abs=0.02)
    assert row["low"] < 16.35 and row["high"] > 16.31


@pytest.mark.parametrize("rules, mean", [
    ({"ace_by_seven": "same_suit"}, 15.97), ({"beat_rule": "any_higher_same_suit"}, 12.04),
    ({"beat_rule": "any_higher_same_suit", "follow": "must_follow"}, 10.22), ({"beat_rule": "next_any_suit"}, 12.06),
    ({"beat_rule": "next_any_suit", "ace_by_seven": "any_suit"}, 11.73)])
def test_random_against_random_under_other_rules(rules, mean):
    """Source: rules of the game, sanity numbers of 20,000 deals (standard error .05)."""
    result = ss.simulate("random", "random", deals=100_000, rules=rules)
    value = result.summary.set_index("statistic").loc["mean_honours_first_leader", "value"]
    assert value == pytest.approx(mean, abs=0.15)


def test_draw_timing_changes_cards_not_chances():
    trick, play = (ss.simulate("plain", "plain", deals=400_000, rules={"draw_timing": timing}, design="independent")
                   for timing in ("after_trick", "on_play"))
    assert trick.tally_sha256 != play.tally_sha256
    one, two = (r.summary.set_index("statistic").loc["mean_honours_first_leader"] for r in (trick, play))
    assert one["low"] < two["high"] and two["low"] < one["high"]


def test_identical_policies_cancel_when_nothing_is_left_to_chance():
    result = ss.simulate("plain; ties: first", "plain; ties: first", deals=5000)
    assert result.joint is not None
    rows, columns = np.nonzero(result.joint)
    assert (rows + columns == 20).all()
    edge = result.summary.iloc[0]
    assert edge["value"] == 0 and edge["low"] < 0 < edge["high"]


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64 - 1])
def test_the_shuffle_is_uniform(seed):
    """Position x card counts of 2**18 packs: (31/32) X^2 follows chi-squared with 961 degrees of freedom."""
    from shuffling import position_counts

    n = 1 << 18
    counts = position_counts(seed, n // 256)
    assert counts.sum() == 32 * n
    x2 = ((counts - n / 32) ** 2 / (n / 32)).sum()
    assert stats.chi2.sf(31 / 32 * x2, 961) > 1e-4
    assert stats.chi2.cdf(31 / 32 * x2, 961) > 1e-4


def test_seeds_far_apart_differ():
    first = {seed: GAME.trace(match("random", "random", seed=seed), 0)["stock"] for seed in (0, 1, 2**32, 2**33, 2**63)}
    assert len({tuple(stock) for stock in first.values()}) == len(first)


@pytest.mark.parametrize("section", ["lead", "follow"])
def test_a_code_without_a_word_wants_nothing(section, monkeypatch):
    """No word is what is left over when a code is none of the others, and none wants what the word before did."""
    def play(text):
        policy = GAME.grammar.parse(text)
        return GAME.play(MatchUp(GAME.rules(), policy, policy, seed=9), 0, 2000).tolist()

    used, rest = {entry.code for entry in card_words.WORDS.values()}, "lead: long; follow: dead"
    without = play(re.sub(f"{section}: \\w+", f"{section}:", rest))
    for code in (max(used) + 1, max(used) + 7, 1000):
        monkeypatch.setitem(card_words.WORDS, "low", card_words.WORDS["low"]._replace(code=code))
        for word in ("low", "not-low"):
            assert play(rest) != without == play(re.sub(f"{section}: \\w+", f"{section}: {word}", rest))
