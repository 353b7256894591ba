"""What we answer to the vectors about Arrow, and to which of them we answer otherwise than the reference on purpose.

No part of it needs pyarrow, which cannot make all that the vectors ask for.
"""

from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.arrow.model import LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType
from airflow_provider_schemas.formats.odf import types
from airflow_provider_schemas.formats.odf.arrow_reading import data_schema
from airflow_provider_schemas.formats.odf.arrow_writing import ArrowSettings, arrow_schema
from airflow_provider_schemas.formats.odf.encodings import BufferEncoding, BufferKind, DateEncoding, DateUnit
from airflow_provider_schemas.formats.odf.plain_values import of_field
from airflow_provider_schemas.formats.odf.reading import schema_of
from airflow_provider_schemas.formats.odf.schema import DataSchema
from airflow_provider_schemas.formats.odf.stripping import strip_encoding
from airflow_provider_schemas.formats.yaml.reading import read
from tests.conformance.harness import Accepted, Answer, Deviation, Refused
from tests.conformance.odf.arrow_text import printed, read_type
from tests.conformance.rows import Content

REFUSED = "error"
_TEXTS = (ArrowKind.UTF8, ArrowKind.LARGE_UTF8, ArrowKind.UTF8_VIEW, ArrowKind.BINARY, ArrowKind.LARGE_BINARY, ArrowKind.BINARY_VIEW)
_DECIMALS = (ArrowKind.DECIMAL32, ArrowKind.DECIMAL64, ArrowKind.DECIMAL128, ArrowKind.DECIMAL256)
_HELD_IN_WAYS = frozenset({*_TEXTS, *_DECIMALS, *LISTS, ArrowKind.DATE64} - {ArrowKind.FIXED_SIZE_LIST})


def arrow_to_odf(content: Content, *, reference_compatible: bool = False) -> Any:
    """The ODF type of a type of Arrow, and what comes back of it, with encodings and without."""
    given = content["input"]
    field = ArrowField("a", read_type(given["arrow"]), given["nullable"])
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
    return schema_of(read(content["input"]).value)


def _settings(given: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, text in given.items():
        named = [one for one in ("string", "binary", "list", "date") if one in key]
        assert named, f"the setting {key!r} means nothing"
        found |= dict.fromkeys(named, DateEncoding(DateUnit(text)) if named == ["date"] else _buffer(text))
    return found


def _buffer(text: str) -> BufferEncoding:
    kind, _, bits = text.partition("/")
    return BufferEncoding(BufferKind(kind), int(bits) if bits else None)


# ---------------------------------------------------------------- deviations


def _more_digits(content: Content) -> bool:
    """Decimals with more digits than their width has, or none at all."""
    field = _schema(content).fields[0]
    kind = types.without_option(field.type)
    if not isinstance(kind, types.Decimal):
        return False
    encoding = None if field.extra is None else field.extra.get("arrow.apache.org/decimalEncoding")
    most = {32: 9, 64: 18, 128: 38, 256: 76}[encoding["bitWidth"]] if encoding else 76
    return not 1 <= kind.precision <= most or (kind.precision == 39 and not encoding)


def _settings_reach_fixed_length(content: Content) -> bool:
    """A default for what has a fixed length."""
    return bool(content.get("settings")) and "fixedLength" in content["input"]


def _parts_of_maps(content: Content) -> bool:
    """Maps whose keys or values Arrow may hold in several ways."""
    kind = read_type(content["input"]["arrow"])
    return kind.kind is ArrowKind.MAP and any(one.type.kind in _HELD_IN_WAYS for one in _parts(kind))


def _parts(kind: ArrowType) -> tuple[ArrowField, ...]:
    """The key and the value of a map."""
    return kind.children[0].type.children


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
    field = _schema(content).fields[0]
    kind = types.without_option(field.type)
    if isinstance(kind, types.Decimal) and kind.precision == 39 and field.extra is None:
        return Accepted({"arrow": f"Decimal256(39, {kind.scale})", "nullable": field.type.optional})
    return Refused("odf.decimal-precision")


def _with_map(content: Content) -> Answer:
    """A map of what its parts are by themselves."""
    keys, values = (_alone(one) for one in _parts(read_type(content["input"]["arrow"])))
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
