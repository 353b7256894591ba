"""A small model of a table under changes: as much of it as the predicates of deviations.toml ask for.

It follows names, types, keys and options through the batches of a row, knows nothing of what is allowed,
and walks types on its own, so that a predicate on the input cannot repeat a mistake of the answer.
A change that leads nowhere changes nothing here.
"""

import copy
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from airflow_provider_schemas.core import parse_ddl
from tests.conformance.rows import Content

Json = dict[str, Any]

# Which word leads into a container, as the documentation has it.
WORDS = {"ARRAY": "element", "MAP": "value"}


def tag(kind: Any) -> str:
    """What a type is, without its parameters and nullability."""
    found = re.match(r"\w*", str(kind["type"] if isinstance(kind, dict) else kind))
    return found.group().upper() if found else ""


class Place(NamedTuple):
    """Where a path leads: the field it enters last, and the words of containers after that."""

    field: Json
    words: tuple[str, ...]

    def kind(self) -> Any:
        kind = self.field["type"]
        for word in self.words:
            kind = kind.get(word) if isinstance(kind, dict) else None
        return kind

    def put(self, kind: Any) -> None:
        holder, key = self.field, "type"
        for word in self.words:
            holder, key = holder[key], word
        holder[key] = kind


class Table:
    """Columns, keys and options. A field keeps its number under every name."""

    def __init__(self, columns: list[Json], keys: dict[str, list[str]], options: dict[str, str]) -> None:
        self._highest = 0
        self.root: Json = {"type": {"type": "ROW", "fields": copy.deepcopy(columns)}}
        self._number(self.root["type"])
        self.keys = keys
        """The primary and partition keys, by the option that may set them."""
        self.options = options

    def _number(self, kind: Any) -> None:
        for one in fields(kind):
            self._highest += 1
            one["number"] = self._highest

    def copy(self) -> "Table":
        return copy.deepcopy(self)

    def place(self, names: list[str]) -> Place | None:
        """Where the path leads, if it leads anywhere."""
        found = Place(self.root, ())
        for name in names:
            kind = found.kind()
            if tag(kind) == "ROW":
                there = [one for one in kind["fields"] if one["name"] == name]
                if not there:
                    return None
                found = Place(there[0], ())
            elif WORDS.get(tag(kind)) == name:
                found = Place(found.field, (*found.words, name))
            else:
                return None
        return found

    def field(self, number: int) -> Json | None:
        """The field of this number."""
        return next((one for one in fields(self.root["type"]) if one["number"] == number), None)

    def apply(self, change: Content) -> None:
        """Make the change."""
        action = change["action"]
        if action in ("setOption", "removeOption"):
            self.options.pop(change["key"], None)
            self.options |= {change["key"]: change["value"]} if action == "setOption" else {}
        elif action == "dropPrimaryKey":
            self.keys["primary-key"] = []
        elif action == "addColumn":
            self._add(change)
        elif (found := self.place(change.get("fieldNames", []))) and found.field is not self.root:
            self._edit(action, change, found)

    def _add(self, change: Content) -> None:
        parent = self.place(change["fieldNames"][:-1])
        if parent and tag(parent.kind()) == "ROW":
            added = {"name": change["fieldNames"][-1], "type": copy.deepcopy(change["dataType"])}
            self._number({"fields": [added]})
            parent.kind()["fields"].append(added)

    def _edit(self, action: str, change: Content, found: Place) -> None:
        if action == "updateColumnType":
            kind = copy.deepcopy(change["newDataType"])
            self._number(kind)
            found.put(kind)
        elif action == "renameColumn" and not found.words:
            found.field["name"] = change["newName"]
        elif action == "dropColumn" and not found.words:
            parent = self.place(change["fieldNames"][:-1])
            if parent:
                parent.kind()["fields"].remove(found.field)

    def end_batch(self, renames: dict[str, str]) -> None:
        """What a batch does when all of its changes are made: keys and options follow columns."""
        self.keys["primary-key"] = [renames.get(name, name) for name in self.keys["primary-key"]]
        for key in ("bucket-key", "sequence.field"):
            if key in self.options:
                self.options[key] = ",".join(renames.get(name, name) for name in self.options[key].split(","))
        for key, names in self.keys.items():
            self.keys[key] = listed(self.options.pop(key, "")) or names


class Moment(NamedTuple):
    """A change, with the table as it was before the batch and before the change itself."""

    batch: int
    change: Content
    old: Table
    now: Table


def moments(row: Content) -> Iterator[Moment]:
    """Every change of a row of alter or read-evolution."""
    table = _table(row)
    for number, batch in enumerate(row["batches"]):
        old, renames = table.copy(), {}
        for change in batch:
            yield Moment(number, change, old, table.copy())
            table.apply(change)
            if change["action"] == "renameColumn" and len(change["fieldNames"]) == 1:
                renames[change["fieldNames"][0]] = change["newName"]
        table.end_batch(renames)


def _table(row: Content) -> Table:
    if "file" in row:
        columns = [{"name": name, "type": parse_ddl(kind).to_json()} for name, kind in row["file"]["columns"]]
        return Table(columns, {"primary-key": [], "partition": []}, {})
    create = row["create"]
    keys = {"primary-key": list(create.get("primaryKeys", ())), "partition": list(create.get("partitionKeys", ()))}
    table = Table(create["columns"], keys, dict(create.get("options", {})))
    table.end_batch({})
    return table


def fields(kind: Any) -> Iterator[Json]:
    """All fields inside a type, at every level."""
    if not isinstance(kind, dict):
        return
    yield from kind.get("fields", ())
    for part in [one["type"] for one in kind.get("fields", ())] + [kind[word] for word in ("element", "key", "value") if word in kind]:
        yield from fields(part)


def listed(text: str) -> list[str]:
    """The names in a list of names."""
    return [one.strip() for one in text.split(",") if one.strip()]
