"""What columns each step of a plan gives: their numbers and names, in order."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.spark.observation.plan_trees import Node, below


class Output(NamedTuple):
    """A column that a step gives."""

    id: int
    name: str
    kind: Any = None
    """Its type, if Spark wrote it down."""


Columns = tuple[Output, ...]
_Known = dict[int, Columns]


class Outputs:
    """The columns of steps, worked out once each."""

    def __init__(self) -> None:
        self._known: _Known = {}  # by the address of the step; the tree lives as long as this

    def of(self, step: Node) -> Columns:
        """The columns that a step gives."""
        if id(step) not in self._known:
            for node in reversed(list(below(step))):
                if id(node) not in self._known:
                    self._known[id(node)] = self._found(node)
        return self._known[id(step)]

    def _found(self, node: Node) -> Columns:
        given = [self._known[id(one)] for one in node.children]
        if node.kind in _GIVES:
            return _GIVES[node.kind](node, given, self)
        return named(node.listed("output")) if node.listed("output") is not None else _joined(node, given, self)


def named(expressions: list[Node] | None) -> Columns:
    """The numbers and names of attributes and aliases."""
    return tuple(Output(one.id, one.name, _kind(one)) for one in expressions or () if one.id is not None)


def _kind(one: Node) -> Any:
    while one.kind == "Alias" and one.children:
        one = one.children[0]
    return one.fields.get("dataType")


def join_kind(node: Node) -> str:
    """Inner, LeftOuter, LeftSemi ... of a join."""
    kind = node.fields.get("joinType")
    text = (kind.get("object") or kind.get("product-class") or "") if isinstance(kind, dict) else ""
    return str(text).rpartition(".")[2].rstrip("$")


# ---------------------------------------------------------------- the steps that are not like others


def _joined(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    return tuple(column for one in given for column in one)


def _first(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    return given[0] if given else ()


def _listed(word: str, *, more: bool = False) -> Callable[[Node, list[Columns], Outputs], Columns]:
    def gives(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
        return (*(_joined(node, given, outputs) if more else ()), *named(node.listed(word)))

    return gives


def _of_join(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    kind = join_kind(node)
    if kind == "ExistenceJoin":
        exists = node.fields["joinType"].get("exists")
        return (*given[0], *(named([Node(one, []) for one in exists]) if isinstance(exists, list) else ()))
    return given[0] if kind in ("LeftSemi", "LeftAnti") else _joined(node, given, outputs)


def _of_hive(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    return (*named(node.listed("dataCols")), *named(node.listed("partitionCols")))


def _of_lateral(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    plan = lateral_plan(node)
    return (*given[0], *(outputs.of(plan) if plan is not None else ()))


def lateral_plan(node: Node) -> Node | None:
    """The plan at the right of a lateral join."""
    return next((plan for one in node.listed("right") or () for plan in one.inner() if plan.is_plan), None)


def _of_cte(node: Node, given: list[Columns], outputs: Outputs) -> Columns:
    return given[node.fields["plan"]] if isinstance(node.fields.get("plan"), int) else given[-1]


_GIVES: Final[dict[str, Callable[[Node, list[Columns], Outputs], Columns]]] = {
    "Project": _listed("projectList"),
    "Aggregate": _listed("aggregateExpressions"),
    "Window": _listed("windowExpressions", more=True),
    "Generate": _listed("generatorOutput", more=True),
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
