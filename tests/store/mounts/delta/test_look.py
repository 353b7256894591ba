"""What a look at a Delta table finds: its schemas by the versions that brought them, its columns by id, and who says what."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types import field_ids
from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.store import DeltaMount
from tests.store.mounts.delta.support.logs import MAPPED, Log, added, column, info, mapped, metadata, names, numbers, protocol, struct


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def test_a_version_that_brings_other_columns_is_a_schema(log: Log) -> None:
    log.create()
    log.data(2)
    log.commit(
        info("ADD COLUMNS", 1_700_000_000_500, userName="ana"), metadata(column("id"), column("cust", "string"), column("at", "date"))
    )
    log.data()
    look = log.look()
    assert (look.head, look.numbers, numbers(look), names(look), names(look, 0)) == (
        3,
        (0, 3),
        [0, 3],
        ["id", "cust", "at"],
        ["id", "cust"],
    )
    assert look.heads().whole
    assert [(head.moment, head.origin) for head in look.heads().entries] == [
        (1_700_000_000_000, "CREATE TABLE"),
        (1_700_000_000_500, "ana, ADD COLUMNS"),
    ]


def test_properties_and_marks_of_identity_columns_are_no_new_schema(log: Log) -> None:
    log.create(column("id", **{"delta.identity.highWaterMark": 1}))
    log.commit(metadata(column("id", **{"delta.identity.highWaterMark": 2}), configuration={"delta.appendOnly": "true"}))
    log.commit(metadata(column("id", comment="the key")))
    look = log.look()
    assert look.numbers == (0, 2)
    assert look.version(2).schema.fields[0].description == "the key"


def test_a_look_that_finds_nothing_new_is_the_known_one_and_one_that_does_reads_the_rest(log: Log) -> None:
    log.create()
    look = log.look()
    assert log.look(look) is look
    log.data()
    second = log.look(look)
    assert (second is look, second.head, second.mark == look.mark) == (False, 0, False)
    log.commit(metadata(column("id")))
    before = log.mount.count.snapshot()
    third = log.look(second)
    assert (third.head, names(third), names(second)) == (2, ["id"], ["id", "cust"])
    assert [now - then for now, then in zip(log.mount.count.snapshot(), before, strict=True)] == [1, 1, 0]


def test_a_table_that_was_made_again_is_another_one(log: Log) -> None:
    log.create()
    log.data()
    look = log.look()
    log.clean(2)
    assert log.mount.look("orders", look) is None
    log.next = 0
    log.create(column("x"), id="another")
    log.data()
    again = log.look(look)
    assert (again.table_id, look.table_id == again.table_id, names(again)) == ("another", False, ["x"])


def test_columns_go_by_their_names_where_nothing_else_is_known(log: Log) -> None:
    log.create(column("id"), column("Cust", "string"), column("s", struct(column("a"))))
    log.commit(metadata(column("s", struct(column("b"), column("a"))), column("cust", "string"), column("id")))
    look = log.look()
    before = {field.name.lower(): field for field in look.version(0).schema.fields}
    after = {field.name: field for field in look.version(1).schema.fields}
    assert {name: field.id for name, field in before.items()} == {name: field.id for name, field in after.items()}
    assert field_ids.all_ids([before["s"]])[1] == field_ids.all_ids([after["s"]])[2]
    assert len({field.id for field in look.version(1).schema.fields}) == 3


def test_mapped_columns_keep_their_ids_through_a_rename(log: Log) -> None:
    log.create(mapped("id", 1), mapped("cust", 2, "col-7f"), configuration=MAPPED)
    log.commit(metadata(mapped("id", 1), mapped("customer", 2, "col-7f"), configuration=MAPPED))
    look = log.look()
    assert [(field.id, field.name) for field in look.version(1).schema.fields] == [(1, "id"), (2, "customer")]
    assert look.version(1).schema.attributes(2) == {"physical_name": "col-7f"}
    assert (look.version(1).schema.highest_field_id, look.findings()) == (9, ())


def test_a_table_that_is_mapped_later_has_the_same_columns(log: Log) -> None:
    log.create()
    log.commit(protocol(2, 5), metadata(mapped("id", 1), mapped("cust", 2, kind="string"), configuration=MAPPED))
    look = log.look()
    assert look.numbers == (0, 1)
    assert [field.id for field in look.version(0).schema.fields] == [field.id for field in look.version(1).schema.fields] == [1, 2]


def test_ids_of_a_table_that_maps_nothing_do_not_count(log: Log) -> None:
    log.create(mapped("id", 1), mapped("cust", 1))
    assert len({field.id for field in log.look().version(0).schema.fields}) == 2
    assert log.look().findings() == ()


@pytest.mark.parametrize(
    ("columns", "settings", "faults"),
    [
        ([mapped("id", 1), column("cust", **{"delta.columnMapping.id": 2})], MAPPED, {"delta.no-physical-name"}),
        ([column("id"), column("cust")], MAPPED, {"delta.no-physical-name", "delta.no-column-id"}),
        ([mapped("id", 1), mapped("cust", 1)], MAPPED, {"delta.column-id-twice"}),
        ([mapped("id", 1), mapped("s", 2, kind=struct(mapped("a", 1)))], MAPPED, {"delta.column-id-twice"}),
        ([mapped("id", 10)], MAPPED, {"delta.low-max-column-id"}),
        ([mapped("id", 10)], {"delta.columnMapping.mode": "id"}, {"delta.low-max-column-id"}),
        ([mapped("id", 1), mapped("cust", 2)], MAPPED, set()),
    ],
)
def test_what_is_wrong_with_the_mapping_is_found_and_the_schema_is_read(
    log: Log, columns: list[dict[str, object]], settings: dict[str, str], faults: set[str]
) -> None:
    log.create(*columns, configuration=settings)
    look = log.look()
    assert {finding.fault for finding in look.findings()} == faults
    assert len(names(look)) == len(columns)
    assert len({field.id for field in look.version(0).schema.fields}) == len(columns)


def test_an_unknown_feature_is_told_and_the_schema_is_read_all_the_same(log: Log) -> None:
    log.commit(protocol(3, 7, "columnMapping", "frobnicate"), metadata(column("id"), column("g", "frob<3>")))
    look = log.look()
    (finding,) = look.findings()
    assert (finding.fault, "frobnicate" in finding.message, "columnMapping" in finding.message) == ("delta.unknown-feature", True, False)
    assert str(look.version(0).schema.fields[1].type) == "OPAQUE('frob<3>')"


@pytest.mark.parametrize("feature", ["catalogManaged", "catalogOwned-preview"])
def test_a_table_that_its_catalog_manages_is_refused_by_name(log: Log, feature: str) -> None:
    log.create()
    look = log.look()
    log.commit(protocol(3, 7, feature))
    for known in (None, look):
        with pytest.raises(FormatError) as caught:
            log.look(known)
        assert caught.value.code == "delta.catalog-managed"
        assert feature in str(caught.value)
        assert "Iceberg REST" in caught.value.fix


def test_widenings_are_kept_with_the_column(log: Log) -> None:
    changes = [{"fromType": "integer", "toType": "long"}]
    log.create(column("id", "integer"))
    log.commit(metadata(column("id", "long", **{"delta.typeChanges": changes})))
    schema = log.look().version(1).schema
    assert (str(schema.fields[0].type), schema.attributes(schema.fields[0].id)) == ("BIGINT", {"type_changes": changes})


def test_partition_columns_are_the_keys_of_the_partitions(log: Log) -> None:
    log.create(column("id"), column("day", "date"), partitionColumns=["day"], description="the orders")
    schema = log.look().version(0).schema
    assert (schema.partition_keys, schema.primary_keys, schema.comment) == (("day",), (), "the orders")
    assert schema.table_attributes == {"format": "delta", "location": str(log.folder.parent)}
    log.commit(metadata(column("id"), column("day", "date")))
    assert log.look().numbers == (0, 1)


def test_a_change_of_a_collation_is_seen(log: Log) -> None:
    log.create(column("name", "string"))
    log.commit(metadata(column("name", "string", __COLLATIONS={"name": "ICU.UNICODE_CI"})))
    look = log.look()
    old, new = (Version(number, look.version(number).digest, look.version(number).schema) for number in (0, 1))
    assert "TYPE_CHANGED" in {finding.rule for finding in check(old, new).findings}


def test_nobody_knows_the_schemas_of_the_files(log: Log) -> None:
    log.create()
    assert log.look().live().numbers is None
    assert log.look().branches == ()


def test_a_schema_that_was_never_there_is_not_there(log: Log) -> None:
    log.create()
    log.data()
    for number in (1, 2, -1):
        with pytest.raises(NotThereError):
            log.look().version(number)


def test_tables_are_the_folders_with_a_log(tmp_path: Path) -> None:
    Log(tmp_path, "orders").create()
    Log(tmp_path, "eta").create()
    Log(tmp_path, "empty")
    (tmp_path / "other" / "files").mkdir(parents=True)
    mount = DeltaMount(str(tmp_path))
    assert mount.tables() == ("eta", "orders")
    assert [mount.look(name) for name in ("empty", "other", "nothing", "", "..", "a/b")] == [None] * 6
    one = DeltaMount(f"file://{tmp_path}/orders/")
    assert (one.tables(), one.look("orders") is not None, one.look("eta")) == (("orders",), True, None)


def test_engines_call_a_table_by_its_address_or_by_the_name_of_its_database(log: Log) -> None:
    log.create()
    assert log.mount.engine_names("orders")["spark-delta"] == ("delta", str(log.folder.parent))
    named = DeltaMount("s3://user:secret@lake/shop", "prod.shop")
    assert dict(named.engine_names("orders")) == {"spark-delta": ("prod", "shop", "orders"), "trino": ("prod", "shop", "orders")}
    assert "secret" not in f"{named.url} {named.identity} {named!r}"


@pytest.mark.parametrize("url", ["", "  ", None, 3])
def test_a_mount_needs_an_address(url: object) -> None:
    with pytest.raises(FormatError) as caught:
        DeltaMount(url)  # type: ignore[arg-type]
    assert caught.value.code == "mount.no-address"


def test_a_mount_goes_to_another_process_and_looks_for_itself(log: Log) -> None:
    log.create()
    log.look()
    other = pickle.loads(pickle.dumps(log.mount))
    assert (other.count.snapshot(), other.identity) == ((0, 0, 0), log.mount.identity)
    assert other.look("orders").head == 0


def test_most_lines_of_a_commit_are_not_read(log: Log) -> None:
    log.create()
    log.path(1).write_text('{"add": no JSON at all}\n' * 3 + json.dumps(metadata(column("x"))) + "\n" + json.dumps(added()))
    assert names(log.look()) == ["x"]


def test_threads_that_share_a_look_read_the_past_once(log: Log) -> None:
    log.create()
    log.data(5)
    log.checkpoint(4, protocol(), metadata(column("id"), column("cust", "string")))
    look = log.look()
    before = log.mount.count.snapshot()
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: look.heads(), range(64)))
    assert all(answer == answers[0] for answer in answers)
    assert [now - then for now, then in zip(log.mount.count.snapshot(), before, strict=True)] == [0, 5, 0]


def test_any_storage_that_fsspec_reaches_has_tables(log: Log) -> None:
    import fsspec

    log.create()
    log.data()
    memory = fsspec.filesystem("memory")
    for file in log.folder.iterdir():
        memory.pipe_file(f"/delta-lake/shop/orders/_delta_log/{file.name}", file.read_bytes())
    for mount in (DeltaMount("memory://delta-lake/shop"), DeltaMount("delta-lake/shop", fs=memory)):
        look = mount.look("orders")
        assert look is not None
        assert (mount.tables(), look.head, mount.look("orders", look) is look) == (("orders",), 0, True)
    memory.rm("/delta-lake", recursive=True)
