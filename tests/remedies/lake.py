"""A warehouse of one table, and what people type about it: the door through which findings come and remedies go."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core import Contract, TableSchema
from airflow_provider_schemas.formats import contract_file, yaml
from airflow_provider_schemas.store import SchemaStore, Table
from tests.support.command_line import Done, typed

NAME = "shop.orders"


class Lake:
    """The table, as schema files in a folder, and its registry."""

    def __init__(self, root: Path, schemas: Iterable[TableSchema], policy: Mapping[str, Any]) -> None:
        self.root, self._versions = root, root / "shop.db" / "orders" / "schema"
        self._versions.mkdir(parents=True)
        self.proven: set[int] = set()
        """Versions that were judged with evidence, which a later check does not have."""
        for schema in schemas:
            self.written_by_another_tool(schema)
        if policy:
            self.store.save_policy(dict(policy), override="the policy of the case")

    @property
    def store(self) -> SchemaStore:
        return SchemaStore(str(self.root), actor="ana")

    @property
    def table(self) -> Table:
        return self.store.table(NAME)

    @property
    def newest(self) -> int:
        return len(list(self._versions.iterdir())) - 1

    def file(self, number: int) -> Path:
        """Name the schema file of a version."""
        return self._versions / f"schema-{number}"

    def written_by_another_tool(self, schema: TableSchema) -> None:
        """Write a version as a tool does that asks nobody."""
        self.file(self.newest + 1).write_text(schema.to_json(), encoding="utf-8")

    def type(self, *words: str) -> Done:
        """Type a command."""
        return typed(*words, "--store", str(self.root), "--format", "json")

    def evolve(self, changes: Sequence[str]) -> None:
        """Type changes, which nothing may refuse."""
        done = self.type("evolve", NAME, *changes)
        assert done.code == 0, done.out

    def register(self, contract: Mapping[str, Any]) -> None:
        """Register what a reader or writer needs; it may wait for what is to come."""
        self.table.register(dict(contract), pending=True)

    def findings(self, old: int, new: int) -> list[dict[str, Any]]:
        """Ask what the step between two versions breaks."""
        return found(self.type("check", f"{NAME}:{old}", f"{NAME}:{new}"))

    def lacks(self, contract: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Ask whether the table fits the file of a job."""
        file = self.root / "job.yaml"
        file.write_text(contract_file.write([Contract.of({**contract, "table": NAME})]), encoding="utf-8")
        return found(self.type("check", NAME, "--contract", str(file)))

    def of_file(self, columns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Ask whether a table file fits the table."""
        file = self.root / "orders.yaml"
        file.write_text(yaml.write({"table": NAME, "columns": list(columns)}), encoding="utf-8")
        return found(self.type("check", str(file)))


def found(done: Done) -> list[dict[str, Any]]:
    """Read the findings of an answer."""
    assert done.json["errors"] == [], done.out
    return [dict(finding) for report in json.loads(done.out)["reports"] for finding in report["findings"]]
