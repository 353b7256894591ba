"""A change that gives a field back what it had: the report says what is readable again and what is not, and proposes no way round."""

from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, Report, TableSchema, check, evolve
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.report_json import report_dict, report_of
from airflow_provider_schemas.render import markdown, text

FIRST = TableSchema.create("a BIGINT, n INT, r ROW<x INT, y INT>")
RENAMED = evolve(FIRST, ["RENAME COLUMN a TO b"])
BACK = evolve(RENAMED, ["RENAME COLUMN b TO a"])
PARQUET: Any = {"readers": "spark-4-parquet"}
PAIMON: Any = {"readers": "paimon"}


def step(old: TableSchema, new: TableSchema, **about: Any) -> Report:
    return check(old, new, **({"policy": PARQUET, "history": [FIRST]} | about))


def only(report: Report) -> Finding:
    (found,) = report.findings
    return found


def test_a_rename_back_says_which_files_are_readable_again_and_which_no_more() -> None:
    found = only(step(RENAMED, BACK))
    assert (found.verdict, found.data, found.restores, found.changes) == (Verdict.WARN, Verdict.WARN, (0,), ())
    assert found.message.endswith("By name, files of v0 give their values again; files of v1 hold b, and give NULL.")
    go_on = "Go on; a reader or writer that uses b already has to use a."
    assert found.fix == f"{go_on} Read the files of v1 with read_table, or write them anew."


def test_where_all_live_files_have_the_name_of_before_all_data_are_fine() -> None:
    found = only(step(RENAMED, BACK, live={0}))
    assert (found.data, found.restores) == (Verdict.OK, (0,))
    assert "NULL" not in found.message


def test_where_no_live_file_has_the_name_it_is_a_break_and_nothing_comes_back() -> None:
    found = only(step(RENAMED, BACK, live={1}))
    assert (found.verdict, found.restores, found.changes) == (Verdict.BREAK, (), ())
    assert found.fix == "Keep b: no file that counts holds a."


def test_a_policy_that_asks_for_the_last_version_alone_breaks() -> None:
    assert only(step(RENAMED, BACK, policy=PARQUET | {"against": "previous"})).verdict is Verdict.BREAK


def test_readers_by_id_lose_and_gain_nothing() -> None:
    found = only(step(RENAMED, BACK, policy=PAIMON))
    assert (found.data, found.restores, found.changes) == (Verdict.OK, (), ())
    assert found.message == "b is called a again; its id 0 stays."


def test_the_first_rename_is_still_a_break_with_its_way_back() -> None:
    found = only(check(FIRST, RENAMED, PARQUET))
    assert (found.verdict, found.restores, len(found.changes)) == (Verdict.BREAK, (), 1)


def test_a_rename_to_a_third_name_brings_nothing_back() -> None:
    found = only(step(RENAMED, evolve(RENAMED, ["RENAME COLUMN b TO c"])))
    assert (found.verdict, found.restores, len(found.changes)) == (Verdict.BREAK, (), 1)


def test_a_job_that_has_moved_on_still_breaks_and_is_to_move_with_it() -> None:
    found = only(step(RENAMED, BACK, contracts=[Contract.of("b BIGINT", name="moved")]))
    assert (found.verdict, found.changes) == (Verdict.BREAK, ())
    assert found.fix.startswith("Move the readers and writers that break to a in the same step.")


def test_a_field_inside_a_struct_comes_back_as_well() -> None:
    away = evolve(FIRST, ["RENAME COLUMN r.x TO z"])
    found = only(step(away, evolve(away, ["RENAME COLUMN r.z TO x"])))
    assert (found.verdict, found.restores, found.changes) == (Verdict.WARN, (0,), ())


@pytest.mark.parametrize(
    ("there", "again", "verdict", "restores"),
    [
        ("STRING", "INT", Verdict.WARN, (0,)),  # Spark stops at the INT files before, and at the STRING files after
        ("BIGINT", "INT", Verdict.BREAK, ()),  # Spark read the INT files as BIGINT: nothing is mended
    ],
)
def test_a_type_that_comes_back_is_a_repair_only_where_files_were_lost(
    there: str, again: str, verdict: Verdict, restores: tuple[int, ...]
) -> None:
    away = evolve(FIRST, [f"ALTER COLUMN n TYPE {there}"])
    found = only(step(away, evolve(away, [f"ALTER COLUMN n TYPE {again}"])))
    assert (found.data, found.restores, found.changes) == (verdict, restores, ())


