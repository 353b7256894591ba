"""What columns each step of a plan gives: their numbers and names, in order."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final, NamedTuple

from airflow_provider_schemas.spark.observation.plan_trees import JsonValue, PlanNode, walk


class Output(NamedTuple):
    """A column that a step gives."""

    id: int
    name: str
    kind: JsonValue = None
    """Its type, if Spark wrote it down."""


Columns = tuple[Output, ...]


class Outputs:
    """The columns of steps, worked out once each."""

    def __init__(self) -> None:
        self._known: dict[int, Columns] = {}  # by the address of the step; the tree lives as long as this

    def columns_of(self, step: PlanNode) -> Columns:
        """Return the columns that a step gives."""
        if id(step) not in self._known:
            for node in reversed(list(walk(step))):
                if id(node) not in self._known:
                    self._known[id(node)] = self._work_out(node)
        return self._known[id(step)]

    def _work_out(self, node: PlanNode) -> Columns:
        below = [self._known[id(child)] for child in node.children]
        if node.kind in _GIVES:
            return _GIVES[node.kind](node, below, self)
        output = node.listed("output")
        if output is None:
            return _joined(node, below, self)
        return _name_columns(output)


def _name_columns(expressions: Iterable[PlanNode] | None) -> Columns:
    """Return the columns that attributes and aliases make."""
    columns = []
    for expression in expressions or ():
        number = expression.id
        if number is not None:
            columns.append(Output(number, expression.name, _read_type(expression)))
    return tuple(columns)


def _read_type(expression: PlanNode) -> JsonValue:
    while expression.kind == "Alias" and expression.children:
        expression = expression.children[0]
    return expression.fields.get("dataType")


def _join_kind(node: PlanNode) -> str:
    """Return the kind of a join: Inner, LeftOuter, LeftSemi ..."""
    kind = node.fields.get("joinType")
    if not isinstance(kind, dict):
        return ""
    text = kind.get("object") or kind.get("product-class") or ""
    return str(text).rpartition(".")[2].rstrip("$")


# ---------------------------------------------------------------- the steps that are not like others

_Gives = Callable[[PlanNode, list[Columns], Outputs], Columns]
"""Takes a step and the columns of the steps below it, and returns its columns."""


def _joined(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    return tuple(chain.from_iterable(below))


def _first(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    return next(iter(below), ())


def _listed(word: str) -> _Gives:
    """Return what gives the columns that are listed in a field."""

    def give(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
        return _name_columns(node.listed(word))

    return give


def _added(word: str) -> _Gives:
    """Return what gives all columns from below, and then those that are listed in a field."""

    def give(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
        return (*_joined(node, below, outputs), *_name_columns(node.listed(word)))

    return give


def _of_join(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    kind = _join_kind(node)
    if kind in ("LeftSemi", "LeftAnti"):
        return below[0]
    if kind != "ExistenceJoin":
        return _joined(node, below, outputs)
    exists = node.fields["joinType"].get("exists")
    if not isinstance(exists, list):
        return below[0]
    return (*below[0], *_name_columns([PlanNode(fields, []) for fields in exists]))


def _of_hive(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    return (*_name_columns(node.listed("dataCols")), *_name_columns(node.listed("partitionCols")))


def _of_lateral(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    plan = lateral_plan(node)
    if plan is None:
        return below[0]
    return (*below[0], *outputs.columns_of(plan))


def lateral_plan(node: PlanNode) -> PlanNode | None:
    """Return the plan at the right of a lateral join."""
    for expression in node.listed("right") or ():
        for tree in expression.inner():
            if tree.is_plan:
                return tree
    return None


def _of_cte(node: PlanNode, below: list[Columns], outputs: Outputs) -> Columns:
    return below[main_child(node)]


def main_child(node: PlanNode) -> int:
    """Return the place of the query itself among the children of a WITH."""
    place = node.fields.get("plan")
    if not isinstance(place, int):
        return -1
    return place


_GIVES: Final[dict[str, _Gives]] = {
    "Project": _listed("projectList"),
    "Aggregate": _listed("aggregateExpressions"),
    "Window": _added("windowExpressions"),
    "Generate": _added("generatorOutput"),
    "Join": _of_join,
    "AsOfJoin": _of_join,
    "LateralJoin": _of_lateral,
    "Union": _first,
    "UnionLoop": _first,
    "SequentialStreamingUnion": _first,
    "Intersect": _first,
    "Except": _first,
    "WithCTE": _of_cte,
    "HiveTableRelation": _of_hive,
}
