"""The contracts of Bauernschnapsen as one table: value, bidder, lead, trumps, order, aim; and their many names.

Source: docs/rules-bauernschnapsen.md section 2.
"""

from typing import NamedTuple

from ....base.text import clean, unknown

ORDERS = {"STD": "JQKTA", "ACELOW": "AJQKT", "KINGHIGH": "TAJQK", "QUEENHIGH": "KTAJQ"}  # ascending


class Contract(NamedTuple):
    """One row of the table.

    bidder: "F", "Fside" (F or partner), "opp" (the two others), "anyone", "not_F"; lead: "F", "D" or "" (not played);
    order: a key of ORDERS; aim: "normal", "none" (no trick), "schnapser", "all" (every trick), "declared".
    """

    name: str
    value: int
    bidder: str
    lead: str
    trumps: bool
    order: str
    aim: str
    aliases: tuple[str, ...] = ()
    extra: bool = False  # an optional contract, off unless switched on


CONTRACTS = (
    Contract("NORMAL", 0, "F", "F", True, "STD", "normal", ("Rufer", "Normales Spiel")),
    Contract("BETTLER", 4, "anyone", "D", False, "STD", "none", ("Fechter",)),
    Contract("ASSENBETTLER", 5, "anyone", "D", False, "ACELOW", "none"),
    Contract("ASS_BETTLER", 5, "anyone", "D", False, "STD", "none", ("Ass-Fechter",)),
    Contract("SCHNAPSER", 6, "Fside", "F", True, "STD", "schnapser", ("Drei-Stich",)),
    Contract("PLAUDERER", 7, "anyone", "D", False, "STD", "none"),
    Contract("GANG", 9, "anyone", "D", False, "STD", "all",
             ("Gangl", "Land", "Ring", "Ringerl", "Neuner", "Durchmarsch")),
    Contract("ZEHNERGANG", 10, "anyone", "D", False, "ACELOW", "all",
             ("Zehnerloch", "Zehnerhittn", "Zehnerland", "Zehnerring")),
    Contract("BAUERNSCHNAPSER", 12, "Fside", "F", True, "STD", "all", ("Bauer",)),
    Contract("BAUERNLOCH", 12, "Fside", "F", True, "ACELOW", "all"),
    Contract("KONTRASCHNAPSER", 12, "opp", "F", True, "STD", "schnapser", ("Kontra-Drei-Stich",)),
    Contract("FARBENRINGERL", 18, "not_F", "", False, "STD", "declared",
             ("Farbringerl", "Farbenjodler", "Herrenringerl", "Farbengang", "Farbenring", "Herrengangl",
              "Farbensolo")),
    Contract("TRUMPFFARBENRINGERL", 24, "F", "", False, "STD", "declared",
             ("Trumpfringerl", "Herrenschnapser", "Herrenjodler")),
    Contract("KONTRABAUERNSCHNAPSER", 24, "opp", "F", True, "STD", "all"),
    Contract("SCHNAPSER_MIT_MANN", 6, "Fside", "F", True, "STD", "schnapser", extra=True),
    Contract("FREUNDSCHAFTSSCHNAPSER", 6, "partner", "F", True, "STD", "schnapser", ("Schnapser zusammen",), True),
    Contract("KOENIGSGANG", 8, "anyone", "D", False, "KINGHIGH", "all", ("Königsgang",), True),
    Contract("DAMENGANG", 7, "anyone", "D", False, "QUEENHIGH", "all", extra=True),
)
NAMES = tuple(contract.name for contract in CONTRACTS)
BY_NAME = {contract.name: contract for contract in CONTRACTS}
BETTLERS = ("BETTLER", "ASSENBETTLER", "ASS_BETTLER", "PLAUDERER")
RINGERLS = ("FARBENRINGERL", "TRUMPFFARBENRINGERL")
KONTRAS = ("KONTRASCHNAPSER", "KONTRABAUERNSCHNAPSER")

_FULL = frozenset(contract.name for contract in CONTRACTS if not contract.extra)
SETS = {
    "full": _FULL,
    "common": frozenset({"NORMAL", "SCHNAPSER", "GANG", "BAUERNSCHNAPSER", *KONTRAS}),
    "no_bettler": _FULL - frozenset(BETTLERS),
    "no_show": _FULL - frozenset(RINGERLS),
}


def _key(text: str) -> str:
    return clean(text).casefold().replace("-", "").replace("_", "").replace(" ", "")


_KNOWN = {_key(name): contract.name for contract in CONTRACTS for name in (contract.name, *contract.aliases)}


def canonical(text: str) -> str | None:
    """The name in the table for a contract's name or alias in any spelling; None when there is none."""
    return _KNOWN.get(_key(text))


def parse_contract(text: str) -> Contract:
    """The contract called `text`, by name or alias; RequestError otherwise."""
    name = canonical(text)
    if name is None:
        raise unknown("contract", text, NAMES)
    return BY_NAME[name]
