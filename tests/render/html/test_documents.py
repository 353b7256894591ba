"""A page by itself needs nothing besides, obeys its own policy, and can be read on paper and by ear."""

import builtins
import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from airflow_provider_schemas.core.blame.column_readers import ColumnReaders
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.render import html_text
from airflow_provider_schemas.render.html.api import Reports, document, fragment
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.render.html.stylesheet import script, stylesheet
from tests.render.html.support.named_values import PAGES
from tests.render.html.support.page_tree import PageTree
from tests.render.html.support.verdicts import RED
from tests.render.support import story

FILES = [name for name in PAGES if not name.startswith("piece")]


def hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("name", FILES)
def test_its_policy_allows_its_own_style_and_script_alone(name: str) -> None:
    page = PAGES[name]("x")
    policies = [attributes["content"] for tag, attributes in PageTree(page).elements if "http-equiv" in attributes]
    rules = dict(rule.strip().split(" ", 1) for rule in policies[0].split(";"))
    inside = {tag: re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL) for tag in ("style", "script")}
    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == " ".join(map(hash_of, inside["style"]))
    assert rules["script-src"] == " ".join(map(hash_of, inside["script"]))
    assert (len(inside["style"]), len(inside["script"])) == (1, 1)


@pytest.mark.parametrize("name", PAGES)
def test_it_loads_nothing(name: str) -> None:
    tree = PageTree(PAGES[name]("x"))
    assert tree.values("src") == []
    assert [tag for tag, _ in tree.elements if tag in ("link", "img", "iframe", "object", "embed", "base", "form")] == []
    assert not re.search(r"url\(|@import", stylesheet())


@pytest.mark.parametrize("name", FILES)
def test_it_can_be_read_by_ear(name: str) -> None:
    tree = PageTree(PAGES[name]("x"))
    tags = [tag for tag, _ in tree.elements]
    assert (tags.count("main"), tags.count("h1"), tags.count("title")) == (1, 1, 1)
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert [(first, second) for first, second in pairwise(levels) if second > first + 1] == []
    assert [attributes for tag, attributes in tree.elements if tag == "th" and "scope" not in attributes] == []
    assert ("html", {"lang": "en"}) in tree.elements


def test_a_piece_has_a_style_of_its_own_and_no_script() -> None:
    tree = PageTree(fragment(RED))
    assert tree.elements[0] == ("div", {"class": "schemas"})
    assert [tag for tag, _ in tree.elements if tag in ("script", "html", "body", "main", "h1")] == []


def test_every_rule_of_the_style_is_about_our_own_elements() -> None:
    head, _, rest = stylesheet().partition("\n.schemas {\n")
    outside = re.sub(r"\{[^{}]*\}", "", re.sub(r"@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}", r"\1", head))
    selectors = [selector.strip() for line in outside.split("\n") for selector in line.split(",") if selector.strip()]
    assert [selector for selector in selectors if "schemas" not in selector and selector != "@page"] == []
    assert rest.count("{") == rest.count("}") - 1


def test_the_script_is_small() -> None:
    assert len(script()) <= 4_000


def test_a_page_is_small() -> None:
    assert len(document(RED)) <= 40_000


def test_plain_values_and_their_entry_are_shown_alike() -> None:
    from airflow_provider_schemas.render.verdict.entries import read_verdict

    assert html_text(RED) == html_text(read_verdict(RED))


def test_a_title_may_be_given() -> None:
    assert "<title>Audit &lt;1&gt;</title>" in html_text([story.change_report()], title="Audit <1>")


@pytest.mark.parametrize("value", [1, "x", b"x", [1], [story.change_report(), 2], None, {"tables": 1}, object()], ids=repr)
def test_what_cannot_be_shown_is_one_error(value: Any) -> None:
    for show in (document, fragment, html_text):
        with pytest.raises(SchemaError) as caught:
            show(value)
        assert caught.value.code in ("render.unknown", "verdict.unreadable")
        assert caught.value.fix


def test_without_jinja2_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def without_jinja2(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "jinja2":
            raise ImportError(name)
        return known(name, *rest, **more)

    environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without_jinja2)
    with pytest.raises(FormatError, match="jinja2") as caught:
        document(Report())
    assert "airflow-provider-schemas[html]" in caught.value.fix


def test_no_reports_at_all_are_nothing_that_fits() -> None:
    shown = PageTree(document(Reports(()))).text
    assert "nothing was judged" in shown
    assert not re.search(r"\bfits?\b", shown)


def test_a_report_about_nothing_fits_and_says_so() -> None:
    assert "fits" in PageTree(document(Report((), "shop.orders", 1, 2))).text


def test_a_verdict_says_which_table_breaks_whom_and_the_reason_of_an_override_once() -> None:
    table = RED["tables"]["shop.orders"]
    told = {**RED, "tables": {"shop.orders": {**table, "written": f"{table['written']}, policy override: INC-7 of the shop"}}}
    shown = PageTree(document(told)).text
    assert shown.count("INC-7 of the shop") == 1
    assert "INC-7 of the shop" in PageTree(document(RED)).text, "where the other text does not have it"
    assert "shop.orders v41 -> v42 breaks daily.gate (team-bi, #bi-oncall)" in " ".join(shown.split())
    assert shown.index("3 lists") > shown.index("What now"), "what the storage was asked comes last"


def test_the_title_of_who_reads_a_column_can_be_pasted() -> None:
    assert "Who reads shop.orders.amount" in PageTree(document(ColumnReaders("shop.orders", "amount", 3, ()))).text
    assert "Who reads shop.orders.amount" not in PageTree(document(ColumnReaders("shop.orders", "", 3, ()))).text
