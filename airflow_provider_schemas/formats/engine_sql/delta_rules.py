"""What Delta refuses, whichever engine hands it the change: the rules of the format, as reasons why a change has no statement."""

from typing import Final

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.engines.readers import readable
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import BYTES, AtomicType, DataType, is_void
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import RowType, fold
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import inexpressible

FORMAT: Final = "delta"
"""What the attributes of a table call it."""
COLUMN_MAPPING: Final = "column_mapping"
"""The attribute of a table that maps its columns."""

# The reader whose widenings are those of Delta's protocol.
_READER: Final = "spark-delta"
_NO_MAPPING: Final = (
    "the table finds its columns by their names: column mapping has to be switched on before, "
    "by the table property 'delta.columnMapping.mode' = 'name', which old readers of Delta do not know."
)
_WIDENINGS: Final = (
    "byte, short and int to wider integers, to double and to decimals with room for ten digits, bigint to decimals with room for twenty, "
    "float to double, decimals to ones with no fewer digits on either side of the point, and date to timestamp_ntz"
)
# Roots that Delta does not have; SQL would refuse them, or make another type of them.
_NOT_IN_DELTA: Final = frozenset(
    {Root.BINARY, Root.BLOB, Root.VECTOR, Root.MULTISET, Root.OPAQUE, Root.TIME, Root.GEOMETRY, Root.GEOGRAPHY}
)
_MICROSECONDS: Final = 6
_STAMPS: Final = frozenset({Root.TIMESTAMP, Root.TIMESTAMP_LTZ})
_PARTS: Final = frozenset({"element", "key", "value"})
# What sets keys in a table of Paimon. In one of Delta it would be a property that nobody reads.
_KEYS: Final = frozenset({"primary-key", "partition", "bucket", "bucket-key"})


def check_type(kind: DataType) -> None:
    """Refuse a type that Delta does not have as it is."""
    fold(kind, _check_part)


def _check_part(kind: DataType, _inner: list[None]) -> None:
    bare = kind.with_nullable(True)
    is_cut = kind.root is Root.VARBINARY and bare != BYTES
    is_other_stamp = isinstance(kind, AtomicType) and kind.root in _STAMPS and kind.precision != _MICROSECONDS
    if kind.root in _NOT_IN_DELTA or is_cut or is_other_stamp:
        raise inexpressible(f"{bare} would be refused, or become another type: Delta has no such type that a statement could name.")


def check_added(change: schema_change.AddColumn, steps: Steps) -> None:
    """Refuse a new column that Delta would refuse, or make something else of."""
    check_type(change.type)
    if not change.type.nullable or fold(change.type, _has_required_field):
        raise inexpressible("Delta adds no column that may not be NULL: rows that are there have none.")


def _has_required_field(kind: DataType, inner: list[bool]) -> bool:
    required = isinstance(kind, RowType) and any(not field.type.nullable for field in kind.fields)
    return required or any(inner)


def check_renamed(change: schema_change.RenameColumn, steps: Steps) -> None:
    """Refuse another name in a table that finds columns by their names."""
    _check_mapping(steps.before)


def check_dropped(change: schema_change.DropColumn, steps: Steps) -> None:
    """Refuse to drop a column in a table that finds columns by their names, and one by which the table is partitioned."""
    _check_mapping(steps.before)
    if is_partition(change.names, steps):
        raise inexpressible("Delta does not drop a column by which the table is partitioned.")


def is_partition(names: tuple[str, ...], steps: Steps) -> bool:
    """Return whether the table is partitioned by the column at a path."""
    return len(names) == 1 and names[0] in steps.before.partition_keys


def _check_mapping(schema: TableSchema) -> None:
    try:
        is_mapped = bool(schema.table_attributes.get(COLUMN_MAPPING))
    except SchemaError:
        is_mapped = False
    if not is_mapped:
        raise inexpressible(_NO_MAPPING)


def check_widening(change: schema_change.UpdateColumnType, steps: Steps) -> None:
    """Refuse a type that Delta does not widen the old one to."""
    check_type(change.type)
    before = steps.type_before(change.names)
    if same_type(before, change.type):
        return
    if is_void(before):
        raise inexpressible("only the newest engines of Delta give a column of type void another type by a statement.")
    if not (isinstance(before, AtomicType) and isinstance(change.type, AtomicType)):
        raise inexpressible("Delta replaces no struct, array or map as a whole; add, drop or alter the fields inside it.")
    if not readable(_READER, before, change.type):
        texts = f"{before.with_nullable(True)} to {change.type.with_nullable(True)}"
        raise inexpressible(f"Delta does not widen {texts}; where type widening is on, it widens {_WIDENINGS}.")


def check_nullability(change: schema_change.UpdateColumnNullability, steps: Steps) -> None:
    """Refuse NOT NULL for a column that is there, and any change of it in an array or a map."""
    if not change.nullable:
        raise inexpressible("Delta refuses to make a column NOT NULL: it does not know whether its files hold NULL.")
    if _is_part(change.names, steps):
        raise inexpressible("Delta does not change whether the parts of an array or a map may be NULL.")


def check_comment(change: schema_change.UpdateColumnComment, steps: Steps) -> None:
    """Refuse a comment for what is no field."""
    if _is_part(change.names, steps):
        raise inexpressible("Delta keeps no comments for the parts of an array or a map.")


def _is_part(names: tuple[str, ...], steps: Steps) -> bool:
    """Return whether a path ends at an element, a key or a value; a field may have such a name."""
    if len(names) == 1 or names[-1] not in _PARTS:
        return False
    return not isinstance(steps.type_before(names[:-1]), RowType)


def check_option(change: schema_change.SetOption | schema_change.RemoveOption, steps: Steps) -> None:
    """Refuse an option that would only look as if it did something."""
    if change.key.lower() in _KEYS:
        raise inexpressible(f"{change.key!r} means nothing to Delta: how a table is partitioned is said when it is made.")


NO_KEY: Final = "Delta's log has no primary key."
