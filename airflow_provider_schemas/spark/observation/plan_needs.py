"""What is needed of the attributes of a plan: by their number, which parts of each, and for what."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.contracts.contract import Role
from airflow_provider_schemas.spark.observation.plan_trees import JsonValue, PlanNode

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

    def add_paths(self, number: int, paths: dict[Path, Uses]) -> None:
        for path, uses in paths.items():
            self.add(number, path, uses)

    def merge(self, other: "Needs") -> "Needs":
        for number, paths in other.items():
            self.add_paths(number, paths)
        return self

    def paths(self, number: int | None) -> dict[Path, Uses]:
        """Return what is needed of an attribute; nothing of one that has no number."""
        if number is None:
            return {}
        return self.get(number, {})

    def only(self, numbers: Collection[int]) -> "Needs":
        """Return what is needed of these attributes."""
        return Needs({number: paths for number, paths in self.items() if number in numbers})

    def without(self, numbers: Collection[int | None]) -> "Needs":
        """Return what is needed of all other attributes."""
        return Needs({number: paths for number, paths in self.items() if number not in numbers})

    def exceeds(self, known: "Needs") -> bool:
        """Return whether something is needed that is not known yet."""
        for number, paths in self.items():
            known_paths = known.get(number, {})
            if any(path not in known_paths or uses - known_paths[path] for path, uses in paths.items()):
                return True
        return False


class Subquery(NamedTuple):
    """A query inside an expression."""

    plan: PlanNode
    uses: Uses
    reads_columns: bool
    """Whether its columns are read, which EXISTS does not."""


class Gathered:
    """What expressions refer to: attributes, those of an outer query, and subqueries."""

    def __init__(self) -> None:
        self.needs = Needs()
        self.outer = Needs()
        self.subqueries: list[Subquery] = []

    def add(self, expression: PlanNode, uses: Uses, path: Path = WHOLE) -> None:
        """Add what this part of the value of an expression is made of."""
        if expression.is_plan:  # the query inside a command
            self.subqueries.append(Subquery(expression, uses, reads_columns=True))
            return
        waiting = [(expression, path, False)]
        while waiting:
            node, part, is_outer = waiting.pop()
            if node.kind == "AttributeReference" and node.id is not None:
                needs = self.outer if is_outer else self.needs
                needs.add(node.id, part, uses)
            waiting += [(child, deeper, is_outer) for child, deeper in _PARTS.get(node.kind, _whole_children)(node, part)]
            is_reference = node.kind == "OuterReference"
            for inner in node.inner():
                if inner.is_plan:
                    self.subqueries.append(Subquery(inner, uses, reads_columns=node.kind != "Exists"))
                else:
                    waiting.append((inner, part if is_reference else WHOLE, is_outer or is_reference))


# ---------------------------------------------------------------- what a part of a value is made of

_Parts = Iterable[tuple[PlanNode, Path]]
"""The children that a part of a value is made of, and which part of each."""
_ELEMENTS: Final = {"array": "elementType", "map": "valueType"}


def _whole_children(node: PlanNode, path: Path) -> _Parts:
    return [(child, WHOLE) for child in node.children]


def _first_child(node: PlanNode, path: Path) -> _Parts:
    """Return the part of the first child, which passes its value on as it is; of the others everything is needed."""
    return [(child, WHOLE if place else path) for place, child in enumerate(node.children)]


def _same_part(node: PlanNode, path: Path) -> _Parts:
    return [(child, path) for child in node.children]


def _field(node: PlanNode, path: Path) -> _Parts:
    field = node.fields.get("field")
    name = field.get("name") if isinstance(field, dict) else node.fields.get("name")
    if not isinstance(name, str):
        return _whole_children(node, path)
    return [(child, (name, *path)) for child in node.children]


def _cast(node: PlanNode, path: Path) -> _Parts:
    """Return the parts before a cast, which takes the fields of structs by their places: they may have other names before it."""
    kind = node.fields.get("dataType")
    return [(child, path_before(child.fields.get("dataType"), kind, path)) for child in node.children]


def path_before(before: JsonValue, after: JsonValue, path: Path) -> Path:
    """Return the way into a value before it was made another type; the whole of it, where its own type is not known."""
    names = []
    for step in path:
        fields_before = _fields(before)
        fields_after = _fields(after)
        place = _find_place(fields_after, step)
        if place is None or place >= len(fields_before):
            return WHOLE
        names.append(fields_before[place]["name"])
        before = fields_before[place]["type"]
        after = fields_after[place]["type"]
    return tuple(names)


def _find_place(fields: list[dict[str, Any]], name: str) -> int | None:
    return next((place for place, field in enumerate(fields) if field["name"].lower() == name.lower()), None)


def _fields(kind: JsonValue) -> list[dict[str, Any]]:
    """Return the fields of a struct, through lists and the values of maps."""
    while isinstance(kind, dict) and kind["type"] in _ELEMENTS:
        kind = kind[_ELEMENTS[kind["type"]]]
    if not isinstance(kind, dict) or kind["type"] != "struct":
        return []
    fields: list[dict[str, Any]] = kind["fields"]
    return fields


def _named_struct(node: PlanNode, path: Path) -> _Parts:
    """Return the part of a struct that is made of its fields, names and values by turns."""
    names = node.children[::2]
    values = node.children[1::2]
    if path and all(name.kind == "Literal" for name in names):
        parts = [(value, path[1:]) for name, value in zip(names, values, strict=False) if name.fields.get("value") == path[0]]
        if parts:
            return parts
    return _whole_children(node, path)


_PARTS: Final[dict[str, Callable[[PlanNode, Path], _Parts]]] = {
    "Alias": _first_child,
    "Cast": _cast,
    "UpCast": _cast,
    "KnownNotNull": _first_child,
    "KnownNullable": _first_child,
    "TempResolvedColumn": _first_child,
    "GetArrayItem": _first_child,
    "GetMapValue": _first_child,
    "ElementAt": _first_child,
    "Coalesce": _same_part,
    "GetStructField": _field,
    "GetArrayStructFields": _field,
    "CreateNamedStruct": _named_struct,
}
