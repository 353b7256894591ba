"""A difference between two schemas, before any policy judges it: a rule, a location, both sides.

Paths name fields as people see them: `a.b` a field of a struct, `a[]` the element of a list, `m{}` the value of
a map and `m{key}` its key. An old path uses the names of the old schema, a new path those of the new one.
"""

import re
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import Field

_BARE = re.compile(r"\w+")

# How a path shows the step into the element of a list, and into the value and the key of a map.
MARKS = MappingProxyType({"element": "[]", "value": "{}", "key": "{key}"})

# Variants of an observation.
RETURNED = "returned"
"""The type is one that a field had before it was dropped; the last schema does not have the field."""
ALIAS = "alias"
"""The name was an alias, and is gone without the field."""
UNHEARD_ALIAS = "alias"
"""The old name of a renamed field stays as an alias, which does not work for the ways in which jobs read."""
NESTED = "nested"
"""The field was added to a struct."""
RESCALED = "rescaled"
"""The table has another number of buckets."""

# Another name under the same id, wherever the field stands.
CALLED_OTHERWISE = frozenset({"FIELD_RENAMED", "FIELD_RENAMED_ALIASED", "FIELD_RENAMED_CASE"})
# Rules whose findings use the old name as their path.
RENAMING = frozenset({"FIELD_RENAMED", "FIELD_RENAMED_ALIASED", "FIELD_RENAMED_CASE", "PARTITION_FIELD_RENAMED"})


def word(name: str) -> str:
    """Return a name as paths show it: in backticks where it is no single word."""
    return name if _BARE.fullmatch(name) else "`" + name.replace("`", "``") + "`"


class FieldLocation(Struct, frozen=True):
    """Where a field or type stands in a table: its old and new path, the names that changes use, and its ids, which outlive renames."""

    old: str = ""
    new: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[int | str, ...] = ()

    def field(self, before: Field, after: Field) -> "FieldLocation":
        """Return the location of a field of the struct at this location; of a column, from the location of the table."""
        name = word(after.name)
        earlier = name if before.name == after.name else word(before.name)
        dot = "." if self.names else ""
        return FieldLocation(f"{self.old}{dot}{earlier}", f"{self.new}{dot}{name}", (*self.names, after.name), (*self.steps, after.id))

    def part(self, step: str) -> "FieldLocation":
        """Return the location of the element of a list, or of the key or value of a map."""
        mark = MARKS[step]
        return FieldLocation(f"{self.old}{mark}", f"{self.new}{mark}", (*self.names, step), (*self.steps, step))

    @property
    def column(self) -> int | None:
        """Return the id of the column around this location; None for the table itself."""
        return self.steps[0] if self.steps and isinstance(self.steps[0], int) else None


class Observation(Struct, frozen=True, kw_only=True):
    """One difference between two schemas, with the rule that it falls under."""

    rule: str
    where: FieldLocation = FieldLocation()
    path: str = ""
    """The path of the finding: the name that readers know."""
    id: int | None = None
    old: str = ""
    new: str = ""
    before: Any = None
    """The type, field or value in the old schema."""
    after: Any = None
    variant: str = ""
    free: bool = False
    """Whether no field has the old name now."""
    unheard: bool = False
    """Whether no field had the new name before, so that it can mean this field only."""
    words: dict[str, str] = {}
    """More words for the sentence of the rule."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return every spelling of the path that an exception or a contract may use."""
        if self.rule in RENAMING and not self.unheard:
            return tuple(dict.fromkeys((self.path, self.where.old)))
        plain = ".".join(self.where.names)  # people write names without backticks
        return tuple(dict.fromkeys(path for path in (self.path, self.where.old, self.where.new, plain) if path))
