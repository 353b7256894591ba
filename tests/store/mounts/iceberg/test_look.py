"""What pyiceberg does to a table is seen through the mount, whatever catalog keeps it."""

from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError, NotThereError, StorageError
from airflow_provider_schemas.store import IcebergMount
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, append, create, names, numbers


def test_every_change_is_seen_with_the_ids_of_the_columns(lake: Lake) -> None:
    from pyiceberg.types import StringType

    lake.create()
    assert (lake.look().head, names(lake.look())) == (0, ["order_id", "cust", "amount"])
    lake.change(lambda update: update.rename_column("cust", "customer"))
    lake.change(lambda update: update.add_column("note", StringType()))
    lake.change(lambda update: update.delete_column("amount"))
    look = lake.look()
    assert (look.head, look.numbers, names(look)) == (3, (0, 1, 2, 3), ["order_id", "customer", "note"])
    assert {field.name: field.id for field in look.version(3).schema.fields} == {"order_id": 1, "customer": 2, "note": 4}
    assert look.version(2).schema.id == look.version(2).number == 2
    assert [head.digest for head in look.heads().entries] == [look.version(number).digest for number in range(4)]


def test_a_head_that_goes_back_to_an_old_schema_is_the_head(lake: Lake) -> None:
    from pyiceberg.types import StringType

    lake.create()
    lake.change(lambda update: update.add_column("note", StringType()))
    lake.change(lambda update: update.delete_column("note"))
    look = lake.look()
    assert (look.head, look.numbers) == (0, (0, 1))
    heads = look.heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([0, 1, 0], True)
    moments = [head.moment or 0 for head in heads.entries]
    assert moments == sorted(moments)
    assert moments[0] > 0


def test_a_narrowing_that_the_library_refuses_and_another_writer_makes_is_seen(lake: Lake) -> None:
    lake.create()
    lake.narrow()
    look = lake.look()
    assert [look.version(number).schema.fields[0].wire for number in look.numbers] == ["BIGINT NOT NULL", "INT NOT NULL"]


def test_a_table_that_was_dropped_and_made_again_is_another_table(lake: Lake) -> None:
    lake.create()
    lake.change(lambda update: update.rename_column("cust", "customer"))
    old = lake.look()
    lake.writer.drop_table((NAMESPACE, "orders"))
    if not lake.mount.url.startswith("file"):  # a folder stays where its table was dropped
        assert lake.mount.look("orders", old) is None
    lake.create()
    new = lake.look(known=old)
    assert (new.head, names(new)) == (0, ["order_id", "cust", "amount"])
    assert new.table_id != old.table_id
    assert ({head.table_id for head in new.heads().entries}, new.heads().whole) == ({new.table_id}, True)


def test_a_look_that_is_known_comes_back_as_long_as_nothing_changed(lake: Lake) -> None:
    lake.create()
    first = lake.look()
    assert lake.look(known=first) is first
    lake.change(lambda update: update.rename_column("cust", "customer"))
    second = lake.look(known=first)
    assert (second.head, second.mark == first.mark) == (1, False)


def test_rows_move_the_mark_and_leave_the_digest(lake: Lake) -> None:
    lake.create()
    first = lake.look()
    lake.append()
    second = lake.look(known=first)
    assert second.mark != first.mark
    assert second.version(second.head).digest == first.version(first.head).digest
    assert numbers(second) == [0]


@pytest.mark.parametrize("version", ["1", "2"])  # pyiceberg 0.12 writes no third
def test_every_version_of_the_format_that_pyiceberg_writes_is_read(sql: Lake, version: str) -> None:
    table = sql.create(properties={"format-version": version})
    assert table.metadata.format_version == int(version)
    sql.append()
    sql.change(lambda update: update.rename_column("cust", "customer"))
    look = sql.look()
    assert (names(look), numbers(look), look.heads().whole) == (["order_id", "customer", "amount"], [0, 1], True)
    assert look.live().numbers == frozenset({0})


