"""One table of an audit, without Spark: whoever wrote it, whatever it is, the answer is rows, and memory and time stay within bounds."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.spark.auditing import chain, read_versions
from airflow_provider_schemas.spark.auditing.discovery import AuditTarget, find_targets
from airflow_provider_schemas.spark.auditing.registry import list_registry
from airflow_provider_schemas.spark.auditing.table import Scope, TableAudit, audit_table
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.identifiers import table_name
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.versions.version_log import Versions

NAME = "shop.orders"


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return SchemaStore(tmp_path / "lake", actor="ana")


def asked(store: SchemaStore, name: str = NAME, **scope: Any) -> TableAudit:
    known, lacking = list_registry(store.registry)
    assert not lacking
    (target,) = (target for target in find_targets(store, "*", "*").tables if str(target.name) == name)
    return audit_table(store, target, Scope(known, **scope))


def rules(store: SchemaStore, **scope: Any) -> set[str]:
    return {one.rule for one in asked(store, **scope).rows}


def schemas(store: SchemaStore, name: str = NAME) -> Path:
    return Path(store.url) / f"{table_name(name).database}.db" / table_name(name).table / "schema"


def of_strangers(store: SchemaStore, *columns: list[tuple[int, str, str]]) -> None:
    """A history as another writer leaves it."""
    folder = schemas(store)
    folder.mkdir(parents=True)
    highest = 0
    for number, fields in enumerate(columns):
        highest = max(highest, *(one for one, _, _ in fields))
        content = {
            "version": 3,
            "id": number,
            "fields": [{"id": one, "name": name, "type": kind} for one, name, kind in fields],
            "highestFieldId": highest,
            "partitionKeys": [],
            "primaryKeys": [],
            "options": {},
            "timeMillis": number,
        }
        (folder / f"schema-{number}").write_text(json.dumps(content))
    (folder.parent / "bucket-0").mkdir()


# ---------------------------------------------------------------- histories


def test_an_id_that_returns_as_another_field_is_found_however_long_ago_it_went(store: SchemaStore) -> None:
    column = (0, "id", "BIGINT")
    of_strangers(store, [column, (1, "day", "DATE")], *[[column]] * 50, [column, (1, "amount", "DECIMAL(10, 2)")])
    assert "FIELD_ID_REUSED" in rules(store)


def test_a_field_that_returns_as_what_it_was_is_no_finding(store: SchemaStore) -> None:
    column = (0, "id", "BIGINT")
    of_strangers(store, [column, (1, "day", "DATE")], *[[column], [column, (2, "n", "INT")]] * 150, [column, (1, "day", "DATE")])
    assert not asked(store).rows


def test_a_chain_inside_a_struct_is_found(store: SchemaStore) -> None:
    store.create_table(NAME, "id BIGINT, r ROW<day DATE>")
    first = json.loads((schemas(store) / "schema-0").read_text())
    for number, kind in ((1, "STRING"), (2, "INT")):
        first["fields"][1]["type"]["fields"][0]["type"] = kind
        (schemas(store) / f"schema-{number}").write_text(
            json.dumps({key: value for key, value in first.items() if key != "schemas"} | {"id": number})
        )
    (schemas(store).parent / "bucket-0").mkdir()
    assert {(one.rule, one.path) for one in asked(store).rows} >= {("TYPE_CHAIN_BROKEN", "r.day")}


def test_a_column_that_became_required_is_a_finding_for_files_that_do_not_have_it(store: SchemaStore) -> None:
    of_strangers(store, [(0, "id", "BIGINT")], [(0, "id", "BIGINT"), (1, "n", "INT NOT NULL")])
    assert rules(store) == {"FIELD_ADDED_REQUIRED"}


def test_names_matter_where_files_are_read_by_name(store: SchemaStore, tmp_path: Path) -> None:
    for layout, expected in ((None, set[str]()), ("registry", {"FIELD_RENAMED"})):
        one = SchemaStore(tmp_path / str(layout), layout=layout)
        if layout:
            one.adopt(NAME, str(tmp_path / "data"), "id BIGINT, old STRING")
        else:
            one.create_table(NAME, "id BIGINT, old STRING")
            (schemas(one).parent / "bucket-0").mkdir()
        one.table(NAME).evolve("RENAME COLUMN old TO fresh", override="a test")
        assert rules(one) == expected


def test_what_a_waiver_lets_through_only_warns(store: SchemaStore) -> None:
    of_strangers(store, [(0, "id", "BIGINT"), (1, "n", "BIGINT")], [(0, "id", "BIGINT"), (1, "n", "INT")])
    (row,) = asked(store).rows
    assert (row.rule, row.verdict) == ("TYPE_NARROWED", "break")
    store.table(NAME).waive("TYPE_NARROWED", "n", until="2999-01-01", reason="all of them are small")
    (row,) = asked(store).rows
    assert row.verdict == "warn"


def test_a_job_that_the_newest_version_breaks_is_a_finding_with_its_owner(store: SchemaStore) -> None:
    store.create_table(NAME, "id BIGINT, amount INT")
    store.table(NAME).register("id BIGINT, amount INT", consumer="daily", owner="team-bi")
    store.table(NAME).evolve("DROP COLUMN amount", override="a test")
    (row,) = asked(store).rows
    assert (row.rule, row.verdict, row.path) == ("EXPECT_FIELD_MISSING", "break", "amount")


def test_a_table_says_whose_it_is(store: SchemaStore) -> None:
    store.create_table(NAME, "id BIGINT, Id BIGINT", options={"schemas.table": json.dumps({"owner": "team-orders", "contact": "#orders"})})
    (row,) = asked(store).rows
    assert (row.rule, row.owner, row.contact) == ("NAME_CASE_COLLISION", "team-orders", "#orders")


def test_branches_are_looked_at_if_they_are_wanted(store: SchemaStore) -> None:
    store.create_table(NAME, "id BIGINT")
    store.table(NAME).create_branch("trial")
    (schemas(store).parent / "branch/branch-trial/schema/schema-1").write_text("{")
    assert not rules(store)
    (row,) = asked(store, branches=True).rows
    assert (row.branch, row.rule, row.path) == ("trial", "TABLE_UNREAD", "version 1")


# ---------------------------------------------------------------- what is read without a second look


def chained(store: SchemaStore, versions: int) -> None:
    store.create_table(NAME, "id BIGINT, note STRING")
    for number in range(versions - 1):
        store.table(NAME).evolve(f"ADD COLUMN more_{number} STRING")


def linked(store: SchemaStore) -> list[Any]:
    place = store.table(NAME).place
    versions = Versions(place.files, place.folder, place.layout, "main", VersionCache())
    numbers = list(versions.entries())
    head = read_versions.read_newest(versions, numbers)
    assert head.version is not None
    return list(chain.link_versions(versions, numbers[:-1], head.version, head.data))


def test_versions_that_stand_on_each_other_are_as_a_store_reads_them(store: SchemaStore) -> None:
    chained(store, 6)
    found, read = linked(store), store.table(NAME).versions()
    assert [(one.version.number, one.version.digest, one.version.schema.content) for one in found] == [
        (one.number, one.digest, one.schema.content) for one in read
    ]
    assert [one.follows for one in found] == [False, True, True, True, True, True]


@pytest.mark.parametrize("number", [0, 2, 5])
def test_a_version_that_was_touched_is_looked_at_as_a_whole(store: SchemaStore, number: int) -> None:
    chained(store, 6)
    path = schemas(store) / f"schema-{number}"
    path.write_text(path.read_text().replace('"note"', '"n0te"'))
    expected = {one.rule for one in store.table(NAME).inspect().findings}
    assert {rule for rule in rules(store) if not rule.startswith("FIELD")} == expected
    assert bool(expected) is (number < 5)  # nothing stands on the newest one


def test_columns_are_decoded_once_and_say_what_they_say_by_themselves(store: SchemaStore) -> None:
    store.create_table(NAME, "id BIGINT, note STRING COMMENT 'ends in }, {', deep ROW<a ROW<b INT>>, last STRING")
    for change in (
        "ADD COLUMN more STRING",
        "RENAME COLUMN more TO other",
        "ADD COLUMN again STRING",
        "DROP COLUMN again",
        "DROP COLUMN other",
        "RENAME COLUMN id TO number",
        "ALTER COLUMN note COMMENT 'ends in }, { and more'",
        "ADD COLUMN deep.c STRING",
        "ADD COLUMN first STRING FIRST",
    ):
        store.table(NAME).evolve(change, override="a test")
    found, read = linked(store), store.table(NAME).versions()
    assert [link.follows for link in found] == [False, *[True] * 9]
    assert [(link.version.digest, link.version.schema.content) for link in found] == [(one.digest, one.schema.content) for one in read]


def forged_chain(store: SchemaStore, number: int, old: bytes, new: bytes) -> None:
    """A version that somebody wrote over, and after it versions that name each other's digests, as one who can read would write them."""
    folder = schemas(store)
    for place in range(number, len(list(folder.iterdir()))):
        path = folder / f"schema-{place}"
        before = path.read_bytes()
        after = before.replace(old, new)
        path.write_bytes(after)
        old, new = file_digest(before).encode(), file_digest(after).encode()  # as the next version names them


