"""Each version records the commit that its own change came from, and no other one."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core.schema.revision import MOST_REVISION
from airflow_provider_schemas.errors import ChangeError
from airflow_provider_schemas.store import SchemaStore

SHA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
COLUMNS = "id BIGINT, a INT"


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return SchemaStore(tmp_path / "lake", actor="ana")


def revisions(store: SchemaStore, name: str = "shop.orders") -> list[str]:
    return [entry.revision for entry in store.table(name).history()]


def test_each_way_to_write_a_version_records_the_commit(store: SchemaStore, tmp_path: Path) -> None:
    assert store.create_table("shop.orders", COLUMNS, revision="c0").created
    table = store.table("shop.orders")
    assert table.evolve("ADD COLUMN b INT", revision="c1").created
    assert table.apply(table.plan("ADD COLUMN c INT"), revision="c2").created
    assert table.restore(1, revision="c3", override="a test").created
    assert revisions(store) == ["c3", "c2", "c1", "c0"]
    assert store.adopt("shop.events", str(tmp_path / "events"), "id BIGINT", unchecked="there is no data", revision=SHA).created
    assert revisions(store, "shop.events") == [SHA]


def test_the_next_version_does_not_take_over_the_commit(store: SchemaStore) -> None:
    assert store.create_table("shop.orders", COLUMNS, revision=SHA).created
    table = store.table("shop.orders")
    assert table.evolve("ADD COLUMN b INT").created
    assert table.restore(0, override="a test").created
    assert revisions(store) == ["", "", SHA]


def test_a_version_without_a_commit_names_none_in_its_file(store: SchemaStore) -> None:
    done = store.create_table("shop.orders", COLUMNS)
    assert "revision" not in Path(done.place).read_text("utf-8")


def test_a_store_that_is_opened_with_a_commit_records_it_unless_a_change_names_another(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", actor="ana", revision=SHA)
    assert store.revision == SHA
    assert store.create_table("shop.orders", COLUMNS).created
    assert store.table("shop.orders").evolve("ADD COLUMN b INT", revision="c1").created
    assert revisions(store) == ["c1", SHA]


def test_the_commit_is_no_part_of_what_makes_a_change_the_same(store: SchemaStore) -> None:
    first = store.create_table("shop.orders", COLUMNS, key="k", revision="c0")
    again = store.create_table("shop.orders", COLUMNS, key="k", revision="c1")
    assert (again.created, again.digest) == (False, first.digest)
    table = store.table("shop.orders")
    done = table.evolve("ADD COLUMN b INT", key="k1", revision="c1")
    assert table.evolve("ADD COLUMN b INT", key="k1", revision="c2").digest == done.digest
    assert not table.evolve("ADD COLUMN b INT", revision="c2").created
    assert revisions(store) == ["c1", "c0"]


@pytest.mark.parametrize(
    "value", ["a b", "-x", "\u202ecba", "<script>", "a\x00b", "\ud800", "a" * (MOST_REVISION + 1), "a" * 1_000_000, 7, b"c"]
)
def test_what_is_no_commit_is_refused_and_nothing_is_written(store: SchemaStore, tmp_path: Path, value: object) -> None:
    with pytest.raises(ChangeError) as refused:
        store.create_table("shop.orders", COLUMNS, revision=value)  # type: ignore[arg-type]  # on purpose
    assert refused.value.code in {"argument.no-revision", "argument.no-text", "argument.half-character"}
    assert not (tmp_path / "lake").exists()


def test_history_and_blame_tell_the_commit(store: SchemaStore) -> None:
    assert store.create_table("shop.orders", COLUMNS).created
    table = store.table("shop.orders")
    assert table.evolve("ADD COLUMN b INT", revision=SHA, run="ci-7").created
    assert "by ana (run ci-7, commit 1a2b3c4d5e6f)" in str(table.history())
    since = {column.path: column.since.commit for column in table.blame().columns if column.since}
    assert since == {"id": "", "a": "", "b": SHA}
