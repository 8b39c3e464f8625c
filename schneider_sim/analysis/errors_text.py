"""An analysis in lines for people: what each policy loses and where most, then tables, then what it rests on."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..base.cards import SUITS
from ..base.estimate import decimals, percent, show
from ..base.terminal import Style
from ..results.text_tables import heading, table
from ..versus.names import label
from .errors_of_play import offered_decisions
from .situations import BEFORE, parts_of

if TYPE_CHECKING:
    from ..stats.clusters import Ratio
    from .errors_of_play import Analysis, Cell, Error

_WIDTH, _LONGEST = 80, 10


class Part(NamedTuple):
    """What the decisions of a kind lost in some tricks of a play."""

    kind: str
    tricks: tuple[int, int]
    loss: float


def report(found: "Analysis", style: Style | None = None) -> str:
    """The whole as text."""
    style = style or Style()
    blocks = ["\n".join(_wrapped(sentence(found, who)) for who in found.loss), _by_trick(found),
              "\n".join(_situations(found)), _worst(found, style), "\n".join(_grounds(found))]
    return "\n\n".join(block for block in blocks if block)


def name_of(found: "Analysis", who: str) -> str:
    """A policy by its side and, where that is short, its name."""
    short = label(found.typed["AB".index(who)], "")
    return f"{who} ({short})" if short and not found.given else who


def sentence(found: "Analysis", who: str) -> str:
    """What a policy loses in a play, and where most."""
    loss = found.loss[who]
    most = max(parts(found, who), key=lambda one: one.loss)
    text = f"{name_of(found, who)} loses {shown(loss, f' {found.unit}')} a play"
    if loss.value <= 0 or most.loss <= 0:
        return f"{text}."
    share = f", {percent(most.loss / loss.value)} % of it" if most.loss < loss.value else ""
    where = f"{_with(found, most.kind)}{in_tricks(most.tricks)}"
    return f"{text}, most {where}: {_plain(most.loss, loss)} {found.unit}{share}."


def parts(found: "Analysis", who: str) -> list[Part]:
    """What a policy loses in a play, by kind and part of the deal."""
    mine = [cell for cell in found.by_trick if cell.policy == who]
    last, found_parts = max(cell.trick for cell in mine), list[Part]()
    for kind in dict.fromkeys(cell.kind for cell in mine):
        some = [cell for cell in mine if cell.kind == kind]
        for part in parts_of(last) if any(cell.trick for cell in some) else [BEFORE]:
            loss = sum(cell.a_play.value for cell in some if part[0] <= cell.trick <= part[1])
            found_parts.append(Part(kind, part, loss))
    return found_parts


def tricks(part: tuple[int, int]) -> str:
    """A range of tricks in words."""
    return f"trick {part[0]}" if part[0] == part[1] else f"tricks {part[0]}-{part[1]}"


def in_tricks(part: tuple[int, int]) -> str:
    """The same as the end of a sentence, which calls before the first lead do without."""
    return "" if part == BEFORE else f" in {tricks(part)}"


def shown(loss: "Ratio", unit: str = "") -> str:
    """A loss with its interval; without one where a single deal says nothing of others."""
    return show(*loss[:3], unit) if loss.n > 1 else f"{loss.value:.3f}{unit}"


def _with(found: "Analysis", kind: str) -> str:
    return f"when it {offered_decisions(found.experiment.game).VERBS[kind]}"


def _plain(value: float, of: "Ratio") -> str:
    return f"{value:.{decimals(of.low, of.high) if of.n > 1 else 3}f}"


def _by_trick(found: "Analysis") -> str:
    verbs = offered_decisions(found.experiment.game).VERBS
    cells = {(cell.trick, cell.policy, cell.kind): cell for cell in found.by_trick}
    calls = {cell.kind for cell in found.by_trick if cell.trick == 0}
    columns = [(who, kind) for who in found.loss for kind in verbs if kind not in calls]
    rows = [(trick, *(_hundred(cells.get((trick, *column))) for column in columns))
            for trick in sorted({cell.trick for cell in found.by_trick} - {0})]
    head = f"{found.unit} lost in 100 plays, with 95 % intervals of the mean:"
    blocks = [f"{head}\n{table(('trick', *(f'{who} {verbs[kind]}' for who, kind in columns)), rows, range(9))}"]
    if calls:
        before = [(verbs[kind], *(_hundred(cells.get((0, who, kind))) for who in found.loss))
                  for kind in verbs if kind in calls]
        blocks.append(table(("before the first lead", *found.loss), before, range(1, 3)))
    return "\n\n".join(blocks if rows else blocks[1:])


def _hundred(cell: "Cell | None") -> str:
    """What the decisions of a cell lose in a hundred plays."""
    if cell is None:
        return "-"
    value, half = 100 * cell.a_play.value, 50 * (cell.a_play.high - cell.a_play.low)
    if half == 0 or cell.a_play.n < 2:
        return "0" if value == 0 else f"{value:.2f}"
    places = decimals(value - half, value + half)
    return f"{value:.{places}f} ± {half:.{places}f}"


def _situations(found: "Analysis") -> Iterator[str]:
    if not found.by_situation:
        return
    yield "Where most is lost for a decision, in words of policies (found on one half of"
    yield "the deals, measured on the other; each decision in the first that fits):"
    for one in found.by_situation:
        share = "" if one.share is None else f", {percent(one.share)} % of the loss"
        yield _wrapped(f"{one.policy} {one.words}", "  ")
        yield f"    {shown(one.loss, f' {found.unit}')} a decision, {one.decisions:,} decisions{share}"


def _worst(found: "Analysis", style: Style) -> str:
    if not found.worst:
        return "No decision was measured to lose anything."
    plain = Style(style.symbols)
    seats = any("seat" in dict(one.place) for one in found.worst)
    rows = [(one.deal, one.first_leader, _where(one), one.policy + str(dict(one.place).get("seat", "")), one.kind,
             _shown(one.played, plain), one.mark, _shown(one.better, plain), _half(one) if seats else limits(one))
            for one in found.worst]
    head = f"The worst decisions, measured again on other worlds{' (who: policy and seat)' * seats}:"
    return f"{head}\n" + table(("deal", "first", "trick", "who", "kind", "played", "", "better",
                                f"{found.unit} lost"), rows, (0, 2))


def _half(one: "Error") -> str:
    """What a decision loses, give or take half of its interval."""
    half = (one.high - one.low) / 2
    places = decimals(one.low, one.high)
    return f"{one.loss:.{places}f} ± {half:.{places}f}"


def _where(one: "Error") -> str:
    """The trick of a decision, or which call it is."""
    call = dict(one.place).get("call")
    return str(one.trick) if call is None else f"call {call}"


def _shown(choice: str, style: Style) -> str:
    """A card by its symbol, a call by the beginning of its name."""
    if is_card(choice):
        return style.card(choice)
    return choice if len(choice) <= _LONGEST else choice[: _LONGEST - 1] + ("…" if style.symbols else ".")


def is_card(choice: str) -> bool:
    """Whether a choice is a card and not a call."""
    return len(choice) == 2 and choice[1] in SUITS


def limits(one: "Error") -> str:
    """What a decision loses; exact where there are no worlds to draw."""
    return f"{one.loss:.2f} (exact)" if one.low == one.high else show(one.loss, one.low, one.high)


def grounds(found: "Analysis") -> list[str]:
    """What the analysis rests on, in sentences."""
    deals = f"{found.units:,} deals, {found.plays:,} plays"
    if found.given:
        which = f"{deals} from {found.given}; A and B above are the players, the policies here play the rest."
    else:
        experiment = found.experiment
        last = experiment.first + experiment.deals - 1
        which = f"{deals}: deals {experiment.first} to {last} of seed {experiment.match_up.seed}."
    offered = offered_decisions(found.experiment.game)
    what = "card" if set(offered.KINDS) <= {"lead", "follow"} else "card or call"
    how = (f"{found.worlds:,} worlds choose the best {what}, {found.worlds:,} others measure what the one played loses "
           f"against it; {offered.HOW}")
    return [which, how]


def _grounds(found: "Analysis") -> Iterator[str]:
    match_up = found.experiment.match_up
    yield from heading(found.experiment.game, match_up.rules.as_dict(), dict(zip("AB", found.typed, strict=True)),
                       {"A": match_up.a, "B": match_up.b})
    yield from map(_wrapped, grounds(found))
    yield f"again: {found.again}"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  " if indent else "",
                         break_on_hyphens=False, break_long_words=False)