UNSOUND = [
    (b'"name" : "note"', b'"name" : 7'),
    (b'"name" : "note"', b'"nome" : "note"'),
    (b'"name" : "note"', b'"name" : "n\xfft"'),
    (b'"partitionKeys" : [ ]', b'"partitionKeys" : [ 1 ]'),
    (b'"options" : { }', b'"options" : [ ]'),
    (b'"id" : 1,', b'"id" : "one",'),
    (b'"type" : "STRING"\n  } ]', b'"type" : "STRING"\n  } , ]'),
    (b'"type" : "STRING"\n  } ]', b'"type" : "STRING"\n  }, 7 ]'),
    (b'"type" : "STRING"\n  } ]', b'"type" : "STRING"\n  } {} ]'),
]


@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize(("old", "new"), UNSOUND)
def test_a_version_that_nobody_can_read_is_told_though_the_next_one_names_its_digest(
    store: SchemaStore, number: int, old: bytes, new: bytes
) -> None:
    chained(store, 4)
    assert asked(store).rows == ()
    forged_chain(store, number, old, new)
    assert new in (schemas(store) / f"schema-{number}").read_bytes()
    assert {(row.rule, row.path) for row in asked(store).rows} >= {("TABLE_UNREAD", f"version {number}")}


def test_a_digest_that_is_nearly_the_one_that_is_named_is_not_it(store: SchemaStore) -> None:
    chained(store, 4)
    path = schemas(store) / "schema-2"
    path.write_bytes(path.read_bytes() + b" ")
    assert [link.follows for link in linked(store)] == [False, True, True, False]
    assert "SCHEMA_FILE_MUTATED" in rules(store)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"id": 2}', "\x00", '{"id": 2, "id": 2}', "[" * 10_000])
