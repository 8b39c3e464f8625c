"""The small print of a figure: what it shows and rests on, so that a copy of it still says so."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..games import load_game
from ..results.text_tables import rules_in_words
from ..version import __version__
from .charts.finish import key_in, named_in
from .charts.names import LONGEST, LONGEST_RULE
from .charts.numbers import count
from .pieces import game_report

if TYPE_CHECKING:
    from .findings import Findings
    from .pieces import Drawing

_LONGEST_TEXT = 240  # characters of a policy


def of_drawing(findings: "Findings", drawing: "Drawing") -> Callable[[str], str]:
    """What gives the small print of a report's figure for the texts in it."""
    study = findings.study
    crossed = findings.factorial
    rules = [*(crossed.leads if crossed else ()), *(crossed.follows if crossed else ())]

    def said(texts: str) -> str:
        names = named_in(f"{texts}\n{drawing.title}\n{drawing.text}\n{drawing.basis}", study.policies)
        told = policies({name: study.policies[name] for name in names or study.players})
        cut = [key_in(texts, study.policies), key_in(texts, rules, LONGEST_RULE) if rules else ""]
        deals = f"deals from {study.first} on; " if study.first else ""
        return "\n".join([f"{findings.report.title}: {drawing.title}. {told}",
                          f"{drawing.basis}; {deals}schneider-sim {__version__}.", *filter(None, cut)])

    return said


def _preset(game: str, text: str) -> str:
    """A policy's text, or the name of the preset that it is."""
    grammar = load_game(game).grammar
    return next((name for name in grammar.presets if str(grammar.parse(name)) == text), text)


def policies(named: Mapping[str, str]) -> str:
    """Policies by name, each with its text where that says more."""
    told = [name if text == name else f"{name} = {_cut(text)}" for name, text in named.items()]
    return f"Polic{'y' if len(told) == 1 else 'ies'}: {' · '.join(told)}." if told else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


def of_document(document: Mapping[str, Any], typed: Mapping[str, str] | None = None, level: float | None = None,
                labels: Iterable[str] = (), longest: int = LONGEST) -> Callable[[str], str]:
    """What gives the small print of a command's figure, from its JSON; typed: policies by name as they were typed;
labels: what the figure may have cut."""
    game = document["game"]
    named = {name: _preset(game, text) for name, text in (typed or _policies(document)).items()}
    sure = level if level is not None else document.get("level", 0.95)
    every = list(labels)
    met = document.get("match_ups")
    n = document.get("deals", max((one.get("deals", 0) for one in met), default=None) if met else None)
    deals = f"{count(n)} deals from {document.get('first', 0)} on; " if isinstance(n, int) else ""

    def said(texts: str) -> str:
        head = f"{game_report(game).title}, {rules_in_words(game, document['rules'])}. {policies(named)}"
        method = f" ({document['method']})" if isinstance(document.get("method"), str) else ""
        rest = f"{deals}{100 * sure:.10g} % intervals{method}; seed {document['seed']}; schneider-sim {__version__}."
        return "\n".join(filter(None, [head, rest, key_in(texts, every, longest) if every else ""]))

    return said


def _policies(document: Mapping[str, Any]) -> dict[str, str]:
    """The policies of a document: by side, or as a list of names and texts."""
    found = document.get("policies")
    if isinstance(found, Mapping):
        return {str(name): str(text) for name, text in found.items()}
    return {key: str(document[key]) for key in ("base", "against") if isinstance(document.get(key), str)}
