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
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.spark.sql import free, name, null, type_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Values = Mapping[str, Any]
"""What is known of all rows of a file, or below a folder, by the columns of the frame."""

_NUMBER: Final = "n"
# What gives another answer when it is asked again, or needs more than the row.
_UNSURE: Final = ("CURRENT_LIKE", "PLAN_EXPRESSION", "PYTHON_UDF", "SCALA_UDF")
_BOTH: Final = ("And", "Or")
_FIX: Final = "Write it as for DataFrame.where: by the names of the frame's columns, as SQL text or a Column."


class RowFilter:
    """A predicate over the columns of a frame."""

    def __init__(self, spark: "SparkSession", where: Any, columns: Sequence[Field]) -> None:
        self.spark, self.where, self.columns = spark, where, columns
        self._fails = is_connect(spark)  # which shows no plan

    def applied(self, frame: "DataFrame") -> "DataFrame":
        """Return the rows for which the predicate is true; ProjectionError with what Spark says of one that it does not take."""
        try:
            rows = frame.where(self.where)
            if is_connect(self.spark):
                rows.isLocal()  # Spark Connect looks at a predicate when the server is asked about the frame
        except Exception as error:
            said = str(error).strip().partition("\n")[0]
            message = f"Spark does not take the predicate: {said}"
            raise ProjectionError(message, code="read.where", path="where", fix=_FIX) from error
        return rows

    def possible(self, known: Sequence[Values]) -> list[bool]:
        """Return for each of these whether rows of such values may pass. Of which nothing is known, they may."""
        passing = [True] * len(known)
        places: dict[tuple[str, ...], list[int]] = {}
        for place, values in enumerate(known):
            places.setdefault(tuple(sorted(values)), []).append(place)
        for names, some in places.items():
            if not names or self._fails:
                continue
            answers = self._answers(names, [known[place] for place in some])
            for place, answer in zip(some, answers, strict=True):
                passing[place] = answer
        return passing

    def _answers(self, names: Sequence[str], known: Sequence[Values]) -> list[bool]:
        """The same for values of the same columns."""
        rows = [tuple(_text(values[one]) for one in names) for values in known]
        numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        try:
            passing = self._passing(names, list(numbers))
        except Exception:  # noqa: BLE001  # a predicate that Spark does not take, or that fails: `applied` and the read tell
            self._fails = True
            return [True] * len(rows)
        return [passing is None or numbers[row] in passing for row in rows]

    def _passing(self, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> set[int] | None:
        """The numbers of the rows that may pass; None if the predicate says nothing of these columns alone."""
        number = free(_NUMBER, (one.name for one in self.columns))
        filtered: Any = self._frame(names, rows, number).where(self.where)
        plan = filtered._jdf.queryExecution().analyzed()
        catalyst = filtered.sparkSession._jvm.org.apache.spark.sql
        if plan.nodeName() != "Filter":
            return None
        part = _Part(catalyst.catalyst, {one.lower() for one in names}).of(plan.condition())
        if part is None:
            return None
        narrowed = catalyst.catalyst.plans.logical.Filter(part, plan.child())
        held = catalyst.classic.Dataset.ofRows(filtered._jdf.sparkSession(), narrowed)
        return {row[0] for row in type(filtered)(held, filtered.sparkSession).select(name(number)).collect()}

    def _frame(self, names: Sequence[str], rows: Sequence[Sequence[str | None]], number: str) -> "DataFrame":
        """A row of the frame for each: what is known in its columns, and NULL in the others."""
        places = {column: f"v{place}" for place, column in enumerate(names)}
        held = [{_NUMBER: place, **dict(zip(places.values(), row, strict=True))} for place, row in enumerate(rows)]
        form = ", ".join([f"{_NUMBER}: INT", *(f"{place}: STRING" for place in places.values())])
        values = self.spark.sql(f"select inline(from_json(:rows, 'ARRAY<STRUCT<{form}>>'))", args={"rows": json.dumps(held)})
        columns = [
            f"{f'cast({places[one.name]} as {type_text(one.type)})' if one.name in places else null(one.type)} as {name(one.name)}"
            for one in self.columns
        ]
        return values.selectExpr(*columns, f"{_NUMBER} as {name(number)}")


class _Part:
    """Takes from a predicate what speaks of certain columns alone: it is true of every row of which the predicate is."""

    def __init__(self, catalyst: Any, names: set[str]) -> None:
        self.catalyst, self.names = catalyst, names
        patterns = catalyst.trees.TreePattern
        self.unsure = [getattr(patterns, pattern)() for pattern in _UNSURE]

    def of(self, condition: Any) -> Any:
        """Return the part, as an expression of Spark; None if there is none."""
        kind = condition.getClass().getSimpleName()
        if kind not in _BOTH:
            return condition if self._is_sure(condition) else None
        left, right = self.of(condition.left()), self.of(condition.right())
        if left is not None and right is not None:
            return getattr(self.catalyst.expressions, kind)(left, right)
        if kind == "Or":
            return None
        return right if left is None else left

    def _is_sure(self, condition: Any) -> bool:
        if not condition.deterministic() or any(condition.containsPattern(pattern) for pattern in self.unsure):
            return False
        references = condition.references().iterator()
        while references.hasNext():
            if references.next().name().lower() not in self.names:
                return False
        return True


def _text(value: Any) -> str | None:
    """A value as Spark reads it back from a text."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value)
