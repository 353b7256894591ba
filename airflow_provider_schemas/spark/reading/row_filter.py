"""The rows that are asked for: Spark's own `where` on the frame, and what it leaves of folders before one of their files is opened.

Spark itself evaluates the predicate over the values that folders or manifests tell, with its types, its settings and its three-valued
logic. Only that part of it counts that speaks of such columns alone; where anything is not sure, nothing is left out.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.files.hadoop import walked
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.spark.sql import free, name, null, type_text

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    Predicate = Column | str
else:
    Predicate = Any

_Expression = Any
"""An expression of Catalyst, Spark's optimizer, in the JVM."""

Values = Mapping[str, Any]
"""What is known of all rows of a file, or below a folder, by the columns of the frame."""

_NUMBER: Final = "n"
# What gives another answer when it is asked again, or needs more than the row.
_UNSURE: Final = ("CURRENT_LIKE", "PLAN_EXPRESSION", "PYTHON_UDF", "SCALA_UDF")
_BOTH: Final = ("And", "Or")
_FIX: Final = "Write it as for DataFrame.where: by the names of the frame's columns, as SQL text or a Column."


class RowFilter:
    """A predicate over the columns of a frame."""

    def __init__(self, spark: "SparkSession", where: Predicate, columns: Sequence[Field]) -> None:
        self._spark = spark
        self._where = where
        self._columns = columns
        self._leaves_nothing_out = is_connect(spark)  # which shows no plan

    def apply(self, frame: "DataFrame") -> "DataFrame":
        """Return the rows for which the predicate is true; ProjectionError with what Spark says of one that it does not take."""
        try:
            rows = frame.where(self._where)
            if is_connect(self._spark):
                rows.isLocal()  # Spark Connect looks at a predicate when the server is asked about the frame
        except Exception as error:
            reason = str(error).strip().partition("\n")[0]
            message = f"Spark does not take the predicate: {reason}"
            raise ProjectionError(message, code="read.where", path="where", fix=_FIX) from error
        return rows

    def may_pass(self, known: Sequence[Values]) -> list[bool]:
        """Return for each of these values whether rows with them may pass. Rows of which nothing is known may."""
        answers = [True] * len(known)
        places_by_columns: dict[tuple[str, ...], list[int]] = {}
        for place, values in enumerate(known):
            places_by_columns.setdefault(tuple(sorted(values)), []).append(place)
        for names, places in places_by_columns.items():
            if not names or self._leaves_nothing_out:
                continue
            of_columns = self._may_pass(names, [known[place] for place in places])
            for place, answer in zip(places, of_columns, strict=True):
                answers[place] = answer
        return answers

    def _may_pass(self, names: Sequence[str], known: Sequence[Values]) -> list[bool]:
        """Return the answers for values of the same columns."""
        rows = [_texts(values, names) for values in known]
        numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        try:
            passing = self._passing_numbers(names, list(numbers))
        except Exception:  # noqa: BLE001  # a predicate that Spark does not take, or that fails: `apply` and the read raise it
            self._leaves_nothing_out = True
            return [True] * len(rows)
        if passing is None:
            return [True] * len(rows)
        return [numbers[row] in passing for row in rows]

    def _passing_numbers(self, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> set[int] | None:
        """Return the numbers of the rows that may pass; None if the predicate says nothing of these columns alone."""
        number = free(_NUMBER, (column.name for column in self._columns))
        filtered: Any = self._frame(names, rows, number).where(self._where)
        plan = filtered._jdf.queryExecution().analyzed()
        if plan.nodeName() != "Filter":
            return None
        sql = filtered.sparkSession._jvm.org.apache.spark.sql
        condition = _PartOfPredicate(sql.catalyst, {column.lower() for column in names}).of(plan.condition())
        if condition is None:
            return None
        narrowed = sql.catalyst.plans.logical.Filter(condition, plan.child())
        dataset = sql.classic.Dataset.ofRows(filtered._jdf.sparkSession(), narrowed)
        frame = type(filtered)(dataset, filtered.sparkSession)
        return {row[0] for row in frame.select(name(number)).collect()}

    def _frame(self, names: Sequence[str], rows: Sequence[Sequence[str | None]], number: str) -> "DataFrame":
        """Return a frame with its number in each row: what is known in its columns, and NULL in the others."""
        places = {column: f"v{place}" for place, column in enumerate(names)}
        values = [{_NUMBER: place, **dict(zip(places.values(), row, strict=True))} for place, row in enumerate(rows)]
        form = ", ".join([f"{_NUMBER}: INT", *(f"{place}: STRING" for place in places.values())])
        texts = self._spark.sql(f"select inline(from_json(:rows, 'ARRAY<STRUCT<{form}>>'))", args={"rows": json.dumps(values)})
        columns: list[str] = []
        for column in self._columns:
            place = places.get(column.name)
            value = null(column.type) if place is None else f"cast({place} as {type_text(column.type)})"
            columns.append(f"{value} as {name(column.name)}")
        return texts.selectExpr(*columns, f"{_NUMBER} as {name(number)}")


class _PartOfPredicate:
    """Takes from a predicate what speaks of certain columns alone: it is true of every row for which the predicate is true."""

    def __init__(self, catalyst: Any, names: set[str]) -> None:
        self._catalyst = catalyst
        self._names = names
        patterns = catalyst.trees.TreePattern
        self._unsure = [getattr(patterns, pattern)() for pattern in _UNSURE]

    def of(self, condition: _Expression) -> _Expression | None:
        """Return the part, as an expression of Spark; None if there is none."""
        kind = condition.getClass().getSimpleName()
        if kind not in _BOTH:
            if not self._is_sure(condition):
                return None
            return condition
        left = self.of(condition.left())
        right = self.of(condition.right())
        if left is not None and right is not None:
            return getattr(self._catalyst.expressions, kind)(left, right)
        if kind == "Or":
            return None
        return right if left is None else left

    def _is_sure(self, condition: _Expression) -> bool:
        if not condition.deterministic() or any(condition.containsPattern(pattern) for pattern in self._unsure):
            return False
        return all(reference.name().lower() in self._names for reference in walked(condition.references()))


def _texts(values: Values, names: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(_text(values[column]) for column in names)


def _text(value: Any) -> str | None:
    """Return a value as a text from which Spark reads it back."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
