"""As what a file was written is found out, or said to be unclear; never guessed."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt, wire
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.file_schemas import Origins, ResolvedFile
from airflow_provider_schemas.spark.files.paths import seen_by_spark
from airflow_provider_schemas.spark.reading.scan_planning import Scan, plan_scans
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.folder_values import folder_value
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.registry.bindings import Binding
from tests.spark.support.folders import NAME, Folder

BASE = "file:///data"
_NUMBERS = iter(range(10**9))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """a was renamed to b and back between versions 0 and 2; c was dropped in 3 and is another column since 4; then d was widened."""
    made = Folder(tmp_path, "a INT, c STRING, d INT, dt DATE")
    made.evolve("RENAME COLUMN a TO b", "RENAME COLUMN b TO a", "DROP COLUMN c", "ADD COLUMN c STRING")
    made.retype("d", "BIGINT")
    return made


def footer(columns: str, *ids: int | None) -> Footer:
    """A file with these columns, and ids for those for which one is said."""
    fields: Any = parse_ddl(columns).fields  # type: ignore[attr-defined]  # several columns are a ROW
    numbers = [*ids, *[None] * (len(fields) - len(ids))]
    named = [
        Field(-1 - place if number is None else number, one.name, one.wire)
        for place, (one, number) in enumerate(zip(fields, numbers, strict=True))
    ]
    return footer_of(f"{columns} {ids}", lambda: tuple(named))


def origins(folder: Folder, *bindings: tuple[str, int]) -> Origins:
    table = folder.table
    bound = [Binding(place, number, "", number=at) for at, (place, number) in enumerate(bindings)]
    return Origins(NAME, KnownFields(table.versions()), table.schema(), BASE, Bound(bound, BASE))


def one(there: Origins, said: Footer | None, path: str = "x.parquet", **about: Any) -> ResolvedFile:
    return there.resolve([DataFile(path=f"{BASE}/{path}", size=1, version=None, **about)], [said])[0]


def refused(there: Origins, said: Footer | None, path: str = "x.parquet", **about: Any) -> str:
    with pytest.raises(ProjectionError) as caught:
        there.resolve([DataFile(path=f"{BASE}/{path}", **{"size": 1, "version": None, **about})], [said])
    assert path.rpartition("/")[2] in str(caught.value)
    return caught.value.code


def columns(source: ResolvedFile) -> list[tuple[int, str, str]]:
    return [(each.id, each.name, str(each.type)) for each in source.written.columns]


# ---------------------------------------------------------------- by ids


def test_ids_say_what_a_column_is_and_versions_say_its_type(folder: Folder) -> None:
    found = one(origins(folder), footer("b INT, d BIGINT, c STRING", 0, 2, 4))
    assert found.written.how == "stamped"
    assert columns(found) == [(0, "b", "INT"), (2, "d", "BIGINT"), (4, "c", "STRING")]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (footer("a INT, z INT", 0, 99), "read.unknown-id"),
        (footer("z INT", 0), "read.contradicting-id"),
        (footer("a BIGINT", 0), "read.contradicting-id"),
        (footer("a INT, b INT", 0, 0), "read.duplicate-id"),
        (footer("a INT, c STRING", 0), "read.partly-stamped"),
        (footer("d INT, z ROW<q INT>", 2), "read.partly-stamped"),
    ],
)
def test_ids_that_contradict_the_table_are_errors_that_name_the_file(folder: Folder, said: Footer, code: str) -> None:
    assert refused(origins(folder), said) == code


def test_a_binding_speaks_where_ids_do_not(folder: Folder) -> None:
    found = one(origins(folder, ("old", 0)), footer("a INT, c STRING, d INT, dt DATE", 99, 98), "old/x.parquet")
    assert (found.written.how, columns(found)[1]) == ("bound", (1, "c", "STRING"))
    assert one(origins(folder, ("old", 0)), footer("b INT", 0), "old/x.parquet").written.how == "stamped"


# ---------------------------------------------------------------- by a version


def test_a_footer_that_equals_one_version_tells(folder: Folder) -> None:
    found = one(origins(folder), footer("b INT, c STRING, d INT, dt DATE"))
    assert (found.written.how, found.written.version) == ("equal", 1)
    dropped = one(origins(folder), footer("a INT, d INT"), "dt=2025-01-01/x.parquet")
    assert (dropped.written.version, columns(dropped)) == (3, [(0, "a", "INT"), (2, "d", "INT")])


def test_versions_between_which_no_row_differs_are_one(folder: Folder) -> None:
    folder.evolve("RENAME COLUMN c TO e", "RENAME COLUMN e TO c")
    assert one(origins(folder), footer("a INT, d BIGINT, c STRING, dt DATE")).written.how == "equal"


def test_a_footer_that_several_versions_fit_or_none_is_unclear(folder: Folder) -> None:
    there = origins(folder)
    assert refused(there, footer("a INT, c STRING, d INT, dt DATE")) == "read.ambiguous-file"
    for unknown in (
        "a INT",
        "a INT, c STRING, d INT, dt DATE, z INT",
        "a STRING, c STRING, d INT, dt DATE",
        "A INT, c STRING, d INT, dt DATE",
    ):
        assert refused(there, footer(unknown)) == "read.unknown-file"


def test_what_is_said_names_the_files_the_candidates_and_what_to_type(folder: Folder) -> None:
    files = [DataFile(path=f"{BASE}/dt=2025-01-01/{number}.parquet", size=1, version=None) for number in range(37)]
    with pytest.raises(ProjectionError) as caught:
        origins(folder).resolve(files, [footer("a INT, c STRING, d INT")] * 37)
    assert str(caught.value) == (
        "shop.orders: dt=2025-01-01/0.parquet, dt=2025-01-01/1.parquet, dt=2025-01-01/10.parquet and 34 more: without ids, and "
        "versions 2, 4 fit alike: the same names are other columns. Say with which version the files were written: "
        "SchemaStore(url).table('shop.orders').bind('dt=2025-01-01', version)."
    )


def test_the_newest_binding_that_matches_counts(folder: Folder) -> None:
    said = footer("a INT, c STRING, d INT, dt DATE")
    patterns = (("dt=2025-0*", 0), ("dt=2025-01-1?", 4), (BASE, 2), ("elsewhere", 3), ("file:///other", 3))
    for path, version in (("dt=2025-02-01/x.parquet", 0), ("dt=2025-01-11/deep/x.parquet", 4), ("y.parquet", 2)):
        known = [each for each in patterns if each[0] != BASE] if version != 2 else patterns
        assert one(origins(folder, *known), said, path).written.version == version
    assert one(origins(folder, *patterns), said, "dt=2025-02-01/x.parquet").written.version == 2


def test_a_bound_file_may_lack_columns_or_have_more_but_not_both(folder: Folder) -> None:
    there = origins(folder, ("*", 0))
    assert columns(one(there, footer("a INT"), "f/x.parquet")) == [(0, "a", "INT")]
    assert len(columns(one(there, footer("a INT, c STRING, d INT, dt DATE, z INT"), "f/x.parquet"))) == 4
    assert refused(there, footer("b INT, c STRING"), "f/x.parquet") == "read.wrong-binding"
    assert refused(there, footer("a STRING"), "f/x.parquet") == "read.wrong-binding"
    assert refused(origins(folder, ("*", 9)), footer("a INT"), "f/x.parquet") == "read.missing-version"


# ---------------------------------------------------------------- by a manifest


def test_a_manifest_tells_and_a_file_that_contradicts_it_is_an_error(folder: Folder) -> None:
    there, dt = origins(folder), (("dt", None),)
    found = there.resolve([DataFile(path=f"{BASE}/x", size=1, version=1, partition=dt)], [None])[0]
    assert (found.written.how, columns(found)[0]) == ("manifest", (0, "b", "INT"))
    for said in ("b INT, c STRING, d INT, dt DATE", "b INT, c STRING, d INT", "b BIGINT, c STRING, d INT, _ROW_ID BIGINT"):
        there.resolve([DataFile(path=f"{BASE}/x", size=1, version=1, partition=dt)], [footer(said)])
    for said in ("a INT, c STRING, d INT", "b INT, c STRING, d INT, later INT", "b INT, c STRING"):
        assert refused(there, footer(said), version=1, partition=dt) == "read.file-contradicts-manifest"
    assert refused(there, None, version=17) == "read.missing-version"


# ---------------------------------------------------------------- folders


def test_folders_say_the_values_of_the_columns_they_are_named_for(folder: Folder) -> None:
    there, said = origins(folder), footer("b INT, d BIGINT", 0, 2)
    given = one(there, said, "dt=2025-01-02/batch=7/x.parquet").partition
    assert [(each.field.id, str(each.value)) for each in given] == [(3, "2025-01-02")]
    assert one(there, said, "dt=__HIVE_DEFAULT_PARTITION__/x.parquet").partition[0].value is None
    assert refused(there, said, "dt=2025-13-01/x.parquet") == "read.bad-folder"
    assert refused(there, said, "c=x/x.parquet") == "read.ambiguous-folder"


def test_a_folder_is_named_for_a_column_whatever_the_case_of_its_name(folder: Folder) -> None:
    for said in (footer("b INT, d BIGINT", 0, 2), footer("b INT, c STRING, d INT")):
        given = one(origins(folder), said, "DT=2025-01-02/x.parquet").partition
        assert [(each.field.id, each.field.name, str(each.value)) for each in given] == [(3, "DT", "2025-01-02")]
    folder.evolve("RENAME COLUMN dt TO day", "ADD COLUMN DT INT")  # now it is another one, or either
    assert one(origins(folder), footer("b INT", 0), "DT=7/x.parquet").partition[0].value == 7
    assert refused(origins(folder), footer("b INT", 0), "Dt=7/x.parquet") == "read.ambiguous-folder"


def test_two_folders_for_one_column_are_refused(folder: Folder) -> None:
    there, said = origins(folder), footer("b INT", 0)
    assert refused(there, said, "dt=2025-01-01/dt=2025-01-02/x.parquet") == "read.bad-folder"
    assert refused(there, said, "dt=2025-01-01/DT=2025-01-01/x.parquet") == "read.bad-folder"
    assert one(there, said, "batch=1/batch=2/x.parquet").partition == ()


@pytest.mark.parametrize(
    ("kind", "text"),
    [("DOUBLE", "1_000"), ("DOUBLE", "inf"), ("DECIMAL(10, 2)", "1_0.5"), ("DECIMAL(10, 2)", "\uff11"), ("TIMESTAMP", "20250101T10"),
     ("TIMESTAMP", "2025-01-01 10%3A00%3A00.123456789"), ("TIMESTAMP", "2025-01-01T10%3A00%3A00%2C5"), ("INT", "+1"),
     ("DATE", "2025-02-30")],
)  # fmt: skip
def test_a_folder_that_spark_would_read_as_null_is_no_value(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        folder_value(text, parse_ddl(kind))


def test_large_decimals_in_the_names_of_folders_are_whole() -> None:
    assert (
        str(folder_value("123456789012345678901234567890123456.25", parse_ddl("DECIMAL(38, 2)")))
        == "123456789012345678901234567890123456.25"
    )


# ---------------------------------------------------------------- the fewest scans


def _scans(folder: Folder, *said: tuple[Footer, str], wanted: tuple[str, ...] = ()) -> list[Scan]:
    schema = folder.table.schema()
    files = [DataFile(path=f"{BASE}/{path}", size=1, version=None) for _, path in said]
    found = origins(folder).resolve(files, [each for each, _ in said])
    return plan_scans(found, [each for each in schema.fields if not wanted or each.name in wanted])


def test_files_that_hold_the_same_as_far_as_is_wanted_share_a_scan(folder: Folder) -> None:
    old, new, less = footer("a INT, d INT", 0, 2), footer("a INT, d BIGINT, c STRING", 0, 2, 4), footer("b INT", 0)
    found = _scans(folder, (old, "1"), (new, "2"), (less, "3"))
    assert [[path[-1] for path in each.paths] for each in found] == [["1", "2"], ["3"]]
    assert [str(each.type) for each in found[0].columns] == ["INT", "BIGINT", "STRING"]  # Spark widens by itself, and exactly
    assert len(_scans(folder, (old, "1"), (new, "2"), (less, "3"), wanted=("d",))) == 1


def test_a_name_that_means_another_column_parts_scans(folder: Folder) -> None:
    before, after = footer("a INT, c STRING", 0, 1), footer("a INT, c STRING", 0, 4)
    assert len(_scans(folder, (before, "1"), (after, "2"))) == 2
    assert len(_scans(folder, (before, "1"), (after, "2"), wanted=("a",))) == 1
    cased = footer("a INT, C STRING", 0, 1)
    assert refused(origins(folder), cased) == "read.contradicting-id"


def test_many_partitions_are_one_scan(folder: Folder) -> None:
    said = footer("a INT, d BIGINT", 0, 2)
    days = [(said, f"dt=2025-01-{day:02}/x") for day in range(1, 29)]
    assert len(_scans(folder, *days)) == 1
    assert len(_scans(folder, *days, (said, "dt=__HIVE_DEFAULT_PARTITION__/x"))) == 1
    assert len(_scans(folder, *days, (said, "dt=2025-02-01/hour=3/x"))) == 2  # Spark takes one depth of folders at a time


def test_spark_is_left_to_the_folders_that_it_finds_by_itself() -> None:
    assert seen_by_spark("s3a://b", "s3a://b/x/dt=1/hour=%2F/bucket-0/f") == ("s3a://b/x", ("dt", "hour"))
    assert seen_by_spark("s3a://b", "s3a://b/dt=1/batch/hour=2/f") == ("s3a://b/dt=1/batch", ("hour",))
    assert seen_by_spark("s3a://b", "s3a://b/dt=1/f") == ("s3a://b", ("dt",))
    for stumbling in ("dt=/f", "=1/dt=2/f", "dt=1/DT=1/f", "plain/f", "f"):
        assert seen_by_spark("s3a://b", f"s3a://b/{stumbling}")[1] == ()


# ---------------------------------------------------------------- files that a later version would hold as well


def bare(columns: str) -> Footer:
    """A file with these columns and no ids, inside structs neither."""
    fields: Any = parse_ddl(columns).fields  # type: ignore[attr-defined]  # several columns are a ROW
    return footer_of(f"bare {columns}", lambda: tuple(_bare(each) for each in fields))


def _bare(each: Field) -> Field:
    return Field(-1 - abs(each.id), each.name, wire(_bare_type(each.type)))


def _bare_type(kind: Any) -> Any:
    if isinstance(kind, RowType):
        return type(kind)(tuple(map(_bare, kind.fields)))
    return rebuilt(kind, [_bare_type(part) for _, part in children(kind)])


def history(root: Path, columns: str, *steps: Any) -> Folder:
    """A table whose changes are made version by version."""
    made = Folder(root, columns)
    for step in steps:
        made.table.evolve(step, override="a test")
    return made


@pytest.mark.parametrize(
    ("columns", "steps", "file"),
    [
        ("id BIGINT, a STRING", ["RENAME COLUMN a TO b", ["RENAME COLUMN b TO c", "ADD COLUMN a STRING"]], "id BIGINT, a STRING"),
        (
            "id BIGINT, a STRING, x INT",
            ["DROP COLUMN a", ["DROP COLUMN x", "ADD COLUMN a STRING", "ADD COLUMN x INT", "ADD COLUMN y INT"]],
            "id BIGINT, a STRING, x INT",
        ),
        (
            "id BIGINT, r ROW<a STRING>",
            ["RENAME COLUMN r.a TO b", ["RENAME COLUMN r.b TO c", "ADD COLUMN r.a STRING"]],
            "id BIGINT, r ROW<a STRING>",
        ),
        (
            "id BIGINT, l ARRAY<ROW<a STRING>>",
            ["RENAME COLUMN l.element.a TO b", ["RENAME COLUMN l.element.b TO c", "ADD COLUMN l.element.a STRING"]],
            "id BIGINT, l ARRAY<ROW<a STRING>>",
        ),
        # The older writer left the column out.
        ("id BIGINT, a STRING, b INT", [["DROP COLUMN a", "DROP COLUMN b"], "ADD COLUMN a STRING"], "id BIGINT, a STRING"),
    ],
)
def test_a_file_that_another_version_holds_under_other_ids_is_ambiguous(tmp_path: Path, columns: str, steps: list[Any], file: str) -> None:
    there = origins(history(tmp_path, columns, *steps))
    with pytest.raises(ProjectionError) as caught:
        there.resolve([DataFile(path=f"{BASE}/now/part-0.parquet", size=1, version=None)], [bare(file)])
    assert caught.value.code == "read.ambiguous-file"
    said = str(caught.value)
    assert "now/part-0.parquet" in said
    assert "version 0" in said
    assert "version 2" in said
    assert "SchemaStore(url).table('shop.orders').bind('now', version)" in said
    bound = origins(history(tmp_path / "bound", columns, *steps), ("now", 2))
    assert bound.resolve([DataFile(path=f"{BASE}/now/part-0.parquet", size=1, version=None)], [bare(file)])[0].written.version == 2


@pytest.mark.parametrize(
    ("columns", "steps", "file", "version"),
    [
        ("id BIGINT, a STRING", ["ADD COLUMN b INT", "ADD COLUMN c INT"], "id BIGINT, a STRING", 0),
        ("id BIGINT, a STRING", ["ADD COLUMN b INT", "ADD COLUMN c INT"], "id BIGINT, a STRING, b INT", 1),
        ("id BIGINT, a STRING", ["RENAME COLUMN a TO b", "ADD COLUMN c INT"], "id BIGINT, b STRING", 1),
        ("id BIGINT, a STRING", ["DROP COLUMN a", "ADD COLUMN a INT", "ADD COLUMN c INT"], "id BIGINT, a STRING", 0),
        ("id BIGINT, r ROW<a INT>", ["ADD COLUMN r.b INT", "ADD COLUMN x INT"], "id BIGINT, r ROW<a INT>", 0),
        ("id BIGINT, a STRING, x INT", ["DROP COLUMN a", "ADD COLUMN a STRING"], "id BIGINT, x INT", 1),
        ("id BIGINT, a STRING", ["RENAME COLUMN a TO b", ["RENAME COLUMN b TO c", "ADD COLUMN a STRING"]], "id BIGINT, b STRING", 1),
        (
            "id BIGINT, a STRING",
            ["RENAME COLUMN a TO b", ["RENAME COLUMN b TO c", "ADD COLUMN a STRING"]],
            "id BIGINT, a STRING, c STRING",
            2,
        ),
    ],
)
def test_columns_that_came_later_make_no_file_ambiguous(tmp_path: Path, columns: str, steps: list[Any], file: str, version: int) -> None:
    assert one(origins(history(tmp_path, columns, *steps)), bare(file)).written.version == version
