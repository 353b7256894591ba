"""Checks of file formats: which are known, and which types each can store."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, fold
from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

KNOWN = ("avro", "blob", "csv", "json", "orc", "parquet", "row", "text")

_GEO = frozenset({Root.GEOMETRY, Root.GEOGRAPHY})
_FLAT = frozenset({Root.MULTISET, Root.VARIANT, Root.BLOB, *_GEO})


class _Format(NamedTuple):
    """The roots that a format cannot store, and whether it refuses them inside columns too."""

    refused: frozenset[Root]
    inside: bool


_FORMATS = {
    "orc": _Format(frozenset({Root.VARIANT, Root.VECTOR, *_GEO}), inside=True),
    "avro": _Format(frozenset({Root.VARIANT, *_GEO}), inside=True),
    "csv": _Format(_FLAT | {Root.ARRAY, Root.MAP, Root.ROW, Root.VECTOR}, inside=False),
    "json": _Format(_FLAT, inside=False),
}

# Avro's logical types end here.
_AVRO_DIGITS: dict[Root, int] = {Root.TIME: 3, Root.TIMESTAMP: 6, Root.TIMESTAMP_LTZ: 6}


def known_format(facts: Facts) -> Iterator[Finding]:
    """Report a file format that no engine can read."""
    if facts.format not in KNOWN:
        message = f"{facts.format!r} is no file format."
        yield Finding("format.unknown", "file.format", message, f"Use one of {', '.join(KNOWN)}.")


def stored_types(facts: Facts) -> Iterator[Finding]:
    """Report columns whose type the format cannot store."""
    refused, inside = _FORMATS.get(facts.format, _Format(frozenset(), inside=False))
    if not refused & facts.roots:
        return
    for column in _in_data_files(facts):
        roots = _roots_in(column.type) if inside else {column.type.root}
        for root in sorted(roots & refused):
            message = f"files of format {facts.format} cannot store {root.name}, as in {column.type}."
            fix = "Use file.format = parquet, or another type."
            yield Finding("format.unsupported-type", column.name, message, fix)


def avro_precision(facts: Facts) -> Iterator[Finding]:
    """Report times with more digits than Avro keeps."""
    if facts.format == "avro":
        yield from _too_precise(facts, _AVRO_DIGITS, "Use file.format = parquet, or fewer digits.")


def avro_precision_per_level(facts: Facts) -> Iterator[Finding]:
    """Report timestamps with more digits than Avro keeps, where only some levels are Avro."""
    if "avro" in _formats_per_level(facts) and facts.format != "avro":
        digits: dict[Root, int] = {root: most for root, most in _AVRO_DIGITS.items() if root is not Root.TIME}
        yield from _too_precise(facts, digits, "Take avro out of file.format.per.level, or use fewer digits.")


def _too_precise(facts: Facts, digits: dict[Root, int], fix: str) -> Iterator[Finding]:
    def is_too_precise(atom: DataType) -> bool:
        return isinstance(atom, AtomicType) and (atom.precision or 0) > digits.get(atom.root, 38)

    if not any(map(is_too_precise, facts.atoms)):
        return
    for column in _in_data_files(facts):
        if _any_part(column.type, is_too_precise):
            message = f"Avro keeps fewer digits of a second than {column.type} has."
            yield Finding("format.avro-precision", column.name, message, fix)


def single_text(facts: Facts) -> Iterator[Finding]:
    """Report columns that the text format cannot hold: it holds one column of text, and nothing else."""
    if facts.format != "text":
        return
    columns = _in_data_files(facts)
    if [column.type.root for column in columns] not in ([Root.VARCHAR], [Root.CHAR]):
        message = f"files of format text hold exactly one column, of type STRING; here are {len(columns)} columns."
        yield Finding("format.unsupported-type", "file.format", message, "Use file.format = parquet.")


def _in_data_files(facts: Facts) -> list[Field]:
    """Return the columns in the data files: BLOBs, and VECTORs if an option says so, have files of their own."""
    elsewhere = {*facts.filed_blobs}
    if facts.has("vector.file.format"):
        elsewhere.update(column.name for column in facts.columns_of(Root.VECTOR))
    return [column for column in facts.schema.fields if column.name not in elsewhere]


def _formats_per_level(facts: Facts) -> list[str]:
    return [level.rpartition(":")[2].strip().lower() for level in facts.names("file.format.per.level")]


def _roots_in(kind: DataType) -> frozenset[Root]:
    return fold(kind, lambda part, inner: frozenset({part.root}).union(*inner))


def _any_part(kind: DataType, condition: Callable[[DataType], bool]) -> bool:
    return fold(kind, lambda part, inner: condition(part) or any(inner))


# ---------------------------------------------------------------- geometry and geography


def _has_geo(facts: Facts) -> bool:
    return bool(_GEO & facts.roots)


def geo_formats(facts: Facts) -> Iterator[Finding]:
    """Report file formats other than Parquet, the only one that stores geometry and geography."""
    if not _has_geo(facts):
        return
    formats_by_option = {
        "file.format": [facts.format],
        "file.format.per.level": _formats_per_level(facts),
        "changelog-file.format": [name.lower() for name in facts.names("changelog-file.format")],
    }
    for key, formats in formats_by_option.items():
        for name in formats:
            if name != "parquet":
                message = f"GEOMETRY and GEOGRAPHY are stored in Parquet only, not in {name}."
                yield Finding("format.geo-requires-parquet", key, message, "Use parquet.")


def geo_keys(facts: Facts) -> Iterator[Finding]:
    """Report geometry and geography by which rows are clustered, hashed or sequenced: they have no order."""
    if not _has_geo(facts):
        return
    sequence = list(facts.sequence)
    for _, names, rest, _ in facts.column_options:
        if rest == "sequence-group":
            sequence += names
    uses = {
        "clustering.columns": ("format.geo-clustering-column", facts.names("clustering.columns")),
        "bucket-key": ("format.geo-bucket-key", facts.bucket_key),
        "sequence.field": ("format.geo-sequence-field", sequence),
    }
    for key, (code, columns) in uses.items():
        for name in dict.fromkeys(columns):
            kind = facts.kind(name)
            if kind is not None and kind.root in _GEO:
                message = f"{name!r} is a {kind.root.name}, which has no order."
                yield Finding(code, key, message, "Use another column.")


_ICEBERG = "metadata.iceberg.storage"


def _publishes_geo_to_iceberg(facts: Facts) -> bool:
    return _has_geo(facts) and facts.choice(_ICEBERG) != "disabled"


def geography_systems(facts: Facts) -> Iterator[Finding]:
    """Report coordinate systems that Iceberg's text of types cannot name."""
    if not _publishes_geo_to_iceberg(facts):
        return
    for atom in facts.atoms:
        if atom.root is Root.GEOGRAPHY and "," in (atom.crs or ""):
            message = f"Iceberg metadata cannot name the coordinate system of {atom}: it holds a comma."
            yield Finding("format.geo-iceberg-crs", _ICEBERG, message, "Use a coordinate system without a comma.")


GEO = where(*_GEO)(
    geo_formats,
    geo_keys,
    Requirement(
        "format.geo-iceberg-format-version",
        "metadata.iceberg.format-version",
        lambda facts: _publishes_geo_to_iceberg(facts) and facts.number("metadata.iceberg.format-version") != 3,
        "Iceberg knows GEOMETRY and GEOGRAPHY from version 3 of its format.",
        "Set it to 3.",
    ),
    Requirement(
        "format.geo-iceberg-rest-catalog",
        _ICEBERG,
        lambda facts: _publishes_geo_to_iceberg(facts) and facts.choice(_ICEBERG) == "rest-catalog",
        "GEOMETRY and GEOGRAPHY cannot be published to an Iceberg REST catalog.",
        "Use table-location, hadoop-catalog or hive-catalog.",
    ),
    geography_systems,
)
FORMATS = (
    *GEO,
    *where("file.format")(known_format, avro_precision, stored_types, single_text),
    *where("file.format.per.level")(avro_precision_per_level),
)
