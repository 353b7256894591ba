"""The sources of a query as the JVM knows them: the table's name, the folder, the columns with what is declared of them.

Spark's description of a plan leaves out where a frame of files lies, and the metadata of columns. Both are asked of the
leaves of the plan itself, a few calls a source; only classic sessions have them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.spark.observation.plan_lineage import SourceUse
from airflow_provider_schemas.spark.observation.plan_outputs import Columns
from airflow_provider_schemas.spark.observation.plan_trees import JsonValue, PlanNode
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame

_WAREHOUSE: Final = re.compile(r".*/([^/]+)\.db/([^/]+)")
_SCHEME: Final = re.compile(r"(?:s3[an]?://|file:/*(?=/))")
_FILES: Final = re.compile(r"FileSource\[(.*)\]")  # what files that are read as a stream are called
_REFERENCES: Final = ("CTERelationRef", "UnionLoopRef")  # leaves that bear the numbers of what they refer to
_DEFAULT_CATALOG: Final = "spark_catalog"


class QuerySource(Struct, frozen=True):
    """A table, or a folder that no table's name is known for."""

    name: str
    catalog: str = ""
    is_table: bool = True
    columns: Mapping[str, Field | None] = {}
    """The columns in order; None for one whose type no table can have."""
    partitioned_by: tuple[str, ...] = ()
    pinned: bool = False
    """Whether the ids of the columns are those of the table."""
    whole: tuple[str, ...] = ()
    """All columns of the table, where a frame may hold fewer."""

    @property
    def all(self) -> tuple[str, ...]:
        """Return the columns that `SELECT *` would take along."""
        return self.whole or tuple(self.columns)


def analysed(frame: "DataFrame") -> "JavaObject":
    """Return the analysed plan of a frame, in the JVM."""
    return frame._jdf.queryExecution().analyzed()


def describe(plan: "JavaObject") -> str:
    """Return Spark's own description of a plan."""
    try:
        return str(plan.toJSON())
    except java_error() as error:
        reason = str(error).strip().partition("\n")[0][:200]
        fix = "Observe its parts one by one, or write the contract by hand."
        raise SparkError(f"Spark could not describe the plan: {reason}", code="spark.plan", path="df", fix=fix) from error


def find_leaves(plan: "JavaObject") -> "dict[int, JavaObject]":
    """Return the leaves of a plan and of its subqueries, by the number of their first column."""
    leaves: dict[int, JavaObject] = {}
    for part in (plan, *_iterate(plan.subqueriesAll())):
        for leaf in _iterate(part.collectLeaves()):
            output = leaf.output()
            if not output.isEmpty() and leaf.nodeName() not in _REFERENCES:
                leaves[output.head().exprId().id()] = leaf
    return leaves


def find_source(use: SourceUse, leaves: "Mapping[int, JavaObject]", names: Mapping[str, str]) -> QuerySource:
    """Return what a source is called, and what is known of its columns."""
    if use.read is not None:
        return _source_of_read(use.read, use.columns)
    leaf = None
    if use.columns:
        leaf = leaves.get(use.columns[0].id)
    columns = _read_columns(use, leaf)
    catalog_table = _catalog_table(use.step)
    if catalog_table is None:
        return _source_of_leaf(use.step, leaf, columns, names)
    identifier = catalog_table["identifier"]
    name = ".".join(identifier[part] for part in ("database", "table") if identifier.get(part))
    keys = _split_names(catalog_table.get("partitionColumnNames"), columns)
    return QuerySource(names.get(name, name), identifier.get("catalog") or _DEFAULT_CATALOG, True, columns, keys)


def _source_of_read(read: TableInFrame, output: Columns) -> QuerySource:
    name = read.table
    if read.branch != "main":
        name += f"$branch_{read.branch}"
    schema = read.schema
    if schema is None:
        return QuerySource(name, columns={column.name: None for column in output})
    columns: dict[str, Field | None] = {}
    for column in output:
        field = schema.field(column.name)
        if field is not None:
            columns[column.name] = field
    return QuerySource(name, "", True, columns, schema.partition_keys, True, tuple(field.name for field in schema.fields))


def _catalog_table(step: PlanNode) -> dict[str, Any] | None:
    """Return what the catalog says of the table behind a step, if it comes from one."""
    table = step.fields.get("catalogTable") or step.fields.get("tableMeta")
    if isinstance(table, dict) and isinstance(table.get("identifier"), dict):
        return table
    return None


def _split_names(text: JsonValue, columns: Mapping[str, Field | None]) -> tuple[str, ...]:
    """Return the names in a list that Spark wrote down as one text."""
    if not isinstance(text, str):
        return ()
    names = set(text[1:-1].split(", "))
    return tuple(name for name in columns if name in names)


# ---------------------------------------------------------------- what only the JVM knows


def _source_of_leaf(
    step: PlanNode, leaf: "JavaObject | None", columns: Mapping[str, Field | None], names: Mapping[str, str]
) -> QuerySource:
    if leaf is None:
        return QuerySource(step.kind, is_table=False, columns=columns)
    if step.kind == "LogicalRelation":
        return _source_of_relation(leaf.relation(), columns, names)
    identifier = _get_option(leaf, "identifier")
    if identifier is None:
        return _source_of_files(leaf, columns, names)
    catalog = _get_option(leaf, "catalog")
    name = ".".join([*identifier.namespace(), identifier.name()])
    return QuerySource(names.get(name, name), "" if catalog is None else str(catalog.name()), True, columns)