def went(columns: str, *changes: str, **about: Any) -> Report:
    """The last of some changes, judged with all versions before it."""
    schemas = [TableSchema.create(columns)]
    for change in changes:
        schemas.append(evolve(schemas[-1], [change] if ";" not in change else change.split(";")))
    *past, old, new = schemas
    return check(old, new, **({"policy": PARQUET | {"against": "all"}, "history": past} | about))


def typed(*kinds: str, **about: Any) -> Finding:
    """A column that had these types, one after the other."""
    first, *others = kinds
    report = went(f"a {first}, k INT", *(f"ALTER COLUMN a TYPE {kind}" for kind in others), **about)
    return next(found for found in report.findings if found.restores or found.path == "a")


ORC: Any = {"readers": "spark-4-orc"}


@pytest.mark.parametrize(
    ("kinds", "readers"),
    [
        (("INT", "STRING", "INT"), "spark-4-orc"),  # it read v0 as text, and gives NULL for v1
        (("STRING", "TIMESTAMP(6) WITH LOCAL TIME ZONE", "DATE", "STRING"), "spark-4-parquet"),  # it stopped at v1, and gives wrong values
        (("BIGINT", "DECIMAL(10, 2)", "DECIMAL(12, 4)", "BIGINT"), "spark-4-parquet"),
        (("INT", "DOUBLE", "INT"), ["iceberg-v2", "spark-4-parquet"]),  # Iceberg read both, and loses v1
        (("DOUBLE", "STRING", "DOUBLE"), "paimon"),  # Paimon read both
        (("DECIMAL(10, 2)", "DOUBLE", "DECIMAL(10, 2)"), "paimon"),
        (("INT", "STRING", "BIGINT", "STRING", "INT"), "spark-4-parquet"),  # one version comes back, and two go
    ],
    ids=str,
)
def test_a_type_that_comes_back_at_the_cost_of_more_is_a_break(kinds: tuple[str, ...], readers: Any) -> None:
    found = typed(*kinds, policy={"readers": readers, "against": "all"})
    assert (found.verdict, found.data, found.changes) == (Verdict.BREAK, Verdict.BREAK, ())


def test_what_an_engine_read_rightly_all_along_is_not_readable_again() -> None:
    found = typed("DOUBLE", "STRING", "DOUBLE", policy=PAIMON)
    assert (found.restores, "readable again" in found.message) == ((), False)


def test_a_pending_reader_makes_no_repair_of_values_that_go_in_silence() -> None:
    wants = [Contract.of("a INT", name="job")]
    assert typed("INT", "STRING", "INT", policy=ORC, contracts=wants).data is Verdict.BREAK
    assert typed("INT", "STRING", "INT", contracts=wants).data is Verdict.WARN


@pytest.mark.parametrize(("between", "verdict"), [(0, Verdict.WARN), (1, Verdict.BREAK), (19, Verdict.BREAK)])
def test_only_an_undoing_right_after_the_rename_is_a_repair(between: int, verdict: Verdict) -> None:
    added = [f"ADD COLUMN x{number} INT" for number in range(between)]
    found = only(went("a BIGINT, k INT", "RENAME COLUMN a TO b", *added, "RENAME COLUMN b TO a"))
    assert (found.data, found.restores, found.changes) == (verdict, (0,), ())
    assert "files of v0 give their values again; files of v1" in found.message
    assert found.fix.startswith("Keep b; or read the files of v1" if between else "Go on;")


def test_files_that_hold_another_column_of_that_name_are_told() -> None:
    changes = ("RENAME COLUMN a TO b", "ADD COLUMN a BIGINT", "DROP COLUMN a", "RENAME COLUMN b TO a")
    found = next(one for one in went("a BIGINT, k INT", *changes).findings if one.rule == "FIELD_RENAMED")
    assert found.data is Verdict.BREAK
    told = "files of v1, v3 hold b, and give NULL; files of v2 hold b and another a, and give the values of that other one."
    assert found.message.endswith(told)


def test_files_that_hold_another_field_of_that_name_in_the_struct_are_told() -> None:
    changes = ("RENAME COLUMN r.x TO z;ADD COLUMN r.x INT", "DROP COLUMN r.x;RENAME COLUMN r.z TO x")
    found = next(one for one in went("r ROW<x INT, y INT>", *changes).findings if one.rule == "FIELD_RENAMED")
    assert found.data is Verdict.BREAK
    assert "files of v1 hold z and another r.x, and give the values of that other one" in found.message


