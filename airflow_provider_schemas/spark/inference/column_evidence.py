"""What the data say of each column: one aggregation, in which each family of types has measures of its own.

Columns inside structs are looked at one by one, lists and maps as wholes. Columns are taken by their place, so that names
which differ in case only, or have dots in them, make no difference. Of very wide tables so many columns are looked at in
one job as Spark plans well; each job then reads its own columns only.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.spark.inference import text_columns
from airflow_provider_schemas.spark.inference.result import ColumnEvidence
from airflow_provider_schemas.spark.inference.source import collect_rows
from airflow_provider_schemas.spark.progress import progress
from airflow_provider_schemas.spark.session import functions_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

_AT_ONCE: Final = 600
_SHORT: Final = 100
# From so many text columns on their values are put one below the other.
_MANY_TEXTS: Final = 12
_PLACE: Final = "place"
_VALUE: Final = "value"
_COUNTS: Final = ("n", "nulls", "blank")


class LeafColumn(Struct, frozen=True):
    """A column, or a field inside structs, and how Spark gets at it."""

    path: str
    kind: DataType
    column: "Column"
    top: str
    """The column of the frame that it lies in."""

    @property
    def is_text(self) -> bool:
        return self.kind.root in _TEXTS


Measures = dict[str, "Column"]
"""Aggregations by name."""


class ColumnMeasures(Struct, frozen=True):
    """The measures of some columns of the frame."""

    columns: tuple[str, ...]
    measures: Measures


MeasureKey = int | tuple[str, str]
"""The number of a leaf column, or two columns that may be one."""
Batch = dict[MeasureKey, ColumnMeasures]
Values = Mapping[str, Any]
"""What came out for measures, by their names."""


def find_leaves(schema: TableSchema, places: Mapping[str, int], F: ModuleType) -> Iterator[LeafColumn]:  # noqa: N803  # Spark's functions
    """Yield the columns of a schema and the fields in them, in a frame whose columns are called by their places."""
    for field in schema.fields:
        top = place_name(places[field.name])
        yield from _find_inside(field, field.name, F.col(top), top)


def place_name(place: int) -> str:
    """Return the name of a column by its place."""
    return f"c{place}"


def _find_inside(field: Field, path: str, column: "Column", top: str) -> Iterator[LeafColumn]:
    kind = field.type
    yield LeafColumn(path, kind, column, top)
    if not isinstance(kind, RowType):
        return
    names = [inner.name.lower() for inner in kind.fields]
    if len(set(names)) == len(names):
        for inner in kind.fields:
            yield from _find_inside(inner, f"{path}.{inner.name}", column.getField(inner.name), top)


# ---------------------------------------------------------------- measures


def _measure_range(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {"low": F.min(column).cast("string"), "high": F.max(column).cast("string")}


def _measure_floats(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    sound = F.when(~F.isnan(column), column)
    return {**_measure_range(F, sound), "nan": F.count_if(F.isnan(column)), "fractions": F.count_if(sound != F.rint(sound))}


def _measure_bytes(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {"low": F.min(F.length(column)), "high": F.max(F.length(column))}


def _measure_list(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    empty = F.sum(F.size(F.filter(column, lambda element: element.isNull())).cast("long"))
    return {"low": F.min(F.size(column)), "high": F.max(F.size(column)), "null elements": F.when(F.count(column) > 0, empty)}


def _measure_map(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return _measure_list(F, F.map_values(column))


def _measure_nothing(F: ModuleType, column: "Column") -> Measures:  # noqa: N803  # as above
    return {}


_Measure = Callable[[ModuleType, "Column"], Measures]
_RANGED: Final = (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.DECIMAL, Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ)
_MEASURES: Final[dict[Root, _Measure]] = {
    **dict.fromkeys((*_RANGED, Root.BOOLEAN), _measure_range),
    **dict.fromkeys((Root.FLOAT, Root.DOUBLE), _measure_floats),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _measure_bytes),
    Root.ARRAY: _measure_list,
    Root.MAP: _measure_map,
}
_TEXTS: Final = frozenset({Root.CHAR, Root.VARCHAR})
_COUNTABLE: Final = frozenset({*_TEXTS, *_RANGED, Root.FLOAT, Root.DOUBLE, Root.BINARY, Root.VARBINARY})


def _make_measures(leaf: LeafColumn, number: int, F: ModuleType) -> ColumnMeasures:  # noqa: N803  # as above
    if leaf.is_text:
        own = text_columns.text_measures(F, leaf.column, F.col(f"t{number}"), F.col(f"k{number}"))
    else:
        own = _MEASURES.get(leaf.kind.root, _measure_nothing)(F, leaf.column)
    return ColumnMeasures((leaf.top,), {"nulls": F.count_if(leaf.column.isNull()), **own})


# ---------------------------------------------------------------- one pass


def measure(
    frame: "DataFrame", leaves: Sequence[LeafColumn], more: Mapping[tuple[str, str], ColumnMeasures]
) -> tuple[int, dict[MeasureKey, Values]]:
    """Count the rows, and measure each leaf column and what else is passed; the values are by the number of the leaf, or by the key."""
    F = functions_of(frame)  # noqa: N806  # as above
    texts = {number: leaf for number, leaf in enumerate(leaves) if leaf.is_text}
    stacked = texts if len(texts) >= _MANY_TEXTS else {}
    wanted: Batch = {number: _make_measures(leaf, number, F) for number, leaf in enumerate(leaves) if number not in stacked}
    for pair, measures in more.items():
        wanted[pair] = measures
    rows = 0
    answers: dict[MeasureKey, Values] = {}
    with progress("looking at columns", len(leaves), spark=frame.sparkSession) as step:
        if stacked:
            rows, answers = _measure_stacked(frame, stacked, F)
            step(len(stacked))
        for batch in _split(wanted):
            rows, values = _measure_batch(frame, leaves, batch, F)
            answers |= values
            step(sum(isinstance(key, int) for key in batch))
    return rows, answers


def _measure_batch(
    frame: "DataFrame",
    leaves: Sequence[LeafColumn],
    batch: Batch,
    F: ModuleType,  # noqa: N803  # as above
) -> tuple[int, dict[MeasureKey, Values]]:
    """Count the rows, and take the measures of one batch, in one job."""
    texts = {number: leaves[number] for number in batch if isinstance(number, int) and leaves[number].is_text}
    row = _aggregate(_with_texts(_select(frame, batch), texts, F), batch, F)
    values = iter(row[1:])
    answers: dict[MeasureKey, Values] = {}
    for key, wanted in batch.items():
        answers[key] = {name: next(values) for name in wanted.measures}
    return row[0], answers


def _measure_stacked(
    frame: "DataFrame",
    texts: Mapping[int, LeafColumn],
    F: ModuleType,  # noqa: N803  # as above
) -> tuple[int, dict[MeasureKey, Values]]:
    """Count the rows, and measure many text columns, one below the other: each measure stands in the plan once, and not once a column."""
    values = frame.select(F.posexplode(F.array(*[leaf.column.cast("string") for leaf in texts.values()])).alias(_PLACE, _VALUE))
    value = F.col(_VALUE)
    text = F.col("t")
    prepared = values.withColumn("t", F.trim(value)).withColumn("k", text_columns.text_kind(F, text))
    measures = {"n": F.count(F.lit(1)), "nulls": F.count_if(value.isNull()), **text_columns.text_measures(F, value, text, F.col("k"))}
    grouped = prepared.groupBy(_PLACE).agg(*[column.alias(name) for name, column in measures.items()])
    found = {row[0]: row[1:] for row in collect_rows(grouped)}
    no_rows = tuple(0 if name in _COUNTS else None for name in measures)
    answers: dict[MeasureKey, Values] = {}
    for place, number in enumerate(texts):
        answers[number] = dict(zip(measures, found.get(place, no_rows), strict=True))
    rows: int = next(iter(answers.values()))["n"]
    return rows, answers


def _select(frame: "DataFrame", batch: Batch) -> "DataFrame":
    """Return only the columns that are measured: planning thousands that are not takes longer than reading the others."""
    names: dict[str, None] = {}
    for wanted in batch.values():
        names |= dict.fromkeys(wanted.columns)
    return frame.select(*names)


def _with_texts(frame: "DataFrame", texts: Mapping[int, LeafColumn], F: ModuleType) -> "DataFrame":  # noqa: N803  # as above
    """Return the frame with what several measures of a text column use, worked out once a value."""
    if not texts:
        return frame
    trimmed = frame.select("*", *[F.trim(leaf.column).alias(f"t{number}") for number, leaf in texts.items()])
    return trimmed.select("*", *[text_columns.text_kind(F, F.col(f"t{number}")).alias(f"k{number}") for number in texts])


def _aggregate(frame: "DataFrame", batch: Batch, F: ModuleType) -> "Row":  # noqa: N803  # as above
    """Return the number of rows, and then all measures in one row."""
    columns = [F.count(F.lit(1)).alias("n")]
    measures = chain.from_iterable(wanted.measures.values() for wanted in batch.values())
    columns += [measure.alias(f"m{place}") for place, measure in enumerate(measures)]
    return collect_rows(frame.agg(*columns))[0]


def count_distinct(frame: "DataFrame", leaves: Sequence[LeafColumn]) -> dict[MeasureKey, int]:
    """Count about how many different values each leaf has; in a pass of its own, because Spark counts them in a slower way."""
    F = functions_of(frame)  # noqa: N806  # as above
    wanted: Batch = {}
    for number, leaf in enumerate(leaves):
        if leaf.kind.root in _COUNTABLE:
            wanted[number] = ColumnMeasures((leaf.top,), {"n": F.approx_count_distinct(leaf.column)})
    counts: dict[MeasureKey, int] = {}
    for batch in _split(wanted):
        counts |= dict(zip(batch, _aggregate(_select(frame, batch), batch, F)[1:], strict=True))
    return counts


def _split(wanted: Batch) -> Iterator[Batch]:
    """Yield so many measures at a time as Spark plans well."""
    batch: Batch = {}
    count = 0
    for key, measures in wanted.items():
        more = len(measures.measures)
        if batch and count + more > _AT_ONCE:
            yield batch
            batch = {}
            count = 0
        batch[key] = measures
        count += more
    if batch:
        yield batch


# ---------------------------------------------------------------- what the answers say


def make_evidence(leaf: LeafColumn, values: Values, rows: int, different: int | None) -> ColumnEvidence:
    """Return the measures of one column as people read them."""
    return ColumnEvidence(
        path=leaf.path,
        type=_shorten(str(leaf.kind)),
        nulls=values["nulls"],
        low=_value_text(values.get("low")),
        high=_value_text(values.get("high")),
        distinct=different,
        looks_like=text_columns.looks_like(values) if leaf.is_text else _whole_type(values, rows),
        note=text_columns.text_note(values) if leaf.is_text else _note(leaf.kind, values),
    )


def _whole_type(values: Values, rows: int) -> str:
    """Return BIGINT for floats without a fraction: whole numbers that lost their type, as with pandas and NULL."""
    numbers = rows - values["nulls"] - values.get("nan", 0)
    if values.get("fractions") != 0 or numbers <= 0:
        return ""
    if values["low"] in _ENDLESS or values["high"] in _ENDLESS:
        return ""
    return "BIGINT"


_ENDLESS: Final = ("Infinity", "-Infinity")


def _note(kind: DataType, values: Values) -> str:
    notes = []
    if values.get("nan"):
        notes.append(f"{values['nan']:,} NaN")
    if values.get("null elements"):
        notes.append(f"{values['null elements']:,} NULL inside")
    if _has_deep_elements(kind):
        notes.append("what lies inside the elements was not looked at")
    return "; ".join(notes)


def _has_deep_elements(kind: DataType) -> bool:
    if isinstance(kind, ArrayType):
        return not isinstance(kind.element, AtomicType)
    return isinstance(kind, MapType) and not isinstance(kind.value, AtomicType)


def _value_text(value: float | str | None) -> str:
    return "" if value is None else _shorten(str(value))


def _shorten(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."
