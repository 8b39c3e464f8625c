"""Study files: what they mean, and one clear line for everything that is wrong in one."""

import json
import re
from pathlib import Path

import pytest

import schneider_sim as ss
from schneider_sim.errors import RequestError
from schneider_sim.report.factors import Factors
from schneider_sim.report.study import KEYS, builtin_study, parse_study, read_study

GOOD = """
title = "Two"
deals = 600
seed = 18446744073709551615
first = 4294967290
variant = "any-suit"
rules = {schneider_at = 17, win_points = [1, 2, 4]}
match_ups = "vs b"
sprt = [-0.01, 1]

[policies]
a = "plain"
"b" = "lead: high"
"c d" = "greedy; memory: none"
"""


def test_everything_in_a_study_arrives() -> None:
    study = parse_study(GOOD)
    assert (study.title, study.game, study.deals) == ("Two", "bohemian", 600)
    assert (study.seed, study.first) == (2**64 - 1, 4294967290)
    assert study.policies == {"a": "plain", "b": "lead: high", "c d": "greedy; memory: none"}
    assert study.sprt == (-0.01, 1.0) and parse_study(P).sprt == (0.0, 0.02)
    assert study.pairs == (("a", "b"), ("c d", "b")) and study.players == ("a", "b", "c d")
    experiment = study.experiment("c d", "b")
    assert (experiment.deals, experiment.first, experiment.match_up.design) == (600, 4294967290, "duplicate")
    assert experiment.match_up.rules.schneider_at == 17 and experiment.match_up.rules.beat_rule == "next_any_suit"
    assert study.experiment("a", "a").match_up.design == "independent"


def test_all_match_ups_and_a_list() -> None:
    policies = 'policies = ["plain", "greedy", "random"]\n'
    every = parse_study(policies)
    assert every.pairs == (("plain", "greedy"), ("plain", "random"), ("greedy", "random")) and every.is_round_robin
    listed = parse_study(policies + 'match_ups = [["random", "greedy"]]')
    assert listed.pairs == (("random", "greedy"),) and listed.players == ("greedy", "random")
    assert not listed.is_round_robin
    alone = parse_study('policies = ["plain"]')
    assert alone.pairs == () and alone.players == ("plain",)


def test_the_built_in_study_is_the_six_presets() -> None:
    study = builtin_study()
    assert list(study.policies) == ["random", "greedy", "thrifty", "plain", "careful", "champion"]
    assert len(study.pairs) == 15 and study.seed == 1


P = '[policies]\na = "plain"\nb = "greedy"\n'


