"""Table options: which of them Paimon reads as a flag, a number or a choice, which can never change, and how to read one.

This is data, taken from Paimon's list of options. A key that is not listed here is accepted with any value,
as Paimon does; a listed one whose value no reader could parse is refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, SchemaError

# What cannot be set or removed any more once a table holds data, because the files were laid out by it.
IMMUTABLE_OPTIONS = frozenset({
    "aggregation.remove-record-on-delete",
    "blob-descriptor-field",
    "blob-field",
    "blob-view-field",
    "bucket-function.type",
    "bucket-key",
    "data-evolution.enabled",
    "data-file.path-directory",
    "dynamic-bucket.initial-buckets",
    "force-lookup",
    "index-file-in-data-file-dir",
    "merge-engine",
    "partial-update.remove-record-on-delete",
    "partial-update.remove-record-on-sequence-group",
    "partition",
    "pk-clustering-override",
    "primary-key",
    "primary-key.nullable",
    "row-tracking.enabled",
    "rowkind.field",
    "sequence.snapshot-ordering",
    "type",
})  # fmt: skip

# Options that say what changes of a schema are allowed, with what holds where they are not set.
OPTION_SWITCHES: Mapping[str, bool] = {
    "add-column-before-partition": False,
    "alter-column-null-to-not-null.disabled": True,
    "deletion-vectors.modifiable": False,
    "disable-explicit-type-casting": False,
}

# Options of single columns begin with this word; the names of columns follow.
COLUMN_PREFIX = "fields"

_OFF = """
    aggregation.remove-record-on-delete auto-create blob-as-descriptor blob-compaction.enabled blob-write-null-on-missing-file
    chain-table.enabled changelog-producer.row-deduplicate clustering.incremental clustering.incremental.optimize-write
    commit.discard-duplicate-files commit.force-compact commit.force-create-snapshot compaction.force-rewrite-all-files
    compaction.force-up-level-0 consumer.changelog-only consumer.ignore-progress data-evolution.enabled
    data-evolution.merge-into.source-persist data-file.thin-mode delete.force-produce-changelog deletion-vectors.bitmap64
    deletion-vectors.enabled deletion-vectors.merge-on-read end-input.check-partition-expire file.suffix.include.compression
    force-lookup format-table.partition-path-only-value ignore-delete ignore-update-before incremental-between-tag-to-snapshot
    index-file-in-data-file-dir lookup.remote-file.enabled manifest-sort.enabled manifest.delete-file-drop-stats
    metastore.partitioned-table partial-update.remove-record-on-delete partition.end-input-to-done
    partition.timestamp-format.strict pk-clustering-override primary-key.nullable query-auth.enabled row-tracking.enabled
    scan.fallback-branch.read-fail-fast scan.ignore-corrupt-files scan.ignore-lost-files scan.plan-sort-partition
    sequence.snapshot-ordering snapshot.clean-empty-directories snapshot.ignore-empty-commit streaming-read-append-overwrite
    streaming-read-overwrite table-read.sequence-number.enabled tag.automatic-completion tag.create-success-file
    variant.inferShreddingSchema vector-search.distribute.enabled visibility-callback.enabled write-buffer-for-append write-only
"""
_ON = """
    async-file-write blob-view.resolve.enabled bucket-append-ordered data-evolution.merge-into.file-pruning
    dynamic-partition-overwrite file-index.read.enabled global-index.enabled lookup-wait lookup.cache.bloom.filter.enabled
    metadata.stats-dense-store overwrite-upgrade partition.legacy-name postpone.batch-write-fixed-bucket
    row-tracking.partition-group-on-commit tag.time-expire-enabled write-buffer-spillable
