"""Spark's plans as Spark writes them in JSON, made trees again: steps, the expressions in them, and the plans in those.

A tree is a list of nodes, parents first, each with the number of its children. Nothing here recurses, because a frame
to which a thousand columns were added one by one is a thousand steps deep.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from airflow_provider_schemas.errors import SparkError

# How classes of steps are called; every other tree in a field is an expression.
_STEPS: Final = (".plans.logical.", ".execution.")


JsonValue = Any
"""A value of parsed JSON."""


class PlanNode:
    """A step of a plan, or an expression."""

    __slots__ = ("_inner", "children", "fields", "kind", "whole")

    def __init__(self, fields: dict[str, Any], children: "list[PlanNode]") -> None:
        self.fields = fields
        self.children = children
        self.whole: str = fields["class"]
        self.kind = self.whole.rpartition(".")[2].rstrip("$")
        self._inner: dict[str, list[PlanNode] | None] = {}

    def __repr__(self) -> str:
        return f"<{self.kind} of {len(self.children)}>"

    @property
    def id(self) -> int | None:
        """Return the number of an attribute or an alias, by which it is known everywhere in the plan."""
        number = self.fields.get("exprId")
        if not isinstance(number, dict):
            return None
        return number.get("id")

    @property
    def name(self) -> str:
        return str(self.fields.get("name", ""))

    def listed(self, word: str) -> "list[PlanNode] | None":
        """Return the trees in a field; None if Spark did not write them down, which it does with lists of kinds that it cannot name."""
        if word not in self._inner:
            value = self.fields.get(word)
            self._inner[word] = None if value is None else list(_find_trees(value))
        return self._inner[word]

    def inner(self) -> "Iterator[PlanNode]":
        """Yield the trees in the fields, other than the children: the expressions of a step, the plan of a subquery."""
        for word in self.fields:
            yield from self.listed(word) or ()

    @property
    def is_plan(self) -> bool:
        """Return whether this is a step of a plan, and no expression."""
        return any(word in self.whole for word in _STEPS) or self.kind.endswith("Relation")


def parse_plan(text: str) -> PlanNode:
    """Return the tree of a plan's JSON."""
    try:
        nodes = json.loads(text)
        if not _is_tree(nodes):
            raise ValueError("no nodes")
        return _make_tree(nodes)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        message = "Spark's description of the plan cannot be read."
        raise SparkError(message, code="spark.plan", path="df", fix="Write the contract by hand, and report the query.") from error


def walk(top: PlanNode) -> Iterator[PlanNode]:
    """Yield the node and all its children, parents first; not what is in their fields."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _is_tree(value: JsonValue) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "class" in value[0] and "num-children" in value[0]


def _make_tree(nodes: list[dict[str, Any]]) -> PlanNode:
    """Return the tree of a list of nodes, built from its end, so that children are there before their parents."""
    ready: list[PlanNode] = []
    for fields in reversed(nodes):
        children = [ready.pop() for _ in range(fields["num-children"])]
        ready.append(PlanNode(fields, children))
    return ready[-1]


def _find_trees(value: JsonValue) -> Iterator[PlanNode]:
    """Yield the trees in the value of a field, however deep it is in lists."""
    if _is_tree(value):
        yield _make_tree(value)
    elif isinstance(value, list):
        for part in value:
            yield from _find_trees(part)
