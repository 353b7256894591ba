"""What is wrong with metadata that can be read: `inspect` says it, and a schema that two may be is no answer."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import FormatError
from tests.store.mounts.iceberg.support.lakes import Lake, append, metadata_files


def spoiled(lake: Lake, **changes: Any) -> None:
    place = metadata_files(lake.folder)[-1]
    place.write_text(json.dumps(json.loads(place.read_text()) | changes))


def test_sound_metadata_are_sound(sql: Lake) -> None:
    sql.create()
    assert sql.look().findings() == ()


def test_two_schemas_of_one_id_are_found_and_neither_is_taken(sql: Lake) -> None:
    from pyiceberg.types import LongType

    # What pyiceberg 0.12 does by itself when a change that was prepared meets another one that came and went.
    sql.create()
    stale = sql.writer.load_table("shop.orders").update_schema().add_column("opt_in", LongType())
    sql.change(lambda update: update.add_column("salary", LongType()))
    append(sql.writer.load_table("shop.orders"))
    sql.change(lambda update: update.delete_column("salary"))
    stale.commit()
    look = sql.look()
    (finding,) = look.findings()
    assert (finding.fault, finding.verdict, finding.versions) == ("iceberg.schema-id-twice", Verdict.BREAK, (1,))
    with pytest.raises(FormatError) as caught:
        look.version(look.head)
    assert caught.value.code == "iceberg.schema-id-twice"


def test_a_last_column_id_that_is_too_small_is_found(sql: Lake) -> None:
    sql.create()
    spoiled(sql, **{"last-column-id": 2})
    (finding,) = sql.look().findings()
    assert (finding.fault, finding.verdict) == ("iceberg.low-last-column-id", Verdict.BREAK)
    assert "3" in finding.message


def test_a_current_schema_that_is_not_there_is_an_error(sql: Lake) -> None:
    sql.create()
    spoiled(sql, **{"current-schema-id": 4})
    with pytest.raises(FormatError):
        sql.look()


def test_a_type_that_was_narrowed_is_found_and_one_that_was_widened_is_not(sql: Lake) -> None:
    from pyiceberg.types import DecimalType

    sql.create()
    sql.change(lambda update: update.update_column("amount", DecimalType(12, 2)))
    assert sql.look().findings() == ()
    sql.narrow()
    (finding,) = sql.look().findings()
    assert (finding.fault, finding.verdict, finding.path) == ("iceberg.refused-type-change", Verdict.WARN, "order_id")
    assert (finding.old, finding.new, finding.versions) == ("long", "int", (1, 0))


def test_a_return_to_the_narrower_type_is_found_too(sql: Lake) -> None:
    from pyiceberg.table.update import SetCurrentSchemaUpdate
    from pyiceberg.types import DecimalType

    sql.create()
    sql.change(lambda update: update.update_column("amount", DecimalType(12, 2)))
    sql.writer.commit_table(sql.writer.load_table("shop.orders"), (), (SetCurrentSchemaUpdate(schema_id=0),))
    (finding,) = sql.look().findings()
    assert (finding.path, finding.old, finding.versions) == ("amount", "decimal(12, 2)", (1,))
