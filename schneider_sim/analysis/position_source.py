"""Where a position comes from: a deal of a match, a trace, or cards as they are typed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..base.text import clean, parse_int, shown
from ..errors import RequestError
from ..games import load_game
from ..games.protocol import Game, Positions
from ..runs.experiment import Experiment

_MOST_TRICKS, _MOST_CALLS = 99, 999


class Source(NamedTuple):
    """A position as it is asked for; see position.position."""

    deal: int | None
    trick: int | None
    call: int | None
    seat: int | None
    trace: str | Path | Mapping[str, Any] | None
    hand: str | Sequence[str] | None
    led: str | None
    played: str | Sequence[str]
    honours: str | Sequence[int] | None

    def check(self) -> None:
        """RequestError unless there is one position and no more."""
        typed: dict[str, Any] = {"--led": self.led, "--played": self.played, "--honours": self.honours}
        of_play: dict[str, Any] = {"--deal": self.deal, "--trick": self.trick, "--call": self.call, "--seat": self.seat,
                                   "--trace": self.trace}
        if self.hand is not None:
            for name, value in of_play.items():
                if value is not None:
                    raise RequestError(f"{name} does not go with --hand: the cards say it all")
            return
        for name, value in typed.items():
            if value:
                raise RequestError(f"{name} goes with --hand: give the cards of the hand, too")
        if self.deal is None and self.trace is None:
            raise RequestError("which position? Give --deal K --trick T, --trace FILE --trick T, or --hand CARDS")
        if self.trick is None and self.call is None:
            raise RequestError("--trick T is missing: in which trick, from 1 on")
        if self.trick is not None and self.call is not None:
            raise RequestError("--trick T asks for a card and --call N for a call: give one of them")

    def record(self) -> Mapping[str, Any] | None:
        """The trace that the position is in, judged; None where there is none."""
        if self.trace is None:
            return None
        found = self.trace if isinstance(self.trace, Mapping) else _read(Path(self.trace), self.deal)
        name = found.get("game")
        if not isinstance(name, str):
            raise RequestError("the trace lacks 'game'")
        try:
            load_game(name).judge(found)
        except RequestError as error:
            raise RequestError(f"the trace of deal {shown(found.get('deal'))} is wrong: {error}") from None
        return found

    def position(self, part: Positions, experiment: Experiment, record: Mapping[str, Any] | None) -> Any:
        """The game's own position."""
        rules = experiment.match_up.rules
        if self.hand is not None:
            led = _cards(self.led or "", "--led")
            if len(led) > 1:
                raise RequestError(f"--led is one card, not {len(led)}")
            return part.typed(rules, _cards(self.hand, "--hand"), led[0] if led else None,
                              _cards(self.played, "--played"), _honours(self.honours))
        if self.call is not None:
            return self._at_call(part, experiment, record)
        if record is None:
            record = _played(experiment, part.first_leader(experiment.first, self.seat))
        return part.in_trace(rules, record, parse_int(self.trick, "--trick", 1, _MOST_TRICKS), self.seat)

    def _at_call(self, part: Positions, experiment: Experiment, record: Mapping[str, Any] | None) -> Any:
        """The position at a call: of the play in which the policy is asked."""
        rules, call = experiment.match_up.rules, parse_int(self.call, "--call", 1, _MOST_CALLS)
        if record is None and self.seat is not None:
            record = _played(experiment, part.first_leader(experiment.first, self.seat))
        if record is not None:
            found = part.at_call(rules, record, call, None)
            asked = part.as_dict(rules, found).get("seat")
            if self.seat not in (None, asked):
                raise RequestError(f"call {call} is that of seat {asked}, not of seat {self.seat}")
            return found
        for leader in "AB":
            found = part.at_call(rules, _played(experiment, leader), call, "A")
            if found is not None:
                return found
        raise RequestError(f"call {call} is the other policy's, whoever is first leader: change places with --against")

    def words(self, part: Positions, experiment: Experiment, found: Any) -> list[str]:
        """The options that say it again."""
        if self.hand is not None or isinstance(self.trace, Mapping):
            return list(part.again(experiment.match_up.rules, found))
        words = ["--trace", str(self.trace)] if self.trace is not None else []
        words += ["--deal", str(self.deal)] if self.deal is not None else []
        words += ["--trick", str(self.trick)] if self.call is None else ["--call", str(self.call)]
        return [*words, *(["--seat", str(self.seat)] if self.seat is not None else [])]


def _played(experiment: Experiment, first_leader: str) -> Mapping[str, Any]:
    """The trace of the experiment's deal."""
    return load_game(experiment.game).trace(experiment.match_up, experiment.first, first_leader)


def part_of(game: Game) -> Positions:
    """What a game offers for positions; RequestError where it does not."""
    if game.positions is None:
        raise RequestError(f"position is not offered for {game.name} yet")
    return game.positions


def rules_of(record: Mapping[str, Any], variant: str | None, rules: Mapping[str, Any] | None) -> dict[str, Any]:
    """The rules of a judged trace; RequestError where others are asked for."""
    make = load_game(record["game"]).rules
    found: dict[str, Any] = make(None, record["rules"]).as_dict()
    if (variant is not None or rules) and make(variant, rules).as_dict() != found:
        raise RequestError("the trace was played by other rules: leave out --variant and --rules, the trace says them")
    return found


def _read(path: Path, deal: int | None) -> Mapping[str, Any]:
    """The trace of `deal`, or the only one, in a file with a JSON object a line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise RequestError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RequestError(f"'{path}' is not text in UTF-8") from None
    traces = [_object(line, f"'{path}', line {number}") for number, line in enumerate(lines, start=1) if line.strip()]
    found = [trace for trace in traces if deal is None or trace.get("deal") == deal]
    if not traces:
        raise RequestError(f"there is no trace in '{path}': give one JSON object a line, as replay --json prints")
    if not found:
        raise RequestError(f"deal {deal} is not in '{path}'")
    if len(found) > 1:
        raise RequestError(f"'{path}' has {len(found)} traces{'' if deal is None else f' of deal {deal}'}: "
                           f"{'--deal K picks one' if deal is None else 'keep the one that is meant'}")
    return found[0]


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        trace = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"{where} is not JSON: {error}") from None
    if not isinstance(trace, dict):
        raise RequestError(f"{where}: a trace is an object, not {shown(trace)}")
    return trace


def _cards(text: str | Sequence[str], what: str) -> list[str]:
    """Cards with spaces or commas between them, or one by one."""
    if isinstance(text, str):
        return clean(text).replace(",", " ").split()
    if not isinstance(text, Sequence) or not all(isinstance(card, str) for card in text):
        raise RequestError(f"{what} must be cards, such as 'TS 9H', not {shown(text)}")
    return list(text)


def _honours(value: str | Sequence[int] | None) -> tuple[int, int] | None:
    """OWN:OTHER as two numbers."""
    if value is None:
        return None
    parts: Sequence[object] = clean(value).split(":") if isinstance(value, str) else value
    if len(parts) != 2:
        raise RequestError(f"--honours must be OWN:OTHER, such as 2:1, not '{shown(value)}'")
    own, other = (parse_int(part.strip() if isinstance(part, str) else part, "--honours", 0, 1000) for part in parts)
    return own, other
