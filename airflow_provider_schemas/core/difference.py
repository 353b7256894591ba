"""What was seen to differ between two schemas, before any policy says what it means: a rule, a path, both sides.

Paths name fields as people see them: `a.b` a field of a struct, `a[]` the element of a list, `m{}` the value of
a map and `m{key}` its key. An old path goes by the names that were, a new one by those that are.
"""

import re
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import Field

_BARE = re.compile(r"\w+")


# How a path shows the step into the element of a list, and into the value and the key of a map.
MARKS = MappingProxyType({"element": "[]", "value": "{}", "key": "{key}"})


def word(name: str) -> str:
    """A name within a path."""
    return name if _BARE.fullmatch(name) else "`" + name.replace("`", "``") + "`"


# The variant of a type that a field had before it was dropped, and that the last schema therefore does not have.
RETURNED = "returned"


# The variant of a name that was an alias, and is gone without the field.
ALIAS = "alias"

# The variant of a rename whose old name stays as an alias that does not work for the ways in which jobs read.
UNHEARD_ALIAS = "alias"
# The variant of a field that came into a struct.
NESTED = "nested"


# The variant of another number of buckets.
RESCALED = "rescaled"


# Another name under the same id, wherever the field stands.
CALLED_OTHERWISE = frozenset({"FIELD_RENAMED", "FIELD_RENAMED_ALIASED", "FIELD_RENAMED_CASE"})

# What is called by the name that was.
RENAMING = frozenset({"FIELD_RENAMED", "FIELD_RENAMED_ALIASED", "FIELD_RENAMED_CASE", "PARTITION_FIELD_RENAMED"})


class Where(Struct, frozen=True):
    """A place in a table: how it was called and is called, as changes name it, and by ids, which outlive renames."""

    old: str = ""
    new: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[int | str, ...] = ()

    def field(self, before: Field, after: Field) -> "Where":
        """A field of the struct, or a column."""
        name, dot = word(after.name), "." if self.names else ""
        earlier = name if before.name == after.name else word(before.name)
        return Where(f"{self.old}{dot}{earlier}", f"{self.new}{dot}{name}", (*self.names, after.name), (*self.steps, after.id))

    def part(self, step: str) -> "Where":
        """The element of a list, or the key or value of a map."""
        mark = MARKS[step]
        return Where(f"{self.old}{mark}", f"{self.new}{mark}", (*self.names, step), (*self.steps, step))

    @property
    def column(self) -> int | None:
        """The id of the column in which it is."""
        return self.steps[0] if self.steps and isinstance(self.steps[0], int) else None


class Observation(Struct, frozen=True, kw_only=True):
    """One difference."""

    rule: str
    where: Where = Where()
    path: str = ""
    """What the finding calls it: the name that the readers know."""
    id: int | None = None
    old: str = ""
    new: str = ""
    before: Any = None
    """The type, the field or the value that was."""
    after: Any = None
    variant: str = ""
    free: bool = False
    """Whether nobody bears the old name now."""
    unheard: bool = False
    """Whether nobody bore the new name before, so that it can mean this field only."""
    words: dict[str, str] = {}
    """What else the sentence of the rule names."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every name under which an exception or a contract may know it."""
        if self.rule in RENAMING and not self.unheard:
            return tuple(dict.fromkeys((self.path, self.where.old)))
        plain = ".".join(self.where.names)  # as people write it who do not know when a name is quoted
        return tuple(dict.fromkeys(one for one in (self.path, self.where.old, self.where.new, plain) if one))
