"""Checks of changelogs, retention, record expiry, row kinds, deletion vectors and the order of snapshots."""

from collections.abc import Iterator

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_OVERWRITE = "streaming-read-overwrite"
_LOOKUPS = ("full-compaction", "lookup")


def retention(facts: Facts) -> Iterator[Finding]:
    """Report contradictory numbers of snapshots and changelogs to keep."""
    for kind in ("snapshot", "changelog"):
        least = _retained(facts, kind, "min")
        most = _retained(facts, kind, "max")
        key = f"{kind}.num-retained.min"
        if least < 1:
            yield Finding("option.retention-range", key, f"at least one {kind} must be kept, not {least}.", "Use a number from 1.")
        elif least > most:
            message = f"at least {least} and at most {most} {kind}s are to be kept."
            yield Finding("option.retention-range", key, message, f"Lower it, or raise {kind}.num-retained.max.")


def _retained(facts: Facts, kind: str, end: str) -> int:
    """Return how many are kept at least or at most; the default for changelogs is the number for snapshots."""
    value = facts.number(f"{kind}.num-retained.{end}")
    if value is None:
        value = facts.number(f"snapshot.num-retained.{end}")
    return value or 0


_RETAINED = ("snapshot.num-retained.min", "snapshot.num-retained.max", "changelog.num-retained.min", "changelog.num-retained.max")

CHANGELOG = where("changelog-producer", _OVERWRITE, "full-compaction.delta-commits", "target-file-row-num", *_RETAINED)(
    Requirement(
        "changelog.needs-primary-key",
        "changelog-producer",
        lambda facts: facts.append and facts.producer != "none",
        "a table without primary key has no updates to make a changelog of.",
        "Remove the option, or define a primary key.",
    ),
    Requirement(
        "option.streaming-read-overwrite",
        _OVERWRITE,
        lambda facts: facts.flag(_OVERWRITE) and facts.producer in _LOOKUPS,
        "the changelog producer reports overwritten rows already, so streams would read them twice.",
        "Turn it off, or use another changelog producer.",
    ),
    Requirement(
        "option.streaming-read-overwrite",
        _OVERWRITE,
        lambda facts: facts.flag(_OVERWRITE) and facts.append,
        "a table without primary key cannot report what an overwrite changed.",
        "Use streaming-read-append-overwrite instead.",
    ),
    Requirement(
        "changelog.full-compaction-with-lookup",
        "full-compaction.delta-commits",
        lambda facts: facts.has("full-compaction.delta-commits") and facts.producer == "lookup",
        "changelog-producer = lookup does not wait for full compactions.",
        "Remove this option, or use changelog-producer = full-compaction.",
    ),
    Requirement(
        "option.target-file-row-num",
        "target-file-row-num",
        lambda facts: facts.has("target-file-row-num") and (facts.number("target-file-row-num") or 0) < 1,
        "a data file must hold at least one row.",
        "Use a number from 1, or remove the option.",
    ),
    retention,
)

# ---------------------------------------------------------------- records

_TIMES = frozenset({Root.INTEGER, Root.BIGINT, Root.TIMESTAMP, Root.TIMESTAMP_LTZ})


def expiry_field(facts: Facts) -> Iterator[Finding]:
    """Report a column for the age of records that does not exist or holds no time."""
    key = "record-level.time-field"
    name = facts.options.get(key)
    if name is None:
        return
    kind = facts.kind(name)
    if kind is None:
        yield Finding("option.record-level-time-field-unknown", key, f"{name!r} is no column.", "Name the column with the time.")
    elif kind.root not in _TIMES:
        message = f"{name!r} is of type {kind}, which tells no time."
        fix = "Use a column of type INT, BIGINT, TIMESTAMP or TIMESTAMP WITH LOCAL TIME ZONE."
        yield Finding("option.record-level-time-field-type", key, message, fix)


RECORDS = where("record-level.time-field", "merge-engine", "rowkind.field")(
    expiry_field,
    Requirement(
        "changelog.first-row",
        "changelog-producer",
        lambda facts: facts.engine == "first-row" and facts.producer not in ("none", "lookup"),
        "merge-engine = first-row can make its changelog by lookup only.",
        "Use changelog-producer = lookup, or none.",
    ),
    Requirement(
        "rowkind.unknown-field",
        "rowkind.field",
        lambda facts: facts.has("rowkind.field") and facts.options["rowkind.field"] not in facts.columns,
        "the column that says insert, update or delete does not exist.",
        "Name a column, or remove the option.",
    ),
)

# ---------------------------------------------------------------- deletion vectors and snapshots

_VECTORS = "deletion-vectors.enabled"
_ORDERING = "sequence.snapshot-ordering"

DELETION_VECTORS = where(_VECTORS, _ORDERING)(
    Requirement(
        "dv.changelog-producer",
        _VECTORS,
        lambda facts: facts.flag(_VECTORS) and facts.producer not in ("none", "input", "lookup"),
        "deletion vectors do not work with changelog-producer = full-compaction.",
        "Use changelog-producer = none, input or lookup.",
    ),
    Requirement(
        "dv.first-row",
        _VECTORS,
        lambda facts: facts.flag(_VECTORS) and facts.engine == "first-row" and not facts.flag("pk-clustering-override"),
        "merge-engine = first-row deletes nothing, so it has no use for deletion vectors.",
        "Turn them off.",
    ),
    Requirement(
        "snapshot-ordering.primary-key",
        _ORDERING,
        lambda facts: facts.flag(_ORDERING) and facts.append,
        "without a primary key there is nothing to order by snapshot.",
        "Remove the option, or define a primary key.",
    ),
    Requirement(
        "snapshot-ordering.sequence-field",
        _ORDERING,
        lambda facts: facts.flag(_ORDERING) and facts.has("sequence.field"),
        "rows are ordered either by snapshot or by sequence.field.",
        "Remove one of the two.",
    ),
    Requirement(
        "snapshot-ordering.write-only",
        _ORDERING,
        lambda facts: facts.flag(_ORDERING) and not facts.flag("write-only"),
        "rows can be ordered by snapshot only where writers do not compact.",
        "Set write-only = true and compact in a job of its own.",
    ),
)
