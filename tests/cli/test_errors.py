"""Whatever goes wrong is one line on standard error with the exit status that the interface gives it."""

from pathlib import Path

import pytest

from commandline import call, refused
from schneider_sim import api

MATCH = ("simulate", "careful", "greedy")
WRONG = [
    (("simulat", "a", "b"), "did you mean 'simulate'"),
    (("simulate", "careful"), "Missing argument 'B'"),
    ((*MATCH, "random"), "unexpected extra argument"),
    (("simulate", "carefull", "greedy"), "did you mean 'careful'"),
    (("simulate", "random", "lead: saef"), "did you mean 'safe'"),
    (("simulate", "", "random"), "must not be empty"),
    (("simulate", "random", " ; ", "--game", "bauernschnapsen"), "must not be empty"),
    (("simulate", "led: safe", "random"), "unknown section 'led'"),
    (("simulate", "lead: xyzzy", "random"), "--load FILE.py"),
    (("simulate", "lead: safe safe", "random"), "twice"),
    ((*MATCH, "--dealz", "3"), "--deals"),
    ((*MATCH, "--deals"), "requires an argument"),
    ((*MATCH, "--deals", "0"), "from 1 to"),
    ((*MATCH, "--deals", "-3"), "from 1 to"),
    ((*MATCH, "--deals", "1.5"), "whole number"),
    ((*MATCH, "--deals", "1.0005k"), "whole number"),
    ((*MATCH, "--deals", "1e-3"), "whole number"),
    ((*MATCH, "--deals", "1kk"), "whole number"),
    ((*MATCH, "--deals", "10e18"), "from 1 to 9223372036854775808"),
    ((*MATCH, "--deals", "1" + "0" * 5000), "--deals must be"),
    ((*MATCH, "--deals", "9223372036854775808", "--first", "1"), "9223372036854775808"),
    ((*MATCH, "--first", "9223372036854775808"), "--first"),
    ((*MATCH, "--seed", "18446744073709551616"), "--seed must be from 0 to 18446744073709551615"),
    ((*MATCH, "--seed", "-1"), "--seed"),
    ((*MATCH, "--threads", "0"), "--threads"),
    ((*MATCH, "--design", "double"), "duplicate or independent"),
    ((*MATCH, "--game", "bohemain"), "did you mean 'bohemian'"),
    ((*MATCH, "--variant", "hihger"), "did you mean 'higher'"),
    ((*MATCH, "--rules", "follow"), "KEY=VALUE"),
    ((*MATCH, "--rules", "=free"), "KEY=VALUE"),
    ((*MATCH, "--rules", "folow=free"), "did you mean 'follow'"),
    ((*MATCH, "--rules", "follow=never"), "must_follow"),
    ((*MATCH, "--rules", "follow=free", "--rules", "follow=free"), "twice"),
    ((*MATCH, "--rules", "ace_by_seven=any_suit"), "next_any_suit"),
    ((*MATCH, "--load", "/no/such/file.py"), "cannot read /no/such/file.py"),
    (("simulate", "\x1b[31m", "random"), "\\x1b[31m"),
    (("simulate", "lead: sa\nfe", "random"), "unknown word"),
    (("replay", "careful", "greedy"), "--deal"),
    (("replay", "careful", "greedy", "--deal", "9", "--until", "8"), "until"),
    (("replay", "careful", "greedy", "--deal", "9223372036854775808"), "--deal"),
    (("replay", "careful", "greedy", "--deal", "1", "--first-leader", "C"), "A or B"),
    (("sessions", "careful", "greedy", "--count", "0"), "--count"),
    (("policies", "--game", "chess"), "unknown game 'chess'"),
    (("rules", "--variant", "chess"), "unknown variant"),
    (("preferences", "--load", "/no/such/file.py"), "cannot read"),
]


@pytest.mark.parametrize("words, hint", WRONG, ids=[" ".join(words)[:60] for words, _ in WRONG])
def test_wrong_request(words: tuple[str, ...], hint: str) -> None:
    assert hint in refused(*words)


PLUGINS = {
    "raises": ("    return 1 // 0\n", 1, "ZeroDivisionError"),
    "outside": ("    return ['AS', 'AH', 'AD', 'AC']\n", 1, "not in the hand"),
    "nonsense": ("    return 'a card'\n", 1, "card"),
    "syntax": ("    return (\n", 2, "SyntaxError"),
}


@pytest.mark.parametrize("kind", PLUGINS)
def test_plugins_that_fail(kind: str, tmp_path: Path) -> None:
    body, status, hint = PLUGINS[kind]
    path = tmp_path / f"{kind} ü.py"
    path.write_text(f"import schneider_sim\n@schneider_sim.preference('mine', over='cards')\ndef mine(view):\n{body}")
    line = refused("simulate", "lead: mine", "random", "--deals", "40", "--load", str(path), status=status)
    assert hint in line and path.name in line


@pytest.mark.parametrize("error, status, message", [
    (KeyboardInterrupt(), 130, "interrupted"),
    (OSError(28, "No space left on device", "store.db"), 1, "'store.db': No space left on device"),
    (MemoryError(), 1, "out of memory"),
    (ZeroDivisionError("two\nlines"), 1, "ZeroDivisionError: two lines"),
])
def test_failures_of_the_run(error: BaseException, status: int, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(api, "simulate", fails)
    assert message in refused(*MATCH, status=status)


def test_traceback_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "simulate", None)
    result = call(*MATCH, SCHNEIDER_SIM_DEBUG="1")
    assert result.exit_code == 1 and "Traceback" in result.stderr and result.stdout == ""
    assert "SCHNEIDER_SIM_DEBUG=1" in result.stderr.splitlines()[-1]


def test_help_and_version() -> None:
    for words in ((), ("--help",), ("-h",), ("simulate", "--help"), ("--version",)):
        result = call(*words)
        assert result.exit_code == 0 and result.stderr == "", words
    assert "simulate" in call().stdout and "--deals" in call("simulate", "--help").stdout
