"""Names, comments and reasons come from outside: they are shown, and obeyed by nobody."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from airflow_provider_schemas.core import Provenance, TableSchema, Version
from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SetOption
from airflow_provider_schemas.core.plan import Base, Plan
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.render import json_text, markdown, summary, text
from airflow_provider_schemas.render.escaping import code, markup, prose
from airflow_provider_schemas.render.sanitize import clean

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "two\nlines",
    "tab\tand\rreturn",
    "\u202egnitirw",
    "zero\u200bwidth",
    "a|b",
    "back\\slash|bar",
    "`tick` ``two``",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp;",
    "@everyone look",
    "someone@example.org",
    "[click](https://evil.example)",
    "![pixel](https://evil.example/x.png)",
    "https://evil.example",
    "www.evil.example",
    "see #1 and GH-2",
    ":tada:",
    "**bold** _it_ ~~gone~~",
    "$x^2$",
    "| - | - |",
    "# title",
    "</details>",
    "\U000e0041\U000e0042",
    "\u00adsoft\u2066on\ufffb",
    "\ud800",
    "\x00\x9b31m",
]
TEXTS = st.sampled_from(HOSTILE) | st.text(st.sampled_from("`|\\<>@[]()!*_~$#&;:/ \n\x1b\u202eabgh1-."), max_size=30)
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def report(name: str) -> Report:
    """A report in which everything that comes from outside is this text."""
    finding = Finding(
        "FIELD_RENAMED",
        name,
        f"{name} is now {name}; its id 1 stays.",
        name,
        Verdict.BREAK,
        (RenameColumn(("a",), name or "a"), SetOption(name or "k", name)),
        1,
        name,
        name,
        Answers(),
        Verdict.OK,
        Verdict.BREAK,
        Verdict.WARN,
        (Consumer(name, name, name, "", name, name),),
        name,
        name,
        Place(name, 3),
        (1, 2),
        True,
        name,
    )
    odd = Finding(name, name, name, name, Verdict.INVALID)
    return Report((finding, odd), name, 1, 2, 3, (name,))


def tokens(page: str) -> list[Token]:
    """Everything that a reader of Markdown finds on the page."""
    found = PARSER.parse(page)
    return found + [inner for one in found for inner in one.children or ()]


# ---------------------------------------------------------------- terminals


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [40, 120])
def test_no_text_commands_a_terminal(name: str, width: int) -> None:
    for shown in (text(report(name), width=width, color=False), summary(report(name))):
        assert [one for one in shown if unicodedata.category(one)[0] == "C" and one != "\n"] == []
        shown.encode()


def test_a_name_that_hides_something_looks_different() -> None:
    assert clean("cust\u200b_id") == "cust\\u200b_id"
    assert clean("\x1b[31mred") == "\\u001b[31mred"
    assert clean("\U000e0041") == "\\U000e0041"


def test_line_ends_are_blanks() -> None:
    assert clean("first\nsecond\tthird\n") == "first second third"


@given(TEXTS)
def test_a_clean_text_is_one_line_and_stays_as_it_is(name: str) -> None:
    assert clean(name).isprintable()
    assert clean(clean(name)) == clean(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_plans_and_histories_command_nobody_either(name: str) -> None:
    schema = TableSchema.create([{"name": "a", "type": "INT", "comment": name.encode("utf-8", "replace").decode()}])
    origin = Provenance(actor=name, run=name, approval=name, policy=name)
    version = Version(1, name, origin.on(schema), name)
    plan = Plan(table=name, base=Base(1, name, name), result=schema, report=report(name), left_alone=(name,))
    for value in (plan, [version]):
        for shown in (text(value, width=90, color=False, table=name, verbose=True), markdown(value, table=name)):
            assert [one for one in shown if unicodedata.category(one)[0] == "C" and one != "\n"] == []
        found = tokens(markdown(value, table=name))
        assert {one.attrs["href"] for one in found if one.type == "link_open"} <= {"docs/rules/FIELD_RENAMED.md"}
        assert not {one.type for one in found} & {"image", "s_open", "em_open", "hr"}


# ---------------------------------------------------------------- Markdown


@given(TEXTS)
def test_prose_says_what_it_says_in_a_table(name: str) -> None:
    inner = tokens(f"|  | a |\n|---|---|\n| x{prose(name)}x | b |\n")
    cells = [one for one in inner if one.type == "inline"]
    assert [one.content for one in cells[-1:]] == ["b"]
    said = "".join(one.content for one in cells[-2].children or ())
    assert said.replace("\\u007c", "|") == f"x{clean(name)}x".replace("\\u007c", "|")


@given(TEXTS)
def test_code_is_code_and_nothing_else_in_a_table(name: str) -> None:
    inner = tokens(f"|  | a |\n|---|---|\n| {code(name)} | b |\n")
    cells = [one for one in inner if one.type == "inline"]
    parts = [one for one in cells[-2].children or () if one.content.strip() or one.type != "text"]
    assert cells[-1].content == "b"
    assert [one.type for one in parts] == ["code_inline"]
    assert parts[0].content.strip().replace("\\u007c", "|") == clean(name).strip().replace("\\u007c", "|")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_has_no_link_no_picture_and_no_html_but_ours(name: str) -> None:
    found = tokens(markdown(report(name), docs="https://docs.example/"))
    links = {one.attrs["href"] for one in found if one.type == "link_open"}
    assert links == {"https://docs.example/docs/rules/FIELD_RENAMED.md"}
    html = "".join(one.content for one in found if one.type.startswith("html"))
    assert set(re.findall(r"</?\w+", html)) <= {"<details", "<summary", "</summary", "</details", "<code", "</code"}
    assert html.count("<details>") == html.count("</details>") == 2
    assert not {one.type for one in found} & {"image", "s_open", "em_open", "hr"}


@pytest.mark.parametrize("name", ["@everyone", "a@b.example", "https://evil.example", "www.evil.example", "#1", "GH-7"])
def test_what_a_page_would_call_or_link_stands_in_code(name: str) -> None:
    for one in tokens(markdown(report(name))):
        assert name not in one.content or one.type in ("inline", "code_inline", "fence", "html_block", "html_inline")
    assert markup(name) == f"<code>{name}</code>"


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize("name", HOSTILE)
def test_json_holds_it_without_showing_it_to_a_terminal(name: str) -> None:
    shown = json_text(report(name))
    assert [one for one in shown if unicodedata.category(one)[0] == "C" and one != "\n"] == []
    shown.encode()
