"""DuckDB with its own client of Iceberg's REST catalogs, in the environment of its own that has it: another writer than pyiceberg."""

from typing import Any

import duckdb
from duckdb_extensions import import_extension

from tests.support.answering import serve

_EXTENSIONS = ("avro", "httpfs", "iceberg")


def run(uri: str, statements: list[str]) -> list[Any]:
    """Run statements about the catalog `lake`; the rows of the last."""
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    for name in _EXTENSIONS:
        import_extension(name)
        connection.execute(f"LOAD {name}")
    # The test server makes tables at once, and none that wait for their first commit.
    connection.execute(f"ATTACH '' AS lake (TYPE iceberg, ENDPOINT '{uri}', AUTHORIZATION_TYPE 'none', STAGE_CREATE_TABLES false)")
    rows: list[Any] = []
    for statement in statements:
        rows = connection.execute(statement).fetchall()
    return rows


if __name__ == "__main__":
    serve({"run": run})
