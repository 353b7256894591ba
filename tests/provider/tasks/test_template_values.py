"""What Jinja makes of values is read back, and what is no such value is refused by the name of its argument."""

from collections.abc import Callable
from typing import Any

import pytest

from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.not_said import NOT_SAID

NOTHING = [None, "", " ", "None", "null"]


@pytest.mark.parametrize("value", NOTHING, ids=repr)
def test_what_a_template_leaves_behind_that_had_nothing_to_say_is_nothing(value: Any) -> None:
    assert template_values.is_empty(value)
    assert template_values.read_optional_text(value, "override") == ""
    calls: list[Callable[[], object]] = [
        lambda: template_values.read_text(value, "x"),
        lambda: template_values.read_version_number(value, "x"),
        lambda: template_values.read_choice(value, "x", ("fail", "skip"), "fail"),
        lambda: template_values.read_switch(value, "x", default=True),
    ]
    for call in calls:
        with pytest.raises(ContractError, match="x came out empty") as caught:
            call()
        assert caught.value.path == "x"


def test_what_an_author_left_out_is_the_default() -> None:
    assert (template_values.read_text(NOT_SAID, "branch"), template_values.read_version_number(NOT_SAID, "version")) == ("", None)
    assert template_values.read_choice(NOT_SAID, "on_missing", ("fail", "skip"), "fail") == "fail"
    assert template_values.read_switch(NOT_SAID, "register", default=True)


@pytest.mark.parametrize(("value", "number"), [(41, 41), ("41", 41), (" 41 ", 41), (0, 0), ("0", 0)], ids=repr)
def test_a_number_may_come_as_text(value: Any, number: int) -> None:
    assert template_values.read_version_number(value, "version") == number


@pytest.mark.parametrize("value", [-1, "-1", 1.5, "1.5", True, "x", "4²", "9" * 30, [], b"1"], ids=repr)
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ContractError, match="version"):
        template_values.read_version_number(value, "version")


@pytest.mark.parametrize(
    ("value", "known"), [("True", True), ("false", False), (True, True), (False, False), (0, False), ("1", True)], ids=repr
)
def test_yes_and_no_may_come_as_text(value: Any, known: bool) -> None:
    assert template_values.read_switch(value, "register", default=not known) is known


@pytest.mark.parametrize(
    "call",
    [
        lambda: template_values.read_choice("stop", "on_missing", ("fail", "skip"), "fail"),
        lambda: template_values.read_switch("no", "on_missing", default=True),
        lambda: template_values.read_text(7, "on_missing"),
    ],
    ids=["word", "switch", "text"],
)
def test_another_word_is_refused_with_those_that_there_are(call: Any) -> None:
    with pytest.raises(ContractError, match="on_missing") as told:
        call()
    assert told.value.fix


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["a", null]', ["a", None]),
        ("['a', None]", ["a", None]),
        (' {"a": 1} ', {"a": 1}),
        ("{'a': (1, 2)}", {"a": (1, 2)}),
        ("shop.orders", "shop.orders"),
        ("", ""),
        (7, 7),
    ],
    ids=repr,
)
def test_lists_and_mappings_are_read_from_json_and_from_what_python_shows(text: Any, value: Any) -> None:
    assert template_values.parse_value(text, "reads") == value


@pytest.mark.parametrize(
    "text", ["[", "{'a': x}", "[f()]", '{"a": 1, "a": 2', "[" * 200_000, '["a"' + " " * 10_000_001], ids=lambda text: text[:9]
)
def test_no_code_is_run_and_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ContractError, match="reads"):
        template_values.parse_value(text, "reads")


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', "{'a': 1, 'a': None}", "[{'x': {'a': (1, 2), 'b': 1, 'a': 3}}]", "{'a': None, 'a': None}"], ids=repr
)
def test_a_key_that_stands_twice_is_refused_in_json_and_in_what_python_shows(text: str) -> None:
    with pytest.raises(ContractError, match=r"reads.*a: the key stands twice"):
        template_values.parse_value(text, "reads")


@pytest.mark.parametrize(
    "text",
    ["{[1]: 2}", "{{1}}", "{{}: 1}", "{**{'a': 1}}", "['a\x00']", "[" + "-" * 100_000 + "1]", "[" + "1+" * 100_000 + "1]", "['\ud800"],
    ids=lambda text: ascii(text)[:12],
)
def test_whatever_python_says_of_a_text_it_is_our_own_error(text: str) -> None:
    with pytest.raises(ContractError, match="reads"):
        template_values.parse_value(text, "reads")
