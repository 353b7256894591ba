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
from airflow_provider_schemas.spark.observation.plan_lineage import Found
from airflow_provider_schemas.spark.observation.plan_outputs import Columns
from airflow_provider_schemas.spark.observation.plan_trees import Node
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WAREHOUSE: Final = re.compile(r".*/([^/]+)\.db/([^/]+)")
_SCHEME: Final = re.compile(r"(?:s3[an]?://|file:/*(?=/))")
_FILES: Final = re.compile(r"FileSource\[(.*)\]")  # what files that are read as a stream are called
_REFERENCES: Final = ("CTERelationRef", "UnionLoopRef")  # leaves that bear the numbers of what they refer to
_DEFAULT_CATALOG: Final = "spark_catalog"


class Source(Struct, frozen=True):
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
        """The columns that `SELECT *` would take along."""
        return self.whole or tuple(self.columns)


def analysed(frame: "DataFrame") -> Any:
    """The analysed plan of a frame, in the JVM."""
    return frame._jdf.queryExecution().analyzed()


def described(plan: Any) -> str:
    """Spark's own description of a plan."""
    try:
        return str(plan.toJSON())
    except not_there() as error:
        said = str(error).strip().partition("\n")[0][:200]
        fix = "Observe its parts one by one, or write the contract by hand."
        raise SparkError(f"Spark could not describe the plan: {said}", code="spark.plan", path="df", fix=fix) from error


def leaves(plan: Any) -> dict[int, Any]:
    """The leaves of a plan and of its subqueries, by the number of their first column."""
    answer: dict[int, Any] = {}
    for part in (plan, *_listed(plan.subqueriesAll())):
        for leaf in _listed(part.collectLeaves()):
            output = leaf.output()
            if not output.isEmpty() and leaf.nodeName() not in _REFERENCES:
                answer[output.head().exprId().id()] = leaf
    return answer


def source_of(found: Found, there: Mapping[int, Any], names: Mapping[str, str]) -> Source:
    """What a source is called, and what is known of its columns."""
    if found.read is not None:
        return _of_read(found.read, found.columns)
    leaf = there.get(found.columns[0].id) if found.columns else None
    about = _catalog_table(found.step)
    columns = _columns(found, leaf)
    if about is not None:
        identifier = about["identifier"]
        name = ".".join(identifier[part] for part in ("database", "table") if identifier.get(part))
        keys = _texts(about.get("partitionColumnNames"), columns)
        return Source(_called(name, names), identifier.get("catalog") or _DEFAULT_CATALOG, True, columns, keys)
    return _asked(found.step, leaf, columns, names)


def _of_read(read: TableInFrame, there: Columns) -> Source:
    name = read.table if read.branch == "main" else f"{read.table}$branch_{read.branch}"
    schema = read.schema
    if schema is None:
        return Source(name, columns={one.name: None for one in there})
    columns = {one.name: schema.field(one.name) for one in there if schema.field(one.name) is not None}
    return Source(name, "", True, columns, schema.partition_keys, True, tuple(one.name for one in schema.fields))


def _catalog_table(step: Node) -> dict[str, Any] | None:
    """What the catalog says of the table behind a step, if it comes from one."""
    found = step.fields.get("catalogTable") or step.fields.get("tableMeta")
    return found if isinstance(found, dict) and isinstance(found.get("identifier"), dict) else None


