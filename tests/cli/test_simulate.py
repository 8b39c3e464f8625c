"""`simulate`: JSON as the interface says, the same whatever the threads, and text that repeats itself."""

import json
import shlex
from pathlib import Path

import numpy as np

import schneider_sim as ss
from commandline import call

KEYS = ["game", "rules", "policies", "seed", "first", "deals", "plays", "design", "level", "tally_sha256", "joint",
        "by_first_leader", "estimates", "version"]
STATISTICS = ["vp_per_deal", "first_leader_advantage", "win_rate", "tie_rate", "schneider_rate", "schneider_rate_a",
              "schneider_rate_b", "schwarz_rate", "schwarz_rate_a", "schwarz_rate_b", "first_leader_win_rate",
              "first_leader_loss_rate", "mean_honours_first_leader", "session_win_rate", "session_draw_rate"]


def test_json_is_the_library_result_and_alone() -> None:
    result = call("simulate", "careful", "greedy", "--deals", "1_500", "--seed", "7", "--json")
    assert result.exit_code == 0 and result.stderr == ""
    found = json.loads(result.stdout)
    assert list(found) == KEYS
    made = ss.simulate("careful", "greedy", deals=1500, seed=7)
    assert found["tally_sha256"] == made.tally_sha256
    assert made.joint is not None and found["joint"] == made.joint.tolist()
    assert {who: counts.tolist() for who, counts in made.by_first_leader.items()} == found["by_first_leader"]
    assert (found["plays"], np.sum(found["joint"])) == (3000, 1500)
    assert [e["statistic"] for e in found["estimates"]] == STATISTICS
    assert all(e["low"] <= e["value"] <= e["high"] and e["n"] == 1500 and e["method"] for e in found["estimates"])
    assert found["policies"]["B"] == "lead:; follow: capture"


def test_independent_deals_have_no_joint_table() -> None:
    found = json.loads(call("simulate", "plain", "plain", "--deals", "400", "--design", "independent", "--json").stdout)
    assert found["joint"] is None and found["plays"] == 400
    assert [sum(found["by_first_leader"][who]) for who in "AB"] == [200, 200]


def test_round_numbers_may_be_written_short() -> None:
    words = ("1500", "1.5k", "1_5e2", "0.0015M")
    texts = [call("simulate", "plain", "plain", "--deals", word).stdout for word in words]
    assert "3,000 plays" in texts[0] and len(set(texts)) == 1


def test_a_result_prints_as_its_table() -> None:
    text = call("simulate", "plain", "greedy", "--deals", "1500").stdout
    result = ss.simulate("plain", "greedy", deals=1500)
    answer, settings, table, *_ = text.split("\n\n")
    assert answer == str(result).split("\n\n")[0]
    assert answer.startswith("plain is better than greedy: it gains 1.926 VP per deal (")
    assert f"\n\n{table}\n\n" in str(result) and settings.splitlines()[-1] in str(result)
    assert "\n" not in repr(result) and "1,500 deals" in repr(result) and len(repr(result)) < 250


def test_threads_change_nothing() -> None:
    one, two = (call("simulate", "plain", "random", "--deals", "3000", "--threads", n).stdout for n in "12")
    assert one == two != ""


def test_ranges_add_up() -> None:
    def joint(first: int, deals: int) -> np.ndarray:
        text = call("simulate", "plain", "greedy", "--first", str(first), "--deals", str(deals), "--json").stdout
        return np.array(json.loads(text)["joint"])

    low, high = 2**32 - 300, 500
    assert (joint(low, 300) + joint(2**32, 200) == joint(low, high)).all()


def test_text_names_everything_and_repeats_itself() -> None:
    words = ["simulate", "lead: low; follow: capture", "careful; memory: none", "--deals", "1200", "--seed", "3",
             "--rules", "schneider_at=17", "--variant", "higher", "--first", "5"]
    result = call(*words)
    assert result.exit_code == 0
    for expected in ("schneider_at=17", "memory: none", "Deals 5 to 1204 of seed 3", "2,400 plays", *STATISTICS,
                     "have correlation", "Tally "):
        assert expected in result.stdout
    again = shlex.split(result.stdout.splitlines()[-1].removeprefix("Again: "))
    assert again[0] == "schneider-sim"
    assert call(*again[1:]).stdout == result.stdout


def test_few_pairs_are_remarked_upon_and_digits_fit_the_error() -> None:
    text = call("simulate", "greedy", "greedy", "--deals", "30").stdout
    assert "Only 30 pairs" in text
    line = next(line for line in text.splitlines() if line.startswith("vp_per_deal"))
    assert line.split()[1] in ("0.0", "0.00")


def test_what_a_plugin_prints_is_not_a_result(tmp_path: Path) -> None:
    plugin = tmp_path / "talks.py"
    plugin.write_text("import schneider_sim\nprint('loading')\n"
                      "@schneider_sim.preference('chatty', over='cards')\n"
                      "def chatty(view):\n    print('hm')\n    return view.candidates\n")
    words = ["lead: chatty", "random", "--load", str(plugin), "--json"]
    result = call("simulate", *words, "--deals", "3")
    assert json.loads(result.stdout)["deals"] == 3
    assert "loading" in result.stderr and "hm" in result.stderr
    shown = call("replay", *words, "--deal", "3")
    assert json.loads(shown.stdout)["deal"] == 3
    assert '"chatty"' in call("preferences", "--load", str(plugin), "--json").stdout


def test_pasted_look_alikes_are_read_as_meant() -> None:
    plain = call("simulate", "careful", "lead: not-safe", "--deals", "50", "--rules", "follow=must_follow")
    pasted = call("simulate\u00a0", "care\u200bful\u00a0", "lead:\u00a0not\u2011safe", "\u2014deals", "50",
                  "\u2013\u2013rules", "follow\u00a0=\u00a0must_follow")
    assert pasted.exit_code == 0
    assert pasted.stdout.splitlines()[:-1] == plain.stdout.splitlines()[:-1]
