"""A DuckDB with a DuckLake, which runs the statements it is asked to run. Runs in the environment that has DuckDB."""

from typing import Any

import duckdb
import duckdb_extensions

from tests.support.answering import serve

_connections: list[Any] = []


def attached(folder: str) -> None:
    """A new DuckLake in a folder."""
    connection = duckdb.connect()
    duckdb_extensions.import_extension("ducklake", con=connection)
    connection.execute(f"ATTACH 'ducklake:{folder}/meta.ducklake' AS lake (DATA_PATH '{folder}/data')")
    connection.execute("USE lake")
    _connections.append(connection)


def run(sql: str) -> list[tuple[Any, ...]]:
    """The rows of a statement of the newest DuckLake."""
    return list(_connections[-1].execute(sql).fetchall())


def commit(statements: list[str], author: str, message: str) -> None:
    """Statements in one commit with its author."""
    run("BEGIN")
    run(f"CALL lake.set_commit_message('{author}', '{message}')")
    for statement in statements:
        run(statement)
    run("COMMIT")


if __name__ == "__main__":
    serve({"attached": attached, "run": run, "commit": commit})
