"""Has a table moved since it was seen? And what somebody else did to its history is noticed."""

import json
import shutil
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.table import Table
from tests.support.stores import lake, orders


def grown(folder: Path, versions: int = 3) -> Table:
    table = orders(lake(folder))
    for number in range(1, versions):
        table.evolve(f"ADD COLUMN c{number} INT")
    return table


def schema_folder(folder: Path) -> Path:
    return folder / "lake/shop.db/orders/schema"


def rules(table: Table, seen: object) -> list[str]:
    return [finding.rule for finding in table.changed_since(seen).report.findings]  # type: ignore[arg-type]  # all forms


def test_nothing_has_come_since_the_newest(tmp_path: Path) -> None:
    table = grown(tmp_path)
    for seen in (2, table.latest(), (2, table.latest().digest)):
        moved = table.changed_since(seen)
        assert not moved
        assert (moved.head, moved.newer, moved.report.findings) == (2, (), ())


def test_what_came_since_is_told_in_order(tmp_path: Path) -> None:
    table = grown(tmp_path)
    seen = table.version(0)
    for known in (0, seen, (0, seen.digest)):
        moved = table.changed_since(known)
        assert moved
        assert (moved.head, moved.newer) == (2, (1, 2))


def test_a_table_that_was_taken_back_is_noticed(tmp_path: Path) -> None:
    table = grown(tmp_path)
    head = table.latest()
    (schema_folder(tmp_path) / "schema-2").unlink()
    for seen in (head, 2, (2, head.digest)):
        assert rules(table, seen) == ["VERSION_REWOUND"]
        assert table.changed_since(seen)


def test_a_known_number_with_another_digest_is_noticed(tmp_path: Path) -> None:
    table = grown(tmp_path)
    head = table.latest()
    (schema_folder(tmp_path) / "schema-2").unlink()
    lake(tmp_path).table("shop.orders").evolve("ADD COLUMN other INT")
    assert (table.latest().number, rules(table, head), rules(table, (2, head.digest))) == (2, ["VERSION_REWOUND"], ["VERSION_REWOUND"])
    assert rules(table, 2) == []


def test_a_table_that_was_taken_back_and_has_overtaken_is_seen_to_have_moved(tmp_path: Path) -> None:
    table = grown(tmp_path)
    head = table.latest()
    (schema_folder(tmp_path) / "schema-2").unlink()
    other = lake(tmp_path).table("shop.orders")
    other.evolve("ADD COLUMN x INT")
    other.evolve("ADD COLUMN y INT")
    assert table.changed_since(head).newer == (3,)
    assert {finding.rule for finding in table.inspect(head).findings} == {"VERSION_REWOUND"}


def test_a_file_that_was_changed_is_found_by_the_version_after_it(tmp_path: Path) -> None:
    grown(tmp_path)
    path = schema_folder(tmp_path) / "schema-1"
    path.write_text(path.read_text().replace("c1", "d1"))
    found = lake(tmp_path).table("shop.orders").inspect()
    assert {(finding.rule, finding.path) for finding in found.findings} >= {("SCHEMA_FILE_MUTATED", "version 1")}
    assert all(finding.fix for finding in found.findings)


def test_the_newest_file_that_was_changed_is_found_by_whoever_saw_it(tmp_path: Path) -> None:
    table = grown(tmp_path)
    seen = table.latest()
    path = schema_folder(tmp_path) / "schema-2"
    path.write_text(path.read_text() + " ")
    again = lake(tmp_path).table("shop.orders")
    assert again.inspect().findings == ()
    assert {finding.rule for finding in again.inspect(seen).findings} == {"SCHEMA_FILE_MUTATED", "VERSION_REWOUND"}


def test_a_branch_laid_over_the_table_is_found(tmp_path: Path) -> None:
    table = grown(tmp_path)
    branch = table.create_branch("b1", 0)
    for name in ("x", "y"):
        branch.evolve(f"ADD COLUMN {name} INT")
    other = tmp_path / "lake/shop.db/orders/branch/branch-b1/schema"
    shutil.copy(other / "schema-1", schema_folder(tmp_path) / "schema-1")
    found = lake(tmp_path).table("shop.orders").inspect()
    assert {"SCHEMA_FILE_MUTATED", "VERSION_NOT_SUCCESSOR"} & {finding.rule for finding in found.findings}


def test_a_sound_history_has_no_findings_and_says_what_is_gone(tmp_path: Path) -> None:
    table = grown(tmp_path, 6)
    assert (table.inspect().findings, table.inspect().notes) == ((), ())
    for number in (0, 2, 3):
        (schema_folder(tmp_path) / f"schema-{number}").unlink()
    assert table.inspect().notes == ("not there any more: version before 1, 2 to 3",)
    assert table.inspect().findings == ()


