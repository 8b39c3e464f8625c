"""Losses of single decisions: exact in the last six, held out before, the same for traces, in lines and as a page."""

import functools
import json
import math
import random
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.analysis.errors_of_play import Analysis
from schneider_sim.analysis.situations import classes
from schneider_sim.games.bohemian import decisions as bohemian
from schneider_sim.games.bohemian.endgame import losses as endgame_losses
from schneider_sim.games.bohemian.positions import Evaluator, position_of
from schneider_sim.games.bohemian.rules import captures, is_honour, make_rules
from schneider_sim.games.decisions import THERE
from schneider_sim.runs.experiment import make_experiment

DEALS = 60


@functools.cache
def analysed(a: str = "careful", b: str = "thrifty", **request: Any) -> Analysis:
    return ss.analyse(a, b, **{"deals": DEALS, "worlds": 128, "seed": 3, **request}).value


@functools.cache
def table(a: str = "careful", b: str = "thrifty", deals: int = DEALS, worlds: int = 128) -> Any:
    return bohemian.decisions(make_experiment(a, b, deals=1, seed=3).match_up, 0, deals, worlds)


def traces(a: str, b: str, deals: int, **request: Any) -> list[dict[str, Any]]:
    return [trace for leader in "AB" for trace in ss.replays(a, b, 0, deals - 1, 3, first_leader=leader, **request)]


def test_losses_add_up_to_that_of_a_play() -> None:
    found = analysed().as_dict()
    for who in "AB":
        rows = [row for row in found["by_trick"] if row["policy"] == who]
        total = sum(row["loss"] * row["decisions"] for row in rows)
        assert total / found["plays"] == pytest.approx(found["loss"][who]["value"], abs=1e-12)
        assert sum(row["decisions"] for row in rows) == 16 * found["plays"]
    assert {(row["trick"], row["kind"]) for row in found["by_trick"]} == {
        (trick, kind) for trick in range(1, 17) for kind in ("lead", "follow")}


@pytest.mark.parametrize("rules", [{}, {"beat_rule": "any_higher_same_suit", "follow": "must_follow"},
                                   {"draw_timing": "on_play", "ace_by_seven": "same_suit", "follow": "endgame_only"}])
def test_losses_in_the_last_six_are_minimax_less_the_result(rules: dict[str, str]) -> None:
    """Against minimax that shares nothing with the program's: A's losses less B's, in every play, exactly."""
    match_up = make_experiment("careful", "thrifty", deals=1, seed=3, rules=rules).match_up
    some = bohemian.decisions(match_up, 0, 12, 1)
    for leader in "AB":
        for trace in ss.replays("careful", "thrifty", 0, 11, 3, first_leader=leader, rules=rules):
            here = some[(some["deal"] == trace["deal"]) & (some["b_first"] == "AB".index(leader))]
            here = here[here["trick"] > 10]
            assert (here["lost"] >= 0).all()
            lost = [int(here["lost"][here["policy"] == side].sum()) for side in (0, 1)]
            result = trace["victory_points"]["A"] - trace["victory_points"]["B"]
            assert lost[0] - lost[1] == minimax_points(trace) - result, (rules, trace["deal"], leader)


def minimax_points(trace: dict[str, Any]) -> int:
    """A's points less B's when both play perfectly from trick 11 on, worked out plainly."""
    rules = make_rules(None, trace["rules"])
    hands = {who: set(cards) for who, cards in trace["hands"].items()}
    won = {"A": 0, "B": 0}
    for trick in trace["tricks"][:10]:
        other = "BA"["AB".index(trick["leader"])]
        hands[trick["leader"]].remove(trick["led"])
        hands[other].remove(trick["reply"])
        won[trick["winner"]] += is_honour(trick["led"]) + is_honour(trick["reply"])
        for who in "AB":
            hands[who].add(trick["drawn"][who])
    kept: dict[Any, int] = {}

    def value(leader: frozenset[str], other: frozenset[str]) -> int:
        if not leader:
            return 0
        if (leader, other) not in kept:
            kept[leader, other] = max(min(after(leader, other, led, reply) for reply in replies(other, led))
                                      for led in leader)
        return kept[leader, other]

    def replies(other: frozenset[str], led: str) -> list[str]:
        same = [card for card in other if card[1] == led[1]]
        return same if same and rules.follow != "free" else list(other)

    def after(leader: frozenset[str], other: frozenset[str], led: str, reply: str) -> int:
        honours = is_honour(led) + is_honour(reply)
        if captures(rules, led, reply):
            return -honours - value(other - {reply}, leader - {led})
        return honours + value(leader - {led}, other - {reply})

    leads = trace["tricks"][10]["leader"]
    follows = "BA"["AB".index(leads)]
    left = sum(map(is_honour, hands["A"] | hands["B"]))
    worth = value(frozenset(hands[leads]), frozenset(hands[follows]))
    honours = won[leads] + (left + worth) // 2
    honours = honours if leads == "A" else 20 - honours
    best = max(honours, 20 - honours)
    points = 0 if best == 10 else rules.win_points[(best >= rules.schneider_at) + (best == 20)]
    return int(points if honours > 10 else -points)


