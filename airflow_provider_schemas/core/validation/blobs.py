"""Checks of row tracking and data evolution, and of BLOB and VECTOR columns in files of their own."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.comment_directives import LEGACY_DESCRIPTORS
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import children, fold
from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_TRACKING = "row-tracking.enabled"
_EVOLUTION = "data-evolution.enabled"

TRACKING = where(_TRACKING, _EVOLUTION)(
    Requirement(
        "row-tracking.primary-key",
        _TRACKING,
        lambda facts: facts.flag(_TRACKING) and not facts.append,
        "rows are tracked in tables without primary key only.",
        "Turn it off, or remove the primary key.",
    ),
    Requirement(
        "row-tracking.bucket",
        _TRACKING,
        lambda facts: facts.flag(_TRACKING) and facts.bucket != -1,
        "rows are tracked in tables without fixed buckets only.",
        "Remove the option 'bucket'.",
    ),
    Requirement(
        "data-evolution.needs-row-tracking",
        _EVOLUTION,
        lambda facts: facts.flag(_EVOLUTION) and not facts.flag(_TRACKING),
        "columns can be rewritten apart only where rows are tracked.",
        "Set row-tracking.enabled = true.",
    ),
    Requirement(
        "data-evolution.incremental-clustering",
        _EVOLUTION,
        lambda facts: facts.flag(_EVOLUTION) and facts.flag("clustering.incremental"),
        "clustering moves rows, and data evolution needs them to stay in place.",
        "Turn one of the two off.",
    ),
)

# ---------------------------------------------------------------- BLOB


def deep_blobs(facts: Facts) -> Iterator[Finding]:
    """Report BLOBs deeper inside a column than Paimon can store them."""
    if Root.BLOB not in facts.roots:
        return
    for column in facts.schema.fields:
        parts = [part for _, part in children(column.type)]
        if column.name in facts.blobs:
            parts = parts[:-1]
        if any(map(_holds_blob, parts)):
            message = f"the BLOB stands too deep in {column.type}."
            yield Finding("blob.nested", column.name, message, "Use BLOB, ARRAY<BLOB>, or MAP with BLOB values, at the top level.")


def _holds_blob(kind: DataType) -> bool:
    return fold(kind, lambda part, inner: part.root is Root.BLOB or any(inner))


def append_blobs(facts: Facts) -> Iterator[Finding]:
    """Report what BLOB columns need in a table without primary key."""
    if not facts.append or not facts.blobs:
        return
    first = next(iter(facts.blobs))
    if not facts.flag(_EVOLUTION):
        fix = "Set row-tracking.enabled = true and data-evolution.enabled = true."
        yield Finding("blob.needs-data-evolution", first, "a BLOB column needs data evolution, to lie in files of its own.", fix)
    if len(facts.blobs) == len(facts.columns):
        yield Finding("blob.only-column", first, "a table needs a column that is no BLOB.", "Add a column, such as an id.")
    yield from _used(facts.blobs, {"partition-key": facts.schema.partition_keys})


def managed_blobs(facts: Facts) -> Iterator[Finding]:
    """Report what BLOB columns need in a table with primary key, where Paimon manages their files."""
    if facts.append or not facts.filed_blobs:
        return
    keys = {"primary-key": facts.schema.primary_keys, "partition-key": facts.schema.partition_keys}
    yield from _used(facts.filed_blobs, {**keys, "bucket-key": facts.bucket_key, "sequence-field": facts.sequence})
    for requirement in _MANAGED:
        yield from requirement(facts)


def _used(blobs: Collection[str], uses: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    for use, names in uses.items():
        for name in names:
            if name in blobs:
                message = f"a BLOB cannot be compared, so it is no {use.replace('-', ' ')}."
                yield Finding(f"blob.{use}", name, message, "Use another column.")


_MANAGED = (
    Requirement(
        "blob.merge-engine",
        "merge-engine",
        lambda facts: facts.engine not in ("deduplicate", "partial-update", "first-row"),
        "BLOB columns cannot be aggregated.",
        "Use merge-engine = deduplicate, partial-update or first-row.",
    ),
    Requirement(
        "blob.changelog-producer",
        "changelog-producer",
        lambda facts: facts.producer != "none",
        "no changelog is made for tables with BLOB columns.",
        "Set changelog-producer = none.",
    ),
    Requirement(
        "blob.external-paths",
        "data-file.external-paths",
        lambda facts: facts.has("data-file.external-paths"),
        "the files of BLOB columns lie with the table only.",
        "Remove the option.",
    ),
)


def blob_lists(facts: Facts) -> Iterator[Finding]:
    """Report columns listed as BLOBs that are none, and columns listed in two ways."""
    inline = {"blob-descriptor-field": facts.descriptors, "blob-view-field": facts.names("blob-view-field")}
    for key, names in {"blob-field": facts.names("blob-field"), **inline}.items():
        for name in names:
            kind = facts.kind(name)
            if kind is None:
                yield Finding(f"{key}.unknown", key, f"{name!r} is no column.", "Take it out of the list.")
            elif name not in facts.blobs or (key in inline and kind.root is not Root.BLOB):
                allowed = "BLOB" if key in inline else "BLOB, ARRAY<BLOB> or MAP with BLOB values"
                message = f"{name!r} is of type {kind}, not {allowed}."
                yield Finding(f"{key}.type", key, message, "Take it out of the list, or change its type.")
    views = frozenset(inline["blob-view-field"])
    for name in facts.descriptors:
        if name in views:
            message = f"{name!r} is listed in blob-descriptor-field too, and holds either descriptors or views."
            yield Finding("blob-view-field.overlap", "blob-view-field", message, "Take it out of one of the lists.")


_LISTS = ("blob-field", "blob-view-field", "blob-descriptor-field", LEGACY_DESCRIPTORS)
BLOBS = where(Root.BLOB, *_LISTS)(append_blobs, deep_blobs, blob_lists, managed_blobs)

# ---------------------------------------------------------------- VECTOR in files of its own


def vector_files(facts: Facts) -> Iterator[Finding]:
    """Report what VECTOR columns need in a table that stores them in files of their own."""
    path = "vector.file.format"
    vectors = [column.name for column in facts.columns_of(Root.VECTOR)]
    if not vectors or not facts.has(path):
        return
    if len(vectors) == len(facts.columns):
        yield Finding("vector.only-column", path, "a table needs a column that is no VECTOR.", "Add a column, such as an id.")
    if not facts.flag(_EVOLUTION):
        fix = "Set row-tracking.enabled = true and data-evolution.enabled = true, or remove the option."
        yield Finding("vector.needs-data-evolution", path, "VECTOR columns in files of their own need data evolution.", fix)
    for name in vectors:
        if name in facts.schema.partition_keys:
            yield Finding("vector.partition-key", name, "a VECTOR is no partition key.", "Use another column.")


VECTOR_FILES = where("vector.file.format")(vector_files)