@pytest.mark.parametrize(
    ("away", "again"),
    [
        ("ALTER COLUMN n SET DEFAULT 5", "ALTER COLUMN n DROP DEFAULT"),
        ("SET OPTION file.format = 'orc'", "UNSET OPTION file.format"),
        ("""SET OPTION schemas.field.1 = '{"unit": "EUR"}'""", "UNSET OPTION schemas.field.1"),
        ("ALTER COLUMN n SET NOT NULL", "ALTER COLUMN n DROP NOT NULL"),
    ],
)
def test_no_report_proposes_to_undo_the_undoing(away: str, again: str) -> None:
    first = evolve(FIRST, ["SET OPTION alter-column-null-to-not-null.disabled = 'false'"])
    there = evolve(first, [away])
    report = check(there, evolve(there, [again]), PARQUET, history=[first])
    assert report.findings
    assert all(not one.changes for one in report.findings)


def test_text_and_markdown_say_it_and_json_keeps_it() -> None:
    report = step(RENAMED, BACK)
    for shown in (text(report, width=300), markdown(report)):
        assert "files of v0 give their values again" in shown
        assert "undo it" not in shown
        assert "plain Spark reads NULL" not in shown
    assert report_of(report_dict(report)) == report


# ---------------------------------------------------------------- an alias that is to be had


def reads(name: str, **about: Any) -> Contract:
    return Contract.of({"columns": "a BIGINT", **about}, name=name)


def test_readers_for_which_an_alias_works_are_offered_it_and_it_serves_them() -> None:
    jobs = [reads("daily", read_with="read_table")]
    found = only(check(FIRST, RENAMED, contracts=jobs))
    kept = evolve(RENAMED, found.changes)
    assert found.fix == "Keep a as an alias until the readers have moved: they read with read_table, for which it works. Or rename it back."
    assert check(FIRST, kept, contracts=jobs).fits
    assert found.why.startswith("The readers that break read with read_table")


@pytest.mark.parametrize(
    "about",
    [{}, {"read_with": "spark-4-parquet"}, {"read_with": "read_table", "columns": [{"name": "a", "type": "BIGINT", "role": "write"}]}],
    ids=str,
)
def test_whoever_an_alias_does_not_help_is_offered_none(about: Any) -> None:
    found = only(check(FIRST, RENAMED, contracts=[reads("job", **about)]))
    assert "Keep a as an alias" not in found.fix
    assert found.changes == tuple(only(check(FIRST, RENAMED)).changes)


def test_an_alias_that_is_there_already_is_not_offered_again() -> None:
    kept = evolve(RENAMED, ["""SET OPTION schemas.field.0 = '{"alias": "a"}'"""])
    writer = reads("writer", read_with="read_table", columns=[{"name": "a", "type": "BIGINT", "role": "write"}])
    found = only(check(FIRST, kept, contracts=[reads("daily", read_with="read_table"), writer]))
    assert ([one.name for one in found.consumers], "Keep a as an alias" in found.fix) == (["writer"], False)


def test_an_alias_that_is_offered_keeps_what_else_is_said_of_the_field() -> None:
    said = evolve(FIRST, ["""SET OPTION schemas.field.0 = '{"unit": "EUR", "alias": ["old"]}'"""])
    found = only(check(said, evolve(said, ["RENAME COLUMN a TO b"]), contracts=[reads("daily", read_with="read_table")]))
    kept = evolve(evolve(said, ["RENAME COLUMN a TO b"]), found.changes).attributes(0)
    assert (kept["unit"], sorted(kept["alias"])) == ("EUR", ["a", "old"])


def test_a_name_that_another_field_keeps_as_an_alias_is_not_proposed() -> None:
    kept = evolve(FIRST, ["RENAME COLUMN a TO b"])
    taken = evolve(kept, ["""SET OPTION schemas.field.1 = '{"alias": "a"}'"""])
    (renamed, *_) = check(FIRST, taken).findings
    assert (renamed.rule, renamed.changes) == ("FIELD_RENAMED", ())


def test_all_names_that_lost_files_hold_are_named() -> None:
    third = evolve(RENAMED, ["RENAME COLUMN b TO c"])
    found = only(step(third, evolve(third, ["RENAME COLUMN c TO a"]), history=[FIRST, RENAMED]))
    assert "files of v1, v2 hold b or c, and give NULL." in found.message
