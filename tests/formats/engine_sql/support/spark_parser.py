"""Spark's own parser, in the environment that has Spark: for each statement on its input, as JSON, what Spark has understood.

Run by `test_engine_sql` with the interpreter of that environment. No session is started: the parser is all that is asked.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def items(sequence: Any) -> list[Any]:
    """The items of a sequence of Scala."""
    return [sequence.apply(place) for place in range(sequence.size())]


def option(value: Any) -> Any:
    """What an Option of Scala holds."""
    return value.get() if value.isDefined() else None


def place(position: Any) -> str | None:
    """FIRST, or AFTER and a name."""
    if position is None:
        return None
    told = position.position()
    return "FIRST" if str(told) == "FIRST" else f"AFTER {told.column()}"


def added(plan: Any) -> list[Any]:
    column = plan.columnsToAdd().head()
    around = option(column.path())
    names = [*([] if around is None else items(around.name())), column.colName()]
    return [names, column.dataType().sql(), option(column.comment()), place(option(column.position()))]


def altered(plan: Any) -> list[Any]:
    spec = plan.specs().head()
    kind = option(spec.newDataType())
    said = [None if kind is None else kind.sql(), option(spec.newNullability()), option(spec.newComment())]
    return [items(spec.column().name()), *said, place(option(spec.newPosition()))]


def properties(plan: Any) -> list[Any]:
    pairs = plan.properties().toSeq()
    return [[pair._1(), pair._2()] for pair in items(pairs)]


READ: dict[str, Callable[[Any], list[Any]]] = {
    "AddColumns": added,
    "AlterColumns": altered,
    "RenameColumn": lambda plan: [items(plan.column().name()), plan.newName()],
    "DropColumns": lambda plan: [items(plan.columnsToDrop().head().name())],
    "SetTableProperties": properties,
    "UnsetTableProperties": lambda plan: items(plan.propertyKeys()),
}


def main() -> None:
    # By name: Spark is in another environment than whoever checks the types of this file.
    gateway = import_module("pyspark.java_gateway").launch_gateway(import_module("pyspark.conf").SparkConf())
    parser = gateway.jvm.org.apache.spark.sql.execution.SparkSqlParser()
    answers: list[list[Any]] = []
    for sql in json.load(sys.stdin):
        try:
            plan = parser.parsePlan(sql)
        except Exception as error:  # noqa: BLE001  # whatever Spark makes of it is the answer
            answers.append(["refused", str(error)[:300]])
            continue
        kind = plan.getClass().getSimpleName()
        answers.append([kind, items(plan.child().multipartIdentifier()), *READ[kind](plan)])
    print(json.dumps(answers))
    gateway.shutdown()


if __name__ == "__main__":
    main()
