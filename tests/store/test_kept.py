"""Stores made by earlier versions are read and continued under the same keys; any SQLite from 3.26 on will do.

`data/runs-form-1.sqlite.gz` was written on 30 November 2026 by revision 7c708e6, with STRICT tables. Where a game's
version or a rule is added on purpose, its runs get other keys, and the store kept here is to be joined by a newer one.
"""

import gzip
import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from schneider_sim.engines.threads import run, serial
from schneider_sim.errors import RunError
from schneider_sim.runs.experiment import Experiment, make_experiment
from schneider_sim.runs.recipe import key_of, recipe_of
from schneider_sim.store import Store, database, exchange, schema
from schneider_sim.store.reuse import StoreRunner
from schneider_sim.store.verify import sample, verify
from store.kept import experiment, keep

KEPT = Path(__file__).parent / "data" / "runs-form-1.sqlite.gz"
DEALS = 300
RUNS = [  # policies and settings, key, tally of 300 deals, tally of 600
    (("lead: safe honour; follow: capture dead pip", "lead:; follow: capture; noise: 0.25"),
     {"seed": 2**64 - 1, "rules": {"schneider_at": 17}},
     "0f27589fe3c8bf3e4384bd402d8a38aaa659e388f1e187337b4b1f382cc83bf8",
     "f3b829971b4acfa5d4cd445c5ecdf3ad9ef00a6203e7eb8fd311db56a1f7a1a8",
     "ca6d06ebd76e4e143639d72266effbf051355db6e01541c65eb7d289153adea8"),
    (("lead:; follow: capture; memory: last-2", "lead: low; follow: dead low"),
     {"seed": 0, "design": "independent", "detail": "all", "first": 2**62},
     "08519b4e218394628eebb4473a05317ef1d50ffe952958ff1ec32ba0e0c4329a",
     "bda18e1115f414dfc5dde6f654f28120adc7a8260c8a9f7fcae588243638e766",
     "549d8455f9b924fa63c7fb68b91aa66d5992af52168c4e1f1b3d27a3ede73e50"),
    (("trump:; bid:; double:; lead:; follow:", "trump:; bid:; double:; lead:; follow:"),
     {"game_name": "bauernschnapsen", "seed": 2**63, "score": (5, 12)},
     "8cafce49f3443264887b90c0eb286f869dacbe9822945f2ddd86166434ecf5f5",
     "f6c633089af8266ad4417bc6d11b1cfe375ea8648fd6c69e40b26db9b667014a",
     "73f4b9af2fa5d26a15b6ff247f408919cfba875ed2f031ad0d1a59e64b112f56"),
]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    if sqlite3.sqlite_version_info < (3, 37):
        pytest.skip("this SQLite cannot open stores of the first form")
    path = tmp_path / "runs.sqlite"
    path.write_bytes(gzip.decompress(KEPT.read_bytes()))
    return path


def made(policies: tuple[str, str], settings: dict[str, object], deals: int) -> Experiment:
    return replace(make_experiment(*policies, deals=deals, **settings), cut=256)  # type: ignore[arg-type]


@pytest.mark.parametrize("policies, settings, key, short, long", RUNS, ids=["bohemian", "first deals", "bauern"])
def test_a_store_of_the_first_form_is_read_and_continued(old, policies, settings, key, short, long):
    wanted, is_found = made(policies, settings, DEALS), settings.get("game_name") != "bauernschnapsen"
    assert (key_of(recipe_of(wanted)) == key) == is_found  # that game's version was raised since
    with Store(old) as store:
        assert key in {one.key for one in store.runs()}
        player = StoreRunner(serial, store)
        reused, played = (DEALS, 0) if is_found else (0, DEALS)
        assert (run(wanted, play=player).sha256, player.reused, player.played) == (short, reused, played)
        assert (run(made(policies, settings, 2 * DEALS), play=player).sha256, player.played) == (long, played + DEALS)
        assert (run(made(policies, settings, 2 * DEALS), play=player).sha256, player.played) == (long, played + DEALS)
        assert len(store.runs()) == 3 + (not is_found)
        assert all(one.same for one in verify(store, sample(store, store.runs(), 20).chosen, serial))


def test_stores_of_both_forms_exchange_their_runs(old, tmp_path):
    with Store(old, reading=True) as first, Store(tmp_path / "new") as second:
        assert exchange.merge(second, exchange.pieces(first, first.runs())).added == 6
        assert exchange.merge(second, exchange.pieces(first, first.runs())).same == 6
    with Store(old) as first, Store(tmp_path / "new", reading=True) as second:
        assert exchange.merge(first, exchange.pieces(second, second.runs())).same == 6


