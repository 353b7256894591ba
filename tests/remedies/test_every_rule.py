"""No rule proposes anything that was not tried: each stands in one of these tables, and a new rule fails until it does."""

from pathlib import Path

from airflow_provider_schemas.core.rules import CATALOGUE, RULES, Judges
from tests.remedies.of_contracts import OF_CONTRACTS
from tests.remedies.of_schemas import OF_SCHEMAS, OTHER_WAYS

ROOT = Path(__file__).parents[2]
VERSIONS = "tests/remedies/test_version_remedies.py"
TABLES = "tests/remedies/test_table_remedies.py"
MOUNTED = "tests/store/mounts/iceberg/evolution/test_refusals.py"
AUDITS = "tests/spark/test_remedies_of_audits.py"
INSPECTED = "tests/store/test_table_inspection.py"
ROWS = "tests/spark/test_remedies_of_rows.py"
IN_GIT = "tests/remedies/test_file_remedies.py"
# Where the remedies of rules stand that need a table of their own.
ELSEWHERE = {
    "SCHEMA_FILE_MUTATED": VERSIONS,
    "VERSION_NOT_SUCCESSOR": VERSIONS,
    "VERSION_REWOUND": VERSIONS,
    "TYPE_SPELLING_CHANGED": VERSIONS,
    "TABLE_MISSING": TABLES,
    "TABLE_FILE_DELETED": IN_GIT,
    "TABLE_NAME_CHANGED": IN_GIT,
    "CONTRACT_FILE_DELETED": IN_GIT,
    "FORMAT_FORBIDS": MOUNTED,
    "TABLE_NOT_LOOKED_AT": TABLES,
    "TABLE_UNREAD": AUDITS,
    "TYPE_CHAIN_BROKEN": AUDITS,
    "VERSION_MISSING": AUDITS,
    "FILE_UNREADABLE": AUDITS,
    "FILE_UNEXPLAINED": AUDITS,
    "FILE_DIFFERS": AUDITS,
    **{rule.id: INSPECTED for rule in CATALOGUE if rule.judges is Judges.METADATA and rule.id != "FEATURE_UNKNOWN"},
    **{rule.id: ROWS for rule in CATALOGUE if rule.judges is Judges.DATA},
}
# What only people can do, and why no line does it. Their sentences ask people to.
OF_PEOPLE = {
    "TABLE_REPLACED": "whether a table that was made again holds what the earlier one held is known to those who made it",
    "FEATURE_UNKNOWN": "what a feature of tomorrow changes is known to those who turned it on",
    "FIELD_UNDELETED": "whether values may come back that were dropped is known to those who dropped them",
    "FIELD_ADDED_DEFAULTED": "which readers fill in the defaults of a table is known to those who run them",
    "VOID_TYPED": "no value was written yet, so that nothing can be moved",
    "WRITE_DEFAULT_CHANGED": "whether a writer relies on the default is known to the writer",
    "NULLABILITY_TIGHTENED_PROVEN": "files are proven, and what writers send from now on is known to them",
}
_ASKS_PEOPLE = ("Tell ", "Make sure ")


def test_the_remedy_of_every_rule_is_executed_or_asks_people() -> None:
    tables = [OF_SCHEMAS, OF_CONTRACTS, ELSEWHERE, OF_PEOPLE]
    known = [rule for table in tables for rule in table]
    assert sorted(known) == sorted(rule.id for rule in CATALOGUE if rule.fix)
    assert OTHER_WAYS.keys() <= OF_SCHEMAS.keys()


def test_a_rule_is_named_where_its_remedy_is_executed() -> None:
    assert [rule for rule, path in ELSEWHERE.items() if rule not in (ROOT / path).read_text(encoding="utf-8")] == []


def test_what_only_people_can_do_asks_people() -> None:
    assert [rule for rule in OF_PEOPLE if not RULES[rule].fix.startswith(_ASKS_PEOPLE)] == []