def test_losses_in_the_last_six_are_those_of_the_tally() -> None:
    match_up = make_experiment("careful", "thrifty", deals=1, seed=3).match_up
    some = table()
    for b_first, leader in enumerate("AB"):
        here = some[(some["b_first"] == b_first) & (some["trick"] > 10)]
        told = endgame_losses.losses(match_up, 0, DEALS, leader)
        for side in (0, 1):
            lost = [int(here["lost"][(here["deal"] == deal) & (here["policy"] == side)].sum()) for deal in range(DEALS)]
            assert lost == (128 * told[:, side]).tolist()


@pytest.mark.parametrize("variant", ["standard", "any-suit"])
def test_perfect_endgames_lose_nothing(variant: str) -> None:
    found = analysed("careful; endgame: exact", "thrifty", deals=20, worlds=1, variant=variant)
    late = [cell for cell in found.by_trick if cell.trick > 10]
    assert [cell.loss[:3] for cell in late if cell.policy == "A"] == 12 * [(0.0, 0.0, 0.0)]
    assert sum(cell.loss.value for cell in late if cell.policy == "B") > 0


def test_what_worlds_measure_is_not_negative_in_the_mean() -> None:
    found = ss.analyse("champion", "plain", deals=100, worlds=256, seed=9)
    for who in "AB":
        early = [cell for cell in found.by_trick if cell.policy == who and cell.trick <= 10]
        assert sum(cell.a_play.value for cell in early) > 0
        for cell in early:
            assert cell.loss.high > -0.002, cell
    assert found.loss["B"].low > found.loss["A"].high, "plain loses more than champion"


def test_a_loss_is_that_of_position() -> None:
    """The card that worlds call better is so by other means: the sums of `position` on worlds of their own."""
    match_up = make_experiment("careful", "thrifty", deals=1, seed=3).match_up
    some = table()
    early = some[(some["trick"] <= 10) & (some["policy"] == 0)]
    evaluator = Evaluator(match_up)
    for row in early[early["lost"].argsort()][-5:]:
        trace = ss.replay("careful", "thrifty", seed=3, deal=int(row["deal"]), first_leader="AB"[row["b_first"]])
        seat = 0 if row["b_first"] == 0 else 1
        place = position_of(trace, int(row["trick"]), seat)
        cards = [ss_card(row["played"]), ss_card(row["better"])]
        sums = evaluator.worth(place, cards, 0, 4096, int(row["deal"]), 3)
        plain = (sums.values[1] - sums.values[0]) / 4096
        mean, error = bohemian.fresh(match_up, trace, row, 128, 4096)
        assert plain == pytest.approx(mean, abs=6 * error + 1e-9)
        assert mean > 0.1


