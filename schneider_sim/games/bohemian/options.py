"""The options of a policy of Bohemian Schneider, and which of them do not go together."""

from collections.abc import Mapping

from ...policy.grammar import COMMON_OPTIONS, Option, choice, whole_number

OPTIONS = (
    *COMMON_OPTIONS,
    choice("endgame", ("words", "exact"), "exact: once the stock is empty, only cards that lose nothing"),
    choice("search", ("none", "rollout", "pimc"), "rollout: cards by playing sampled worlds on by the policy's own "
           "words; pimc: the same up to trick 7, and perfectly with open cards from trick 8 on"),
    Option("samples", "1024", "N from 1 to 65536", whole_number(1, 65536), "sampled worlds a decision, at most"),
    Option("inference", "0", "K from 0 to 16", whole_number(0, 16),
           "worlds weighted by how likely they make the other's last K plays, had it the same words"),
)


def conflict(options: Mapping[str, str]) -> str:
    """What is wrong with options that do not go together, in a line; empty where all do."""
    memory = options["memory"]
    for name, value in (("endgame", "exact"), ("search", "rollout")):
        if options[name] == value and memory != "full":
            return f"{name}: {value} needs to remember every card: it does not go with memory: {memory}"
    if options["search"] == "pimc" and options["inference"] != "0" and memory != "full":
        return ("inference takes remembered plays as evidence, so with search: pimc it needs memory: full, not memory: "
                f"{memory}")
    return ""
