"""Checks of primary key, partition keys and buckets."""

from collections.abc import Iterator

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.key_lists import NULLABLE_WITHOUT_KEY
from airflow_provider_schemas.core.schema.table_options import bad_values
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

# Their values have no order or no equality that all engines agree on.
NO_KEYS = frozenset(
    {
        *(Root.MAP, Root.ARRAY, Root.ROW, Root.MULTISET, Root.VECTOR),
        *(Root.VARIANT, Root.GEOMETRY, Root.GEOGRAPHY, Root.OPAQUE),
    }
)
NO_BUCKET_KEYS = frozenset({Root.ARRAY, Root.MULTISET, Root.MAP, Root.ROW, Root.OPAQUE})


def structure(facts: Facts) -> Iterator[Finding]:
    """Report what Java refuses even to read."""
    yield from facts.structure


def option_values(facts: Facts) -> Iterator[Finding]:
    """Report values that cannot be read. `bucket` is part of the structure."""
    reported = {finding.path for finding in facts.structure}
    yield from (Finding(*fault[:4]) for fault in bad_values(facts.options) if fault.path not in reported)


def key_columns(facts: Facts) -> Iterator[Finding]:
    """Report key columns that do not exist, or whose values cannot be keys."""
    lists = (("primary-key", "primary key", facts.schema.primary_keys), ("partition-key", "partition keys", facts.schema.partition_keys))
    for code, called, names in lists:
        for name in dict.fromkeys(names):
            kind = facts.kind(name)
            if kind is None:
                fix = f"Add the column, or take it out of the {called}."
                yield Finding(f"schema.{code}-not-a-column", name, f"{name!r} is in the {called}, and no column.", fix)
            elif kind.root in NO_KEYS:
                message = f"a column of type {kind.root.name} cannot be in the {called}."
                yield Finding(f"schema.{code}-type", name, message, "Use another column as key.")


_NULLABLE = NULLABLE_WITHOUT_KEY
NULLABLE_KEY = where("primary-key.nullable")(
    Requirement(
        _NULLABLE.code, _NULLABLE.path, lambda facts: facts.append and facts.flag("primary-key.nullable"), _NULLABLE.message, _NULLABLE.fix
    )
)


def bucket_key_types(facts: Facts) -> Iterator[Finding]:
    """Report columns that cannot be hashed into a bucket."""
    if facts.bucket < 1:
        return
    for name in facts.bucket_key:
        kind = facts.kind(name)
        if kind is not None and kind.root in NO_BUCKET_KEYS:
            message = f"rows cannot be put into buckets by a column of type {kind.root.name}."
            yield Finding("bucket.key-nested-type", name, message, "Use another column as bucket key.")


# Tables of the oldest format were written with one bucket and no bucket key.
def _lacks_bucket_key(facts: Facts) -> bool:
    is_oldest_format = facts.schema.version <= 1 and facts.bucket == 1
    return facts.append and facts.bucket >= 1 and not facts.has("bucket-key") and not is_oldest_format


BUCKET = where("bucket", "bucket-key", "full-compaction.delta-commits")(
    Requirement(
        "bucket.key-with-dynamic",
        "bucket-key",
        lambda facts: facts.bucket == -1 and facts.has("bucket-key"),
        "a bucket key means nothing with bucket = -1, where the buckets are not fixed.",
        "Set a number of buckets, or remove the bucket key.",
    ),
    Requirement(
        "bucket.full-compaction-with-dynamic",
        "full-compaction.delta-commits",
        lambda facts: facts.bucket == -1 and facts.append and facts.has("full-compaction.delta-commits"),
        "a table without primary key and fixed buckets has no full compaction.",
        "Remove the option, or set a number of buckets and a bucket key.",
    ),
    Requirement(
        "bucket.not-positive",
        "bucket",
        lambda facts: facts.bucket < 1 and facts.bucket != -1 and (facts.append or facts.bucket != -2),
        "the number of buckets is not positive.",
        "Use a number from 1, -1 for dynamic buckets, or -2 for postponed buckets in a table with primary key.",
    ),
    Requirement(
        "bucket.key-required",
        "bucket-key",
        _lacks_bucket_key,
        "a table without primary key needs a bucket key to fill its buckets by.",
        "Name the columns in bucket-key, or remove the option 'bucket'.",
    ),
    bucket_key_types,
)
