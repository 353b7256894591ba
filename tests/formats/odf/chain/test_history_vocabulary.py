"""What the system columns of a chain are called: as the last SetVocab before a schema says, and as usual before there is one."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats import odf
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary
from tests.support.command_line import typed
from tests.support.odf_blocks import block, vocabulary_block

NAMED = Vocabulary("number", "change", "written", "happened")


def a_schema(columns: int) -> SetDataSchema:
    fields = (odf.DataField(f"c{number}", odf.type_of({"kind": "Option", "inner": "Int8"})) for number in range(columns))
    return SetDataSchema(odf.with_system_columns(odf.DataSchema(tuple(fields)), NAMED))


def laid_out(folder: Path, events: Sequence[SetDataSchema | tuple[str | None, ...]]) -> str:
    blocks: list[MetadataBlock] = []
    (folder / "blocks").mkdir()
    for number, event in enumerate(events):
        before = blocks[-1].hash if blocks else None
        raw = vocabulary_block(event, number, before) if isinstance(event, tuple) else block(event, number, before).raw
        blocks.append(read_block(raw))
        (folder / "blocks" / str(blocks[-1].hash)).write_bytes(raw)
    return str(folder)


def test_each_schema_knows_the_names_of_its_time(tmp_path: Path) -> None:
    events: Sequence[SetDataSchema | tuple[str | None, ...]] = [
        a_schema(1),
        tuple(NAMED),
        a_schema(2),
        a_schema(3),
        ("o", None, None, None),
        a_schema(4),
    ]
    chain = odf.read_chain(laid_out(tmp_path, events))
    assert [one.vocabulary for one in chain.schemas] == [Vocabulary(), NAMED, NAMED, Vocabulary("o")]


def test_columns_that_a_chain_renames_are_not_missed(tmp_path: Path) -> None:
    place = laid_out(tmp_path, [tuple(NAMED), a_schema(1), a_schema(2)])
    (tmp_path / "new.yaml").write_text("fields: []")
    assert "system column" not in typed("check", place).out
    assert "system column number is not there" in typed("check", place, str(tmp_path / "new.yaml")).out


def test_names_that_a_chain_gave_after_its_last_schema_hold_for_the_next_one(tmp_path: Path) -> None:
    place = laid_out(tmp_path, [a_schema(1), tuple(NAMED)])
    assert odf.read_chain(place).vocabulary == NAMED
    (tmp_path / "new.yaml").write_text("fields: []")
    assert "system column number is not there" in typed("check", place, str(tmp_path / "new.yaml")).out


def test_a_vocabulary_that_is_no_text_is_told_with_its_block(tmp_path: Path) -> None:
    place = laid_out(tmp_path, [a_schema(1)])
    raw = vocabulary_block(tuple(NAMED), 1, odf.read_chain(place).head).replace(b"number", b"num\xff\xffr")
    (tmp_path / "blocks" / str(read_block(raw).hash)).write_bytes(raw)
    with pytest.raises(FormatError, match="no UTF-8") as refused:
        odf.read_chain(place)
    assert (refused.value.path or "").startswith("blocks[1].event")
