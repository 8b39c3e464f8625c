"""Policy text: what it may say, its canonical form, and errors that help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schneider_sim import RequestError
from schneider_sim.games import BUILT_IN, load_game

GRAMMAR = load_game("bohemian").grammar


@st.composite
def policies(draw, grammar=GRAMMAR):
    parts = []
    for section in grammar.sections:
        forms = list(section.words) + (["not-" + word for word in section.words] if section.negatable else [])
        words = draw(st.lists(st.sampled_from(forms), unique=True, max_size=5))
        if section.negatable:
            stages = ["", "@1", "@2-4", f"@1-{grammar.tricks}", "@03", *(f"@{name}" for name in grammar.stages)]
            words = [word + draw(st.sampled_from(stages)) for word in words]
        parts.append(f"{section.name}: {' '.join(words)}")
    parts.append("ties: " + draw(st.sampled_from(["random", "first"])))
    parts.append("memory: " + draw(st.sampled_from(["full", "none", "honours", "last-1", "last-07"])))
    parts.append("noise: " + draw(st.sampled_from(["0", "1", "0.25", "1e-3", "1.0"])))
    return "; ".join(draw(st.permutations(parts)))


@pytest.mark.parametrize("name", BUILT_IN)
@given(data=st.data())
def test_canonical_text_round_trips(name, data):
    grammar = load_game(name).grammar
    policy = grammar.parse(data.draw(policies(grammar)))
    again = grammar.parse(str(policy))
    assert again == policy and str(again) == str(policy)


def test_sections_in_order_then_what_is_not_default():
    policy = GRAMMAR.parse(" follow : capture   dead ; NOISE: 0.50; lead:safe")
    assert str(policy) == "lead: safe; follow: capture dead; noise: 0.5"


@pytest.mark.parametrize("name, text, canonical", [
    ("bohemian", "lead: safe@1-3 not-safe@2 safe@04-16", "lead: safe@1-3 not-safe@2 safe@4-16; follow:"),
    ("bohemian", "lead: safe@1-16 not-low@STOCK high@endgame", "lead: safe not-low@1-10 high@11-16; follow:"),
    ("bohemian", "lead: safe@7-7; follow: dead\uff203", "lead: safe@7; follow: dead@3"),
    ("bauernschnapsen", "lead: ace@1-5 low@2-3", "trump:; bid:; double:; lead: ace low@2-3; follow:")])
def test_stages_have_one_form(name, text, canonical):
    assert str(load_game(name).grammar.parse(text)) == canonical


@pytest.mark.parametrize("name, text, says", [
    ("bohemian", "lead: safe@1-3 safe@3", "'safe@1-3' and 'safe@3' overlap"),
    ("bohemian", "lead: safe safe@3", "'safe' and 'safe@3' overlap"),
    ("bohemian", "lead: not-safe@endgame not-safe@2-11", "'not-safe@11-16' and 'not-safe@2-11' overlap"),
    ("bohemian", "lead: safe@3 safe@3", "'safe@3' is named twice"),
    ("bohemian", "lead: safe@5-3", "ends before it begins: did you mean @3-5?"),
    ("bohemian", "lead: safe@0", "of 1 to 16, @stock (1-10), @endgame (11-16)"),
    ("bohemian", "lead: safe@17", "an impossible stage"),
    ("bohemian", "lead: safe@", "an impossible stage"),
    ("bohemian", "lead: safe@3-", "an impossible stage"),
    ("bohemian", "lead: safe@3@4", "an impossible stage"),
    ("bohemian", "lead: safe@end", "an impossible stage"),
    ("bohemian", "lead: sfae@3", "did you mean 'safe'"),
    ("bohemian", "lead: @3", "unknown word"),
    ("bauernschnapsen", "lead: ace@stock", "of 1 to 5"),
    ("bauernschnapsen", "lead: ace@6", "of 1 to 5"),
    ("bauernschnapsen", "bid: sure@2", "words in 'bid' take no stage")])
def test_stages_that_cannot_be(name, text, says):
    with pytest.raises(RequestError) as caught:
        load_game(name).grammar.parse(text)
    assert says in str(caught.value) and str(caught.value).isprintable()


@pytest.mark.parametrize("name", BUILT_IN)
def test_presets_are_policies_with_a_description(name):
    grammar = load_game(name).grammar
    assert str(grammar.parse("random")) == "; ".join(f"{section.name}:" for section in grammar.sections)
    for preset, entry in grammar.presets.items():
        assert grammar.parse(preset) == grammar.parse(str(grammar.parse(entry.text)))
        assert entry.about


def test_a_preset_may_be_changed_section_by_section():
    assert str(GRAMMAR.parse("plain; memory: none")) == str(GRAMMAR.parse("plain")) + "; memory: none"
    assert str(GRAMMAR.parse("plain; lead: low")) == "lead: low; follow: capture dead pip"
    assert str(GRAMMAR.parse("plain; lead:")) == "lead:; follow: capture dead pip"


def test_pasted_look_alikes_mean_what_they_look_like():
    pasted = "\ufefflead:\u00a0sa\ufe0ffe not\u2011dead\u200b\u034f;\u2003follow\uff1a capture\u2010ｓａｆｅ"
    assert str(GRAMMAR.parse(pasted)) == "lead: safe not-dead; follow: capture-safe"


@pytest.mark.parametrize("text, says", [
    ("", "must not be empty"),
    (" ;; \ufe0f", "must not be empty"),
    ("carefull", "did you mean 'careful'"),
    ("lead: saef", "did you mean 'safe'"),
    ("lead: capture", "'capture' is a word of follow, not of lead"),
    ("lead: not-", "unknown word"),
    ("lead: not-not-safe", "unknown word"),
    ("lead: safe safe", "'safe' is named twice"),
    ("lead: safe; lead: low", "section 'lead' is named twice"),
    ("leed: safe", "did you mean 'lead'"),
    ("lead: safe; plain", "a preset's name comes first"),
    ("memory: last-0", "full | none | honours | last-K"),
    ("memory: last-x", "last-K"),
    ("noise: 1.5", "P from 0 to 1"),
    ("noise: nan", "P from 0 to 1"),
    ("noise:", "P from 0 to 1"),
    ("ties: high", "random | first"),
    ("lead: \x1b[31m\n", "unknown word"),
])
def test_errors_are_one_line_that_helps(text, says):
    with pytest.raises(RequestError) as caught:
        GRAMMAR.parse(text)
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


@given(st.text(max_size=60))
def test_no_text_breaks_it(text):
    message, policy = "", None
    try:
        policy = GRAMMAR.parse(text)
    except RequestError as error:
        message = str(error)
    assert message.isprintable()
    assert policy is None or GRAMMAR.parse(str(policy)) == policy


def test_noise_is_a_share_of_the_words():
    assert [GRAMMAR.parse(f"noise: {p}").noise_threshold for p in ("0", "0.5", "1")] == [0, 2**31, 2**32]
