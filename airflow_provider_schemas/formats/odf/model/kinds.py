"""The 24 kinds of ODF's data types as data: tags, parameters, defaults, and how names may be spelled."""

from collections.abc import Iterable
from enum import Enum, StrEnum
from typing import NamedTuple, TypeVar


class Kind(StrEnum):
    """The kinds, in the order of their tags, which begin at 1."""

    BINARY = "Binary"
    BOOL = "Bool"
    DATE = "Date"
    DECIMAL = "Decimal"
    DURATION = "Duration"
    FLOAT16 = "Float16"
    FLOAT32 = "Float32"
    FLOAT64 = "Float64"
    INT8 = "Int8"
    INT16 = "Int16"
    INT32 = "Int32"
    INT64 = "Int64"
    UINT8 = "UInt8"
    UINT16 = "UInt16"
    UINT32 = "UInt32"
    UINT64 = "UInt64"
    LIST = "List"
    MAP = "Map"
    NULL = "Null"
    OPTION = "Option"
    STRUCT = "Struct"
    TIME = "Time"
    TIMESTAMP = "Timestamp"
    STRING = "String"


class TimeUnit(StrEnum):
    """The units of time, in the order of their numbers, which begin at 0."""

    SECOND = "Second"
    MILLISECOND = "Millisecond"
    MICROSECOND = "Microsecond"
    NANOSECOND = "Nanosecond"


TAGS = {kind: tag for tag, kind in enumerate(Kind, 1)}
UNITS = {unit: number for number, unit in enumerate(TimeUnit)}


class ParameterForm(Enum):
    """What the value of a parameter is."""

    U64 = (0, 2**64 - 1)
    U32 = (0, 2**32 - 1)
    I32 = (-(2**31), 2**31 - 1)
    BOOL = "true or false"
    UNIT = "a unit of time"
    TEXT = "text"
    TYPE = "a type"
    FIELDS = "a list of fields"


class Parameter(NamedTuple):
    """A parameter of a kind: its key in documents, its name in Python, what it holds, and what its absence means."""

    key: str
    name: str
    form: ParameterForm
    required: bool = False
    default: str | None = None


_UNIT = Parameter("unit", "unit", ParameterForm.UNIT, default=TimeUnit.MILLISECOND)
_LENGTH = Parameter("fixedLength", "fixed_length", ParameterForm.U64)

# Kinds that are not here have none. The order is the one in which they are written.
PARAMETERS: dict[Kind, tuple[Parameter, ...]] = {
    Kind.BINARY: (_LENGTH,),
    Kind.DECIMAL: (Parameter("precision", "precision", ParameterForm.U32, True), Parameter("scale", "scale", ParameterForm.I32, True)),
    Kind.DURATION: (_UNIT,),
    Kind.LIST: (Parameter("itemType", "item", ParameterForm.TYPE, True), _LENGTH),
    Kind.MAP: (
        Parameter("keyType", "key", ParameterForm.TYPE, True),
        Parameter("valueType", "value", ParameterForm.TYPE, True),
        Parameter("keysSorted", "keys_sorted", ParameterForm.BOOL),
    ),
    Kind.OPTION: (Parameter("inner", "inner", ParameterForm.TYPE, True),),
    Kind.STRUCT: (Parameter("fields", "fields", ParameterForm.FIELDS, True),),
    Kind.TIME: (_UNIT,),
    Kind.TIMESTAMP: (_UNIT, Parameter("timezone", "timezone", ParameterForm.TEXT, default="UTC")),
}

_Word = TypeVar("_Word", bound=StrEnum)


def spellings(words: Iterable[_Word]) -> dict[str, _Word]:
    """Return every text that readers take for one of these words: as it is written, with a small first letter, in small letters."""
    texts: dict[str, _Word] = {}
    for word in words:
        texts[word.lower()] = word
        texts[f"{word[0].lower()}{word[1:]}"] = word
        texts[str(word)] = word
    return texts


SPELLED_KINDS = spellings(Kind)
SPELLED_UNITS = spellings(TimeUnit)
