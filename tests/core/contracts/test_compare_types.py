"""Contracts inside structs, lists and maps: one rule for all depths, for jobs by name, by position, closed, with schemas of their own."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.field_lookup import Lookup

PARQUET = {"readers": ["spark-4-parquet"]}
ORC = {"readers": ["spark-4-orc"]}
AROUND: dict[str, Callable[[str], str]] = {
    "": lambda inner: inner,
    "[]": lambda inner: f"ARRAY<{inner}>",
    "{}": lambda inner: f"MAP<STRING NOT NULL, {inner}>",
    "{key}": lambda inner: f"MAP<{inner} NOT NULL, INT>",
    ".s": lambda inner: f"ROW<s {inner}>",
}
DEPTHS = pytest.mark.parametrize("mark", AROUND)


def lacks(schema: TableSchema, contract: Any, **about: Any) -> list[str]:
    return [f"{one.rule} {one.path}" for one in check_contract(schema, contract, **about).findings]


def broken(schema: TableSchema, contract: Any, **about: Any) -> list[str]:
    report = check_contract(schema, contract, **about)
    return [f"{one.rule} {one.path}" for one in report.findings if one.verdict is Verdict.BREAK]


def table(mark: str, fields: str) -> TableSchema:
    return TableSchema.create(f"id INT, r {AROUND[mark](f'ROW<{fields}>')}")


def job(mark: str, fields: str, shape: str = "open", role: str = "select", **rest: Any) -> dict[str, Any]:
    columns = [{"name": "id", "type": "INT", "role": role}, {"name": "r", "type": AROUND[mark](f"ROW<{fields}>"), "role": role}]
    return {"columns": columns, "shape": shape, **rest}


# ---------------------------------------------------------------- a field more, a field less


@DEPTHS
@pytest.mark.parametrize("shape", ["open", "closed", "positional"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_a_nullable_field_that_is_added_breaks_whoever_moves_the_struct(mark: str, shape: str, role: str) -> None:
    assert broken(table(mark, "a INT, b STRING"), job(mark, "a INT", shape, role)) == [f"EXPECT_EXTRA_FIELD r{mark}.b"]


@DEPTHS
@pytest.mark.parametrize("shape", ["open", "closed", "positional"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_a_field_that_is_gone_breaks_every_job_that_has_it(mark: str, shape: str, role: str) -> None:
    assert broken(table(mark, "a INT"), job(mark, "a INT, b STRING", shape, role)) == [f"EXPECT_FIELD_MISSING r{mark}.b"]


def test_a_job_that_names_the_fields_that_it_needs_does_not_mind_another_one() -> None:
    wider = TableSchema.create("id INT, r ROW<a INT, b STRING>")
    assert lacks(wider, {"columns": {"r.a": "INT"}}) == []
    assert lacks(wider, {"columns": {"r": None}}) == []


@pytest.mark.parametrize("way", ["spark-4-parquet", "spark-4-orc"])
@DEPTHS
def test_a_job_with_a_schema_of_its_own_minds_neither_more_fields_nor_their_order(mark: str, way: str) -> None:
    assert lacks(table(mark, "b STRING, a INT, c INT"), job(mark, "a INT, b STRING", read_with=way)) == []
    assert broken(table(mark, "b STRING"), job(mark, "a INT, b STRING", read_with=way)) == [f"EXPECT_FIELD_MISSING r{mark}.a"]


def test_the_change_that_adds_the_field_names_the_jobs_that_it_breaks() -> None:
    old = TableSchema.create("id INT, r ROW<a INT>")
    new = evolve(old, ["ADD COLUMN r.b STRING"])
    whole = Contract.of({"columns": "id INT, r ROW<a INT>", "shape": "closed"}, name="copies")
    some = Contract.of({"columns": {"r.a": "INT"}}, name="looks")
    report = check(old, new, contracts=[whole, some])
    assert [one.name for one in report.consumers] == ["copies"]
    assert report.verdict is Verdict.BREAK
    assert check(old, new).verdict is Verdict.WARN


# ---------------------------------------------------------------- order


@DEPTHS
@pytest.mark.parametrize("role", ["select", "write"])
def test_the_order_of_fields_counts_for_jobs_that_go_by_position(mark: str, role: str) -> None:
    found = broken(table(mark, "b STRING, a STRING"), job(mark, "a STRING, b STRING", "positional", role))
    assert found == [f"EXPECT_ORDER r{mark}.b", f"EXPECT_ORDER r{mark}.a"]


@pytest.mark.parametrize("mark", ["", "[]", ".s"])
@pytest.mark.parametrize("shape", ["open", "closed"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_jobs_by_name_find_fields_in_another_order(mark: str, shape: str, role: str) -> None:
    assert lacks(table(mark, "b STRING, a STRING"), job(mark, "a STRING, b STRING", shape, role)) == []


@pytest.mark.parametrize("mark", ["{}", "{key}"])
def test_inside_maps_readers_by_name_need_the_order_as_well_and_writers_do_not(mark: str) -> None:
    other = table(mark, "b STRING, a STRING")
    assert broken(other, job(mark, "a STRING, b STRING")) == [f"EXPECT_ORDER r{mark}.b", f"EXPECT_ORDER r{mark}.a"]
    assert lacks(other, job(mark, "a STRING, b STRING", role="write")) == []


# ---------------------------------------------------------------- names


@DEPTHS
def test_another_case_is_a_warning_at_any_depth(mark: str) -> None:
    report = check_contract(table(mark, "custId INT"), job(mark, "custid INT"))
    assert [(one.rule, one.path, one.verdict) for one in report.findings] == [("EXPECT_FIELD_RENAMED", f"r{mark}.custid", Verdict.WARN)]


def test_a_contract_may_spell_a_column_in_any_case_and_still_notices_that_it_goes() -> None:
    old = TableSchema.create("id INT, custId INT")
    need = Contract.of("custid INT", name="job")
    assert check_contract(old, need).fits
    assert [one.name for one in check(old, evolve(old, ["DROP COLUMN custId"]), contracts=[need]).consumers] == ["job"]


@pytest.mark.parametrize("mark", ["", "[]", "{}"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_a_nested_rename_is_told_as_a_rename_and_can_be_taken_back(mark: str, role: str) -> None:
    old, new = table(mark, "a INT, b STRING"), None
    way = {"": "r", "[]": "r.element", "{}": "r.value"}[mark]
    new = evolve(old, [f"RENAME COLUMN {way}.a TO x"])
    (found,) = check_contract(new, job(mark, "a INT, b STRING", role=role), seen=old).findings
    assert (found.rule, found.path, found.new, found.verdict) == ("EXPECT_FIELD_RENAMED", f"r{mark}.a", f"r{mark}.x", Verdict.BREAK)
    assert lacks(evolve(new, found.changes), job(mark, "a INT, b STRING", role=role), seen=old) == []


def test_a_rename_alone_does_not_break_a_job_that_goes_by_position() -> None:
    old = TableSchema.create("id INT, a STRING, r ROW<x INT>")
    new = evolve(old, ["RENAME COLUMN a TO b", "RENAME COLUMN r.x TO y"])
    for pin in (True, False):
        assert lacks(new, Contract.of(old, shape="positional", pin=pin), seen=old) == []
    assert broken(new, Contract.of(old, shape="closed"), seen=old) == ["EXPECT_FIELD_RENAMED a", "EXPECT_FIELD_RENAMED r.x"]


def test_a_job_that_goes_by_position_and_names_a_column_needs_its_name() -> None:
    old = TableSchema.create("id INT, a STRING")
    columns = [{"name": "id"}, {"name": "a", "role": ["select", "filter"]}]
    new = evolve(old, ["RENAME COLUMN a TO b"])
    assert broken(new, {"columns": columns, "shape": "positional"}, seen=old) == ["EXPECT_FIELD_RENAMED a"]


def test_a_name_that_came_back_inside_a_struct_is_another_field() -> None:
    old = TableSchema.create("r ROW<a INT, b INT>")
    new = evolve(old, ["DROP COLUMN r.a", "ADD COLUMN r.a INT"])
    assert broken(new, "r ROW<a INT, b INT>", seen=old) == ["EXPECT_STALE_PIN r.a"]


# ---------------------------------------------------------------- NULL


@DEPTHS
def test_null_inside_counts_for_readers_and_the_other_way_round_for_writers(mark: str) -> None:
    loose, strict = table(mark, "a INT"), table(mark, "a INT NOT NULL")
    assert broken(loose, job(mark, "a INT NOT NULL")) == [f"EXPECT_MAY_BE_NULL r{mark}.a"]
    assert lacks(strict, job(mark, "a INT")) == []
    assert broken(strict, job(mark, "a INT", role="write")) == [f"EXPECT_MAY_BE_NULL r{mark}.a"]


def test_a_field_that_must_not_be_null_may_be_where_its_struct_may() -> None:
    need = {"columns": {"r.a": "INT NOT NULL"}}
    assert broken(TableSchema.create("r ROW<a INT NOT NULL>"), need) == ["EXPECT_MAY_BE_NULL r.a"]
    assert lacks(TableSchema.create("r ROW<a INT NOT NULL> NOT NULL"), need) == []


# ---------------------------------------------------------------- types


@pytest.mark.parametrize("pair", ["DECIMAL(10, 0) BIGINT", "DECIMAL(9, 0) INT", "DECIMAL(5, 0) DOUBLE"])
@DEPTHS
def test_a_decimal_without_a_scale_fits_a_number_that_holds_all_its_digits(mark: str, pair: str) -> None:
    there, wanted = pair.rsplit(" ", 1)
    for policy in (None, PARQUET, ORC):
        assert lacks(table(mark, f"a {there}"), job(mark, f"a {wanted}"), policy=policy) == []
    assert broken(table(mark, "a DECIMAL(19, 0)"), job(mark, "a BIGINT")) == [f"EXPECT_TYPE_UNSAFE r{mark}.a"]


@pytest.mark.parametrize(
    ("policy", "there", "wanted"),
    [
        (PARQUET, "TINYINT", "FLOAT"),
        (PARQUET, "SMALLINT", "DECIMAL(5, 0)"),
        (PARQUET, "TINYINT", "DECIMAL(5, 2)"),
        (PARQUET, "BIGINT", "DECIMAL(19, 0)"),
        (ORC, "DATE", "TIMESTAMP(6)"),
    ],
)
@DEPTHS
def test_what_loses_nothing_and_stops_spark_with_a_schema_of_the_job_is_no_fit(mark: str, policy: Any, there: str, wanted: str) -> None:
    (engine,) = policy["readers"]
    assert broken(table(mark, f"a {there}"), job(mark, f"a {wanted}"), policy=policy) == [f"EXPECT_TYPE_UNSAFE r{mark}.a"]
    assert broken(table(mark, f"a {there}"), job(mark, f"a {wanted}", read_with=engine)) == [f"EXPECT_TYPE_UNSAFE r{mark}.a"]
    assert lacks(table(mark, f"a {there}"), job(mark, f"a {wanted}", read_with="read_table"), policy=policy) == []
    assert lacks(table(mark, f"a {there}"), job(mark, f"a {wanted}")) == []
    assert lacks(table(mark, f"a {wanted}"), job(mark, f"a {there}", role="write"), policy=policy) == []


# ---------------------------------------------------------------- one field that is named twice


@DEPTHS
@pytest.mark.parametrize("shape", ["open", "closed", "positional"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_a_field_of_the_table_is_one_field_of_the_job_at_every_depth(mark: str, shape: str, role: str) -> None:
    assert broken(table(mark, "a INT"), job(mark, "a INT, A INT", shape, role)) == [f"EXPECT_FIELD_MISSING r{mark}.A"]


@pytest.mark.parametrize("shape", ["open", "closed", "positional"])
@pytest.mark.parametrize("role", ["select", "write"])
def test_a_column_that_is_named_in_two_cases_is_there_once(shape: str, role: str) -> None:
    there = TableSchema.create("id INT, r ROW<a INT>")
    columns = [{"name": name, "type": kind, "role": role} for name, kind in (("id", "INT"), ("ID", "INT"), ("r", "ROW<a INT>"))]
    (finding,) = check_contract(there, {"columns": columns, "shape": shape}).findings
    assert (finding.rule, finding.path, finding.verdict) == ("EXPECT_FIELD_MISSING", "ID", Verdict.BREAK)
    assert finding.message == "ID is not there beside id: they are one field of the table."
    assert finding.fix == "Take ID or id out of the job."
    assert broken(there, {"columns": ["r.a", "R.A"]}) == ["EXPECT_FIELD_MISSING R.A"]
    assert broken(TableSchema.create("id INT, ID INT"), {"columns": "id INT, ID INT", "shape": "positional"}) == []


def test_an_old_name_and_the_new_one_of_a_job_that_goes_by_position_are_two_columns_into_one() -> None:
    old = TableSchema.create("a INT, r ROW<a INT>")
    new = evolve(old, ["RENAME COLUMN a TO b", "RENAME COLUMN r.a TO b"])
    wanted = {"columns": "a INT, b INT, r ROW<a INT, b INT>", "shape": "positional"}
    assert broken(new, wanted, seen=old) == ["EXPECT_FIELD_MISSING b", "EXPECT_FIELD_MISSING r.b"]


# ---------------------------------------------------------------- jobs that read with read_table


@DEPTHS
def test_read_table_gives_the_parts_that_a_type_names_in_its_order_but_keys_whole(mark: str) -> None:
    there, wanted = table(mark, "a INT, b INT, c INT"), job(mark, "b INT, a INT")
    found = broken(there, {**wanted, "read_with": "read_table"})
    assert found == (["EXPECT_EXTRA_FIELD r{key}.c"] if mark == "{key}" else [])
    assert "EXPECT_EXTRA_FIELD" in " ".join(broken(there, {**wanted, "shape": "closed", "read_with": "read_table"}))
    assert "EXPECT_EXTRA_FIELD" in " ".join(broken(there, wanted))
    assert "EXPECT_EXTRA_FIELD" in " ".join(broken(there, {**job(mark, "a INT", "open", "write"), "read_with": "read_table"}))


@pytest.mark.parametrize("mark", ["", "[]", "{}", ".s"])
def test_the_remedy_of_a_part_that_a_type_names_is_its_path_and_it_works(mark: str) -> None:
    there = table(mark, "a INT, b INT")
    (finding,) = check_contract(there, job(mark, "a INT")).findings
    path = "r.s.a" if mark == ".s" else "r.a"
    columns = json.loads(finding.fix.partition("columns: ")[2].removesuffix("."))
    assert columns == {path: "INT"}
    assert lacks(there, {"columns": columns}) == []


@pytest.mark.parametrize("mark", ["", "[]", "{}", ".s"])
@pytest.mark.parametrize("seen", [True, False])
def test_an_alias_inside_a_whole_type_is_what_it_is_in_a_path(mark: str, seen: bool) -> None:
    old = table(mark, "city STRING, zip STRING")
    steps = {"": ["r"], "[]": ["r", "element"], "{}": ["r", "value"], ".s": ["r", "s"]}[mark]
    number = next(field for field in range(2, 9) if f"city:{field}" in ids(old))
    alias = f"""SET OPTION schemas.field.{number} = '{{"alias": {{"city": "2999-12-31"}}}}'"""
    new = evolve(old, [f"RENAME COLUMN {'.'.join([*steps, 'city'])} TO town", alias])
    path = "r.s.city" if mark == ".s" else "r.city"
    before = old if seen else None
    for way, verdict in (("read_table", Verdict.WARN), ("", Verdict.BREAK)):
        for columns in (job(mark, "city STRING, zip STRING")["columns"], [path]):
            (finding,) = check_contract(new, {"columns": columns, "read_with": way}, seen=before).findings
            assert (finding.rule, finding.verdict) == ("EXPECT_FIELD_RENAMED", verdict)
    over = evolve(new, [alias.replace("2999", "2020")])
    assert broken(over, job(mark, "city STRING, zip STRING", read_with="read_table"), seen=before) != []


def ids(schema: TableSchema) -> list[str]:
    return [f"{found.field.name}:{number}" for number in range(9) if (found := Lookup(schema).by_id(number)) is not None]


# ---------------------------------------------------------------- two names that differ in case only


@pytest.mark.parametrize("way", ["", "view", "spark-4-parquet"])
@pytest.mark.parametrize(
    ("columns", "path", "names"),
    [("a INT", "a", "a and A"), (["r.x"], "r.x", "x and X"), (["l.y"], "l.y", "y and Y"), (["A"], "A", "a and A")],
)
def test_a_name_that_spark_calls_ambiguous_breaks_whoever_goes_by_it(columns: Any, path: str, names: str, way: str) -> None:
    there = TableSchema.create("a INT, A INT, b INT, r ROW<x INT, X INT>, l ARRAY<ROW<y INT, Y INT>>")
    (finding,) = check_contract(there, {"columns": columns, "read_with": way}).findings
    assert (finding.rule, finding.path, finding.verdict) == ("EXPECT_FIELD_MISSING", path, Verdict.BREAK)
    assert finding.message == f"{path} is ambiguous: {names} differ in case only, and Spark finds neither by name."
    assert broken(there, {"columns": columns, "read_with": "read_table"}) == []
    assert broken(there, {"columns": "b INT", "read_with": way}) == []
    assert broken(there, {"columns": [{"name": "a", "type": "INT", "role": "write"}], "shape": "open"}) == ["EXPECT_FIELD_MISSING a"]


def test_a_job_that_moves_a_whole_struct_or_goes_by_position_looks_for_no_name() -> None:
    there = TableSchema.create("r ROW<x INT, X INT>")
    assert broken(there, "r ROW<x INT, X INT>") == []
    assert broken(TableSchema.create("a INT, A INT"), {"columns": "a INT, A INT", "shape": "positional"}) == []


def test_the_change_that_adds_a_name_in_another_case_names_the_job_that_it_breaks() -> None:
    old = TableSchema.create("a INT, b INT")
    new = evolve(old, ["ADD COLUMN A INT"])
    contracts = [Contract.of("a INT", name="daily"), Contract.of("b INT", name="other")]
    (finding,) = [one for one in check(old, new, contracts=contracts).findings if one.consumers]
    assert (finding.verdict, finding.path, [one.name for one in finding.consumers]) == (Verdict.BREAK, "A", ["daily"])
