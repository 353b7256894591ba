"""The checks of a schema that is created or changed: every rule of Paimon, in the order in which Java checks.

The first finding is therefore the one Java gives; Java stops there, we name all. The checks are in the
modules of this folder, one subject each; the table below is the order.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULE_OF_FAULT, RULES
from airflow_provider_schemas.core.schema.comment_directives import ListedColumn, followed, is_directive, listed
from airflow_provider_schemas.core.schema.create_request import TableRequest, read_request
from airflow_provider_schemas.core.schema.file_size import size_faults
from airflow_provider_schemas.core.schema.key_lists import normalised
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, checked_schema
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.validation import (
    blobs,
    changelog,
    clustering,
    file_formats,
    indexes,
    keys,
    map_layouts,
    merge_engines,
    portability,
    scan,
)
from airflow_provider_schemas.core.validation.aliases import taken_aliases
from airflow_provider_schemas.core.validation.checklist import ATTRIBUTES, Checklist, Entry, Requirement, where
from airflow_provider_schemas.core.validation.columns import ATTRIBUTE_OPTIONS, OPAQUE_TYPES, defaults, ids, names, reserved_names, types
from airflow_provider_schemas.core.validation.facts import Facts
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, collect

CHECKS: tuple[Entry, ...] = (
    types,
    keys.structure,
    names,
    ids,
    keys.option_values,
    keys.key_columns,
    *keys.NULLABLE_KEY,
    portability.nullable_primary_key,
    *keys.BUCKET,
    *scan.SCAN,
    *merge_engines.COLUMN_OPTIONS,
    *merge_engines.SEQUENCE,
    *merge_engines.MERGING,
    *changelog.CHANGELOG,
    *file_formats.FORMATS,
    reserved_names,
    *changelog.RECORDS,
    *changelog.DELETION_VECTORS,
    *indexes.VECTOR_FIELDS,
    *indexes.PRIMARY_KEY_INDEXES,
    *map_layouts.LAYOUTS,
    *indexes.FILE_INDEX_COLUMNS,
    *blobs.TRACKING,
    *blobs.BLOBS,
    *blobs.VECTOR_FILES,
    *clustering.CLUSTERING,
    *scan.TWO_BRANCHES,
)

# Checked when a schema is committed, and not when a job sets options of its own over it.
COMMIT_CHECKS: tuple[Entry, ...] = (*scan.BRANCHES, defaults, *OPAQUE_TYPES, *ATTRIBUTE_OPTIONS, *where(ATTRIBUTES)(taken_aliases))

# What Paimon takes, and other engines do not.
DOUBTS: tuple[Entry, ...] = (portability.names_alike,)

# Checks of a catalog for a table that does not exist yet.
CREATION_CHECKS: tuple[Entry, ...] = where("auto-create", "path")(
    Requirement(
        "option.auto-create",
        "auto-create",
        lambda facts: facts.flag("auto-create"),
        "a table in a catalog is created once, by a schema.",
        "Remove the option.",
    ),
    Requirement(
        "option.path",
        "path",
        lambda facts: facts.has("path"),
        "the catalog decides where a table lies.",
        "Remove the option, or adopt the table where it lies.",
    ),
)


def validity(schema: TableSchema, *, dynamic: bool = False, branches: Collection[str] | None = None) -> Report:
    """Return a report of all that is wrong with a schema, and of what Paimon takes and Spark does not.

    With `dynamic`, the options are those of one job over a stored schema, and nothing is committed.
    Branches are those of the table that have a schema; None is unknown, and then they are not checked.
    """
    report = _check(checked_schema(schema), _OF_A_JOB if dynamic else _WHOLE, branches)
    return msgspec.structs.replace(report, new=schema.id)


def table_validity(schema: TableSchema, *, same_names: bool = False) -> tuple[Finding, ...]:
    """Return what makes a stored schema invalid; with the same names and ids as before, these are not checked again."""
    if _KNOWN_VALID in vars(schema):
        return ()
    findings = _check(schema, _BUT_NAMES if same_names else _STORED, None).findings
    if not findings and not same_names:
        vars(schema)[_KNOWN_VALID] = True  # a schema never changes, so that one check is enough
    return findings


_KNOWN_VALID = "known_valid"
_OF_A_JOB = Checklist((*CHECKS, *DOUBTS))
_WHOLE = Checklist((*CHECKS, *COMMIT_CHECKS, *DOUBTS))
_STORED = Checklist((*CHECKS, *COMMIT_CHECKS))
_BUT_NAMES = Checklist(check for check in (*CHECKS, *COMMIT_CHECKS) if check not in (names, ids, reserved_names))
_NEW = Checklist((*CHECKS, *COMMIT_CHECKS, *CREATION_CHECKS))


def _check(schema: TableSchema, checks: Checklist, branches: Collection[str] | None) -> Report:
    return Report(tuple(map(_with_rule, dict.fromkeys(checks.findings(Facts(schema, branches))))))


_INVALID = Answers(*[Verdict.INVALID] * 4)


def _with_rule(finding: Finding) -> Finding:
    """Return the finding of a check with the rule of the catalogue for its code."""
    if finding.rule in RULES:
        return finding
    answers = {"verdicts": _INVALID, "data": Verdict.INVALID, "jobs": Verdict.INVALID, "writers": Verdict.INVALID}
    rule = RULE_OF_FAULT.get(finding.rule, "TABLE_INVALID")
    return msgspec.structs.replace(finding, rule=rule, fault=finding.rule, **answers)


def faults_of(schema: TableSchema, *, branches: Collection[str] | None = None) -> list[Fault]:
    """Return what makes a schema invalid, without its warnings."""
    if branches is None:
        return Report(table_validity(schema)).faults()
    return _check(schema, _STORED, branches).faults()


def require(schema: TableSchema, *, branches: Collection[str] | None = None) -> None:
    """Raise an InvalidSchemaError that names every fault of a schema, or says that its file is too large."""
    faults = faults_of(schema, branches=branches) or size_faults(schema)
    if faults:
        raise InvalidSchemaError.of(faults)


def created(
    columns: Iterable[Mapping[str, Any] | Field] | str,
    partition_keys: Iterable[str],
    primary_keys: Iterable[str],
    options: Mapping[str, str],
    comment: str | None,
) -> TableSchema:
    """Return the first schema of a new table, or raise an InvalidSchemaError that names every fault."""
    request, faults = read_request(columns, partition_keys, primary_keys, options, comment)
    misread = bool(faults)
    keyed, key_faults = normalised(request.fields, request.partition_keys, request.primary_keys, request.options)
    # Without any readable column, every key would be reported as unknown.
    if request.fields or not misread:
        faults += key_faults
    schema = _first_schema(request._replace(**keyed._asdict()), faults)
    # The checks of types and options would only repeat what could not be read.
    if not misread:
        faults += _check(schema, _NEW, branches=()).faults() or size_faults(schema)
    if faults:
        raise InvalidSchemaError.of(dict.fromkeys(faults))
    return schema


def _first_schema(request: TableRequest, faults: list[Fault]) -> TableSchema:
    fields: list[Field] = []
    listings: list[ListedColumn] = []
    for column in request.fields:
        field, listing = _follow_directive(column, faults)
        fields.append(field)
        if listing:
            listings.append(listing)
    return TableSchema(
        fields=tuple(fields),
        highest_field_id=highest_id(fields),
        partition_keys=request.partition_keys,
        primary_keys=request.primary_keys,
        options=Options(listed(request.options, listings)),
        comment=request.comment,
        time_millis=time.time_ns() // 1_000_000,
    )


def _follow_directive(field: Field, faults: list[Fault]) -> tuple[Field, ListedColumn | None]:
    """Return the column as its comment demands; a column with a faulty directive stays as it is."""
    if type(field.wire) is str and not is_directive(field.description):
        return field, None
    return collect(faults, lambda: followed(field)) or (field, None)
