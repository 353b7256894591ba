"""What the data say of each column: one aggregation, in which each family of types has measures of its own.

Columns inside structs are looked at one by one, lists and maps as wholes. Columns are taken by their place, so that names
which differ in case only, or have dots in them, make no difference. Of very wide tables so many columns are looked at in
one job as Spark plans well; each job then reads its own columns only.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.spark.inference import text_columns
from airflow_provider_schemas.spark.inference.result import ColumnEvidence
from airflow_provider_schemas.spark.inference.source import rows_of
from airflow_provider_schemas.spark.progress import progress
from airflow_provider_schemas.spark.session import functions_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_AT_ONCE: Final = 600
_SHORT: Final = 100
# From so many text columns on their values are put one below the other.
_MANY_TEXTS: Final = 12
_PLACE: Final = "place"
_VALUE: Final = "value"
_COUNTS: Final = ("n", "nulls", "blank")


class Leaf(Struct, frozen=True):
    """A column, or a field inside structs, and how Spark gets at it."""

    path: str
    kind: DataType
    column: Any
    top: str
    """The column of the frame that it lies in."""


Measures = dict[str, Any]


class Asked(Struct, frozen=True):
    """What is asked about some columns of the frame, by name."""

    columns: tuple[str, ...]
    measures: Measures


Values = Mapping[str, Any]


def leaves(schema: TableSchema, places: Mapping[str, int], F: ModuleType) -> Iterator[Leaf]:  # noqa: N803  # Spark's functions
    """The columns of a schema, in a frame whose columns are called by their places."""
    for one in schema.fields:
        top = called(places[one.name])
        yield from _inside(one, one.name, F.col(top), top)


def called(place: int) -> str:
    """The name of a column by its place."""
    return f"c{place}"


def _inside(one: Field, path: str, column: "Column", top: str) -> Iterator[Leaf]:
    kind = one.type
    yield Leaf(path, kind, column, top)
    names = [inner.name.lower() for inner in kind.fields] if isinstance(kind, RowType) else []
    if isinstance(kind, RowType) and len(set(names)) == len(names):
        for inner in kind.fields:
            yield from _inside(inner, f"{path}.{inner.name}", column.getField(inner.name), top)


# ---------------------------------------------------------------- measures


def _of_range(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {"low": F.min(column).cast("string"), "high": F.max(column).cast("string")}


def _of_floats(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    sound = F.when(~F.isnan(column), column)
    return {**_of_range(F, sound), "nan": F.count_if(F.isnan(column)), "fractions": F.count_if(sound != F.rint(sound))}


def _of_bytes(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {"low": F.min(F.length(column)), "high": F.max(F.length(column))}


def _of_list(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    empty = F.sum(F.size(F.filter(column, lambda one: one.isNull())).cast("long"))
    return {"low": F.min(F.size(column)), "high": F.max(F.size(column)), "null elements": F.when(F.count(column) > 0, empty)}


def _of_map(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return _of_list(F, F.map_values(column))


def _none(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {}


_Measure = Callable[[Any, Any], Measures]
_RANGED: Final = (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.DECIMAL, Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ)
_MEASURES: Final[dict[Root, _Measure]] = {
    **dict.fromkeys((*_RANGED, Root.BOOLEAN), _of_range),
    **dict.fromkeys((Root.FLOAT, Root.DOUBLE), _of_floats),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _of_bytes),
    Root.ARRAY: _of_list,
    Root.MAP: _of_map,
}
_TEXTS: Final = frozenset({Root.CHAR, Root.VARCHAR})
_COUNTABLE: Final = frozenset({*_TEXTS, *_RANGED, Root.FLOAT, Root.DOUBLE, Root.BINARY, Root.VARBINARY})


def _measures(leaf: Leaf, number: int, F: ModuleType) -> Measures:  # noqa: N803  # as above
    """What is asked of one column, by name."""
    if leaf.kind.root in _TEXTS:
        own = text_columns.measures(F, leaf.column, F.col(f"t{number}"), F.col(f"k{number}"))
    else:
        own = _MEASURES.get(leaf.kind.root, _none)(F, leaf.column)
    return {"nulls": F.count_if(leaf.column.isNull()), **own}


# ---------------------------------------------------------------- one pass


def measured(frame: "DataFrame", leaves: Sequence[Leaf], more: Mapping[Any, Asked]) -> tuple[int, dict[Any, dict[str, Any]]]:
    """How many rows there are, and the answers about each leaf, by its number, and to what else was asked."""
    F = functions_of(frame)  # noqa: N806  # as above
    texts = {number: one for number, one in enumerate(leaves) if one.kind.root in _TEXTS}
    unpivoted = texts if len(texts) >= _MANY_TEXTS else {}
    own = {number: Asked((one.top,), _measures(one, number, F)) for number, one in enumerate(leaves) if number not in unpivoted}
    rows, answers = 0, dict[Any, dict[str, Any]]()
    with progress("looking at columns", len(leaves), spark=frame.sparkSession) as step:
        if unpivoted:
            rows, answers = _of_texts(frame, unpivoted, F)
            step(len(unpivoted))
        for part in _parts({**own, **more}):
            texts = {number: leaves[number] for number in part if isinstance(number, int) and leaves[number].kind.root in _TEXTS}
            row = _row(_prepared(_narrowed(frame, part), texts, F), part, F)
            rows, values = row[0], iter(row[1:])
            answers |= {key: {name: next(values) for name in one.measures} for key, one in part.items()}
            step(sum(isinstance(key, int) for key in part))
    return rows, answers


def _of_texts(frame: "DataFrame", texts: Mapping[int, Leaf], F: ModuleType) -> tuple[int, dict[Any, dict[str, Any]]]:  # noqa: N803  # as above
    """The same of many text columns, one below the other: each measure stands in the plan once, and not once a column."""
    values = frame.select(F.posexplode(F.array(*[one.column.cast("string") for one in texts.values()])).alias(_PLACE, _VALUE))
    value, text, kind = F.col(_VALUE), F.col("t"), F.col("k")
    prepared = values.withColumn("t", F.trim(value)).withColumn("k", text_columns.kind(F, text))
    asked = {"n": F.count(F.lit(1)), "nulls": F.count_if(value.isNull()), **text_columns.measures(F, value, text, kind)}
    found = {row[0]: row[1:] for row in rows_of(prepared.groupBy(_PLACE).agg(*[one.alias(name) for name, one in asked.items()]))}
    none = tuple(0 if name in _COUNTS else None for name in asked)
    answers = {number: dict(zip(asked, found.get(place, none), strict=True)) for place, number in enumerate(texts)}
    return next(iter(answers.values()))["n"], dict(answers)


def _narrowed(frame: "DataFrame", part: Mapping[Any, Asked]) -> "DataFrame":
    """Only the columns that are asked about: planning thousands that nobody asked about takes longer than reading the others."""
    return frame.select(*dict.fromkeys(name for one in part.values() for name in one.columns))


def _prepared(frame: "DataFrame", texts: Mapping[int, Leaf], F: ModuleType) -> "DataFrame":  # noqa: N803  # as above
    """The frame with what several measures of a text column use, worked out once a value."""
    if not texts:
        return frame
    trimmed = frame.select("*", *[F.trim(one.column).alias(f"t{number}") for number, one in texts.items()])
    return trimmed.select("*", *[text_columns.kind(F, F.col(f"t{number}")).alias(f"k{number}") for number in texts])


def _row(frame: "DataFrame", part: Mapping[Any, Asked], F: ModuleType) -> Any:  # noqa: N803  # as above
    flat = [one for asked in part.values() for one in asked.measures.values()]
    return rows_of(frame.agg(F.count(F.lit(1)).alias("n"), *[one.alias(f"m{place}") for place, one in enumerate(flat)]))[0]


def distinct(frame: "DataFrame", leaves: Sequence[Leaf]) -> dict[int, int]:
    """About how many different values each leaf has; a pass of its own, because Spark counts them in a slower way."""
    F = functions_of(frame)  # noqa: N806  # as above
    countable = {number: one for number, one in enumerate(leaves) if one.kind.root in _COUNTABLE}
    answers: dict[int, int] = {}
    for part in _parts({number: Asked((one.top,), {"n": F.approx_count_distinct(one.column)}) for number, one in countable.items()}):
        answers |= dict(zip(part, _row(_narrowed(frame, part), part, F)[1:], strict=True))
    return answers


def _parts(asked: Mapping[Any, Asked]) -> Iterator[dict[Any, Asked]]:
    part: dict[Any, Asked] = {}
    many = 0
    for key, one in asked.items():
        if part and many + len(one.measures) > _AT_ONCE:
            yield part
            part, many = {}, 0
        part[key] = one
        many += len(one.measures)
    if part:
        yield part


# ---------------------------------------------------------------- what the answers say


def evidence(leaf: Leaf, values: Values, rows: int, different: int | None) -> ColumnEvidence:
    """The answers about one column as people read them."""
    text = leaf.kind.root in _TEXTS
    return ColumnEvidence(
        path=leaf.path,
        type=_brief(leaf.kind),
        nulls=values["nulls"],
        low=_shown(values.get("low")),
        high=_shown(values.get("high")),
        distinct=different,
        looks_like=text_columns.looks_like(values) if text else _whole(values, rows),
        note=text_columns.note(values) if text else _note(leaf.kind, values),
    )


def _whole(values: Values, rows: int) -> str:
    """Floats without a fraction: whole numbers that lost their type, as with pandas and NULL."""
    there = rows - values["nulls"] - values.get("nan", 0)
    return (
        "BIGINT" if values.get("fractions") == 0 and there > 0 and values["low"] not in _ENDLESS and values["high"] not in _ENDLESS else ""
    )


_ENDLESS: Final = ("Infinity", "-Infinity")


def _note(kind: DataType, values: Values) -> str:
    said = [f"{values['nan']:,} NaN"] if values.get("nan") else []
    if values.get("null elements"):
        said.append(f"{values['null elements']:,} NULL inside")
    inner = kind.element if isinstance(kind, ArrayType) else kind.value if isinstance(kind, MapType) else None
    if inner is not None and not isinstance(inner, AtomicType):
        said.append("what lies inside the elements was not looked at")
    return "; ".join(said)


def _shown(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."


def _brief(kind: DataType) -> str:
    text = str(kind)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."
