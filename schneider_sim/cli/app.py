"""The command group: finds commands without loading the others, and says every error in one line."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from ..base.text import clean, unknown
from ..version import __version__, commit_of_checkout
from .commands import COMMANDS
from .exits import Carried, run
from .notices import notices
from .output import forgive_encodings


class App(click.Group):
    """Commands by the table in commands.py; a command whose module is not there does not exist."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, (module, _) in COMMANDS.items() if importlib.util.find_spec(_address(module))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = clean(cmd_name).strip()
        names = self.list_commands(ctx)
        if name not in names:
            if ctx.resilient_parsing:  # the shell completes a line
                return None
            raise unknown("command", name, names)
        command: click.Command = importlib.import_module(_address(COMMANDS[name][0])).command
        command.name = name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table alone, so that `--help` imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, BrokenPipeError) as error:  # past click, which has ways of its own with these
            raise Carried(error) from None

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None,
             complete_var: str | None = None, standalone_mode: bool = True, **extra: Any) -> NoReturn:
        """Run a command line and leave by SystemExit with the exit status that README.md lists."""
        forgive_encodings()
        words = [plain_option(word) for word in (sys.argv[1:] if args is None else args)]

        def work() -> Any:
            with notices():
                return super(App, self).main(words, "schneider-sim", complete_var, standalone_mode=False, **extra)

        raise SystemExit(run(work, leaving=args is None))


def plain_option(word: str) -> str:
    """An option as it was meant: a pasted dash of any length is `--`, and nothing invisible is left in its name."""
    if not word or (word[0] == "-" and word.isascii()):
        return word
    name, equals, value = word.partition("=")
    plain = clean(name)
    if not plain.startswith("-") or word == "-":
        return word
    if plain.lstrip("-")[:1] in tuple("0123456789."):  # a number below 0
        return "-" + plain.lstrip("-").strip() + equals + value
    if not word.startswith("-"):
        plain = "--" + plain.lstrip("-")
    return plain.strip() + equals + value


def _address(module: str) -> str:
    return f"{__package__}.{module}"


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """The version, and in a checkout the commit that runs."""
    if asked and not ctx.resilient_parsing:
        commit = commit_of_checkout()
        click.echo(f"schneider-sim {__version__}" + (f" (commit {commit})" if commit else ""))
        ctx.exit()


@click.group(cls=App, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
              help="Show the version and exit.")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Play Bohemian Schneider and Bauernschnapsen by the million and say how sure the answer is.

    A policy is a name (see `policies`) or its text, such as "lead: safe honour; follow: capture dead pip". Numbers may
    be written short: 250k, 1M, 1e6.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console entry; leaves by SystemExit. args: what follows the command's name, by default this process's own."""
    app.main(args)