def test_no_bytes_end_the_audit(store: SchemaStore, content: str) -> None:
    chained(store, 4)
    (schemas(store) / "schema-2").write_text(content)
    rows = asked(store).rows
    assert {(one.rule, one.path, one.version) for one in rows if one.rule == "TABLE_UNREAD"} == {("TABLE_UNREAD", "version 2", 2)}


def test_a_newest_version_that_cannot_be_read_does_not_hide_those_before_it(store: SchemaStore) -> None:
    chained(store, 4)
    (schemas(store) / "schema-4").write_text("{")
    (schemas(store) / "schema-1").write_text("{")
    assert [one.path for one in asked(store).rows if one.rule == "TABLE_UNREAD"] == ["version 4", "version 1"]


def test_mini_paimons_files_are_read_with_what_stands_beside_them(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "mini", layout="mini-paimon")
    store.create_table(NAME, "id BIGINT NOT NULL, note STRING")
    store.table(NAME).evolve("ADD COLUMN more STRING")
    found = asked(store)
    assert (found.rows, found.versions) == ((), 2)


# ---------------------------------------------------------------- places


def test_a_table_that_vanishes_meanwhile_is_no_finding_and_is_not_counted(store: SchemaStore) -> None:
    chained(store, 2)
    (target,) = find_targets(store, "*", "*").tables
    store.drop_table(NAME)
    assert audit_table(store, target, Scope()) == TableAudit()