def _texts(found: Any, columns: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a list that Spark wrote down as one text."""
    parts = set(found[1:-1].split(", ")) if isinstance(found, str) else set()
    return tuple(name for name in columns if name in parts)


# ---------------------------------------------------------------- what only the JVM knows


def _asked(step: Node, leaf: Any, columns: Mapping[str, Field | None], names: Mapping[str, str]) -> Source:
    if leaf is None:
        return Source(step.kind, is_table=False, columns=columns)
    if step.kind == "LogicalRelation":
        return _of_relation(leaf.relation(), columns, names)
    identifier = _option(leaf, "identifier")
    if identifier is None:
        return _of_unnamed(step, leaf, columns, names)
    catalog = _option(leaf, "catalog")
    name = ".".join([*identifier.namespace(), identifier.name()])
    return Source(_called(name, names), "" if catalog is None else str(catalog.name()), True, columns)


def _of_relation(relation: Any, columns: Mapping[str, Field | None], names: Mapping[str, str]) -> Source:
    if relation.getClass().getSimpleName() != "HadoopFsRelation":
        return _of_text(_first_line(relation), columns, names)
    keys = tuple(relation.partitionSchema().fieldNames())
    return _in_folders(_texts_of(relation.location().rootPaths()), columns, names, keys)


def _of_unnamed(step: Node, leaf: Any, columns: Mapping[str, Field | None], names: Mapping[str, str]) -> Source:
    """A source that no catalog knows: files, in most cases."""
    folder = _FILES.fullmatch(_first_line(leaf))
    try:
        folders = [folder[1]] if folder else _texts_of(leaf.table().fileIndex().rootPaths())
    except not_there():
        return _of_text(_first_line(leaf), columns, names)
    return _in_folders(folders, columns, names, ())


def _in_folders(paths: list[str], columns: Mapping[str, Field | None], names: Mapping[str, str], keys: tuple[str, ...]) -> Source:
    called = {_named(one, names) for one in paths}
    name = called.pop() if len(called) == 1 else None
    return Source(name or ", ".join(plain(one) for one in paths[:3]), is_table=name is not None, columns=columns, partitioned_by=keys)


def _of_text(text: str, columns: Mapping[str, Field | None], names: Mapping[str, str]) -> Source:
    return Source(names.get(text, text), is_table=text in names, columns=columns)


def _texts_of(paths: Any) -> list[str]:
    return [str(one.toString()) for one in _listed(paths)]


def _columns(found: Found, leaf: Any) -> dict[str, Field | None]:
    declared = _declared(leaf) if leaf is not None else _described(found.step)
    return {one.name: _field(declared.get(one.name)) for one in found.columns if not _is_metadata(declared.get(one.name))}


def _declared(leaf: Any) -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(leaf.schema().json())["fields"]}


def _described(step: Node) -> dict[str, Any]:
    """The columns as the plan's description has them, without metadata."""
    keys = {"dataType": "type", "name": "name", "nullable": "nullable"}
    return {one.name: {ours: one.fields[theirs] for theirs, ours in keys.items()} for one in step.listed("output") or ()}


def _is_metadata(declared: Any) -> bool:
    """Whether this is Spark's hidden column about files."""
    kind = declared["type"] if declared is not None else None
    return (
        declared is not None
        and declared["name"].startswith("_metadata")
        and isinstance(kind, dict)
        and any(one.get("name") == "file_path" for one in kind.get("fields", ()))
    )


def _field(declared: Any) -> Field | None:
    if declared is None:
        return None
    try:
        return struct_json.of_value({"type": "struct", "fields": [declared]}).schema.fields[0]
    except SchemaError:
        return None


def _listed(sequence: Any) -> Iterator[Any]:
    walker = sequence.iterator()
    while walker.hasNext():
        yield walker.next()


def _option(leaf: Any, name: str) -> Any:
    """What an Option of a leaf holds; None if it is empty, or the leaf has none."""
    try:
        found = getattr(leaf, name)()
    except not_there():
        return None
    return found.get() if found.isDefined() else None


def not_there() -> type[Exception]:
    """What py4j raises of a method that a class of the JVM does not have, and of one that fails."""
    from py4j.protocol import Py4JError

    error: type[Exception] = Py4JError
    return error


def _first_line(thing: Any) -> str:
    return str(thing.toString()).partition("\n")[0][:200]


# ---------------------------------------------------------------- names


def plain(path: str) -> str:
    """A path in the one spelling that all are compared in."""
    return _SCHEME.sub(lambda found: "s3://" if found[0].startswith("s3") else "", path, count=1).rstrip("/")


def _called(name: str, names: Mapping[str, str]) -> str:
    return names.get(name, name)


def _named(path: str, names: Mapping[str, str]) -> str | None:
    """The table whose files lie here: as somebody said, or as a warehouse is laid out."""
    here = plain(path)
    for folder, name in sorted(names.items(), key=lambda one: -len(one[0])):
        if here == plain(folder) or here.startswith(f"{plain(folder)}/"):
            return name
    found = _WAREHOUSE.fullmatch(here)
    return f"{found[1]}.{found[2]}" if found else None
