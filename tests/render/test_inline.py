"""A sentence of ours in Markdown: what it says in backticks is code, whatever stands around it."""

import pytest

from airflow_provider_schemas.render.escaping import inline, prose

SENTENCES = {
    "Write `was: a_b` if it was renamed.": "Write `was: a_b` if it was renamed.",
    "`dropped: [a]` first": "`dropped: [a]` first",
    "a | b in `x | y`": r"a \| b in `x \| y`",
}
# Pieces that would touch, and a backtick without a second one: nothing of these marks anything up.
UNSURE = ("a ` b", "who@host`x`", "`x`who@host", "``", "` `", "`a``b`", "` `` `")


@pytest.mark.parametrize("text", SENTENCES)
def test_what_a_sentence_says_in_backticks_is_code(text: str) -> None:
    assert inline(text, typed=False) == SENTENCES[text]


@pytest.mark.parametrize("text", UNSURE)
def test_a_text_whose_backticks_are_no_pairs_of_ours_is_escaped(text: str) -> None:
    assert inline(text, typed=False) == prose(text)