def ss_card(bit: int) -> str:
    return "789TJQKA"[bit % 8] + "SHDC"[bit // 8]


def test_word_sets_are_those_of_a_plain_reading() -> None:
    rules = make_rules(None, {})
    pack = [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
    some = table().reshape(-1, 16, 2)
    for play in random.Random(5).sample(range(len(some)), 12):
        row = some[play, 0, 0]
        leader = "AB"[row["b_first"]]
        trace = ss.replay("careful", "thrifty", seed=3, deal=int(row["deal"]), first_leader=leader)
        seen: set[str] = set()
        for number, trick in enumerate(trace["tricks"]):
            for side, kind in enumerate(bohemian.KINDS):
                row = some[play, number, side]
                hand = set(bohemian.choices(rules, trace, row))
                led = trick["led"] if side else None
                known = seen | hand | ({led} if led else set())

                def plain(card: str, led: str | None = led, known: set[str] = known) -> set[str]:
                    killers = {k for k in pack if k != card and captures(rules, card, k)}
                    prey = {p for p in pack if p != card and captures(rules, p, card)}
                    wins = led is not None and captures(rules, led, card)
                    words = {"safe": killers <= known, "dead": prey <= known, "honour": is_honour(card),
                             "blocker": any(is_honour(p) for p in prey - known), "pip": not is_honour(card),
                             "exposed": is_honour(card) and not killers <= known, "capture": wins}
                    return {word for word, there in words.items() if there}

                names = bohemian.words(kind)
                checked = {"safe", "dead", "honour", "blocker", "pip", "exposed", "capture"} & set(names)
                card = trick["reply"] if side else trick["led"]
                assert ss_card(row["played"]) == card and card in hand
                told = {word for bit, word in enumerate(names) if int(row["words"]) >> bit & 1}
                assert told & checked == plain(card) & checked, (trace["deal"], number, card)
                others = sorted(sorted({w for b, w in enumerate(names) if int(x) >> b & 1} & checked)
                                for x in row["others"] if x & THERE)
                assert others == sorted(sorted(plain(other) & checked) for other in hand - {card})
            seen |= {trick["led"], trick["reply"]}


def test_traces_are_analysed_as_the_plays_they_record(tmp_path: Path) -> None:
    """The same plays by way of a file lose the same, however the cards are written."""
    some = traces("careful", "thrifty", 6)
    some[0]["hands"]["A"] = [card.lower() for card in some[0]["hands"]["A"]]
    some[0]["tricks"][0]["led"] = some[0]["tricks"][0]["led"].replace("T", "10")
    file = tmp_path / "plays.jsonl"
    file.write_text("\n".join(map(json.dumps, some)) + "\n\n", encoding="utf-8")
    words = ["careful", "thrifty", "--worlds", "128", "--seed", "3", "--limit", "4", "--json"]
    by_file = json.loads(call("analyse", *words, "--traces", str(file)).stdout)
    by_deals = json.loads(call("analyse", *words, "--deals", "6").stdout)
    for name in ("loss", "by_trick", "by_situation", "worst", "deals", "plays", "policies", "rules"):
        assert by_file[name] == by_deals[name], name
    other = json.loads(call("analyse", "--traces", "-", "--json", "--worlds", "64", stdin=file.read_bytes()).stdout)
    assert other["policies"]["A"] == str(make_experiment("champion", "champion", deals=1).match_up.a)
    again = shlex.split(by_file["command"])
    assert json.loads(call(*again[1:], "--json").stdout) == by_file


def test_traces_under_other_rules_say_them(tmp_path: Path) -> None:
    some = traces("careful", "thrifty", 2, variant="higher")
    found = ss.analyse("careful", "plain", traces=some, worlds=64)
    assert found.experiment.match_up.rules.beat_rule == "any_higher_same_suit"
    assert found.units == 2 and found.plays == 4
    one = ss.analyse("careful", traces=some[:1], worlds=64)
    assert one.units == 1 and one.as_dict()["loss"]["A"]["low"] is None
    json.dumps(one.as_dict(), allow_nan=False)
    assert "A loses" in str(one)


def test_the_outcome_does_not_depend_on_threads_or_range() -> None:
    one, three = (ss.analyse("careful", "plain", deals=40, worlds=64, threads=threads).as_dict() for threads in (1, 3))
    assert one == three
    match_up = make_experiment("careful", "plain", deals=1).match_up
    whole = bohemian.decisions(match_up, 250, 262, 64)
    apart = [bohemian.decisions(match_up, start, start + 3, 64) for start in range(250, 262, 3)]
    for b_first in (0, 1):
        for part in apart:
            here = part[part["b_first"] == b_first]
            same = whole[(whole["b_first"] == b_first) & (whole["deal"] >= here["deal"].min())
                         & (whole["deal"] <= here["deal"].max())]
            assert (here == same).all()


def test_a_search_is_not_judged_by_the_worlds_it_saw() -> None:
    """With the worlds of its own search the card chosen would seem the best too often."""
    found = ss.analyse("champion; search: rollout; samples: 256", "champion", deals=40, worlds=256, seed=11)
    early = {who: sum(cell.a_play.value for cell in found.by_trick if cell.policy == who and cell.trick <= 10)
             for who in "AB"}
    assert early["A"] < early["B"]
    assert sum(cell.a_play.value for cell in found.by_trick if cell.policy == "A" and cell.trick > 10) == 0


def test_situations_are_those_that_fit() -> None:
    found = analysed(deals=100, worlds=64)
    assert found.by_situation and {one.policy for one in found.by_situation} <= {"A", "B"}
    for one in found.by_situation:
        assert one.words.startswith(("leads", "replies")) and one.loss.low <= one.loss.value <= one.loss.high
    every = classes(bohemian.words("follow"), bohemian.NOUNS, bohemian.CONTRARY)
    assert len({(one.has, one.lacks) for one in every}) == len(every) and every[0].text == ()
    shares = sum(one.share or 0 for one in found.by_situation if one.policy == "B")
    assert 0 < shares <= 1.2


def test_worst_decisions_are_measured_again() -> None:
    found = analysed(limit=20)
    assert len(found.worst) == 20
    losses = [one.loss for one in found.worst]
    assert losses == sorted(losses, reverse=True) and min(losses) > 0.1
    for one in found.worst:
        assert one.played in one.choices and one.better in one.choices and one.played != one.better
        assert (one.low == one.high) == (one.trick > 10)
        assert one.mark in ("?", "?!")
    plays = {(one.deal, one.first_leader) for one in found.worst}
    assert plays == {(play.trace["deal"], play.trace["first_leader"]) for play in found.annotated}


def test_plug_in_words_may_be_analysed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import schneider_sim as ss\n\n\n@ss.preference('mine', over='cards')\n"
                    "def mine(view):\n    return [c for c in view.hand if c[0] in '78']\n")
    found = ss.analyse("lead: mine", "plain", deals=2, worlds=16, load=file)
    assert found.loss["A"].n == 2 and math.isfinite(found.loss["A"].value)


def test_json_has_its_form() -> None:
    found = json.loads(call("analyse", "careful", "plain", "--deals", "20", "--worlds", "64", "--json").stdout)
    assert list(found)[:6] == ["game", "rules", "policies", "seed", "first", "deals"] and list(found)[-1] == "version"
    assert list(found["loss"]["A"]) == ["value", "low", "high", "n"]
    assert list(found["by_trick"][0]) == ["policy", "trick", "kind", "decisions", "loss", "low", "high"]
    assert list(found["worst"][0]) == ["deal", "first_leader", "trick", "policy", "kind", "played", "better", "loss",
                                       "low", "high"]
    assert found["loss"]["A"]["n"] == 20


def test_text_says_the_answer_first_and_fits_the_screen() -> None:
    lines = call("analyse", "careful", "plain", "--deals", "40", "--worlds", "64").stdout.splitlines()
    assert lines[0].startswith("A (careful) loses ") and " VP" in lines[0]
    assert lines[-1] == "again: schneider-sim analyse careful plain --deals 40 --worlds 64 --limit 10 --seed 1"
    long = [line for line in lines if len(line) > 80 and not line.startswith(("A: ", "B: ", "again: "))]
    assert not long


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    assert "give two policies" in refused("analyse", "careful")
    assert "worlds" in refused("analyse", "careful", "plain", "--worlds", "0")
    assert "unknown policy" in refused("analyse", "careful", "nobody", "--deals", "1")
    file = tmp_path / "traces"
    assert "cannot read" in refused("analyse", "--traces", str(file))
    file.write_text("")
    assert "there is no trace" in refused("analyse", "--traces", str(file))
    file.write_text("{\n")
    assert "is not JSON" in refused("analyse", "--traces", str(file))
    trace = ss.replay("careful", "plain", deal=1)
    file.write_text(json.dumps({**trace, "tricks": trace["tricks"][:3]}) + "\n")
    assert "trace 1 is wrong" in refused("analyse", "--traces", str(file))
    other = ss.replay("careful", "plain", deal=1, variant="higher")
    file.write_text(f"{json.dumps(trace)}\n{json.dumps(other)}\n")
    assert "other rules" in refused("analyse", "--traces", str(file))
    file.write_text(json.dumps(trace) + "\n")
    assert "leave out" in refused("analyse", "--traces", str(file), "--deals", "5")
    assert "leave out" in refused("analyse", "--traces", str(file), "--variant", "higher")
    with file.open("a") as more:
        more.write(json.dumps(ss.replay("bold", "expert", deal=1, game="bauernschnapsen")) + "\n")
    assert "another game" in refused("analyse", "--traces", str(file))
    assert "cannot write" in refused("analyse", "careful", "plain", "--out", str(file / "deep"))


class Reader(HTMLParser):
    """The text of a page, and what it would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.loads = "", list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value
                       and value != "data:," and not value.startswith("#")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_folder_holds_tables_figure_and_annotated_deals(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    words = ["analyse", "careful", "<b>; lead: high", "--deals", "30", "--worlds", "64", "--out", str(folder)]
    assert "unknown" in refused(*words)
    words[2] = "thrifty"
    result = call(*words, "--limit", "3")
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in folder.iterdir()} == {
        "analyse.html", "analyse.json", "analyse.png", "analyse.svg", "by_situation.csv", "by_trick.csv", "worst.csv"}
    page = (folder / "analyse.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    assert not reader.loads
    whole = json.loads((folder / "analyse.json").read_text(encoding="utf-8"))
    for one in whole["worst"]:
        assert f"Deal {one['deal']}, {one['first_leader']} first" in reader.text
    assert "instead of" in reader.text and '<span class="mark">?</span>' in page and "@media print" in page
    assert len((folder / "by_trick.csv").read_text().splitlines()) == 65
    (folder / "analyse.json").write_text("{}")
    assert "not a file of an earlier answer" in refused(*words)
