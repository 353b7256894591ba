"""A schema in a plain file: its language, which the name of the file or its beginning shows, and its content."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.arrow import BEGINNINGS
from airflow_provider_schemas.formats.registry import load

if TYPE_CHECKING:
    from airflow_provider_schemas.cli.files.odf_files import OdfFile
    from airflow_provider_schemas.formats.table_file.model import TableFile

_TABLE_FILE = re.compile(rb"^\s*(table|columns|owner|primary_key)\s*:", re.MULTILINE)
_OWN_KEY = re.compile(rb"^(\xef\xbb\xbf|---\s)?(\{\s*)?[\"']?(table|columns)[\"']?\s*:", re.MULTILINE)
_ODF_FILE = re.compile(rb"^(- *)?[\"']?(fields|kind|content|\$schema|version)[\"']?\s*:", re.MULTILINE)
_GZIP = b"\x1f\x8b"
# What only the metadata of a column of Delta have, and how the file of a commit of its log begins.
_OF_DELTA = b'"delta.columnMapping.id"'
_DELTA_COMMIT = re.compile(rb'\s*\{\s*"(?:commitInfo|protocol|metaData|add|remove|txn|domainMetadata)"')
_TEXTS = (".json", ".yaml", ".yml", ".sql", ".ddl")


class FileContent(Struct, frozen=True):
    """The content of a plain file: a schema, a table file or schemas of ODF."""

    what: str
    schema: TableSchema | None
    """None for a table file, which need not list a whole table, and for ODF."""
    version: Version | None = None
    """The schema as a version, where the file is one that a store would hold."""
    file: "TableFile | None" = None
    ids: bool = False
    """Whether the ids of fields mean anything: where they are positions, columns are compared by name."""
    odf: "OdfFile | None" = None
    """The schemas of ODF, which have a model of their own."""


def read_content(data: bytes, name: str) -> FileContent:
    """Read a file in its language."""
    kind = kind_of(data, name)
    what, read = READERS[kind]
    try:
        return read(data, name)
    except SchemaError as error:
        if kind == "table-file":
            raise
        where = f"{local_io.label(name)}, read as {what}"
        faults = [fault._replace(path=f"{where}: {fault.path}".removesuffix(": ")) for fault in error.faults]
        raise type(error).of(faults) from None


def kind_of(data: bytes, name: str) -> str:
    """Return the language of a file: a key of READERS."""
    lower = name.lower()
    binary = _kind_of_binary(data, lower)
    if binary is not None:
        return binary
    if lower.endswith((".yaml", ".yml")):
        return _kind_of_yaml(data)
    if lower.endswith((".sql", ".ddl")):
        return "ddl"
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"{") or lower.endswith(".json") or lower.rsplit("/", 1)[-1].startswith("schema-"):
        return _kind_of_json(data)
    return _kind_of_yaml(data, "ddl")


def _kind_of_binary(data: bytes, name: str) -> str | None:
    """Return the language of a file that is no text; None for a text."""
    if data.startswith(BEGINNINGS):
        return "arrow"
    if data.startswith(_GZIP):  # as some writers compress metadata files
        return "iceberg"
    if b"\x00" in data[:64] and not name.endswith(_TEXTS):  # no text has such a byte
        return "odf-block"
    return None


def may_be_table_file(data: bytes) -> bool:
    """Return whether a text has a key that only table files have, or is empty: an empty file may be a table file that lost its text."""
    return not data.strip() or _OWN_KEY.search(data) is not None


def _kind_of_yaml(data: bytes, otherwise: str = "table-file") -> str:
    begin = data[:4096]
    if _TABLE_FILE.search(begin):
        return "table-file"
    if _ODF_FILE.search(begin):
        return "odf"
    return otherwise


class _Probe(Struct, rename="camel"):
    """The keys that distinguish one JSON document from another."""

    schema_id: Any = msgspec.UNSET
    iceberg_schema_id: Any = msgspec.field(default=msgspec.UNSET, name="schema-id")
    last_column_id: Any = msgspec.field(default=msgspec.UNSET, name="last-column-id")
    type: Any = msgspec.UNSET
    base: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    left_alone: Any = msgspec.field(default=msgspec.UNSET, name="left_alone")
    reports: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    id: Any = msgspec.UNSET
    highest_field_id: Any = msgspec.UNSET
    partition_keys: Any = msgspec.UNSET
    kind: Any = msgspec.UNSET
    content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    spec: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    fields: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    meta_data: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    schema_string: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Column(Struct):
    """The keys that distinguish a field of Arrow from one of ODF, and both from a field of Paimon; and one of Iceberg from one of Spark."""

    id: Any = msgspec.UNSET
    nullable: Any = msgspec.UNSET
    children: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def _kind_of_json(data: bytes) -> str:
    try:
        probe = msgspec.json.decode(data, type=_Probe)
    except (msgspec.DecodeError, RecursionError):
        return "delta" if _DELTA_COMMIT.match(data) else "paimon"  # its reader reports the fault
    if probe.meta_data is not msgspec.UNSET or probe.schema_string is not msgspec.UNSET:
        return "delta"
    if probe.left_alone is not msgspec.UNSET or probe.reports is not msgspec.UNSET:
        return "plan"
    if probe.type == "struct" or probe.last_column_id is not msgspec.UNSET:
        return _kind_of_struct(probe)
    if probe.kind is not msgspec.UNSET or probe.content is not msgspec.UNSET or probe.spec is not msgspec.UNSET:
        return "odf"
    return _kind_of_table(probe)


def _kind_of_table(probe: _Probe) -> str:
    """Return the language of a table without a mark of its own."""
    if probe.id is probe.highest_field_id is probe.partition_keys is probe.schema_id is msgspec.UNSET:
        return _kind_of_fields(probe.fields)
    return "paimon" if probe.schema_id is msgspec.UNSET else "mini-paimon"


def _kind_of_struct(probe: _Probe) -> str:
    """Return the language of a struct, or of a table of Iceberg: Iceberg's fields have ids, Spark's have metadata."""
    if probe.last_column_id is not msgspec.UNSET or probe.iceberg_schema_id is not msgspec.UNSET:
        return "iceberg"
    columns = _columns(probe.fields) or []
    if any(column.id is not msgspec.UNSET for column in columns):
        return "iceberg"
    if isinstance(probe.fields, msgspec.Raw) and _OF_DELTA in bytes(probe.fields):
        return "delta"
    return "spark"


def _columns(fields: msgspec.Raw | msgspec.UnsetType) -> list[_Column] | None:
    """Return the fields of an object as far as their keys tell its language; None where they cannot be read."""
    if fields is msgspec.UNSET:
        return None
    try:
        return msgspec.json.decode(fields, type=list[_Column])
    except (msgspec.DecodeError, RecursionError):
        return None


def _kind_of_fields(fields: msgspec.Raw | msgspec.UnsetType) -> str:
    """Return the language of an object that has fields only."""
    columns = _columns(fields)
    if columns is None:
        return "paimon"
    if any(column.id is not msgspec.UNSET for column in columns):
        return "paimon"
    if any(column.children is not msgspec.UNSET or column.nullable is not msgspec.UNSET for column in columns):
        return "arrow"
    return "odf"


# ---------------------------------------------------------------- the languages
# The readers of table files and of ODF are imported where such a file is read: schema files need none of them.


def _paimon(data: bytes, name: str) -> FileContent:
    del name
    schema = TableSchema.from_json(data)
    return FileContent("a schema file of Paimon", schema, Version(schema.id, file_digest(data), schema), ids=True)


def _mini_paimon(data: bytes, name: str) -> FileContent:
    del name
    schema = load("mini-paimon", data).schema
    return FileContent("a schema file of Mini Paimon", schema, Version(schema.id, file_digest(data), schema))


def _spark(data: bytes, name: str) -> FileContent:
    del name
    return FileContent("a StructType of Spark", load("spark-json", data).schema)


def _iceberg(data: bytes, name: str) -> FileContent:
    del name
    return FileContent("a schema of Iceberg", load("iceberg", data).schema, ids=True)


def _delta(data: bytes, name: str) -> FileContent:
    del name
    return FileContent("a schema of Delta", load("delta", data).schema, ids=_OF_DELTA in data)


def _table_file(data: bytes, name: str) -> FileContent:
    from airflow_provider_schemas.formats.table_file.reader import read

    file = read(data, local_io.path_of(name))
    return FileContent("a table file", None, file=file)


def _ddl(data: bytes, name: str) -> FileContent:
    del name
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise FormatError(f"byte {error.start} is no UTF-8.", code="format.encoding", fix="Save the file as UTF-8.") from None
    if not text:
        fix = "Write columns such as: order_id BIGINT NOT NULL, coupon STRING."
        raise FormatError("there is nothing in it.", code="cli.empty", fix=fix)
    return FileContent("SQL text of columns", TableSchema.create(text.rstrip(";")))


def _arrow(data: bytes, name: str) -> FileContent:
    del name
    return FileContent("a schema of Arrow", load("arrow", data).schema)


def _odf(data: bytes, name: str) -> FileContent:
    del name
    from airflow_provider_schemas.cli.files.odf_files import read_document

    document = read_document(data)
    return FileContent(document.what, None, odf=document)


def _odf_block(data: bytes, name: str) -> FileContent:
    del name
    from airflow_provider_schemas.cli.files.odf_files import read_block

    block = read_block(data)
    return FileContent(block.what, None, odf=block)


def read_folder(name: str) -> FileContent | None:
    """Return the content of a folder that is the chain of a dataset; None for another folder."""
    from airflow_provider_schemas.cli.files.odf_files import is_chain, read_chain

    if not is_chain(name):
        return None
    chain = read_chain(name)
    return FileContent(chain.what, None, odf=chain)


def _plan(data: bytes, name: str) -> FileContent:
    del data, name
    raise FormatError("this is a plan, and no schema.", code="cli.plan", fix="Do what it says with: airflow-schemas apply PLAN.json.")


READERS: dict[str, tuple[str, Callable[[bytes, str], FileContent]]] = {
    "paimon": ("a schema file of Paimon", _paimon),
    "mini-paimon": ("a schema file of Mini Paimon", _mini_paimon),
    "spark": ("a StructType of Spark", _spark),
    "iceberg": ("a schema of Iceberg", _iceberg),
    "delta": ("a schema of Delta", _delta),
    "table-file": ("a table file", _table_file),
    "ddl": ("SQL text of columns", _ddl),
    "arrow": ("a schema of Arrow", _arrow),
    "odf": ("a document of ODF", _odf),
    "odf-block": ("a block of ODF", _odf_block),
    "plan": ("JSON", _plan),
}
