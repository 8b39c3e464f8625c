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
    ("lead: safe safe", "'safe' stands twice"),
    ("lead: safe; lead: low", "section 'lead' stands twice"),
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
