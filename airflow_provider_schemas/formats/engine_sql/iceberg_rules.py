"""What Iceberg refuses, whichever engine hands it the change: the rules of the format, as reasons why a change has no statement."""

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.engines.readers import readable
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, AtomicType, DataType, is_void
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import fold
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import inexpressible

# The reader whose promotions are those of Iceberg's specification.
_READER = "spark-iceberg"
_PROMOTIONS = "int to bigint, float to double, a decimal to one of more digits and the same scale, and in version 3 date to timestamp"
# Roots that Iceberg does not have; SQL would make another type of them, without a word.
_NOT_IN_ICEBERG = frozenset({Root.TINYINT, Root.SMALLINT, Root.CHAR, Root.BINARY, Root.BLOB, Root.VECTOR, Root.MULTISET, Root.OPAQUE})
_MICROSECONDS = 6
_TIMES = frozenset({Root.TIME, Root.TIMESTAMP, Root.TIMESTAMP_LTZ})
# What sets keys in a table of Paimon. In one of Iceberg it would be a property that nobody reads.
_KEYS = frozenset({"primary-key", "partition", "bucket", "bucket-key"})


def check_type(kind: DataType) -> None:
    """Refuse a type that Iceberg does not have as it is."""
    fold(kind, _check_part)


def _check_part(kind: DataType, _inner: list[None]) -> None:
    bare = kind.with_nullable(True)
    is_cut = kind.root in (Root.VARCHAR, Root.VARBINARY) and bare not in (STRING, BYTES)
    is_other_time = isinstance(kind, AtomicType) and kind.root in _TIMES and kind.precision != _MICROSECONDS
    if kind.root in _NOT_IN_ICEBERG or is_cut or is_other_time:
        raise inexpressible(f"{bare} would become another type: Iceberg has no such type that a statement could name.")


def check_added(change: schema_change.AddColumn, steps: Steps) -> None:
    """Refuse a new column that Iceberg would refuse, or make something else of."""
    check_path(change.names, steps)
    check_type(change.type)
    if not change.type.nullable:
        raise inexpressible("Iceberg adds a column that may not be NULL only with a default for old rows, which SQL does not set.")


def check_promotion(change: schema_change.UpdateColumnType, steps: Steps) -> None:
    """Refuse a type that Iceberg does not promote the old one to."""
    check_path(change.names, steps)
    check_type(change.type)
    before = steps.type_before(change.names)
    if is_void(before) or same_type(before, change.type):
        return
    if not (isinstance(before, AtomicType) and isinstance(change.type, AtomicType)):
        raise inexpressible("Iceberg replaces no struct, list or map as a whole; add, drop or alter the fields inside it.")
    if not readable(_READER, before, change.type):
        texts = f"{before.with_nullable(True)} to {change.type.with_nullable(True)}"
        raise inexpressible(f"Iceberg has no promotion from {texts}; it promotes {_PROMOTIONS}.")


def check_nullability(change: schema_change.UpdateColumnNullability, steps: Steps) -> None:
    """Refuse NOT NULL for a column that is there."""
    check_path(change.names, steps)
    if not change.nullable:
        raise inexpressible("Iceberg refuses to make a column NOT NULL: it does not know whether its files hold NULL.")


def check_path(names: tuple[str, ...], steps: Steps) -> None:
    """Refuse a path into the key of a map, which Iceberg never changes. A field may be called key."""
    for depth, name in enumerate(names):
        if depth and name == "key" and steps.type_before(names[:depth]).root is Root.MAP:
            raise inexpressible("Iceberg never changes the key of a map.")


def check_option(key: str) -> None:
    """Refuse an option that would only look as if it did something."""
    if key.lower() in _KEYS:
        raise inexpressible(f"{key!r} means nothing to Iceberg, which has partition fields and identifier fields, and statements for them.")


NO_KEY = "Iceberg has no primary key; its identifier fields are enforced by nobody."
NO_DEFAULT = "only the newest versions of Iceberg have defaults, and few engines set them."