@pytest.mark.parametrize("text, said", [
    ("seeds = 1\n" + P, ["unknown key 'seeds'", "did you mean 'seed'"]),
    ('deals = "many"\n' + P, ["deals must be a whole number"]),
    ("deals = 0\n" + P, ["deals must be from 1"]),
    ("deals = 1e6\n" + P, ["deals must be a whole number", "1000000.0"]),
    ("deals = true\n" + P, ["deals must be a whole number"]),
    ("seed = 18446744073709551616\n" + P, ["seed must be from 0 to 18446744073709551615"]),
    ("seed = -1\n" + P, ["seed must be from 0"]),
    ("first = 9223372036854775807\n" + P, ["first + deals"]),
    ("deals = \n" + P, ["not valid TOML", "line 1"]),
    (P + "c = 'x", ["not valid TOML", "line 4"]),
    ("a = 1\na = 2\n" + P, ["not valid TOML", "line 2"]),
    ("title = 3\n" + P, ["title must be text in quotes"]),
    ('game = "skat"\n' + P, ["unknown game 'skat'"]),
    ('variant = "hihger"\n' + P, ["unknown variant", "did you mean 'higher'"]),
    ("rules = {beat = 1}\n" + P, ["unknown rule 'beat'"]),
    ("rules = {schneider_at = 3}\n" + P, ["schneider_at must be"]),
    ("rules = 3\n" + P, ["rules must be a table"]),
    ("deals = 3\n", ["policies are missing"]),
    ("policies = {}\n", ["policies are missing"]),
    ('policies = ["plane"]\n', ["unknown preset 'plane'", "did you mean 'plain'"]),
    ('policies = ["plain", "plain"]\n', ["twice"]),
    ("[policies]\na = 3\n", ["policy 'a' must be text"]),
    ('[policies]\na = "lead: saef"\n', ["policy 'a'", "unknown word in 'lead' 'saef'", "safe"]),
    ('[policies]\n"" = "plain"\n', ["visible characters"]),
    (f'[policies]\n{"x" * 61} = "plain"\n', ["1 to 60 visible characters"]),
    ('[policies]\n"a b" = "plain"\n"a\\u00a0b" = "greedy"\n', ["two policies are called 'a b'"]),
    ('match_ups = "some"\n' + P, ["match_ups must be"]),
    ('match_ups = "vs c"\n' + P, ["unknown policy 'c'"]),
    ('match_ups = [["a"]]\n' + P, ["match_ups must be"]),
    ('match_ups = [["a", "x"]]\n' + P, ["unknown policy 'x'"]),
    ('match_ups = [["a", "b"], ["b", "a"]]\n' + P, ["is named twice"]),
    ('load = ["../mine.py"]\n' + P, ["load must be"]),
    ('load = ["/mine.py"]\n' + P, ["load must be"]),
    ('load = ["none.py"]\n' + P, ["cannot read", "none.py"]),
    ("sprt = 0.02\n" + P, ["sprt must be two gains", "[0, 0.02]", "not 0.02"]),
    ("sprt = [0.02, 0]\n" + P, ["sprt must be two gains", "the lower first"]),
    ("sprt = [nan, 1]\n" + P, ["sprt must be two gains"]),
    ("sprt = [0, true]\n" + P, ["sprt must be two gains"]),
    ("sprt = [0, 3]\n" + P, ["sprt = [0, 3] must lie within -3 to 3"]),
    ("strength = true\n" + P, ["strength must be a table"]),
    (P + "[strength]\nworld = 3", ["unknown key in strength 'world'", "did you mean 'worlds'"]),
    (P + "[strength]\nworlds = 0", ["strength worlds must be from 1 to 65536"]),
    (P + "[strength]\nsearched = 0", ["strength searched must be from 1"]),
    (P + "[strength]\nanalysed = false", ["strength analysed must be a whole number"]),
    (P + '[strength]\nagainst = "master"', ["strength against must be a list of 1 to 10 policies"]),
    (P + "[strength]\nagainst = []", ["strength against must be a list of 1 to 10 policies"]),
    (P + '[strength]\nagainst = ["mister"]', ["strength: ", "mister", "master"]),
    (P + '[strength]\nagainst = ["master", " master"]', ["names a policy twice"]),
])
def test_what_is_wrong_is_one_line(text: str, said: list[str]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_study(text, Path("no such folder"), "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml: ") and "\n" not in message
    assert all(part in message for part in said), message


F = 'policies = ["plain", "greedy"]\n[factorial]\n'
RULES = 'leads = ["low", "safe honour"]\nfollows = ["capture", "low"]\n'


def test_a_factorial_table_names_rules_and_an_opponent() -> None:
    text = 'deals = 70\n[policies]\nmine = "greedy"\n[factorial]\nfollows = ["low", ""]\nagainst = "mine"\n'
    factors = parse_study(text + 'leads = [" Safe  honour", "random"]').factors
    assert factors == Factors(("safe honour", "random"), ("low", "random"), "greedy", "mine", "random", 70)
    listed = parse_study(F + RULES + 'against = "lead: high"\nbase = "memory: none"\ndeals = 9').factors
    assert listed is not None and listed[2:] == ("lead: high", "lead: high", "memory: none", 9) and listed.cells == 4
    assert parse_study(P).factors is None


@pytest.mark.parametrize("text, said", [
    ("factorial = 3\n" + P, ["factorial must be a table"]),
    (F + RULES + 'against = "plain"\nlead = 1', ["unknown key in factorial 'lead'", "did you mean 'leads'"]),
    (F + RULES, ["factorial against must be"]),
    (F + 'follows = ["low", "high"]\nagainst = "plain"', ["factorial leads must be a list of two"]),
    (F + 'leads = ["low"]\nfollows = ["low", "high"]\nagainst = "plain"', ["factorial leads must be a list of two"]),
    (F + 'leads = ["low", 3]\nfollows = ["low", "high"]\nagainst = "plain"', ["factorial leads must be a list"]),
    (F + 'leads = ["low", "low "]\nfollows = ["low", "high"]\nagainst = "plain"', ["names 'low' twice"]),
    (F + 'leads = ["low", "high; follow: low"]\nfollows = ["low", "high"]\nagainst = "plain"', ["must be words"]),
    (F + 'leads = ["low", "hihg"]\nfollows = ["low", "high"]\nagainst = "plain"', ["factorial: ", "'hihg'", "high"]),
    (F + RULES + 'against = "plian"', ["factorial: ", "plian", "plain"]),
    (F + RULES + 'against = "plain"\nbase = "carefull"', ["factorial: ", "careful"]),
    (F + RULES + 'against = "plain"\ndeals = 0', ["factorial deals must be from 1"]),
])
def test_what_is_wrong_in_a_factorial_table_is_one_line(text: str, said: list[str]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_study(text, Path("no such folder"), "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml: ") and "\n" not in message
    assert all(part in message for part in said), message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"cannot read .*none\.toml"):
        read_study(tmp_path / "none.toml")
    file = tmp_path / "latin.toml"
    file.write_bytes(b'title = "ok"\n[policies]\n"B\xf6se" = "plain"\n')
    with pytest.raises(RequestError, match=r"line 3: not UTF-8"):
        read_study(file)
    file.write_bytes(b"\xef\xbb\xbf" + P.replace("\n", "\r\n").encode())
    assert read_study(file).pairs == (("a", "b"),)


def test_a_study_brings_its_own_preferences(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from schneider_sim import preference\n\n"
        "@preference('spades')\ndef spades(view):\n    return view.candidates & 0xFF\n")
    (tmp_path / "s.toml").write_text('load = ["mine.py"]\n[policies]\na = "lead: spades"\nb = "plain"\n')
    study = read_study(tmp_path / "s.toml")
    assert [item.name for item in study.experiment("a", "b").match_up.plugins] == ["spades"]


def test_the_studies_in_the_documentation_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    studies = [parse_study(block) for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    assert [len(study.pairs) for study in studies] == [3, 2, 1, 1, 3, 1]
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) | {"first"} == set(KEYS)


GALLERY = Path(__file__).parents[2] / "reports"


@pytest.mark.parametrize("name, game", [("builtin", "bohemian"), ("bauernschnapsen", "bauernschnapsen")])
def test_the_gallery_holds_the_built_in_studies(name: str, game: str) -> None:
    assert (GALLERY / name / "study.toml").read_text(encoding="utf-8") == builtin_study(game).text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["builtin", "bauernschnapsen"])
def test_the_gallery_shows_what_is_played_now(name: str) -> None:
    result = json.loads((GALLERY / name / "result.json").read_text(encoding="utf-8"))
    for one in result["match_ups"]:
        a, b = one["policies"]["A"], one["policies"]["B"]
        again = ss.simulate(a, b, deals=one["deals"], seed=one["seed"], design=one["design"], game=one["game"])
        assert again.tally_sha256 == one["tally_sha256"], f"{one['names']}: run scripts/gallery again"
        study = builtin_study(one["game"])
        for side, policy in one["names"].items():
            text = str(study.grammar.parse(study.policies[policy]))
            assert text == one["policies"][side], f"{policy} has changed: run scripts/gallery again"
    if not result["factorial"]:
        return
    crossed = result["factorial"]["match_ups"][0]
    again = ss.simulate(crossed["a"], crossed["b"], deals=crossed["deals"], seed=result["factorial"]["seed"])
    assert again.tally_sha256 == crossed["tally_sha256"], "run scripts/gallery again"
