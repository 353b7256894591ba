"""The physical limits: a schema file as plain structs, read and compared with nothing checked."""

import msgspec
from msgspec import Struct

from tests.benchmarks.contest import Call
from tests.benchmarks.inputs import Input

LIMIT = "limit: typed msgspec"


class Part(Struct):
    """Any type that is no text."""

    type: str
    fields: "list[Column] | None" = None
    element: "str | Part | None" = None
    key: "str | Part | None" = None
    value: "str | Part | None" = None


class Column(Struct):
    """A column."""

    id: int
    name: str
    type: str | Part
    description: str | None = None


class File(Struct):
    """A schema file."""

    version: int
    id: int
    fields: list[Column]
    highestFieldId: int  # noqa: N815  # the file spells it so
    partitionKeys: list[str]  # noqa: N815
    primaryKeys: list[str]  # noqa: N815
    options: dict[str, str]
    comment: str | None
    timeMillis: int  # noqa: N815


decode = msgspec.json.Decoder(File).decode
encode = msgspec.json.Encoder().encode


def decoding(one: Input) -> Call:
    file = one.file
    return lambda: decode(file)


def differences(old: File, new: File) -> tuple[list[Column], list[int]]:
    """What a diff by id cannot do without: the columns that are new or differ, and the ids that are gone."""
    mine = {column.id: column for column in old.fields}
    changed = [column for column in new.fields if mine.get(column.id) != column]
    return changed, list(mine.keys() - {column.id for column in new.fields})
