"""Whatever a text from outside says, the page has the elements and attributes that it has with harmless names, and leads nowhere else."""

import re
import unicodedata
from functools import cache
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.render.html.template_functions import safe_address
from airflow_provider_schemas.render.sanitize import clean
from tests.cases.hostile_names import HARMLESS, HOSTILE_NAMES
from tests.render.html.support.named_values import DOCS, PAGES
from tests.render.html.support.page_tree import PageTree

LOCAL_OR_SITE = re.compile(r"(?:https?://|/(?![/\\])|[A-Za-z0-9_.-]*(?:[/?#]|$)).*")
LETTERS = st.sampled_from("<>\"'`&;=/:{}%#() ab\n\u202e\x00")
TEXTS = st.sampled_from(sorted(HOSTILE_NAMES.values())) | st.text(LETTERS, min_size=1, max_size=20)

FINE_ADDRESSES = ["https://docs.example/a?b=1#c", "http://x", "gates?q=a%20b", "task?dag_id=a%3Ab", "/af/dags/x", "../x", "#top", "?t=a:b"]
ODD_ADDRESSES = [
    "",
    "//x",
    "/\\x",
    "\\\\x",
    "data:x",
    "a:b?c",
    "x\ny",
    "javascript:x",
    "JAVASCRIPT:x",
    " javascript:x",
    "ftp://x",
    "https://",
]


@cache
def harmless(page: str) -> PageTree:
    """The page with harmless names."""
    return PageTree(PAGES[page](HARMLESS))


def assert_same_shape(page: str, whole: str) -> PageTree:
    """The page has no element or attribute more, all that it opens is closed, and its addresses are fine."""
    tree = PageTree(whole)
    assert tree.shape - harmless(page).shape == {}
    assert tree.unclosed == []
    assert tree.odd_ends == []
    assert [address for address in tree.addresses() if not LOCAL_OR_SITE.fullmatch(address)] == []
    return tree


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("page", PAGES)
def test_no_text_becomes_anything_but_a_text_that_is_seen(page: str, name: str) -> None:
    whole = PAGES[page](HOSTILE_NAMES[name])
    tree = assert_same_shape(page, whole)
    assert [address for address in tree.addresses() if "evil.example" in urlsplit(address).netloc] == []
    assert [char for char in whole if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") and char != "\n"] == []
    shown = " ".join(clean(HOSTILE_NAMES[name]).split())
    if "://" not in shown:  # of addresses the query and the user are left out
        assert shown in tree.text


@given(page=st.sampled_from(sorted(PAGES)), text=TEXTS)
def test_neither_does_any_other_text(page: str, text: str) -> None:
    assert_same_shape(page, PAGES[page](text))


@pytest.mark.parametrize("page", PAGES)
def test_no_template_runs_what_a_name_says(page: str) -> None:
    assert "49" not in PageTree(PAGES[page]("{{7*7}}")).text.replace(PageTree(PAGES[page]("x")).text, "")


@pytest.mark.parametrize("page", PAGES)
def test_there_is_no_handler_and_no_style_in_an_attribute(page: str) -> None:
    names = {name for _, attributes in harmless(page).elements for name in attributes}
    assert [name for name in names if name.startswith("on") or name == "style"] == []


@pytest.mark.parametrize("page", sorted(set(PAGES) - {"title"}))
def test_a_harmless_page_has_links_to_the_rules(page: str) -> None:
    assert [address for address in harmless(page).addresses() if address.startswith(DOCS)]


def test_passwords_in_addresses_are_not_shown() -> None:
    for page in PAGES.values():
        tree = PageTree(page("s3://user:hunter2@lake/x?token=hunter2"))
        assert "hunter2" not in tree.text
        assert "hunter2" not in " ".join(tree.values("data-copy"))


@pytest.mark.parametrize("address", FINE_ADDRESSES)
def test_addresses_of_sites_and_relative_ones_may_stand_in_a_link(address: str) -> None:
    assert safe_address(address)


@pytest.mark.parametrize("address", ODD_ADDRESSES)
def test_no_other_address_may(address: str) -> None:
    assert safe_address(address) == ""