"""
FLAGS: Mapping[str, bool] = {**dict.fromkeys(_OFF.split(), False), **dict.fromkeys(_ON.split(), True), **OPTION_SWITCHES}

_INTEGERS = """
    changelog.num-retained.max changelog.num-retained.min clustering.history-partition.limit commit.max-retries
    compaction.file-num-limit compaction.max-size-amplification-percent compaction.min.file-num compaction.offpeak-ratio
    compaction.offpeak.end.hour compaction.offpeak.start.hour compaction.size-ratio
    cross-partition-upsert.bootstrap-parallelism dynamic-bucket.assigner-parallelism dynamic-bucket.initial-buckets
    dynamic-bucket.max-buckets file-operation.thread-num file.compression.zstd-level full-compaction.delta-commits
    global-index.build.max-parallelism global-index.build.max-shard global-index.thread-num local-sort.max-num-file-handles
    lookup-compact.max-interval lookup.merge-records-threshold lookup.remote-file.level-threshold manifest.merge-min-count
    metadata.stats-keep-first-n-columns num-levels num-sorted-run.compaction-trigger num-sorted-run.stop-trigger
    partition.expiration-batch-size partition.expiration-max-num postpone.batch-write-fixed-bucket.max-parallelism
    postpone.default-bucket-num read.batch-size scan.manifest.parallelism scan.max-splits-per-task snapshot.expire.limit
    sort-compaction.local-sample.magnification sort-spill-threshold spill-compression.zstd-level tag.num-retained-max
    variant.shredding.maxInferBufferRow variant.shredding.maxSchemaDepth variant.shredding.maxSchemaWidth
    write-max-writers-to-spill write.batch-size zorder.var-length-contribution
"""
_LONGS = """
    commit.strict-mode.last-safe-snapshot dynamic-bucket.target-row-num global-index.row-count-per-shard scan.bounded.watermark
    scan.creation-time-millis scan.file-creation-time-millis scan.snapshot-id scan.timestamp-millis scan.watermark
    target-file-row-num
