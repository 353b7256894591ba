"""What is needed of the attributes of a plan: by their number, which parts of each, and for what."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from airflow_provider_schemas.core.contracts.contract import Role
from airflow_provider_schemas.spark.observation.plan_trees import Node

Path = tuple[str, ...]
"""The way into a column, by names; nothing for the whole of it. Lists and map values are looked through."""
Uses = frozenset[str]
WHOLE: Final[Path] = ()

NAMED: Final = "named"
"""A column that a query names and then does not use: it must be there, whatever its type."""
SELECT: Final[Uses] = frozenset({Role.SELECT.value})
FILTER: Final[Uses] = frozenset({Role.FILTER.value})
JOIN: Final[Uses] = frozenset({Role.JOIN.value})
ONLY_NAMED: Final[Uses] = frozenset({NAMED})


class Needs(dict[int, dict[Path, Uses]]):
    """What is needed of each attribute."""

    def add(self, number: int, path: Path, uses: Uses) -> None:
        paths = self.setdefault(number, {})
        paths[path] = paths.get(path, frozenset()) | uses

    def take(self, number: int, paths: dict[Path, Uses]) -> None:
        for path, uses in paths.items():
            self.add(number, path, uses)

    def merge(self, other: "Needs") -> "Needs":
        for number, paths in other.items():
            self.take(number, paths)
        return self

    def beyond(self, known: "Needs") -> "Needs":
        """What of this is not known yet."""
        more = Needs()
        for number, paths in self.items():
            there = known.get(number, {})
            for path, uses in paths.items():
                if path not in there or uses - there[path]:
                    more.add(number, path, uses)
        return more


class Gathered:
    """What expressions refer to: attributes, those of an outer query, and the plans of subqueries."""

    def __init__(self) -> None:
        self.needs, self.outer = Needs(), Needs()
        self.plans: list[tuple[Node, Uses, bool]] = []
        """A subquery's plan, what it is for, and whether its columns are looked at, which EXISTS does not."""

    def take(self, expression: Node, uses: Uses, path: Path = WHOLE) -> None:
        """Note down what this part of the value of an expression is made of."""
        if expression.is_plan:  # the query inside a command
            self.plans.append((expression, uses, True))
            return
        waiting = [(expression, path, False)]
        while waiting:
            node, part, outer = waiting.pop()
            if node.kind == "AttributeReference" and node.id is not None:
                (self.outer if outer else self.needs).add(node.id, part, uses)
            waiting += [(one, deeper, outer) for one, deeper in _PARTS.get(node.kind, _all)(node, part)]
            for one in node.inner():
                if one.is_plan:
                    self.plans.append((one, uses, node.kind != "Exists"))
                else:
                    waiting.append((one, part if node.kind == "OuterReference" else WHOLE, outer or node.kind == "OuterReference"))


# ---------------------------------------------------------------- what a part of a value is made of

_Parts = Iterable[tuple[Node, Path]]
_THROUGH: Final = {"array": "elementType", "map": "valueType"}


def _all(node: Node, path: Path) -> _Parts:
    return [(one, WHOLE) for one in node.children]


def _same(node: Node, path: Path) -> _Parts:
    """The first child passes its value on as it is; of the others everything is needed."""
    return [(one, WHOLE if place else path) for place, one in enumerate(node.children)]


def _each(node: Node, path: Path) -> _Parts:
    return [(one, path) for one in node.children]


def _field(node: Node, path: Path) -> _Parts:
    field = node.fields.get("field")
    name = field.get("name") if isinstance(field, dict) else node.fields.get("name")
    return [(one, (name, *path) if isinstance(name, str) else WHOLE) for one in node.children]


def _cast(node: Node, path: Path) -> _Parts:
    """Of structs the fields are taken by their places, and may be called otherwise before."""
    return [(one, before(one.fields.get("dataType"), node.fields.get("dataType"), path)) for one in node.children]


def before(theirs: Any, ours: Any, path: Path) -> Path:
    """The way into a value before it was made another type; the whole of it, where its own type is not known."""
    names = list[str]()
    for step in path:
        before, after = _fields(theirs), _fields(ours)
        place = next((place for place, one in enumerate(after) if one["name"].lower() == step.lower()), len(before))
        if place >= len(before):
            return WHOLE
        names.append(before[place]["name"])
        theirs, ours = before[place]["type"], after[place]["type"]
    return tuple(names)


def _fields(kind: Any) -> list[dict[str, Any]]:
    """The fields of a struct, through lists and the values of maps."""
    while isinstance(kind, dict) and kind["type"] in _THROUGH:
        kind = kind[_THROUGH[kind["type"]]]
    return kind["fields"] if isinstance(kind, dict) and kind["type"] == "struct" else []


def _made(node: Node, path: Path) -> _Parts:
    """A struct that is made of its fields, names and values by turns."""
    names, values = node.children[::2], node.children[1::2]
    if path and all(one.kind == "Literal" for one in names):
        found = [(value, path[1:]) for name, value in zip(names, values, strict=False) if name.fields.get("value") == path[0]]
        if found:
            return found
    return _all(node, path)


_PARTS: Final[dict[str, Callable[[Node, Path], _Parts]]] = {
    "Alias": _same,
    "Cast": _cast,
    "UpCast": _cast,
    "KnownNotNull": _same,
    "KnownNullable": _same,
    "TempResolvedColumn": _same,
    "GetArrayItem": _same,
    "GetMapValue": _same,
    "ElementAt": _same,
    "Coalesce": _each,
    "GetStructField": _field,
    "GetArrayStructFields": _field,
    "CreateNamedStruct": _made,
}