def test_all_catalogs_say_the_same_of_a_table(rested: Lake, rest: Any) -> None:
    rested.create()
    rested.append()
    rested.change(lambda update: update.rename_column("cust", "customer"))
    others = (IcebergMount(rest.behind, NAMESPACE), IcebergMount(rested.folder), IcebergMount(f"{rested.folder}/orders"))
    looks = [rested.look(), *(Lake(None, other, "").look() for other in others)]
    for look in looks:
        assert (look.head, look.numbers, look.table_id, look.location) == (1, (0, 1), looks[0].table_id, looks[0].location)
        assert (look.heads(), look.live()) == (looks[0].heads(), looks[0].live())
        assert [look.version(number) for number in look.numbers] == [looks[0].version(number) for number in looks[0].numbers]


def test_a_table_that_is_not_there_is_none(lake: Lake) -> None:
    lake.create()
    assert lake.mount.look("nothing") is None
    with pytest.raises(NotThereError, match="no schema 7"):
        lake.look().version(7)


def test_tables_are_listed_as_the_catalog_has_them(lake: Lake) -> None:
    for name in ("orders", "Orders", "größen", "with blank", "pay.ments"):
        lake.create(name)
    assert lake.mount.tables() == tuple(sorted(("orders", "Orders", "größen", "with blank", "pay.ments")))
    assert names(lake.look("pay.ments")) == names(lake.look("größen"))


def test_columns_may_have_names_that_paimon_would_refuse(sql: Lake) -> None:
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField

    odd = ["a.b", "A.b", "größe", "_KEY_x", "", "x" * 300]
    schema = Schema(*(NestedField(number, name, LongType()) for number, name in enumerate(odd, 1)))
    sql.writer.create_table((NAMESPACE, "odd"), schema)
    assert names(sql.look("odd")) == odd


def test_branches_have_the_schema_of_the_table(lake: Lake) -> None:
    table = lake.create()
    append(table)
    snapshot = table.current_snapshot().snapshot_id
    table.manage_snapshots().create_branch(snapshot, "audit").create_tag(snapshot, "v1").commit()
    lake.change(lambda update: update.rename_column("cust", "customer"))
    look = lake.look()
    assert (look.branches, look.head) == (("audit",), 1)


def test_the_catalog_is_part_of_the_name_in_sql(sql: Lake, folder: Lake) -> None:
    assert sql.mount.engine_names("orders")["trino"] == ("sql", "shop", "orders")
    assert IcebergMount(sql.writer, "prod.shop", name="lake").engine_names("o")["spark-iceberg"] == ("lake", "prod", "shop", "o")
    assert folder.mount.engine_names("orders")["spark-iceberg"] == ("orders",)


def test_the_name_of_a_sql_catalog_is_part_of_what_it_keeps(sql: Lake, tmp_path: Any) -> None:
    from pyiceberg.catalog.sql import SqlCatalog

    create(sql.writer)
    other = SqlCatalog("another", uri=f"sqlite:///{tmp_path}/catalog.db")
    with pytest.raises(StorageError, match="another/shop has no namespace 'shop'"):
        IcebergMount(other, NAMESPACE).look("orders")


@pytest.mark.parametrize(
    ("catalog", "namespace"), [(5, "shop"), ("  ", None), (None, "shop"), (lambda: None, None), (lambda: None, "a..b")]
)
def test_what_is_no_catalog_or_no_namespace_is_refused_at_once(catalog: Any, namespace: Any) -> None:
    with pytest.raises(FormatError) as caught:
        IcebergMount(catalog, namespace)
    assert caught.value.fix


def test_a_function_that_opens_no_catalog_is_told_so() -> None:
    with pytest.raises(FormatError, match="NoneType is no catalog"):
        IcebergMount(lambda: None, "shop").look("orders")
