"""An operand of a command: a table of the store or a plain file, read, with its schema."""

from argparse import Namespace
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import STDIN, TableReference, looks_like_a_file, parse_table
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.schema_files import read_content, read_folder
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.cli.files.odf_files import OdfFile
    from airflow_provider_schemas.formats.table_file.model import TableFile
    from airflow_provider_schemas.store.table import Table


class Operand(Struct, frozen=True, dict=True):
    """What an argument names: a version of a table, a schema file, a table file or schemas of ODF."""

    label: str
    own_schema: TableSchema | None
    """None for a table file and for ODF, whose schema has to be made."""
    version: Version | None = None
    table: "Table | None" = None
    file: "TableFile | None" = None
    ids: bool = True
    """Whether its ids mean anything."""
    odf: "OdfFile | None" = None

    @cached_property
    def schema(self) -> TableSchema:
        """The schema; of a table file, that of the table it creates; of ODF, that of the table that can hold it."""
        if self.own_schema is not None:
            return self.own_schema
        if self.odf is not None:
            return _table_of(self.odf)
        assert self.file is not None, "what has no schema is a table file"  # noqa: S101  # for the type checker
        return self.file.create()

    @property
    def name(self) -> str:
        """The name of the table; empty where it is not known."""
        if self.table is not None:
            return self.table.name
        if self.file is not None:
            return self.file.table
        return ""

    @property
    def subject(self) -> str:
        """The subject of a report: the table; for a file without a table its path, written so that no name of a table looks like it."""
        if self.name:
            return self.name
        if "/" in self.label or " " in self.label:
            return self.label
        return f"./{self.label}"

    @property
    def judged(self) -> TableSchema | Version:
        """The version, or the schema where there is no version."""
        return self.version or self.schema


# ---------------------------------------------------------------- a table or a file


def stored(text: str, args: Namespace) -> TableReference | None:
    """Return the table of the store that a text names; None for a plain file. Raise an error for a text that is neither."""
    if text == STDIN:
        return None
    reference = parse_table(text)
    has_store = open_store.is_named(args)
    if looks_like_a_file(text) and not (reference and has_store and not local_io.exists(text)):
        return None
    if reference is not None and has_store:
        return reference
    if local_io.exists(text):
        return None
    raise _neither(text)


def _neither(text: str) -> SchemaError:
    """Return the error for a text that names neither a file nor a table."""
    missing = f"there is no file {shown(text)}"
    try:
        reference = parse_table(text)
    except SchemaError:
        reference = None
    if reference is None:
        fix = "Write a table as db.table, db.table:41 or db.table@branch, or the path of a file; - is standard input."
        return NotThereError(f"{missing}, and it is no name of a table.", code="cli.no-object", fix=fix)
    fix = f"Pass --store URL or --conn ID for the table {reference.name}, or the path of a schema file, a table file or a file of SQL text."
    return NotThereError(f"{missing}, and no store is named that could have such a table.", code="cli.no-object", fix=fix)


def open_whole_table(text: str, args: Namespace, fix: str) -> "Table":
    """Return the table that a text names; refuse a file, and a single version. `fix` is how to write the line."""
    reference = stored(text, args)
    if reference is None or reference.version is not None:
        raise SchemaError("this is no table of a store.", code="cli.no-table", path=text, fix=fix)
    return open_store.open_table(args, reference)


# ---------------------------------------------------------------- reading


def read_operand(text: str, args: Namespace) -> Operand:
    """Read the table or the file that a text names."""
    reference = stored(text, args)
    if reference is None:
        return read_file(text)
    return _read_table(reference, args)


def _read_table(reference: TableReference, args: Namespace) -> Operand:
    table = open_store.open_table(args, reference)
    return of_version(table, read_version(table, reference))


def read_version(table: "Table", reference: TableReference) -> Version:
    """Read the version of a table that the line names; the newest, where it names none."""
    if reference.version is None:
        return table.latest()
    return table.version(reference.version)


def of_version(table: "Table", version: Version) -> Operand:
    """Return the operand for a version that has been read."""
    branch = "" if version.branch == "main" else f"@{version.branch}"
    return Operand(f"{table.name}{branch} v{version.number}", version.schema, version, table)


def read_file(name: str) -> Operand:
    """Read a plain file, or the folder of a chain."""
    content = read_folder(name) if local_io.is_folder(name) else None
    if content is None:
        content = read_content(local_io.read(name), name)
    return Operand(local_io.label(name), content.schema, content.version, None, content.file, content.ids, content.odf)


def _table_of(file: "OdfFile") -> TableSchema:
    from airflow_provider_schemas.formats.odf.table.convert import to_table

    return to_table(file.schema).schema