def test_a_folder_that_is_no_table_is_not_counted(store: SchemaStore) -> None:
    chained(store, 1)
    (Path(store.url) / "shop.db/notes").mkdir()
    assert asked(store, "shop.notes") == TableAudit()


def test_a_table_that_lies_at_two_places_is_told(store: SchemaStore) -> None:
    chained(store, 1)
    SchemaStore(store.url, layout="registry", registry=store.registry.url).create_table(NAME, "id BIGINT")
    (target,) = find_targets(store, "*", "*").tables
    assert set(target.layouts) == {Layout.PAIMON, Layout.REGISTRY}
    (row,) = asked(store).rows
    assert (row.rule, row.fault) == ("TABLE_UNREAD", "table.twice")


class Closed:
    """A storage that answers every question about some folders with a refusal."""

    def __init__(self, files: Any, *folders: str) -> None:
        self.files, self.folders = files, folders

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)

    def list(self, folder: str) -> Any:
        if folder in self.folders:
            message = f"{folder} is closed."
            raise StorageError(message, code="storage.forbidden", path=folder, fix="Open it.")
        return self.files.list(folder)


def test_what_the_storage_refuses_is_a_finding_about_the_table_or_the_database(store: SchemaStore) -> None:
    chained(store, 1)
    store.create_table("web.clicks", "id BIGINT")
    store._roots.warehouse = Closed(store.warehouse, "shop.db/orders/schema", "web.db")
    found = find_targets(store, "*", "*")
    assert [(one.table, one.rule, one.fault) for one in found.unread] == [("web.*", "TABLE_UNREAD", "storage.forbidden")]
    assert [(one.rule, one.fault) for one in audit_table(store, found.tables[0], Scope()).rows] == [("TABLE_UNREAD", "storage.forbidden")]


def test_what_breaks_the_audit_itself_is_a_finding(store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    chained(store, 1)
    monkeypatch.setattr(Versions, "entries", lambda _: 1 / 0)
    (row,) = audit_table(store, AuditTarget(table_name(NAME), (Layout.PAIMON,)), Scope()).rows
    assert (row.rule, row.fault) == ("TABLE_UNREAD", "audit.failed")
    assert "ZeroDivisionError" in row.message


# ---------------------------------------------------------------- bounds


def test_a_history_without_end_is_read_in_bounded_memory(store: SchemaStore) -> None:
    columns = [(number, f"c{number}", "STRING") for number in range(9)]
    of_strangers(store, *([columns, columns[1:]] * 500))
    asked(store)
    tracemalloc.start()
    assert asked(store).versions == 1_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12_000_000


def test_no_table_fills_the_findings(store: SchemaStore) -> None:
    columns = [(number, f"c{number}", "BIGINT") for number in range(700)]
    of_strangers(store, columns, [(number, name, "INT") for number, name, _ in columns])
    rows = asked(store).rows
    assert len(rows) == 501
    assert rows[-1].message == "200 more findings about this table are not listed."


class Going:
    """A storage from which a table is taken between the listing and the reading of it."""

    def __init__(self, files: Any) -> None:
        self.files, self.lists = files, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)

    def list(self, folder: str) -> Any:
        self.lists += 1
        return self.files.list(folder) if self.lists == 1 else []

    def read_many(self, paths: Any, limit: int = 0) -> Any:
        return {path: NotThereError(f"{path} is gone.") for path in paths}


def test_a_table_that_goes_while_it_is_read_is_not_counted_and_not_asked_for_again_and_again(store: SchemaStore) -> None:
    chained(store, 20)
    files = Going(store.warehouse)
    assert audit_table(store, AuditTarget(table_name(NAME), (Layout.PAIMON,)), Scope(), files=files) == TableAudit()
    assert files.lists <= 3
