"""Checks of clustering, chain tables and what else depends on keys and partitions."""

from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_INCREMENTAL = "clustering.incremental"
_OVERRIDE = "pk-clustering-override"
_CHAIN = "chain-table.enabled"
_CHAIN_KEYS = "chain-table.chain-partition-keys"
_SORT_FIELD = "manifest-sort.partition-field"

INCREMENTAL = where(_INCREMENTAL)(
    Requirement(
        "clustering.primary-key",
        _INCREMENTAL,
        lambda facts: facts.flag(_INCREMENTAL) and not facts.append,
        "a table with primary key is sorted by its key.",
        "Turn it off, or use pk-clustering-override.",
    ),
    Requirement(
        "clustering.bucket-append-ordered",
        _INCREMENTAL,
        lambda facts: facts.flag(_INCREMENTAL) and facts.bucket != -1 and facts.flag("bucket-append-ordered"),
        "clustering would break the order of the rows in each bucket.",
        "Set bucket-append-ordered = false.",
    ),
    Requirement(
        "clustering.deletion-vectors",
        _INCREMENTAL,
        lambda facts: facts.flag(_INCREMENTAL) and facts.bucket != -1 and facts.flag("deletion-vectors.enabled"),
        "buckets with deletion vectors cannot be clustered.",
        "Turn one of the two off.",
    ),
)

OVERRIDE = where(_OVERRIDE)(
    Requirement(
        "clustering-override.needs-columns",
        _OVERRIDE,
        lambda facts: facts.flag(_OVERRIDE) and not facts.names("clustering.columns"),
        "it does not say by which columns the files are to be sorted.",
        "Name them in clustering.columns.",
    ),
    Requirement(
        "clustering-override.needs-deletion-vectors",
        _OVERRIDE,
        lambda facts: facts.flag(_OVERRIDE) and not facts.flag("deletion-vectors.enabled") and facts.engine != "first-row",
        "where files are not sorted by primary key, rows can be replaced only with deletion vectors.",
        "Set deletion-vectors.enabled = true.",
    ),
    Requirement(
        "clustering-override.sequence-field",
        _OVERRIDE,
        lambda facts: facts.flag(_OVERRIDE) and facts.has("sequence.field"),
        "where files are not sorted by primary key, no sequence field can be kept.",
        "Remove one of the two.",
    ),
    Requirement(
        "clustering-override.changelog-producer",
        _OVERRIDE,
        lambda facts: facts.flag(_OVERRIDE) and facts.producer not in ("none", "input"),
        "where files are not sorted by primary key, no changelog can be made.",
        "Set changelog-producer = none or input.",
    ),
    Requirement(
        "clustering-override.record-level-expire",
        _OVERRIDE,
        lambda facts: facts.flag(_OVERRIDE) and facts.has("record-level.expire-time"),
        "where files are not sorted by primary key, records cannot expire.",
        "Remove record-level.expire-time.",
    ),
)


def _are_last_partition_keys(facts: Facts) -> bool:
    chained = facts.names(_CHAIN_KEYS)
    return bool(chained) and list(facts.schema.partition_keys[-len(chained) :]) == chained


CHAIN = where(_CHAIN)(
    Requirement(
        "chain-table.needs-primary-key",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and facts.append,
        "a chain table needs a primary key.",
        "Define one.",
    ),
    Requirement(
        "chain-table.needs-partitions",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and not facts.schema.partition_keys,
        "a chain table is chained by partition.",
        "Define partition keys.",
    ),
    Requirement(
        "chain-table.bucket",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and facts.bucket < 1,
        "a chain table needs fixed buckets.",
        "Set bucket to a number from 1.",
    ),
    Requirement(
        "chain-table.needs-sequence-field",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and not facts.has("sequence.field"),
        "a chain table needs a sequence field to order the rows of its branches.",
        "Set sequence.field.",
    ),
    Requirement(
        "chain-table.needs-timestamp-pattern",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and not facts.has("partition.timestamp-pattern"),
        "a chain table needs to know how its partitions tell the time.",
        "Set partition.timestamp-pattern.",
    ),
    Requirement(
        "chain-table.needs-timestamp-formatter",
        _CHAIN,
        lambda facts: facts.flag(_CHAIN) and not facts.has("partition.timestamp-formatter"),
        "a chain table needs to know how its partitions write the time.",
        "Set partition.timestamp-formatter.",
    ),
    Requirement(
        "chain-table.partition-keys",
        _CHAIN_KEYS,
        lambda facts: facts.flag(_CHAIN) and facts.has(_CHAIN_KEYS) and not _are_last_partition_keys(facts),
        "the chained partition keys are not the last of the partition keys.",
        "Name the last partition keys, in their order.",
    ),
)

OTHERS = where("table-read.sequence-number.enabled", "manifest-sort.enabled")(
    Requirement(
        "sequence-number.needs-primary-key",
        "table-read.sequence-number.enabled",
        lambda facts: facts.append and facts.flag("table-read.sequence-number.enabled"),
        "rows without primary key have no sequence number.",
        "Remove the option, or define a primary key.",
    ),
    Requirement(
        "manifest-sort.needs-partitions",
        "manifest-sort.enabled",
        lambda facts: _sorts_manifests(facts) and not facts.schema.partition_keys and not facts.flag("data-evolution.enabled"),
        "without partitions there is nothing to sort the manifests by.",
        "Turn it off, or define partition keys.",
    ),
    Requirement(
        "manifest-sort.unknown-field",
        _SORT_FIELD,
        lambda facts: _sorts_manifests(facts) and facts.has(_SORT_FIELD) and facts.options[_SORT_FIELD] not in facts.schema.partition_keys,
        "the manifests cannot be sorted by a column that is no partition key.",
        "Name a partition key.",
    ),
)


def _sorts_manifests(facts: Facts) -> bool:
    return facts.flag("manifest-sort.enabled")


CLUSTERING = (*INCREMENTAL, *OVERRIDE, *CHAIN, *OTHERS)
