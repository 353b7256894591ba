"""What we answer to the vectors about Arrow, and to which of them we answer otherwise than the reference on purpose.

No part of it needs pyarrow, which cannot make all that the vectors ask for.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.arrow.model import LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType
from airflow_provider_schemas.formats.odf.arrow.reader import data_schema
from airflow_provider_schemas.formats.odf.arrow.strip_encodings import strip_encoding
from airflow_provider_schemas.formats.odf.arrow.writer import ArrowSettings, arrow_schema
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.encodings import BufferEncoding, BufferKind, DateEncoding, DateUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_field
from airflow_provider_schemas.formats.yaml.reading import read
from tests.conformance.harness import Accepted, Answer, Deviation, Refused
from tests.conformance.odf.arrow_text import printed, read_type, readings
from tests.conformance.rows import Content

REFUSED = "error"
_TEXTS = (ArrowKind.UTF8, ArrowKind.LARGE_UTF8, ArrowKind.UTF8_VIEW, ArrowKind.BINARY, ArrowKind.LARGE_BINARY, ArrowKind.BINARY_VIEW)
_DECIMALS = (ArrowKind.DECIMAL32, ArrowKind.DECIMAL64, ArrowKind.DECIMAL128, ArrowKind.DECIMAL256)
_HELD_IN_WAYS = frozenset({*_TEXTS, *_DECIMALS, *LISTS, ArrowKind.DATE64} - {ArrowKind.FIXED_SIZE_LIST})


def arrow_to_odf(content: Content, *, reference_compatible: bool = False) -> Any:
    """The ODF type of a type of Arrow, and what comes back of it, with encodings and without.

    Where the text does not say what may be null, the reading that the expected answer has is the one that was meant.
    """
    given = content["input"]
    answers = (
        _of_arrow(ArrowField("a", kind, given["nullable"]), reference_compatible=reference_compatible) for kind in readings(given["arrow"])
    )
    first = next(answers)
    wanted = settled(content["expect"]) if "expect" in content else first
    return next((one for one in (first, *answers) if one == wanted), first)


def _of_arrow(field: ArrowField, *, reference_compatible: bool) -> dict[str, Any]:
    found = data_schema(ArrowSchema((field,)), reference_compatible=reference_compatible).schema
    said = {key: value for key, value in of_field(found.fields[0]).items() if key != "name"}
    stripped = strip_encoding(found, reference_compatible=True)
    back = {"back_to_arrow": _back(found, field, "lossless", True), "after_strip_encoding_back_to_arrow": _back(stripped, field, "same")}
    return {**said, **back}


def _back(schema: DataSchema, given: ArrowField, same: str, nullability: bool = False) -> str:
    try:
        back = arrow_schema(schema).fields[0]
    except SchemaError:
        return REFUSED
    suffix = f" nullable={str(back.nullable).lower()}" if nullability else ""
    return same if back == given else f"-> {printed(back.type)}{suffix}"


def settled(value: Any) -> Any:
    """The expected value, without the words in which the reference says that there is no way back."""
    words = ("back_to_arrow", "after_strip_encoding_back_to_arrow")
    known = ("lossless", "same", "-> ")
    return {key: one if key not in words or str(one).startswith(known) else REFUSED for key, one in value.items()}


# ---------------------------------------------------------------- to Arrow


def odf_to_arrow(content: Content, *, reference_compatible: bool = False) -> Any:
    """The type of Arrow of the one field of a schema."""
    schema = _schema(content)
    settings = ArrowSettings(**_settings(content.get("settings", {})), reference_compatible=reference_compatible)
    field = arrow_schema(schema, settings).fields[0]
    return {"arrow": printed(field.type), "nullable": field.nullable}


def _schema(content: Content) -> DataSchema:
    """The schema of the row, without its encodings where the row says so."""
    schema = schema_of(read(content["input"]).value)
    return strip_encoding(schema, reference_compatible=True) if content.get("strip_encoding_first") else schema


_DEFAULTS = ("string", "binary", "list", "date")


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings under whatever names: each says in its name what it is a default for, or else it is one for all buffers."""
    found: dict[str, Any] = {}
    for key, said in given.items():
        named = [one for one in _DEFAULTS if one in key.lower()] or ([*_DEFAULTS[:3]] if "buffer" in key else [])
        assert named, f"the setting {key!r} means nothing"
        found |= dict.fromkeys(named, _date(said) if named == ["date"] else _buffer(said))
    return found


def _date(said: Any) -> DateEncoding:
    unit = said["unit"] if isinstance(said, Mapping) else {"Date32": "Day", "Date64": "Millisecond"}.get(said, said)
    return DateEncoding(DateUnit(unit.capitalize()))


def _buffer(said: Any) -> BufferEncoding:
    if isinstance(said, Mapping):
        said = "/".join(str(one) for one in said.values() if one is not None)
    kind, _, bits = said.partition("/")
    return BufferEncoding(BufferKind(kind[:1].upper() + kind[1:]), int(bits) if bits else None)


# ---------------------------------------------------------------- deviations


_EDGE = "Decimal128(39,"
_WIDTHS = {32: 9, 64: 18, 128: 38, 256: 76}
_MOST = 76


class _Digits(NamedTuple):
    """The digits of a decimal, and how many it may have where its width is asked for."""

    precision: int
    most: int | None

    @property
    def fit(self) -> bool:
        return 1 <= self.precision <= (self.most or _MOST)

    @property
    def at_the_edge(self) -> bool:
        return self.precision == 39 and self.most is None


def _digits(content: Content) -> list[_Digits]:
    return [one for field in _schema(content).fields for one in _digits_of(field.type, field.extra)]


