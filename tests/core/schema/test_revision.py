"""A commit is one word of plain characters, and is shown so short that a line has room for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.revision import MOST_REVISION, is_commit_of_git, is_revision, short_revision

SHA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"


@pytest.mark.parametrize("text", [SHA, SHA + "0" * 24, "C1234", "release/2026-11-18", "v1.2+build.7", "a" * MOST_REVISION])
def test_commits_of_any_system_may_be_recorded(text: str) -> None:
    assert is_revision(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-rf",
        "a b",
        "a\nb",
        "\u202eabc",
        "<b>",
        "é",
        "a" * (MOST_REVISION + 1),
        "$(id)",
        "١٢٣",
        f"{SHA}\n",
        "https://ana:pw@host/x",
    ],
)
def test_other_texts_are_no_commits(text: str) -> None:
    assert not is_revision(text)


_PLAIN = st.text("0123456789abcdefXYZ_.:/@+~^-", max_size=2 * MOST_REVISION)


@given(_PLAIN | _PLAIN | _PLAIN | st.text(max_size=20))
def test_what_is_recorded_is_printable_and_short(text: str) -> None:
    if is_revision(text):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= MOST_REVISION


def test_only_a_whole_commit_of_git_is_cut_to_twelve_characters() -> None:
    assert short_revision(SHA) == SHA[:12]
    assert short_revision("release-2026-11-18") == "release-2026-11-18"
    assert short_revision("r" * 60) == "r" * 39 + "…"


def test_a_branch_is_no_whole_commit_of_git() -> None:
    assert is_commit_of_git(SHA)
    assert is_commit_of_git("0f" * 32)
    assert not any(map(is_commit_of_git, ("HEAD", "main", SHA[:12], SHA.upper(), SHA + "\n")))
