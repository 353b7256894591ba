"""What stands on the line: a table of the store or a plain file, whichever it is, with its schema."""

from argparse import Namespace
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import STDIN, Named, looks_like_a_file, table_in
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.schema_files import chain, found
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.cli.files.odf_files import OdfFile
    from airflow_provider_schemas.formats.table_file.model import TableFile
    from airflow_provider_schemas.store.table import Table


class Thing(Struct, frozen=True, dict=True):
    """What an argument stands for."""

    label: str
    found: TableSchema | None
    version: Version | None = None
    table: "Table | None" = None
    file: "TableFile | None" = None
    ids: bool = True
    """Whether its ids mean anything."""
    odf: "OdfFile | None" = None

    @cached_property
    def schema(self) -> TableSchema:
        """The schema; that of a table file is the table that it makes where there is none, that of ODF the table that can hold it."""
        if self.found is not None:
            return self.found
        if self.odf is not None:
            return _table_of(self.odf)
        assert self.file is not None, "what has no schema is a table file"  # noqa: S101  # for the type checker
        return self.file.create()

    @property
    def name(self) -> str:
        """The name of the table, as far as it is known."""
        if self.table is not None:
            return self.table.name
        return self.file.table if self.file is not None else ""

    @property
    def subject(self) -> str:
        """What a report is about: the table; for a file without one its path, which no name of a table looks like."""
        return self.name or (self.label if "/" in self.label or " " in self.label else f"./{self.label}")

    @property
    def judged(self) -> TableSchema | Version:
        """The version, or the schema where there is no version."""
        return self.schema if self.version is None else self.version


def stored(text: str, args: Namespace) -> Named | None:
    """The table of the store that is meant; None for a plain file. Tells what was tried where it is neither."""
    if text == STDIN:
        return None
    named = table_in(text)
    if looks_like_a_file(text) and not (named and open_store.named(args) and not local_io.exists(text)):
        return None
    if named is None or (not open_store.named(args) and local_io.exists(text)):
        if local_io.exists(text):
            return None
        raise _neither(text)
    if not open_store.named(args):
        raise _neither(text)
    return named


def _neither(text: str) -> SchemaError:
    file = f"there is no file {shown(text)}"
    try:
        named = table_in(text)
    except SchemaError:
        named = None
    if named is not None:
        fix = f"Pass --store URL or --conn ID for the table {named.name}, or the path of a schema file, a table file or a file of SQL text."
        return NotThereError(f"{file}, and no store is named that could have such a table.", code="cli.no-object", fix=fix)
    fix = "Write a table as db.table, db.table:41 or db.table@branch, or the path of a file; - is standard input."
    return NotThereError(f"{file}, and it is no name of a table.", code="cli.no-object", fix=fix)


def thing(text: str, args: Namespace) -> Thing:
    """What the text stands for, read."""
    named = stored(text, args)
    return of_file(text) if named is None else of_table(named, args)


def of_table(named: Named, args: Namespace) -> Thing:
    """A version of a table in the store: the newest, unless a number is named."""
    table = open_store.table(args, named)
    version = table.latest() if named.version is None else table.version(named.version)
    return of_version(table, version)


def of_version(table: "Table", version: Version) -> Thing:
    """A version that has been read."""
    branch = "" if version.branch == "main" else f"@{version.branch}"
    return Thing(f"{table.name}{branch} v{version.number}", version.schema, version, table)


def of_file(name: str) -> Thing:
    """A plain file, or the folder of a chain."""
    here = (chain(name) if local_io.is_folder(name) else None) or found(local_io.read(name), name)
    return Thing(local_io.label(name), here.schema, here.version, None, here.file, here.ids, here.odf)


def _table_of(file: "OdfFile") -> TableSchema:
    from airflow_provider_schemas.formats.odf.table.convert import to_table

    return to_table(file.schema).schema
