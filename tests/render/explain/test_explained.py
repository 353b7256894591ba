"""Every rule and every code of an error is explained in text and Markdown; what an explanation says to type can be typed."""

import re
import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.rules import CATALOGUE, RULES, Judges
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import policy_file
from airflow_provider_schemas.render.explain import facts
from airflow_provider_schemas.render.explain.explained import EXAMPLE_TABLE, catalogue, explained
from airflow_provider_schemas.render.explain.lines import lines_of
from airflow_provider_schemas.render.explain.names import ErrorCode, meanings
from airflow_provider_schemas.render.explain.pages import list_of, page_of
from airflow_provider_schemas.render.explain.words import FAMILIES, FOUND_BY, LOOKED_AT, VARIANTS, has_questions
from airflow_provider_schemas.store import SchemaStore
from tools import explanations

TOP = Path(__file__).parents[3]
VALUES = {rule.id: explained(rule) for rule in CATALOGUE}


def test_what_is_told_is_what_the_generator_gives() -> None:
    assert (TOP / explanations.FILE).read_text("utf-8") == explanations.text(), f"Renew it: .venv/bin/{explanations.COMMAND}"


def test_every_rule_has_a_family_and_every_kind_of_rule_and_variant_has_words() -> None:
    assert {rule.code[0] for rule in CATALOGUE} == FAMILIES.keys()
    assert {variant for rule in CATALOGUE if has_questions(rule) for variant in rule.variants} <= VARIANTS.keys()
    assert set(Judges) == LOOKED_AT.keys() == FOUND_BY.keys()
    assert [rule["rule"] for family in catalogue() for rule in family["rules"]] == sorted(RULES, key=_order)


def _order(rule: str) -> tuple[int, int]:
    return list(FAMILIES).index(RULES[rule].code[0]), list(RULES).index(rule)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_tells_all_about_itself(rule: str) -> None:
    value = VALUES[rule]
    text = "\n".join(line.text for line in lines_of([value]))
    page = page_of([value])
    for part in (rule, value["code"], value["change"], value["why"], *value["found_by"], value["waive"]):
        assert part in text
        assert part in page
    assert value["example"]
    assert value["accepts"]
    assert "{" not in value["fix"]
    assert page.startswith(f"# {rule}\n")
    assert page.count("```") % 2 == 0


@pytest.mark.parametrize("rule", [rule for rule, value in VALUES.items() if value["waive"]])
def test_a_waiver_that_is_offered_is_granted(rule: str, warehouse: SchemaStore) -> None:
    _, _, table, named, path, *options = shlex.split(VALUES[rule]["waive"])
    assert (table, named) == (EXAMPLE_TABLE, rule)
    job = next((option.removeprefix("--for=") for option in options if option.startswith("--for=")), "")
    waiver = warehouse.table(table).waive(rule, path, until=datetime.now(UTC) + timedelta(days=3), reason="INC-1", consumer=job)
    assert (waiver.rule, waiver.path, waiver.consumer) == (rule, path, job)


@pytest.mark.parametrize("rule", [rule for rule, value in VALUES.items() if not value["waive"]])
def test_a_waiver_that_is_not_offered_would_be_refused_or_do_nothing(rule: str) -> None:
    told = " ".join(VALUES[rule]["accepts"])
    assert re.search("No policy|There is nothing to accept", told)
    assert "exceptions:" not in told


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> SchemaStore:
    store = SchemaStore(str(tmp_path_factory.mktemp("lake")))
    store.create_database("shop")
    store.create_table(EXAMPLE_TABLE, "order_id BIGINT")
    return store


@pytest.mark.parametrize("rule", RULES)
def test_a_policy_that_is_offered_can_be_read(rule: str) -> None:
    blocks = [block.removeprefix("```yaml\n").removesuffix("```") for block in VALUES[rule]["accepts"] if block.startswith("```yaml")]
    for block in blocks:
        if not block.startswith("table:"):
            assert policy_file.read(block) != Policy()


# ---------------------------------------------------------------- errors


def test_every_code_is_told_in_text_and_markdown() -> None:
    for code in facts.codes():
        (named,) = meanings(code)
        value = explained(named)
        assert value["code"] == code
        assert code in page_of([value])
        assert next(lines_of([value])).text == code


def test_an_error_tells_its_meaning_its_class_and_its_page() -> None:
    value = explained(ErrorCode("type.length-out-of-range"))
    assert value["means"] == "a parameter out of range"
    assert value["classes"] == ["TypeTextError"]
    assert value["link"] == "docs/reference/errors.md#types-and-texts"


def test_a_row_about_several_codes_is_divided_among_them() -> None:
    assert explained(ErrorCode("json.surrogate"))["means"] == "no valid Unicode"
    assert explained(ErrorCode("json.too-deep"))["means"] == "limits of bytes, characters and nesting"


def test_a_code_that_no_page_lists_is_told_by_its_family_and_never_as_its_meaning() -> None:
    value = explained(ErrorCode("format.orc"))
    assert not value["exact"]
    assert [line.text for line in lines_of([value])][1].startswith("its family: another language")


def test_the_code_of_a_check_leads_to_its_rule() -> None:
    rule = next(rule for rule in CATALOGUE if rule.faults)
    value = explained(ErrorCode(rule.faults[0]))
    assert value["rule"] == rule.id
    assert any(line.text == f"airflow-schemas explain {rule.id}" for line in lines_of([value]))


def test_every_code_that_is_raised_here_can_be_explained() -> None:
    with pytest.raises(SchemaError) as caught:
        meanings("nothing like it")
    (named,) = meanings(caught.value.code)
    assert explained(named)["classes"] == ["NotThereError"]


def test_links_of_errors_lead_to_headings() -> None:
    for value in [*facts.codes().values(), *facts.families().values()]:
        page, _, heading = value.get("page", "").partition("#")
        if page:
            headings = re.findall(r"^#+ (.+)$", (TOP / page).read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^a-z0-9 -]", "", text.lower()).replace(" ", "-") for text in headings}


def test_the_list_names_every_rule_once() -> None:
    assert re.findall(r"`([A-Z_]+)`:", list_of(catalogue())) == sorted(RULES, key=_order)
