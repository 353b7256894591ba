"""Of several changes in one step, a job is named at the one that breaks it, however deep it lies and whatever it is called."""

from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.compatibility.broken_contracts import top
from tests.core.support.check_inputs import job

TABLE = TableSchema.create(
    "id BIGINT, a INT, b INT, `x.y` INT, r ROW<p INT, q ROW<s INT, t INT>>, l ARRAY<ROW<p INT, q INT>>, n INT NOT NULL",
    primary_keys=["id"],
)


@pytest.mark.parametrize(
    ("changes", "need", "where"),
    [
        (["DROP COLUMN a", "DROP COLUMN b"], {"b": "INT"}, [("FIELD_DROPPED", "b")]),
        (["DROP COLUMN a", "DROP COLUMN r.q.s"], {"r.q.s": "INT"}, [("FIELD_DROPPED", "r.q.s")]),
        (["DROP COLUMN r.p", "DROP COLUMN r.q.s"], {"r.q": "ROW<s INT, t INT>"}, [("FIELD_DROPPED", "r.q.s")]),
        (["ADD COLUMN r.w INT", "DROP COLUMN r.p", "DROP COLUMN r.q"], {"r.q.t": "INT"}, [("FIELD_DROPPED", "r.q")]),
        (["RENAME COLUMN a TO c", "DROP COLUMN b"], {"a": "INT"}, [("FIELD_RENAMED", "a")]),
        (["RENAME COLUMN a TO c", "RENAME COLUMN b TO a"], {"b": "INT"}, [("FIELD_RENAMED", "b")]),
        (["DROP COLUMN a", "DROP COLUMN `x.y`"], {"x.y": "INT"}, [("FIELD_DROPPED", "`x.y`")]),
        (
            ["ALTER COLUMN a TYPE BIGINT", "ALTER COLUMN l.element.q TYPE BIGINT"],
            {"l": "ARRAY<ROW<p INT, q INT>>"},
            [("TYPE_WIDENED", "l[].q")],
        ),
        (["DROP COLUMN a", "ALTER COLUMN n DROP NOT NULL"], {"n": "INT NOT NULL"}, [("NULLABILITY_RELAXED", "n")]),
        (["ALTER COLUMN a TYPE BIGINT", "ALTER COLUMN b TYPE BIGINT"], [{"name": "once", "id": 2, "type": "INT"}], [("TYPE_WIDENED", "b")]),
    ],
    ids=str,
)
def test_a_job_is_named_at_the_change_that_breaks_it(changes: list[str], need: Any, where: list[tuple[str, str]]) -> None:
    report = check(TABLE, evolve(TABLE, changes), contracts=[job(need)])
    assert [(one.rule, one.path) for one in report.findings if one.consumers] == where


@pytest.mark.parametrize(
    ("path", "column"),
    [("a", "a"), ("a.b.c", "a"), ("a[].b", "a"), ("a{}.b", "a"), ("`x.y`", "x.y"), ("`x.y`.z", "x.y"), ("`a``b`.c", "a`b")],
)
def test_a_path_begins_with_its_column(path: str, column: str) -> None:
    assert top(path) == column


CONTAINERS = ("ARRAY<INT>", "MULTISET<INT>", "MAP<STRING, INT>", "MAP<INT, INT>", "ROW<`a` INT>", "INT")


@pytest.mark.parametrize("needed", CONTAINERS)
@pytest.mark.parametrize("there", CONTAINERS)
def test_containers_of_different_kinds_do_not_fit(there: str, needed: str) -> None:
    found = check_contract(TableSchema.create(f"m {there}"), job({"m": needed})).findings
    assert [(one.rule, one.path) for one in found] == ([] if there == needed else [("EXPECT_TYPE_MISMATCH", "m")])


def test_a_rename_back_is_offered_only_while_the_old_name_is_free() -> None:
    need = job([{"name": "a", "id": 1, "type": "INT"}])
    (free,) = check_contract(evolve(TABLE, ["RENAME COLUMN a TO c"]), need).findings
    (taken,) = check_contract(evolve(TABLE, ["RENAME COLUMN a TO c", "RENAME COLUMN b TO a"]), need).findings
    assert (free.rule, taken.rule) == ("EXPECT_FIELD_RENAMED", "EXPECT_FIELD_RENAMED")
    assert (list(map(short_text, free.changes)), taken.changes) == (["RENAME COLUMN c TO a"], ())
