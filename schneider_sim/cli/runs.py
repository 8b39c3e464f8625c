"""`schneider-sim runs`: list, show, export, import, merge, verify and delete stored runs."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..base.text import counted, unknown, value_text
from ..errors import RequestError, RunError
from ..results.text_tables import table
from . import options
from .output import say, say_json
from .short_policies import cut_apart, short_policy

if TYPE_CHECKING:
    from ..store import Part, Store, Stored
    from ..store.verify import Checked
    from .run_differences import Differences

_LISTED = 20  # runs that are listed unless more are asked for
_FILE = click.Path(path_type=Path)
_store = click.option("--store", type=_FILE, metavar="FILE",
                      help="The store; by default what SCHNEIDER_SIM_STORE names, else that of your data folder.")
_keys = click.argument("keys", nargs=-1, type=options.Plain(), metavar="[KEY]...")
_skip = click.option("--skip-overlaps", is_flag=True, help="Leave out ranges that partly overlap what is there.")


class _Runs(click.Group):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise unknown("command of runs", cmd_name, self.commands)
        return found


@click.group(cls=_Runs, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List and manage stored runs. A KEY may be shortened as long as one run alone begins with it."""
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())


def _subcommand(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    def decorate(function: Callable[..., Any]) -> click.Command:
        made: click.Command = command.command(name)(_store(options.json_option(function)))
        return made

    return decorate


@contextlib.contextmanager
def _opened(path: Path | None, new: bool = False, reading: bool = False) -> "Iterator[Store]":
    """The store that is meant; it must be there unless it may be `new`; `reading`: nothing is to be changed."""
    from ..store import Store, chosen_path, switched_off, usual_path

    if path is None and switched_off():
        raise RequestError("SCHNEIDER_SIM_STORE switches the store off: name one with --store")
    path = path or chosen_path() or usual_path()
    if not new and not path.exists():
        raise RequestError(f"there is no store '{path}': play something first, or name one with --store")
    with Store(path, reading=reading) as store:
        yield store


def _chosen(store: "Store", keys: tuple[str, ...]) -> "list[Stored]":
    """The runs of the keys, each once; all runs where there is no key."""
    return list(dict.fromkeys(store.find(key) for key in keys)) if keys else store.runs()


@_subcommand("list")
@click.argument("texts", nargs=-1, type=options.Plain(), metavar="[TEXT]...")
@click.option("--limit", type=options.Whole(1, 10**9), metavar="N",
              help=f"List at most this many.  [default: {_LISTED}; with --json all]")
@click.option("--all", "every", is_flag=True, help="No limit.")
def _list(store: Path | None, as_json: bool, texts: tuple[str, ...], limit: int | None, every: bool) -> None:
    """List the runs of the store, the newest first, with their non-default settings.

    With TEXT only those that have every TEXT in their key, game, policies or settings: careful, seed=7, bauern.
    """
    if every and limit is not None:
        raise RequestError("--limit and --all exclude each other: leave one out")
    with _opened(store, reading=True) as opened:
        extent, listed = opened.extent(), _listed(opened, texts)
    shown = listed[:limit if limit or every or as_json else _LISTED]
    rows = [(one, *extent.get(one.run.key, (0, 0, 0, 0))) for one in shown]
    if as_json:
        say_json({"store": str(opened.path), "runs": [_about(*row) for row in rows]})
        return
    head = ("key", "game", "A", "B", "seed", "design", "deals", "from", "to", "ranges", "since", "non-default settings")
    cut = cut_apart(name for one in shown for name in (one.a, one.b))
    cells = [(one.run.key[:12], one.run.game, cut[one.a], cut[one.b], one.run.seed, one.run.design, f"{deals:,}", first,
              stop - 1 if deals else "", parts, one.run.created[:10], one.found.words)
             for one, parts, deals, first, stop in rows]
    say(table(head, cells, right=(4, 6, 7, 8, 9)))
    if len(listed) > len(shown):
        say(f"… and {len(listed) - len(shown):,} more: --all lists them, a TEXT such as a policy's name selects")


class _Listed(NamedTuple):
    """A run with short names of its policies and what sets it apart."""

    run: "Stored"
    a: str
    b: str
    found: "Differences"

    def has(self, text: str) -> bool:
        run = self.run
        said = (run.key, run.game, self.a, self.b, run.a, run.b, f"seed={run.seed}", run.design, self.found.words)
        return any(text.casefold() in one.casefold() for one in said)


def _listed(store: "Store", texts: tuple[str, ...]) -> list[_Listed]:
    """The runs that have every text, the newest first."""
    from .run_differences import differences

    apart, short = functools.cache(differences), functools.cache(short_policy)  # most runs of a store are much alike
    settings = store.settings()
    every = (_Listed(run, short(run.game, run.a), short(run.game, run.b), apart(run.game, settings.get(run.key)))
             for run in reversed(store.runs()))
    return [one for one in every if all(map(one.has, texts))]


@_subcommand("show")
@click.argument("key", type=options.Plain(), metavar="KEY")
def _show(store: Path | None, as_json: bool, key: str) -> None:
    """Show one run: its settings, the deals that are stored, and the command that prints its statistics."""
    with _opened(store, reading=True) as opened:
        run = opened.find(key)
        recipe = opened.recipe(run)
        stretches = _stretches(opened, run)
    if as_json:
        say_json({"key": run.key, "created": run.created, "version": run.version, **recipe, "stretches": stretches},
                 indent=2)
        return
    rules = " ".join(f"{name}={value_text(value)}" for name, value in recipe["rules"].items())
    a, b = (_named(recipe["game"], recipe[side]) for side in ("a", "b"))
    lines = {"key": run.key, "made": f"{run.created} by version {run.version}", "game": recipe["game"], "rules": rules,
             "A": a, "B": b, "seed": recipe["seed"], "design": recipe["design"],
             "detail": recipe["detail"]}
    if any(recipe["score"]):
        lines["score"] = ":".join(map(str, recipe["score"]))
    if recipe["plugins"]:
        lines["plug-ins"] = ", ".join(" with ".join([f"{' '.join(entry['words'])} of {entry['file']}",
                                                     *sorted(entry.get("neighbours", {}))])
                                      for entry in recipe["plugins"])
    for name, value in lines.items():
        say(f"{name:9} {value}")
    say()
    say(table(("from", "to", "deals", "ranges", "tally"), [(s["first"], s["first"] + s["deals"] - 1, f"{s['deals']:,}",
        s["ranges"], s["tally_sha256"]) for s in stretches], right=(0, 1, 2, 3)))
    for stretch in stretches:
        say(f"Statistics: {_again(recipe, stretch, store)}")


@_subcommand("export")
@click.argument("file", type=_FILE, metavar="FILE.parquet|FILE.json")
@_keys
def _export(store: Path | None, as_json: bool, file: Path, keys: tuple[str, ...]) -> None:
    """Write runs, by default all, to one Parquet or JSON file."""
    from ..store.exchange import export, pieces

    with _opened(store, reading=True) as opened:
        runs = _chosen(opened, keys)
        parts = export(pieces(opened, runs), file)
    _done({"file": str(file), "runs": len(runs), "ranges": parts}, as_json)


@_subcommand("import")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@_skip
def _import(store: Path | None, as_json: bool, files: tuple[Path, ...], skip_overlaps: bool) -> None:
    """Take in what `runs export` wrote: a file wholly, or not at all."""
    from ..store.exchange import merge, read_export

    with _opened(store, new=True) as opened:
        for file in files:
            merged = merge(opened, read_export(file), skip_overlaps)
            _done({"file": str(file), **merged._asdict()}, as_json)


@_subcommand("merge")
@click.argument("others", nargs=-1, required=True, type=_FILE, metavar="OTHER_STORE...")
@_skip
def _merge(store: Path | None, as_json: bool, others: tuple[Path, ...], skip_overlaps: bool) -> None:
    """Take in the runs of other stores: each wholly, or not at all."""
    from ..store.exchange import merge, pieces

    with _opened(store, new=True) as opened:
        for other in others:
            with _opened(other, reading=True) as source:
                merged = merge(opened, pieces(source, source.runs()), skip_overlaps)
            _done({"store": str(other), **merged._asdict()}, as_json)


@_subcommand("verify")
@_keys
@click.option("--sample", "size", default=10, type=options.Whole(0, 10**9), metavar="N", show_default=True,
              help="How many ranges to play, chosen at random.")
@click.option("--pick", default=0, type=options.Whole(0, 2**63), metavar="K", show_default=True, help="Another lot.")
@click.option("--drop", is_flag=True, help="Forget the ranges that are damaged or differ; the next run plays them.")
@click.option("--run-plugins", is_flag=True, help="Run the stored source of users' preferences: of stores you trust.")
@options.threads_option
def _verify(store: Path | None, as_json: bool, keys: tuple[str, ...], size: int, pick: int, drop: bool,
            run_plugins: bool, threads: int | None) -> None:
    """Read all stored ranges, play a sample again, and compare. Exit status 1 where any is damaged or differs."""
    from ..engines.threads import threaded
    from ..store.verify import sample, verify
    from .progress import progress
    from .signals import defer_signals

    with _opened(store, reading=not drop) as opened:
        drawn = sample(opened, _chosen(opened, keys), size, pick, run_plugins)
        total, done = sum(part.stop - part.start for _, part in drawn.chosen), 0
        checked = []
        with progress("verifying", total) as hear:
            for one in verify(opened, drawn.chosen, threaded(threads, defer_signals)):
                checked.append(one)
                done += one.part.stop - one.part.start if one.part else 0
                hear(done)
        wrong = [one for one in checked if not one.same]
        dropped = [one.part for one in [*drawn.damaged, *wrong] if one.part and drop]
        if dropped:  # a store that may only be read cannot even begin
            opened.drop(dropped)
    told = {"wrong": [str(one) for one in wrong], "damaged": [str(one) for one in drawn.damaged],
            "left_out": [f"{run}: {why}" for run, why in drawn.left_out]}
    if as_json:
        say_json({"verified": len(checked), "deals": total, "dropped": len(dropped), **told})
    else:
        say(f"{counted(len(checked), 'range')}, {counted(total, 'deal')} played again: {len(wrong)} differ from what "
            "is stored")
        for name, found in told.items():
            for line in found:
                say(f"{name.replace('_', ' ').capitalize()}: {line}")
    _judge(wrong, drawn.damaged, len(dropped))


def _judge(wrong: "list[Checked]", damaged: "list[Checked]", dropped: int) -> None:
    """Raise RunError where anything is not as it was written, saying what helps."""
    if not wrong + damaged:
        return
    found = [f"{what} {_few(those)}" for what, those in (("counts differ in", wrong), ("damaged:", damaged)) if those]
    helps = f"{counted(dropped, 'range')} forgotten, and the next run plays them" if dropped else \
        "`runs verify --drop` with the same words forgets these ranges, and the next run plays them"
    if any(one.part is None for one in damaged):
        helps += "; `runs delete` forgets a run"
    if wrong:
        helps += "; if neither the program nor the files of your own preferences changed, report it as a bug"
    raise RunError(f"{'; '.join(found)}: {helps}")


def _few(found: "list[Checked]") -> str:
    return "; ".join(map(str, found[:5])) + (" and more" if len(found) > 5 else "")


@_subcommand("delete")
@_keys
@click.option("--all", "every", is_flag=True, help="All runs.")
def _delete(store: Path | None, as_json: bool, keys: tuple[str, ...], every: bool) -> None:
    """Forget runs."""
    if bool(keys) == every:
        raise RequestError("name the runs to delete by their keys, or give --all")
    with _opened(store) as opened:
        runs = _chosen(opened, keys)
        with opened.changing():
            for run in runs:
                opened.delete(run)
        opened.shrink()
    _done({"deleted": [run.key for run in runs] if as_json else len(runs)}, as_json)


def _done(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        say_json(told)
    else:
        say(", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in told.items()))


def _about(one: _Listed, parts: int, deals: int, first: int, stop: int) -> dict[str, Any]:
    extent = {"deals": deals, "first": first, "last": stop - 1 if deals else None, "ranges": parts}
    about = one.run._asdict() | {"names": {"A": one.a, "B": one.b}} | one.found.keys | extent
    del about["id"]
    return about


def _stretches(store: "Store", run: "Stored") -> list[dict[str, Any]]:
    """The stored deals in stretches without a gap, each with its tally's SHA-256."""
    from ..store import core, sha256

    groups: list[list[Part]] = []
    for part in store.parts(run):
        if groups and groups[-1][-1].stop == part.start:
            groups[-1].append(part)
        else:
            groups.append([part])
    found = []
    for group in groups:
        total, *others = (core(store.recipe(run), store.counts(run, part)) for part in group)
        for counts in others:
            total = total + counts
        found.append({"first": group[0].start, "deals": group[-1].stop - group[0].start, "ranges": len(group),
                      "tally_sha256": sha256(total)})
    return found


def _again(recipe: dict[str, Any], stretch: dict[str, Any], store: Path | None) -> str:
    """The command that prints the statistics of a stretch, from the store."""
    from ..versus.repeat import command_line

    words = [recipe["a"], recipe["b"], "--deals", str(stretch["deals"])]
    words += ["--store", str(store)] if store else []
    return command_line("simulate", words, game_name=recipe["game"], rules=recipe["rules"], seed=recipe["seed"],
                        first=stretch["first"], design=recipe["design"], detail=recipe["detail"],
                        score=recipe["score"], load=[plugin["file"] for plugin in recipe["plugins"]])


def _named(game_name: str, text: str) -> str:
    """A policy's text, and its name if it is a preset."""
    name = short_policy(game_name, text)
    return text if name == text or ":" in name else f"{text} ({name})"
