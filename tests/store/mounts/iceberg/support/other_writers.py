"""Writers that make metadata by themselves, and commit what no library of Iceberg would: a SQL catalog takes any location."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

Json = dict[str, Any]


class OtherWriter:
    """Commits metadata files to the SQL catalog in a folder."""

    def __init__(self, folder: Path, table: str = "orders") -> None:
        self._catalog = folder / "catalog.db"
        self._table = table

    def commit(self, edit: Callable[[Json], object]) -> None:
        """Change the newest metadata, and commit it as a new file."""
        before = self.location()
        place = Path(before.removeprefix("file://"))
        file = json.loads(place.read_text())
        file["metadata-log"].append({"timestamp-ms": file["last-updated-ms"], "metadata-file": before})
        file["last-updated-ms"] += 1_000
        edit(file)
        after = place.with_name(f"{len(file['metadata-log']):05d}-{uuid4()}.metadata.json")
        after.write_text(json.dumps(file))
        with sqlite3.connect(self._catalog) as database:
            database.execute("UPDATE iceberg_tables SET metadata_location = ? WHERE table_name = ?", (f"file://{after}", self._table))

    def location(self) -> str:
        """Return where the newest metadata of the table lie."""
        with sqlite3.connect(self._catalog) as database:
            found = database.execute("SELECT metadata_location FROM iceberg_tables WHERE table_name = ?", (self._table,))
            return str(found.fetchone()[0])

    def evolve(self, edit: Callable[[dict[str, Json], Json], object]) -> None:
        """Commit another schema: the current one, with its columns changed in place, under the next number."""

        def commit(file: Json) -> None:
            schema = json.loads(json.dumps(current(file)))
            schema["schema-id"] = max(other["schema-id"] for other in file["schemas"]) + 1
            edit({field["name"]: field for field in schema["fields"]}, schema)
            file["schemas"].append(schema)
            file["current-schema-id"] = schema["schema-id"]

        self.commit(commit)


def current(file: Json) -> Json:
    """Return the current schema of a metadata file."""
    return next(schema for schema in file["schemas"] if schema["schema-id"] == file["current-schema-id"])
