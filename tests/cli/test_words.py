"""Plain English in small things: one deal, names that hold a semicolon, completion, and which version runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import ROOT, call, environment
from schneider_sim.version import __version__

PLURALS = r"(?<![\d,.])1 (?:deals|pairs|plays|match-ups|ranges|traces|sessions|matches|policies|lead rules)\b"
ONE_DEAL = ["simulate {a} {b} --deals 1", "simulate {a} {a} --deals 1 --design independent",
            "simulate {a} {a} --deals 1", "compare {a} {b} --max-deals 1", "tournament {a} {b} --deals 1",
            "sessions {a} {b} --count 1",
            "factorial --leads low,high --follows low,high --against {a} --deals 1",
            "factorial --vary memory=none,full --deals 1", "plan {a} {b} --deals 1 --difference 0.1 --pilot 2"]
PAIR = {"bohemian": ("plain", "thrifty"), "bauernschnapsen": ("bold", "cautious")}


@pytest.mark.parametrize("name", PAIR)
@pytest.mark.parametrize("text", ONE_DEAL)
def test_one_is_not_counted_as_many(name: str, text: str, tmp_path: Path) -> None:
    a, b = PAIR[name]
    done = call(*shlex.split(text.format(a=a, b=b)), "--game", name)
    assert done.exit_code in (0, 3, 4), done.stderr
    assert not re.findall(PLURALS, done.output)


def test_one_stored_deal_is_not_counted_as_many(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store.sqlite")]
    one = ["simulate", "plain", "random", "--deals", "1", *store]
    said = [call(*one).output, call(*one).output, call(*one, "--fresh").output]
    said += [call("runs", word, *store).output for word in ("list", "verify")]
    assert "1 deal came from the store" in said[1]
    assert not re.findall(PLURALS, "".join(said))


def test_names_that_hold_a_semicolon_are_told_apart() -> None:
    words = ["factorial", "--leads", "low,high", "--follows", "low,high", "--against", "plain", "--deals", "30"]
    best = call(*words).stdout.splitlines()[1]
    assert re.search(r"not told apart are (lead: \w+; follow: \w+( \| |\.))+", best)


@pytest.mark.parametrize("line", ["schneider-sim foo ", "schneider-sim foo --g", "schneider-sim runs foo --"])
def test_completion_after_an_unknown_command_is_silent(line: str) -> None:
    done = subprocess.run([sys.executable, "-c", "from schneider_sim.cli import main; main()"], capture_output=True,
                          env=environment(COMP_WORDS=line, COMP_CWORD=str(line.count(" ")),
                                          _SCHNEIDER_SIM_COMPLETE="bash_complete"), check=False)
    assert done.stderr == b"" and b"unknown" not in done.stdout


def test_completion_completes() -> None:
    done = subprocess.run([sys.executable, "-c", "from schneider_sim.cli import main; main()"], capture_output=True,
                          env=environment(COMP_WORDS="schneider-sim tour", COMP_CWORD="1",
                                          _SCHNEIDER_SIM_COMPLETE="bash_complete"), check=False)
    assert (done.stdout, done.stderr) == (b"plain,tournament\n", b"")


def test_the_version_names_the_commit_of_a_checkout() -> None:
    said = call("--version").stdout.strip()
    if not (ROOT / ".git").exists():
        assert said == f"schneider-sim {__version__}"
        return
    head = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True,
                          env=os.environ).stdout
    found = re.fullmatch(rf"schneider-sim {re.escape(__version__)} \(commit (\w+)(, changed)?\)", said)
    assert found and head.startswith(found[1])
