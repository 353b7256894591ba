"""Two versions stand beside each other with what the step breaks; what is not known is not green."""

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables import compare_versions
from airflow_provider_schemas.plugins.tables.compare_versions import Choice
from airflow_provider_schemas.plugins.tables.judged_step import JudgedStep
from airflow_provider_schemas.render.html.table_diff import TableDiff
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.provider.plugins.tables.conftest import Ask


def compared(asked: Asked) -> tuple[Choice, JudgedStep, TableDiff]:
    page = compare_versions.content(asked)
    choice, step, diff = page["choice"], page["step"], page["compared"]
    assert isinstance(choice, Choice)
    assert isinstance(step, JudgedStep)
    assert isinstance(diff, TableDiff)
    return choice, step, diff


def verdicts(step: JudgedStep) -> dict[str, Verdict | None]:
    return {answer.question: answer.verdict for answer in step.answers}


def test_a_rename_breaks_the_reader_that_named_the_column(orders: SchemaStore, ask: Ask) -> None:
    _, step, diff = compared(ask(t="shop.orders", a="0", b="1"))
    assert verdicts(step)["jobs"] is Verdict.BREAK
    assert verdicts(step)["data"] is Verdict.OK
    assert [answer.text for answer in step.answers if answer.question == "jobs"] == ["1 of 1 registered contract"]
    assert diff.counts["renamed"] == 1


def test_the_last_step_is_compared_where_no_versions_are_named(orders: SchemaStore, ask: Ask) -> None:
    choice, step, diff = compared(ask(t="shop.orders"))
    assert (choice.old, choice.new, choice.numbers) == (1, 2, (2, 1, 0))
    assert diff.counts["added"] == 1
    assert verdicts(step)["jobs"] is Verdict.OK


def test_without_a_registered_job_nothing_is_known_of_jobs(lake: SchemaStore, ask: Ask) -> None:
    lake.create_table("shop.users", "id BIGINT")
    lake.table("shop.users").evolve("ADD COLUMN name STRING")
    _, step, _ = compared(ask(t="shop.users"))
    assert verdicts(step)["jobs"] is None


def test_with_a_contract_that_cannot_be_read_nothing_is_known_of_jobs(orders: SchemaStore, ask: Ask) -> None:
    orders.registry.put("contracts/shop/orders/default/other/contract-0", b"{")
    _, step, _ = compared(ask(t="shop.orders"))
    assert verdicts(step)["jobs"] is None
    assert any("1 contract cannot be read" in note for note in step.notes)


def test_a_waiver_shows_in_what_the_policy_makes_of_it_and_hides_no_break(orders: SchemaStore, ask: Ask) -> None:
    orders.table("shop.orders").waive("FIELD_RENAMED", "customer_id", until="2999-01-01", reason="INC-1")
    _, step, _ = compared(ask(t="shop.orders", a="0", b="1"))
    assert verdicts(step)["jobs"] is Verdict.BREAK
    assert verdicts(step)["as the policy weighs it"] is not Verdict.BREAK
    assert "1 waiver" in step.answers[-1].text


def test_a_policy_that_cannot_be_read_is_said(orders: SchemaStore, ask: Ask) -> None:
    orders.registry.put("policies/databases/shop.json", b"{")
    orders.registry.put("policies/default.json", b"{")
    page = compare_versions.content(ask(t="shop.orders"))
    step = page["step"]
    assert isinstance(step, JudgedStep)
    assert any("policy of the table cannot be read" in note for note in step.notes)


def test_a_version_that_is_gone_leaves_the_others_to_choose(orders: SchemaStore, ask: Ask) -> None:
    page = compare_versions.content(ask(t="shop.orders", a="0", b="9"))
    assert page["expired"] == (9,)
    assert page["compared"] is None
    assert page["choice"] == Choice(0, 9, (2, 1, 0))


def test_the_first_version_has_nothing_to_be_compared_with(lake: SchemaStore, ask: Ask) -> None:
    lake.create_table("shop.users", "id BIGINT")
    choice, _, _ = compared(ask(t="shop.users"))
    assert choice.old == choice.new == 0


def test_a_misspelled_table_is_asked_back(orders: SchemaStore, ask: Ask) -> None:
    with pytest.raises(NotThereError, match=r"Did you mean shop\.orders\?") as caught:
        compare_versions.content(ask(t="shop.order"))
    assert orders.url not in str(caught.value)


def test_a_branch_that_is_not_there_leads_to_the_main_one(orders: SchemaStore, ask: Ask) -> None:
    with pytest.raises(NotThereError, match="Look at its main branch"):
        compare_versions.content(ask(t="shop.orders", branch="dev"))


@pytest.mark.parametrize("name", ["", "orders", "shop.or/ders", "shop.<b>", "../../etc.passwd", "shop.\u202eorders", "a.b.c.d\x00"])
def test_what_is_no_name_of_a_table_is_refused(orders: SchemaStore, ask: Ask, name: str) -> None:
    with pytest.raises((RefusedNameError, NotThereError)):
        compare_versions.content(ask(t=name))


def test_an_error_tells_no_address_of_the_storage(orders: SchemaStore, ask: Ask) -> None:
    orders.warehouse.put("shop.db/orders/schema/schema-2", b"{")
    with pytest.raises(SchemaError) as caught:
        compare_versions.content(ask(t="shop.orders"))
    assert orders.url not in str(caught.value)


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "٣", "9" * 18, "9" * 40, "v0", " 1", "1;2"])
def test_whatever_stands_for_a_number_the_page_has_an_answer(orders: SchemaStore, ask: Ask, number: str) -> None:
    for query in ({"a": number}, {"b": number}, {"a": number, "b": number}):
        page = compare_versions.content(ask(t="shop.orders", **query))
        assert page["expired"] or page["compared"] is not None


def test_a_version_that_expires_between_the_listing_and_the_read_is_named(
    orders: SchemaStore, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = Table.numbers
    monkeypatch.setattr(Table, "numbers", lambda table: (*numbers(table), 7))
    assert compare_versions.content(ask(t="shop.orders", a="7", b="2"))["expired"] == (7,)


def test_going_back_is_judged_as_a_restore_would_write_it_and_says_what_to_type(orders: SchemaStore, ask: Ask) -> None:
    page = compare_versions.content(ask(t="shop.orders", a="2", b="0"))
    _, step, _ = compared(ask(t="shop.orders", a="2", b="0"))
    assert step.report.verdict is not Verdict.INVALID
    assert verdicts(step)["data"] is Verdict.OK
    assert [answer.text for answer in step.answers if answer.question == "jobs"] == [
        "0 of 1 registered contract; jobs without one may break"
    ]
    assert page["way_back"] == "airflow-schemas restore --conn lake shop.orders 0 --dry-run"
    assert orders.table("shop.orders").restore_plan(0).report.verdict is step.report.verdict


def test_a_way_back_is_offered_from_the_newest_version_alone(orders: SchemaStore, ask: Ask) -> None:
    for old, new in (("1", "0"), ("0", "2")):
        assert compare_versions.content(ask(t="shop.orders", a=old, b=new))["way_back"] == ""