def test_nothing_but_whole_numbers_texts_and_bytes_gets_into_a_new_store(tmp_path):
    with Store(keep(tmp_path / "runs.sqlite", experiment(100))) as store:
        for change in ("part SET start = 'x'", "part SET last = 2.5", "part SET counts = 'text'", "run SET key = x'00'",
                       "part SET sha256 = x'00'", "run SET seed = x'00'", "run SET recipe = NULL",
                       "part SET last = -1"):
            with pytest.raises(RunError, match="CONSTRAINT"):
                store._do(f"UPDATE {change}")


# What SQLite has had since 3.27 or has only when built with it: https://www.sqlite.org/changes.html
NEWER = re.compile(
    r"\b(strict|returning|sqlite_schema|materialized|generated|iif|filter|over|window|unixepoch|right\s+join|full\s+join|"
    r"nulls\s+(first|last)|drop\s+column|distinct\s+from|vacuum\s+into|json\w*|jsonb\w*|string_agg|concat\w*|log|pow|"
    r"sqrt|timediff|octet_length|format|table_list|fts\d|rtree)\b|->>?|\bupdate\b.+\bset\b.+\bfrom\b|0x\w+_",
    re.I | re.S)


def test_the_sql_of_a_new_store_is_that_of_sqlite_3_26(tmp_path, monkeypatch):
    """Every statement that SQLite gets while a store is made, filled, looked through, merged and emptied."""
    said: list[str] = []
    really = sqlite3.connect

    def traced(*words: object, **more: object) -> sqlite3.Connection:
        made = really(*words, **more)  # type: ignore[call-overload]
        made.set_trace_callback(said.append)
        return made

    monkeypatch.setattr(sqlite3, "connect", traced)
    path = keep(tmp_path / "runs.sqlite", experiment(5_000), experiment(3_000, seed=2))
    keep(path, experiment(4_500), experiment(6_000))
    with Store(path) as store, Store(tmp_path / "other") as other:
        exchange.merge(other, exchange.pieces(store, store.runs()))
        assert len(store.extent()) == len(store.settings()) == 2
        list(verify(store, sample(store, store.runs(), 1).chosen, serial))
        store.find(store.runs()[0].key)
        store.drop(store.parts(store.runs()[0])[:1])
        store.delete(store.runs()[0])
        store.shrink()
    with Store(path, reading=True):
        pass
    kinds = {statement.split()[0].upper() for statement in said}
    assert {"CREATE", "PRAGMA", "INSERT", "SELECT", "DELETE", "UPDATE", "BEGIN", "COMMIT"} <= kinds
    assert [statement for statement in said if NEWER.search(statement)] == []
    sources = " ".join(Path(str(module.__file__)).read_text() for module in (schema, database))
    assert "CREATE TABLE" in sources and not re.search(r"\) STRICT|RETURNING|sqlite_schema|json_\w+\(", sources)
    with sqlite3.connect(tmp_path / "other") as looked:
        tables = " ".join(sql for sql, in looked.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL"))
    looked.close()
    assert "CREATE TABLE part" in tables and not NEWER.search(tables)


@pytest.mark.parametrize("name", ["SQLITE_ERROR", "SQLITE_CORRUPT"])
@pytest.mark.parametrize("reading", [False, True])
def test_an_old_sqlite_says_which_it_needs(old, monkeypatch, name, reading):
    """The error is the one that SQLite 3.26.0 gives; later ones call it damage."""
    error = sqlite3.OperationalError('malformed database schema (run) - near "STRICT": syntax error')
    error.sqlite_errorname = name

    def refuse(*_: object) -> None:
        raise error

    before = old.read_bytes()
    monkeypatch.setattr(schema, "_check", refuse)
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.26.0")
    with pytest.raises(RunError, match=r"needs SQLite 3\.37 or newer, while this Python has 3\.26\.0: .*runs export"):
        Store(old, reading=reading)
    assert old.read_bytes() == before


def test_the_kept_store_is_small_and_of_the_first_form(old):
    assert KEPT.stat().st_size < 12_000
    with sqlite3.connect(old) as looked:
        assert "STRICT" in str(looked.execute("SELECT sql FROM sqlite_master").fetchall())
        assert looked.execute("PRAGMA user_version").fetchone() == (1,)
        recipes = [json.loads(text) for text, in looked.execute("SELECT recipe FROM run")]
    looked.close()
    assert [recipe["seed"] for recipe in recipes] == [2**64 - 1, 0, 2**63]
