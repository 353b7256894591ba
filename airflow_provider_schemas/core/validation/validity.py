"""What a schema must fulfil to be created or changed: every rule of Paimon, in the order in which Java asks.

The first finding is therefore the one Java gives; Java stops there, we name all. The rules stand in the
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
from airflow_provider_schemas.core.validation.columns import ATTRIBUTE_OPTIONS, defaults, ids, names, reserved_names, types
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

# What is asked when a schema is committed, and not when a job lays options of its own over it.
COMMIT_CHECKS: tuple[Entry, ...] = (*scan.BRANCHES, defaults, *ATTRIBUTE_OPTIONS, *where(ATTRIBUTES)(taken_aliases))

# What Paimon takes, and what makes trouble elsewhere all the same.
DOUBTS: tuple[Entry, ...] = (portability.names_alike,)

# What a catalog asks of a table that does not exist yet.
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
    """All that is wrong with a schema, and what Paimon takes and Spark does not.

    Dynamic says that its options are those of one job, laid over a stored schema, so that nothing is committed.
    Branches are those of the table that have a schema; None is unknown, and then nobody asks for them.
    """
    report = _report(checked_schema(schema), _OF_A_JOB if dynamic else _WHOLE, branches)
    return msgspec.structs.replace(report, new=schema.id)


def table_validity(schema: TableSchema, *, same_names: bool = False) -> tuple[Finding, ...]:
    """What makes a stored schema invalid; with the same names and ids as before, these need no second look."""
    if _KNOWN_VALID in vars(schema):
        return ()
    found = _report(schema, _BUT_NAMES if same_names else _STORED, None).findings
    if not found and not same_names:
        vars(schema)[_KNOWN_VALID] = True  # a schema never changes: whoever asks again need not look again
    return found


_KNOWN_VALID = "known_valid"
_OF_A_JOB = Checklist((*CHECKS, *DOUBTS))
_WHOLE = Checklist((*CHECKS, *COMMIT_CHECKS, *DOUBTS))
_STORED = Checklist((*CHECKS, *COMMIT_CHECKS))
_BUT_NAMES = Checklist(one for one in (*CHECKS, *COMMIT_CHECKS) if one not in (names, ids, reserved_names))
_NEW = Checklist((*CHECKS, *COMMIT_CHECKS, *CREATION_CHECKS))


def _report(schema: TableSchema, checks: Checklist, branches: Collection[str] | None) -> Report:
    return Report(tuple(map(_ruled, dict.fromkeys(checks.findings(Facts(schema, branches))))))


_INVALID = Answers(*[Verdict.INVALID] * 4)


def _ruled(one: Finding) -> Finding:
    """The finding of a check, with the rule of the catalogue that speaks for its code."""
    if one.rule in RULES:
        return one
    answers = {"verdicts": _INVALID, "data": Verdict.INVALID, "jobs": Verdict.INVALID, "writers": Verdict.INVALID}
    return msgspec.structs.replace(one, rule=RULE_OF_FAULT.get(one.rule, "TABLE_INVALID"), fault=one.rule, **answers)


def faults_of(schema: TableSchema, *, branches: Collection[str] | None = None) -> list[Fault]:
    """What makes a schema invalid, without what it only warns of."""
    return Report(table_validity(schema)).faults() if branches is None else _report(schema, _STORED, branches).faults()


def require(schema: TableSchema, *, branches: Collection[str] | None = None) -> None:
    """Raise an InvalidSchemaError that names every fault, if there are any, or says that no reader would take the file."""
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
    """The first schema of a new table, or an InvalidSchemaError that names every fault."""
    request, misread = read_request(columns, partition_keys, primary_keys, options, comment)
    keyed, faults = normalised(request.fields, request.partition_keys, request.primary_keys, request.options)
    # Without any column, every key would be said to name none.
    faults = misread + (faults if request.fields or not misread else [])
    schema = _first(request._replace(**keyed._asdict()), faults)
    # What was misread would only echo in the checks of types and options.
    if not misread:
        faults += _report(schema, _NEW, branches=()).faults() or size_faults(schema)
    if faults:
        raise InvalidSchemaError.of(dict.fromkeys(faults))
    return schema


def _first(request: TableRequest, faults: list[Fault]) -> TableSchema:
    fields, listings = [], []
    for one in request.fields:
        field, listing = _followed(one, faults)
        fields.append(field)
        listings += [listing] if listing else []
    return TableSchema(
        fields=tuple(fields),
        highest_field_id=highest_id(fields),
        partition_keys=request.partition_keys,
        primary_keys=request.primary_keys,
        options=Options(listed(request.options, listings)),
        comment=request.comment,
        time_millis=time.time_ns() // 1_000_000,
    )


def _followed(field: Field, faults: list[Fault]) -> tuple[Field, ListedColumn | None]:
    """What the comment demands; a column with a faulty directive stays as it is."""
    if type(field.wire) is str and not is_directive(field.description):
        return field, None
    return collect(faults, lambda: followed(field)) or (field, None)
