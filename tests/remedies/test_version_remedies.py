"""What is proposed about versions as they lie in storage, about a rewound table and about spelling, followed by hand and by command."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.rules import RULES
from tests.remedies.lake import NAME, Lake, found


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """A table of three versions."""
    made = Lake(tmp_path / "lake", [TableSchema.create("id BIGINT NOT NULL")], {})
    made.evolve(["ADD COLUMN a INT"])
    made.evolve(["ADD COLUMN b INT"])
    return made


def rewritten(lake: Lake, number: int, **values: object) -> str:
    """Write over a file by hand, and return what it was."""
    before = lake.file(number).read_text()
    lake.file(number).write_text(json.dumps({**json.loads(before), **values}))
    return before


def expired(lake: Lake) -> None:
    """Let all versions but the newest expire."""
    newest = lake.table.versions()[-1].number
    done = lake.type("expire", NAME, "--older-than", "0d", "--delete")
    assert done.json["deleted"] == list(range(newest)), done.out


def told(lake: Lake, *words: str) -> list[tuple[str, str]]:
    """The rules that a check names, with what it proposes."""
    return [(one["rule"], one["fix"]["text"]) for one in found(lake.type("check", NAME, *words))]


def proposed(rule: str) -> tuple[str, str]:
    return rule, RULES[rule].fix


def test_a_file_that_was_written_over_is_restored_from_a_copy(lake: Lake) -> None:
    copy = rewritten(lake, 1, comment="by hand")
    assert proposed("SCHEMA_FILE_MUTATED") in told(lake)
    lake.file(1).write_text(copy)
    assert told(lake) == []


def test_a_file_of_which_there_is_no_copy_is_told_until_its_version_has_expired(lake: Lake) -> None:
    rewritten(lake, 1, comment="by hand")
    assert lake.type("check", f"{NAME}:2", f"{NAME}:2").code == 0
    expired(lake)
    assert told(lake) == []


def test_a_change_that_was_lost_is_made_again_and_told_until_the_older_version_has_expired(lake: Lake) -> None:
    origin = json.loads(lake.file(2).read_text())["schemas"]
    rewritten(lake, 2, schemas={**origin, "parent_id": 0, "parent_sha256": "ab" * 32})
    assert told(lake) == [proposed("VERSION_NOT_SUCCESSOR")]
    lake.evolve(["ADD COLUMN c INT"])
    assert told(lake) == [proposed("VERSION_NOT_SUCCESSOR")]
    expired(lake)
    assert told(lake) == []


def test_a_table_that_went_back_is_judged_again(lake: Lake) -> None:
    seen = f"2:{lake.table.versions()[-1].digest}"
    lake.file(2).unlink()
    assert told(lake, "--since", seen) == [proposed("VERSION_REWOUND")]
    assert told(lake, "--since", f"1:{lake.table.versions()[-1].digest}") == []


def test_another_spelling_of_a_type_needs_nothing(lake: Lake) -> None:
    columns = [{"name": "id", "type": "BIGINT NOT NULL"}, {"name": "a", "type": "INTEGER"}, {"name": "b", "type": "INT"}]
    said = {one["rule"]: one for one in lake.of_file(columns)}
    assert (said["TYPE_SPELLING_CHANGED"]["verdict"], said["TYPE_SPELLING_CHANGED"]["fix"]["text"]) == (
        "ok",
        RULES["TYPE_SPELLING_CHANGED"].fix,
    )
    done = lake.type("evolve", str(lake.root / "orders.yaml"))
    assert done.code == 0, done.out
    assert lake.newest == 2