"""


class Number(NamedTuple):
    """A whole number of so many bits, and the value of an option that is not set."""

    bits: int = 32
    default: int | None = None


NUMBERS: Mapping[str, Number] = {
    **dict.fromkeys(_INTEGERS.split(), Number()),
    **dict.fromkeys(_LONGS.split(), Number(64)),
    "bucket": Number(default=-1),
    "metadata.iceberg.format-version": Number(default=2),
    "snapshot.num-retained.max": Number(default=2**31 - 1),
    "snapshot.num-retained.min": Number(default=10),
}

RATIOS: Mapping[str, float] = {"variant.shredding.minFieldCardinalityRatio": 0.1}

# The first choice is the one that holds where the option is not set.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "bucket-function.type": ("default", "mod", "hive"),
    "changelog-producer": ("none", "input", "full-compaction", "lookup"),
    "consumer.mode": ("exactly-once", "at-least-once"),
    "incremental-between-scan-mode": ("auto", "delta", "changelog", "diff"),
    "lookup-compact": ("radical", "gentle"),
    "merge-engine": ("deduplicate", "partial-update", "aggregation", "first-row"),
    "metadata.iceberg.storage": ("disabled", "table-location", "hadoop-catalog", "hive-catalog", "rest-catalog"),
    "scan.mode": (
        "default",
        "latest-full",
        "full",
        "latest",
        "latest-delta",
        "compacted-full",
        "from-timestamp",
        "from-creation-timestamp",
        "from-file-creation-time",
        "from-snapshot",
        "from-snapshot-full",
        "incremental",
    ),
    "sequence.field.sort-order": ("ascending", "descending"),
    "snapshot.expire.execution-mode": ("sync", "async"),
    "sort-engine": ("loser-tree", "min-heap"),
    "tag.automatic-creation": ("none", "process-time", "watermark", "batch"),
    "tag.creation-period": ("daily", "hourly", "two-hours"),
    "type": ("table", "format-table", "materialized-table", "object-table", "lance-table", "iceberg-table"),
}

# What follows `fields.<column>.` and is read as a flag or a number.
COLUMN_FLAGS = ("distinct", "ignore-retract")
COLUMN_NUMBERS = ("count-limit", "map.shared-shredding.max-columns")


# ---------------------------------------------------------------- reading one


def flag(options: Mapping[str, str], key: str) -> bool:
    """Return whether a flag is on. A value that cannot be read raises, here as below."""
    if key not in options:
        return FLAGS[key]
    return _read_flag(key, options[key])


def number(options: Mapping[str, str], key: str) -> int | None:
    """Return a number, or its default where it is not set."""
    if key not in options:
        return NUMBERS[key].default
    return _read_number(key, options[key], NUMBERS.get(key, Number()).bits)


def ratio(options: Mapping[str, str], key: str) -> float:
    """Return a fraction, or its default where it is not set."""
    if key not in options:
        return RATIOS[key]
    return _read_ratio(key, options[key])


def choice(options: Mapping[str, str], key: str) -> str:
    """Return a choice, or its default where it is not set."""
    if key not in options:
        return CHOICES[key][0]
    return _read_choice(key, options[key])


_WHOLE = re.compile(r"[+-]?[0-9]{1,19}", re.ASCII)
_FRACTION = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?", re.ASCII)


def _read_flag(key: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise _bad_value(key, value, "neither true nor false", "Write true or false.")
    return value.lower() == "true"


def _read_number(key: str, value: str, bits: int) -> int:
    if not _WHOLE.fullmatch(value) or not -(2 ** (bits - 1)) <= int(value) < 2 ** (bits - 1):
        raise _bad_value(key, value, f"no whole number of {bits} bits", "Write digits only, without blanks or a unit.")
    return int(value)


def _read_ratio(key: str, value: str) -> float:
    if not _FRACTION.fullmatch(value):
        raise _bad_value(key, value, "no number", "Write a number such as 0.1.")
    return float(value)


def _read_choice(key: str, value: str) -> str:
    if value.lower() not in CHOICES[key]:
        raise _bad_value(key, value, "none of its choices", f"Use one of {', '.join(CHOICES[key])}.")
    return value.lower()


def _bad_value(key: str, value: str, what: str, fix: str) -> InvalidSchemaError:
    return InvalidSchemaError(f"the value {shown(value)} of this option is {what}.", code="option.bad-value", path=key, fix=fix)


# ---------------------------------------------------------------- reading all

_ReadOption = Callable[[str, str], bool | int | float | str]

_READERS: Mapping[str, _ReadOption] = {
    **dict.fromkeys(FLAGS, _read_flag),
    **dict.fromkeys(RATIOS, _read_ratio),
    **dict.fromkeys(CHOICES, _read_choice),
    **{key: lambda key, value: _read_number(key, value, NUMBERS[key].bits) for key in NUMBERS},
}
_COLUMN_READERS: Mapping[str, _ReadOption] = {
    **dict.fromkeys(COLUMN_FLAGS, _read_flag),
    **dict.fromkeys(COLUMN_NUMBERS, lambda key, value: _read_number(key, value, 32)),
}


def bad_values(options: Mapping[str, str]) -> Iterator[Fault]:
    """Yield a fault for each option whose value cannot be read."""
    for key, value in options.items():
        read = _READERS.get(key) or _column_reader(key)
        try:
            if read:
                read(key, value)
        except SchemaError as error:
            yield from error.faults


def _column_reader(key: str) -> _ReadOption | None:
    if not key.startswith(COLUMN_PREFIX):
        return None
    return _COLUMN_READERS.get(key.split(".", 2)[-1])


def split(text: str, mark: str = ",") -> list[str]:
    """Split a text as Java does: empty parts at the end are dropped, blanks are kept."""
    parts = text.split(mark)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def names(text: str) -> list[str]:
    """Return a list of names, without blanks around them and without empty ones."""
    return [name.strip() for name in text.split(",") if name.strip()]
