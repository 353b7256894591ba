"""A database of DuckLake tables that others keep: `DuckLakeMount(hook.get_records, "shop")`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.store.mounts.ducklake.catalog_query import mark_query, names_query, prefix, table_query
from airflow_provider_schemas.store.mounts.ducklake.catalog_rows import Row, is_marked, read_rows
from airflow_provider_schemas.store.mounts.ducklake.look import DuckLakeLook
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble
from airflow_provider_schemas.store.mounts.source import TableLook
from airflow_provider_schemas.store.storage.files import Count

_ENGINE: Final = "duckdb"

RunSql = Callable[[str], Iterable[Row]]
"""Runs one SELECT in the catalog and returns its rows: `get_records` of a hook, or `lambda sql: connection.execute(sql).fetchall()`."""


class DuckLakeMount:
    """The tables of one schema of a DuckLake. Its catalog is asked by SQL only, and never written to."""

    kind = "ducklake"
    evolve = False
    at_once = 1
    """One connection runs one statement at a time."""

    def __init__(self, run_sql: RunSql, schema: str, *, catalog: str = "", name: str = "lake") -> None:
        """Mount a schema.

        Catalog is the schema of SQL that holds the tables of the catalog, if it is not the default one of the connection:
        `__ducklake_metadata_lake` in the DuckDB that has attached it as `lake`. Name is what engines call the DuckLake.
        """
        if not callable(run_sql):
            message = f"a {type(run_sql).__name__} runs no SQL."
            fix = "Pass a function that takes one SELECT and returns its rows, such as get_records of a hook."
            raise FormatError(message, code="mount.no-catalog", path="run_sql", fix=fix)
        if not schema or "\0" in schema + catalog:
            message = f"{shown(schema)} is no schema of a DuckLake."
            raise FormatError(message, code="mount.no-namespace", path="schema", fix="Pass its name: main, or shop.")
        self._run_sql = run_sql
        self._schema = schema
        self._catalog = catalog
        self._where = prefix(catalog)
        self._name = name
        self.count = Count()

    def __repr__(self) -> str:
        return f"DuckLakeMount({self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "count"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.count = Count()

    @property
    def url(self) -> str:
        """What the DuckLake is called, and the schema."""
        return f"{self.kind}:{self._name}/{self._schema}"

    @property
    def identity(self) -> str:
        """What tells this mount from every other in this process: a function says nothing of its connection."""
        return f"{self.url}#{self._catalog}#{id(self._run_sql)}"

    def engine_names(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """Return the parts of a table's name in the SQL of DuckDB."""
        return {_ENGINE: (self._name, self._schema, table)}

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        rows = self._rows(names_query(self._where, self._schema), "its tables")
        if not rows:
            message = f"{self.url} is not there: the catalog has no schema {shown(self._schema)}."
            raise NotThereError(message, path=self._schema, fix="Check the name of the schema.")
        return tuple(str(row[0]) for row in rows if row[0] is not None)

    def look(self, table: str, known: TableLook | None = None) -> TableLook | None:
        """Return what is known of a table now; the known look itself if no schema changed since; None if there is no such table."""
        if isinstance(known, DuckLakeLook):
            rows = self._rows(mark_query(self._where), table)
            if is_marked(rows, known.mark):
                return known
        if "\0" in table:
            return None
        found = read_rows(self._rows(table_query(self._where, self._schema, table), table), self.url)
        if found is not None:
            return DuckLakeLook(found)
        self.tables()  # raises where the schema is what is not there
        return None

    def _rows(self, sql: str, what: str) -> list[Row]:
        self.count.add(lists=1)
        try:
            return list(self._run_sql(sql))
        except Exception as error:
            raise catalog_trouble(error, where=self.url, what=what) from error
