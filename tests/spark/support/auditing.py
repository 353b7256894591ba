"""A warehouse in which each table has one thing wrong with it, and some nothing; made once, with schema files written as they are."""

import json
import shutil
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore

SOUND = ("shop.fine", "shop.renamed", "web.clicks")


def folder(lake: Path, table: str) -> Path:
    """The schema files of a table."""
    database, _, name = table.partition(".")
    return lake / f"{database}.db" / name / "schema"


def made(lake: Path) -> SchemaStore:
    """The warehouse."""
    store = SchemaStore(lake, actor="ana")
    store.create_table("shop.fine", "id BIGINT NOT NULL, note STRING")
    store.table("shop.fine").evolve("ADD COLUMN more STRING")
    store.create_table("shop.renamed", "id BIGINT, old STRING")
    store.table("shop.renamed").evolve("RENAME COLUMN old TO fresh")
    store.create_table("web.clicks", "id BIGINT, at TIMESTAMP(3)")
    _chained(store)
    _narrowed(store)
    for number, make in enumerate((_edited, _broken, _renumbered, _reused, _alike, _lost)):
        table = f"shop.wrong{number}"
        store.create_table(table, "id BIGINT, amount INT")
        store.table(table).evolve("ADD COLUMN note STRING")
        store.table(table).evolve("ADD COLUMN more STRING")
        make(folder(lake, table))
    return store


EDITED, BROKEN, RENUMBERED, REUSED, ALIKE, LOST = (f"shop.wrong{number}" for number in range(6))


def _chained(store: SchemaStore) -> None:
    store.create_table("shop.chained", "id BIGINT, day DATE")
    _by_hand(folder(Path(store.url), "shop.chained"), [("day", "STRING"), ("day", "INT")])


def _narrowed(store: SchemaStore) -> None:
    store.create_table("shop.narrowed", "id BIGINT, amount BIGINT")
    _by_hand(folder(Path(store.url), "shop.narrowed"), [("amount", "INT")])


def _by_hand(schemas: Path, steps: list[tuple[str, str]]) -> None:
    """Further versions as another writer makes them, and data of which nobody says what it was written with."""
    (schemas.parent / "bucket-0").mkdir()
    for number, (name, kind) in enumerate(steps):
        content = _without_origin(schemas / f"schema-{number}")
        for one in content["fields"]:
            one["type"] = kind if one["name"] == name else one["type"]
        (schemas / f"schema-{number + 1}").write_text(json.dumps({**content, "id": number + 1}))


def _without_origin(path: Path) -> dict[str, Any]:
    """What a file says, as another writer would have left it."""
    return {key: value for key, value in json.loads(path.read_text()).items() if key != "schemas"}


def _rewritten(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def _edited(schemas: Path) -> None:
    _rewritten(schemas / "schema-1", comment="by hand")


def _broken(schemas: Path) -> None:
    path = schemas / "schema-1"
    path.write_text(path.read_text()[:100])


def _renumbered(schemas: Path) -> None:
    shutil.copy(schemas / "schema-0", schemas / "schema-1")


def _reused(schemas: Path) -> None:
    content = _without_origin(schemas / "schema-2")
    content["fields"][1] |= {"name": "when", "type": "DATE"}
    (schemas / "schema-3").write_text(json.dumps({**content, "id": 3}))


def _alike(schemas: Path) -> None:
    content = _without_origin(schemas / "schema-2")
    content["fields"].append({"id": 4, "name": "Amount", "type": "INT"})
    (schemas / "schema-3").write_text(json.dumps({**content, "id": 3, "highestFieldId": 4}))


def _lost(schemas: Path) -> None:
    (schemas.parent / "snapshot").mkdir()
    shutil.rmtree(schemas)