@pytest.mark.parametrize(
    ("gone", "note"),
    [
        ([1], "1"),
        ([1, 2], "1 to 2"),
        ([1, 2, 3], "1 to 3"),
        ([1, 3], "1, 3"),
        ([0], "before 1"),
        ([0, 1, 3, 4, 6], "before 2, 3 to 4, 6"),
        ([7], None),
    ],
)
def test_each_gap_is_told_by_its_first_and_last_number(tmp_path: Path, gone: list[int], note: str | None) -> None:
    table = grown(tmp_path, 8)
    for number in gone:
        (schema_folder(tmp_path) / f"schema-{number}").unlink()
    assert table.inspect().notes == (() if note is None else (f"not there any more: version {note}",))


def test_what_was_seen_before_a_gap_has_moved_and_nothing_else_is_said(tmp_path: Path) -> None:
    table = grown(tmp_path, 5)
    seen = table.version(1)
    (schema_folder(tmp_path) / "schema-2").unlink()
    assert (table.changed_since(seen).newer, rules(table, seen)) == ((3, 4), [])
    (schema_folder(tmp_path) / "schema-1").unlink()
    for known in (seen, 1, (1, seen.digest)):
        assert (table.changed_since(known).newer, rules(table, known)) == ((3, 4), [])
    assert table.inspect(seen).findings == ()


def test_a_file_that_was_changed_is_noticed_by_whoever_saw_it_though_versions_came_after_it(tmp_path: Path) -> None:
    table = grown(tmp_path)
    seen = table.version(1)
    path = schema_folder(tmp_path) / "schema-1"
    path.write_text(path.read_text() + " ")
    again = lake(tmp_path).table("shop.orders")
    assert again.changed_since((1, seen.digest)).newer == (2,)
    assert rules(again, (1, seen.digest)) == ["VERSION_REWOUND"]
    assert {finding.rule for finding in again.inspect(seen).findings} == {"SCHEMA_FILE_MUTATED", "VERSION_REWOUND", "VERSION_NOT_SUCCESSOR"}


def by_somebody_else(table: Table, folder: Path, number: int) -> None:
    """Write a version as an outside writer does, who says nothing of its origin."""
    value = json.loads(table.schema().to_json())
    del value["schemas"]
    (schema_folder(folder) / f"schema-{number}").write_text(json.dumps(value | {"id": number}))


def test_a_changed_file_before_a_version_of_somebody_else_is_noticed(tmp_path: Path) -> None:
    """That version does not say on which file it stands."""
    table = grown(tmp_path)
    seen = table.version(1)
    path = schema_folder(tmp_path) / "schema-1"
    path.write_text(path.read_text() + " ")
    by_somebody_else(table, tmp_path, 2)
    found = lake(tmp_path).table("shop.orders").inspect(seen)
    assert {finding.rule for finding in found.findings} == {"SCHEMA_FILE_MUTATED", "VERSION_REWOUND"}


def test_who_else_writes_here_is_told(tmp_path: Path) -> None:
    table = grown(tmp_path, 2)
    by_somebody_else(table, tmp_path, 2)
    assert table.inspect().notes == ("by an outside writer: version 2",)


def test_a_table_that_is_written_by_others_only_is_told_so(tmp_path: Path) -> None:
    table = grown(tmp_path, 1)
    by_somebody_else(table, tmp_path, 0)
    assert lake(tmp_path).table("shop.orders").inspect().notes == ("every version is by an outside writer",)


def test_a_table_that_went_away_is_not_there(tmp_path: Path) -> None:
    table = grown(tmp_path)
    shutil.rmtree(tmp_path / "lake/shop.db/orders")
    for ask in (lambda: table.changed_since(2), table.latest, table.inspect):
        with pytest.raises(NotThereError):
            ask()


@pytest.mark.parametrize("seen", [None, "2", "ab", b"x", (), (1,), (1, 2), (1, "a", 2), 1.0, [], {}, True, -1, ("1", "x"), object()])
def test_what_no_version_can_be_is_told_so(tmp_path: Path, seen: int) -> None:
    table = grown(tmp_path)
    for ask in (lambda: table.changed_since(seen), lambda: table.inspect(seen)):
        with pytest.raises(SchemaError) as error:
            ask()
        assert error.value.fix
    if seen is not None:
        with pytest.raises(SchemaError):
            table.evolve("ADD COLUMN z INT", expected_version=seen)
    assert table.latest().number == 2


def test_history_that_went_back_and_further_than_before_is_noticed(tmp_path: Path) -> None:
    store = lake(tmp_path)
    table = orders(store)
    table.evolve("ADD COLUMN a INT")
    seen = table.latest()
    (schema_folder(tmp_path) / "schema-1").unlink()
    for name in ("b", "c"):
        table.evolve(f"ADD COLUMN {name} INT")
    moved = table.changed_since((seen.number, seen.digest))
    assert (moved.head, moved.newer, [finding.rule for finding in moved.report.findings]) == (2, (2,), ["VERSION_REWOUND"])
    assert not table.changed_since(table.latest()).report.findings
