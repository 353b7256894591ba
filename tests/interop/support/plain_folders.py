"""Folders of plain files that the store is a guest of: what lies in one, and all that can be done to a table whose data lie there."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.registry import policies

TABLE = "shop.orders"
COLUMNS = "id BIGINT, name STRING, dt STRING"


def listing(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Everything in a folder: names, sizes, times, and what the files say. The times of folders tell of what came and went."""
    return {str(path.relative_to(folder)): _about(path) for path in [folder, *sorted(folder.rglob("*"))]}


def _about(path: Path) -> tuple[int, int, str]:
    said = path.stat()
    return said.st_size, said.st_mtime_ns, "" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()


def everything(store: SchemaStore, location: str) -> None:
    """All that the store can do to a table that it adopts, up to dropping it."""
    adopted(store, location)
    for deed in (_evolved, _planned, _branched, _contracted, _asked, _expired, _refused):
        deed(store)
    store.rename_table(TABLE, "shop.others", override="the jobs know")
    store.rename_table("shop.others", TABLE, override="the jobs know")
    store.drop_table(TABLE, purge=True, override="the end")
    store.drop_table(TABLE, purge=True, if_exists=True)
    adopted(store, location)


def adopted(store: SchemaStore, location: str) -> None:
    """The table, made known; twice is once."""
    store.create_database("shop")
    assert store.adopt(TABLE, location, COLUMNS, format="parquet").created
    assert not store.adopt(TABLE, location, COLUMNS, format="parquet").created


def _evolved(store: SchemaStore) -> None:
    table = store.table(TABLE)
    table.evolve("ADD COLUMN coupon STRING", key="run 1")
    table.evolve("ADD COLUMN coupon STRING", key="run 1")
    table.evolve(["RENAME COLUMN name TO called", "ADD COLUMN amount DECIMAL(10, 2)"], override="its readers know")
    table.evolve("DROP COLUMN coupon", override="nobody reads it", approval="Ann")
    table.restore(1, override="a mistake")
    table.restore_plan(0)


def _planned(store: SchemaStore) -> None:
    table = store.table(TABLE)
    plan = table.plan("ADD COLUMN planned INT")
    digest = table.save_plan(plan)
    table.statements(plan, "spark")
    table.verify(plan)
    table.apply(table.saved_plan(digest))


def _branched(store: SchemaStore) -> None:
    branch = store.table(TABLE).create_branch("b1")
    branch.evolve("ADD COLUMN only_here INT")
    branch.references()
    branch.expire(timedelta(0), dry_run=False)
    assert store.table(TABLE).branches() == ("b1",)


def _contracted(store: SchemaStore) -> None:
    table = store.table(TABLE)
    table.register("id BIGINT", consumer="report", team="bi")
    table.register("not_yet INT", consumer="later", team="bi", pending=True)
    table.remove_contract("later", team="bi")
    table.waive("FIELD_DROPPED", "id", until="2999-01-01", reason="INC-1")
    table.bind("dt=2025-01-01", 0)
    policies.save(store.registry, Policy(), database="shop")
    table.contracts(), table.waivers(), table.bindings(), table.policy()


def _asked(store: SchemaStore) -> None:
    table = store.table(TABLE)
    str(table.history()), table.inspect(0), table.changed_since(0), table.versions(), str(table.references())
    assert store.databases() == ("shop",)
    assert store.tables("shop") == ("orders",)
    assert judge(store, {TABLE: "id BIGINT"}, {TABLE: None}, consumer="report").fits
    store.guarantee()


def _expired(store: SchemaStore) -> None:
    store.table(TABLE).expire()
    store.table(TABLE).expire(timedelta(0), dry_run=False)


def _refused(store: SchemaStore) -> None:
    """What cannot be done leaves no trace either."""
    table = store.table(TABLE)
    attempts: tuple[Callable[[], Any], ...] = (
        lambda: store.create_table(TABLE, "other INT"),
        lambda: table.evolve("DROP COLUMN id"),
        lambda: table.evolve("ADD COLUMN x INT", expected_version=0),
        lambda: table.restore(99),
        lambda: table.register("nobody INT", consumer="broken"),
        table.metadata,
        lambda: store.rename_table(TABLE, TABLE),
        lambda: store.drop_table(TABLE),
    )
    for attempt in attempts:
        with suppress(SchemaError):
            attempt()


def commands(folder: Path, location: str) -> Iterator[tuple[str, ...]]:
    """What is typed about such a table, one line after the other; files that are named are made in the folder."""
    yield ("create", TABLE, COLUMNS, "--location", location)
    yield ("ls",)
    yield ("ls", "shop")
    yield ("evolve", TABLE, "ADD COLUMN coupon STRING")
    yield ("show", TABLE)
    yield ("log", TABLE)
    yield ("diff", f"{TABLE}:0", f"{TABLE}:1")
    yield ("check", f"{TABLE}:0", f"{TABLE}:1")
    yield ("plan", TABLE, "ADD COLUMN more INT", "-o", str(folder / "plan.json"))
    yield ("apply", str(folder / "plan.json"))
    yield ("restore", TABLE, "1", "--dry-run")
    yield ("restore", TABLE, "1", "--override", "a mistake")
    job = folder / "job.yaml"
    job.write_text(f"job: report\nreads:\n  {TABLE}: id BIGINT\n")
    yield ("contract", "register", str(job))
    yield ("contract", "list", TABLE)
    yield ("contract", "remove", TABLE, "report")
    yield ("waive", TABLE, "FIELD_DROPPED", "id", "--until", "3d", "--reason", "INC-1")
    yield ("waive", TABLE, "--list")
    yield ("expire", TABLE, "--older-than", "0d")
    yield ("expire", TABLE, "--older-than", "0d", "--delete")


def typed(store: SchemaStore, layout: str, folder: Path, location: str) -> dict[tuple[str, ...], int]:
    """How each of these commands ended."""
    where = ("--store", store.url, "--registry", store.registry.url, *(("--layout", layout) if layout else ()))
    return {line: main([*where, *line]) for line in commands(folder, location)}