def _source_of_relation(relation: "JavaObject", columns: Mapping[str, Field | None], names: Mapping[str, str]) -> QuerySource:
    if relation.getClass().getSimpleName() != "HadoopFsRelation":
        return _source_of_text(_first_line(relation), columns, names)
    keys = tuple(relation.partitionSchema().fieldNames())
    return _source_in_folders(_texts(relation.location().rootPaths()), columns, names, keys)


def _source_of_files(leaf: "JavaObject", columns: Mapping[str, Field | None], names: Mapping[str, str]) -> QuerySource:
    """Return a source that no catalog knows: files, in most cases."""
    folder = _FILES.fullmatch(_first_line(leaf))
    try:
        folders = [folder[1]] if folder else _texts(leaf.table().fileIndex().rootPaths())
    except java_error():
        return _source_of_text(_first_line(leaf), columns, names)
    return _source_in_folders(folders, columns, names, ())


def _source_in_folders(
    paths: list[str], columns: Mapping[str, Field | None], names: Mapping[str, str], keys: tuple[str, ...]
) -> QuerySource:
    tables = {_find_name(path, names) for path in paths}
    table = tables.pop() if len(tables) == 1 else None
    name = table or ", ".join(_plain_path(path) for path in paths[:3])
    return QuerySource(name, is_table=table is not None, columns=columns, partitioned_by=keys)


def _source_of_text(text: str, columns: Mapping[str, Field | None], names: Mapping[str, str]) -> QuerySource:
    return QuerySource(names.get(text, text), is_table=text in names, columns=columns)


def _texts(paths: "JavaObject") -> list[str]:
    return [str(path.toString()) for path in _iterate(paths)]


def _read_columns(use: SourceUse, leaf: "JavaObject | None") -> dict[str, Field | None]:
    declared = _describe_columns(use.step) if leaf is None else _declared_columns(leaf)
    columns: dict[str, Field | None] = {}
    for column in use.columns:
        declaration = declared.get(column.name)
        if declaration is None:
            columns[column.name] = None
        elif not _is_metadata(declaration):
            columns[column.name] = _parse_field(declaration)
    return columns


def _declared_columns(leaf: "JavaObject") -> dict[str, dict[str, Any]]:
    return {field["name"]: field for field in json.loads(leaf.schema().json())["fields"]}


def _describe_columns(step: PlanNode) -> dict[str, dict[str, Any]]:
    """Return the columns as the plan's description has them, without metadata."""
    columns = {}
    for column in step.listed("output") or ():
        fields = column.fields
        columns[column.name] = {"type": fields["dataType"], "name": fields["name"], "nullable": fields["nullable"]}
    return columns


def _is_metadata(declaration: dict[str, Any]) -> bool:
    """Return whether this is Spark's hidden column about files."""
    kind = declaration["type"]
    if not declaration["name"].startswith("_metadata") or not isinstance(kind, dict):
        return False
    return any(field.get("name") == "file_path" for field in kind.get("fields", ()))


def _parse_field(declaration: dict[str, Any]) -> Field | None:
    """Return the column of a declaration; None if no table can have its type."""
    try:
        return struct_json.of_value({"type": "struct", "fields": [declaration]}).schema.fields[0]
    except SchemaError:
        return None


def _iterate(sequence: "JavaObject") -> "Iterator[JavaObject]":
    """Yield what is in a sequence of Scala."""
    iterator = sequence.iterator()
    while iterator.hasNext():
        yield iterator.next()


def _get_option(leaf: "JavaObject", name: str) -> "JavaObject | None":
    """Return what an Option of a leaf holds; None if it is empty, or the leaf has none."""
    try:
        option = getattr(leaf, name)()
    except java_error():
        return None
    if not option.isDefined():
        return None
    return option.get()


def java_error() -> type[Exception]:
    """Return what py4j raises of a method that a class of the JVM does not have, and of one that fails."""
    from py4j.protocol import Py4JError

    error: type[Exception] = Py4JError
    return error


def _first_line(thing: "JavaObject") -> str:
    return str(thing.toString()).partition("\n")[0][:200]


# ---------------------------------------------------------------- names


def _plain_path(path: str) -> str:
    """Return a path in the one spelling that all are compared in."""
    return _SCHEME.sub(_plain_scheme, path, count=1).rstrip("/")


def _plain_scheme(match: re.Match[str]) -> str:
    if match[0].startswith("s3"):
        return "s3://"
    return ""


def _find_name(path: str, names: Mapping[str, str]) -> str | None:
    """Return the table whose files lie here: as somebody said, or as a warehouse is laid out."""
    place = _plain_path(path)
    for folder in sorted(names, key=len, reverse=True):
        if place == _plain_path(folder) or place.startswith(f"{_plain_path(folder)}/"):
            return names[folder]
    match = _WAREHOUSE.fullmatch(place)
    if match is None:
        return None
    database, table = match.groups()
    return f"{database}.{table}"
