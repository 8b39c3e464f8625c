"""Which word chose each card: every word of both games, held against the plain versions at every decision of plays."""

import pytest

from bauernschnapsen.moments import moments
from bauernschnapsen.test_words import moment_of
from naive import bohemian as naive
from naive.words import wanted
from schneider_sim.games import load_game
from schneider_sim.games.bauernschnapsen.words import WORDS as CARD_WORDS
from schneider_sim.games.bohemian.words import WORDS
from schneider_sim.games.reasons import NOISE, ONLY, SEARCH, Reason
from schneider_sim.runs.experiment import make_experiment


def match_up(game, a, b, **more):
    return make_experiment(a, b, game_name=game, deals=1 << 20, **more).match_up


def reasons(game, of, trace):
    """What the game says."""
    return game.reasons.reasons(of, trace)


def lists(words, section, size=4):
    """Every word of a section in some list, half of them turned round, a few to a list."""
    named = [name for name, entry in words.items() if section in entry.sections]
    turned = [f"not-{name}" if place % 2 else name for place, name in enumerate(reversed(named))]
    every = named + turned
    parts = [list(dict.fromkeys(every[k : k + size])) for k in range(0, len(every), size)]
    return [" ".join(part) for part in parts] + [" ".join(part[::-1]) for part in parts]


def expected(words, keep, legal):
    """The last word that narrows, by the plain version, and what is left."""
    left, last = set(legal), ""
    for word in words:
        after = keep(word, left)
        if after and after != left:
            left, last = after, word
    return last, left


HIGHER = {"beat_rule": "any_higher_same_suit", "follow": "must_follow"}
ANY_SUIT = {"beat_rule": "next_any_suit", "ace_by_seven": "any_suit", "draw_timing": "on_play"}


@pytest.mark.parametrize(("rules", "options"), [
    ({}, ""), (HIGHER, "; memory: last-2; ties: first"), (ANY_SUIT, "; memory: honours; noise: 0.2"),
    ({}, "; endgame: exact")], ids=["standard", "higher", "any-suit", "exact"])
def test_words_of_bohemian_schneider(rules, options):
    """The word, what it left, noise, and the card that the tie then gives."""
    game, met = load_game("bohemian"), set()
    leads, follows = lists(WORDS, "lead"), lists(WORDS, "follow")
    for deal in range(2 * max(len(leads), len(follows))):
        a = f"lead: {leads[deal % len(leads)]}; follow: {follows[deal % len(follows)]}{options}"
        of = match_up("bohemian", a, "careful", rules=rules)
        trace = game.trace(of, deal, "AB"[deal % 2])
        found = iter(reasons(game, of, trace))

        def choose(decision, of=of, deal=deal, trace=trace, found=found):
            reason, policy = next(found), of.a if decision.side == "A" else of.b
            check(reason, policy, decision, 0 if decision.side == trace["first_leader"] else 1, of.seed, deal, rules)
            met.add(reason.word)
            trick = trace["tricks"][len(decision.tricks)]
            card = trick["led"] if decision.led is None else trick["reply"]
            assert card in reason.left
            return card

        naive.play_out(rules, trace["hands"], trace["stock"], trace["first_leader"], choose)
        assert next(found, None) is None
    if not options and not rules:
        assert {word.removeprefix("not-") for word in met} >= set(WORDS) - {"capture-honour"}


def check(reason: Reason, policy, decision, seat, seed, deal, rules):
    trick, options = len(decision.tricks), policy.options
    section = "lead" if decision.led is None else "follow"
    legal = set(decision.legal)
    if len(legal) == 1:
        assert reason.how == ONLY
        return
    assert reason.allowed == len(legal)
    if naive.random_word(seed, deal, 9 + seat, trick) < round(float(options["noise"]) * 2**32):
        assert reason.how == NOISE and set(reason.left) == legal
        return
    if options["endgame"] == "exact" and trick >= 10:
        decision = decision._replace(legal=naive.lossless(rules, decision))

    def keep(word, left):
        return naive.candidates(rules, [word], decision._replace(legal=frozenset(left)), options["memory"])

    word, left = expected(policy.sections[section], keep, decision.legal)
    exact = "endgame: exact" if set(decision.legal) < legal else ""
    assert (reason.how, reason.word, set(reason.left)) == ("words", word or exact, left)
    assert reason.first == (options["ties"] == "first")


def test_a_search_is_named_where_it_gives_up_the_card_of_its_words():
    game = load_game("bohemian")
    plain, searching = (match_up("bohemian", text, "greedy") for text in ("classic", "classic; search: rollout"))
    trace = game.trace(searching, 1)
    found = reasons(game, searching, trace)
    kinds = {reason.how for reason in found}
    assert SEARCH in kinds and "words" in kinds
    assert reasons(game, plain, trace) is None  # these policies play the deal otherwise


@pytest.mark.parametrize("options", ["", "; memory: last-1; ties: first; noise: 0.2"])
def test_words_of_bauernschnapsen(options):
    game, met = load_game("bauernschnapsen"), set()
    leads, follows = lists(CARD_WORDS, "lead", 6), lists(CARD_WORDS, "follow", 6)
    for place in range(max(len(leads), len(follows))):
        lead, follow = leads[place % len(leads)], follows[place % len(follows)]
        text = f"cautious; bid: whim; lead: {lead}; follow: {follow}{options}"
        of = match_up("bauernschnapsen", text, text)
        memory = 1 if options else 99
        for deal in range(12):
            trace = game.trace(of, deal, "A")
            found, cards = reasons(game, of, trace), [c for trick in trace["tricks"] for c in trick["cards"]]
            assert len(found) == len(cards)
            for reason, card, (state, seat, allowed) in zip(found, cards, moments(of, deal), strict=False):
                assert card in reason.left
                moment = moment_of(of.rules, state, seat, allowed, memory)
                if reason.how in (ONLY, NOISE) or reason.word == "a card of the marriage":
                    continue
                legal = moment.candidates
                if not moment.table and trace["tricks"][len(moment.tricks)]["announced"]:
                    suit = trace["tricks"][len(moment.tricks)]["announced"]["suit"]
                    legal = {"K" + suit, "Q" + suit}

                def keep(word, left, moment=moment):
                    moment.candidates = set(left)
                    bare = word.removeprefix("not-")
                    after = wanted(bare, moment)
                    return after if word == bare else set(left) - after

                words = of.a.sections["follow" if moment.table else "lead"]
                word, left = expected(words, keep, legal)
                assert (reason.word, set(reason.left)) == (word, left), (moment, words)
                met.add(word)
    if not options:
        assert len({word.removeprefix("not-") for word in met}) > 24, sorted(set(CARD_WORDS) - met)
