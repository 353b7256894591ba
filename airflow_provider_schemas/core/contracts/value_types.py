"""Whether a value of one scalar type is a value of another: for a job that reads it, writes it, or reads files with a schema of its own."""

from collections.abc import Iterable, Sequence
from itertools import chain

from airflow_provider_schemas.core.casts.cast_rules import lossless, same_type
from airflow_provider_schemas.core.engines.readers import READERS, Outcome, Reader, outcomes
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import uncommented


def own_schema_engines(way: str, engines: Sequence[Reader]) -> tuple[str, ...]:
    """Return the engines that take a schema from the job and read the files with it; way is how the contract says that it reads."""
    if way:
        return _file_engine(way)
    return tuple(dict.fromkeys(chain.from_iterable(_file_engine(engine.name) for engine in engines)))


def _file_engine(way: str) -> tuple[str, ...]:
    """Return the engine, if it reads files by name, with the job's schema. Tables of Paimon, Iceberg and Delta bring their own."""
    name = way.partition(" ")[0]
    if READERS.get(name) == "name":
        return (name,)
    return ()


def holds_all(source: DataType, target: DataType) -> bool:
    """Return whether every value of the source is one of the target."""
    source = bare(source)
    target = bare(target)
    if isinstance(source, AtomicType) and isinstance(target, AtomicType) and source.root is Root.DECIMAL:
        digits = _WHOLE_DIGITS.get(target.root)
        if digits is not None:
            return source.scale == 0 and (source.precision or 0) <= digits
    return lossless(source, target)


# How many digits a whole number may have at most, so that each of them is a value of the type.
_WHOLE_DIGITS = {Root.TINYINT: 2, Root.SMALLINT: 4, Root.INTEGER: 9, Root.BIGINT: 18, Root.FLOAT: 7, Root.DOUBLE: 15}


def same(source: DataType, target: DataType) -> bool:
    """Return whether two types are one, as far as a contract can say."""
    return same_type(bare(source), bare(target))


def bare(kind: DataType) -> DataType:
    """Return the type as a contract can say it: without ids, comments and defaults of fields, and without its own NOT NULL."""
    return numbered(uncommented(kind, defaults=False)).with_nullable(True)


def misreading(source: DataType, target: DataType, engines: Iterable[str]) -> tuple[str, Outcome] | None:
    """Return the first engine, or part of one, that does not give every value of the old type as one of the new type."""
    for engine in engines:
        for part, outcome in outcomes(engine, source, target).items():
            if outcome is not Outcome.EXACT:
                return part, outcome
    return None


def assignable(source: DataType, target: DataType) -> bool:
    """Return whether Spark stores values of one type as the other without a cast: its ANSI rules of assignment."""
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return False
    if Root.OPAQUE in (source.root, target.root):
        return False  # nobody knows what Spark makes of it
    to_text = target.root is Root.VARCHAR
    same_root = source.root is target.root
    return same_root or to_text or {source.root, target.root} <= _NUMBERS or {source.root, target.root} <= _TIMES


_NUMBERS = frozenset({Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL})
_TIMES = frozenset({Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ})