def _digits_of(kind: types.DataType, extra: Mapping[str, Any] | None = None) -> Iterator[_Digits]:
    """The digits of every decimal in a type."""
    inner = types.without_option(kind)
    if isinstance(inner, types.Decimal):
        encoding = (extra or {}).get("arrow.apache.org/decimalEncoding")
        yield _Digits(inner.precision, _WIDTHS.get(encoding["bitWidth"]) if encoding else None)
    elif isinstance(inner, types.Struct):
        for one in inner.fields:
            yield from _digits_of(one.type, one.extra)
    else:
        for part in inner.parts:
            yield from _digits_of(part)


def _more_digits(content: Content) -> bool:
    """Decimals with more digits than their width has, or none at all."""
    return any(not one.fit or one.at_the_edge for one in _digits(content))


def _settings_reach_fixed_length(content: Content) -> bool:
    """A default for what has a fixed length."""
    return bool(content.get("settings")) and "fixedLength" in content["input"]


def _parts_of_maps(content: Content) -> bool:
    """Maps, also inside of something, whose keys or values Arrow may hold in several ways."""
    return any(_held_in_ways(one) for one in _inside(read_type(content["input"]["arrow"])))


def _held_in_ways(kind: ArrowType) -> bool:
    return kind.kind is ArrowKind.MAP and any(one.type.kind in _HELD_IN_WAYS for one in _parts(kind))


def _inside(kind: ArrowType) -> Iterator[ArrowType]:
    """The type, and all inside it."""
    yield kind
    for one in kind.children:
        yield from _inside(one.type)


def _parts(kind: ArrowType) -> tuple[ArrowField, ...]:
    """The key and the value of a map."""
    return kind.children[0].type.children


def _needs_next_width(content: Content) -> bool:
    """A decimal of 39 digits, which comes back without its width."""
    return any(one.precision == 39 for one in _inside(read_type(content["input"]["arrow"])))


def _runs_of_nulls(content: Content) -> bool:
    """Runs that may be null in a column that may be null."""
    return str(content["input"]["arrow"]).startswith("REE<") and bool(content["input"]["nullable"])


DIGITS = (
    "Arrow's decimals have 9, 18, 38 or 76 digits by their width, and at least one. The reference is off by one (39 and 77), and does not "
    "count at all where a width is asked for: no implementation of Arrow could hold the values."
)
FIXED_LENGTHS = (
    "A default encoding says how values of varying length are held. In the reference it also reaches lists and bytes of a fixed length, so "
    "that datasets which have one cannot be queried."
)
MAPS = (
    "The reference refuses maps whose keys or values are text, bytes, lists or decimals. We take them, and tell as a loss what was held "
    "otherwise than Arrow does by itself."
)
RUNS = "Null runs in a nullable column are one NULL. The reference makes an Option in an Option of them, which has no way back."


def _counted(content: Content) -> Answer:
    """The next width for 39 digits, which need it; an error for digits that no width has."""
    if not all(one.fit for one in _digits(content)):
        return Refused("odf.decimal-precision")
    return _in_next_width(content)


def _in_next_width(content: Content) -> Answer:
    """The expected answer, but for the width that 39 digits need. What had that width before comes back as it was."""
    found = {key: one.replace(_EDGE, "Decimal256(39,") if isinstance(one, str) else one for key, one in settled(content["expect"]).items()}
    given = content["input"]
    if isinstance(given, Mapping):
        for key, same in (("back_to_arrow", "lossless"), ("after_strip_encoding_back_to_arrow", "same")):
            text = f"-> {printed(read_type(given['arrow']))}"
            as_it_was = found[key] in (text, f"{text} nullable={str(given['nullable']).lower()}")
            found[key] = same if as_it_was else found[key]
    return Accepted(found)


def _with_map(content: Content) -> Answer:
    """A map of what its parts are by themselves."""
    whole = read_type(content["input"]["arrow"])
    if not _held_in_ways(whole):
        return Accepted(arrow_to_odf(content))
    keys, values = (_alone(one) for one in _parts(whole))
    said = {"kind": "Map", "keyType": keys, "valueType": values, "keysSorted": "sorted" in content["input"]["arrow"]}
    kind = {"kind": "Option", "inner": said} if content["input"]["nullable"] else said
    return Accepted({**arrow_to_odf(content), "type": kind})


def _alone(field: ArrowField) -> Any:
    return of_field(data_schema(ArrowSchema((field,)), reference_compatible=True).schema.fields[0])["type"]


DEVIATIONS = (
    Deviation(
        "decimal-digits",
        frozenset({"odf_to_arrow"}),
        _more_digits,
        _counted,
        frozenset({"R218", "R220"}),
        DIGITS,
    ),
    Deviation("decimals-of-39-digits", frozenset({"arrow_to_odf"}), _needs_next_width, _in_next_width, frozenset(), DIGITS),
    Deviation(
        "defaults-and-fixed-lengths",
        frozenset({"odf_to_arrow"}),
        _settings_reach_fixed_length,
        lambda content: Accepted(odf_to_arrow({**content, "settings": {}})),
        frozenset({"R233"}),
        FIXED_LENGTHS,
    ),
    Deviation("parts-of-maps", frozenset({"arrow_to_odf"}), _parts_of_maps, _with_map, frozenset({"R324", "R326"}), MAPS),
    Deviation(
        "runs-of-nulls", frozenset({"arrow_to_odf"}), _runs_of_nulls, lambda content: Accepted(arrow_to_odf(content)), frozenset(), RUNS
    ),
)
