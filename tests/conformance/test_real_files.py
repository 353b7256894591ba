"""Schema files that Java Paimon wrote are read as they are, and written as they were."""

import json
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import pytest

from airflow_provider_schemas.core import TableSchema, diff, evolve
from tests.conformance import real_files, rows
from tests.conformance.paimon.groups import as_held
from tests.conformance.real_files import RealFile

every_file = pytest.mark.parametrize("file", real_files.read(), ids=attrgetter("name"))


@every_file
def test_a_file_is_held_as_it_is_and_written_back(file: RealFile, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", "real schema files")
    schema = TableSchema.from_json(file.text)
    assert as_held(schema) == json.loads(file.text)
    assert json.loads(schema.to_json()) == json.loads(file.text)
    if file.laid_out:
        assert schema.to_json() == file.text


def real(name: str) -> TableSchema:
    return TableSchema.from_json((rows.OWN / "real" / f"{name}.json").read_bytes())


def test_the_changes_between_two_versions_are_found_and_lead_from_one_to_the_other() -> None:
    # Five new types, a dropped and an added column, a moved one, and two columns that have swapped their names.
    old, new = real("F01"), real("F02")
    found = diff(old, new)
    assert not found.remainder
    after = evolve(old, found.changes)
    assert (after.id, after.digest) == (new.id, new.digest)


def test_key_columns_that_swap_their_names_need_a_version_for_each_step() -> None:
    old, new = real("F03"), real("F04")
    assert diff(old, new).remainder
    for name, new_name in (("k1", "tmp"), ("k0", "k1"), ("tmp", "k0")):
        old = evolve(old, [f"RENAME COLUMN {name} TO {new_name}"])
    found = diff(old, new)
    assert not found.remainder
    after = evolve(old, found.changes)
    assert (after.id, after.digest) == (new.id, new.digest)


def test_a_folder_without_such_files_is_no_failure(tmp_path: Path) -> None:
    assert real_files.read(tmp_path) == []


def test_files_are_also_read_from_a_page(tmp_path: Path) -> None:
    page = 'Words.\n\n**F01** `a/schema-0` \u2014 what it is\n\n```json\n{"id":0}\n```\n\n**F02** `b`\n\n```json\n{"id":1}\n```\n'
    (tmp_path / "real_schema_files.md").write_text(page, "utf-8")
    assert real_files.read(tmp_path) == [
        RealFile("real_schema_files-F01", '{"id":0}', False),
        RealFile("real_schema_files-F02", '{"id":1}', False),
    ]
