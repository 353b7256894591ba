"""What a task tells OpenLineage: the datasets of a gate with its verdict, the dataset of a change, in stock facets only.

A dataset is called as the asset of its table is, `schemas://lake` and `shop.orders`, so that assets, hooks and
operators meet in one graph; where its data lie is a symlink, by which Spark's own events find it. Airflow calls
this in the task when it has ended, and nothing is read for it. OpenLineage is imported where it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from airflow_provider_schemas import assets
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, parts
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.commit.commit import Committed

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage

# An event travels in one message, and half a schema would tell that the other half was dropped.
MOST_FIELDS = 5_000
_MOST_ASSERTIONS = 100
_LONGEST = 1_000
_SEVERITIES = {Verdict.WARN: "warn", Verdict.BREAK: "error", Verdict.INVALID: "error"}
# Findings of these rules are about an option, a key or the file, and name no column.
_NO_COLUMN = ("O", "I06", "I07", "I11", "K01", "K03", "V", "E08", "E09")
_SAME_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "local": "file", "": "file"}
_PATHS = ("file", "hdfs", "viewfs")


def of_gate(judgement: Judgement, *, alias: str = "") -> "OperatorLineage[Any, Any]":
    """What a gate looked at, each table with the verdict on it."""
    from airflow.providers.openlineage.extractors import OperatorLineage

    inputs = []
    for table in dict.fromkeys(one.table for one in judgement.tables):
        answers = [one for one in judgement.tables if one.table == table]
        version = answers[0].version
        facets = {} if version is None else _about(version, table, answers[0].place, judgement.store)
        verdict = {"dataQualityAssertions": _assertions(answers)}
        branch = "main" if version is None else version.branch
        inputs.append(_dataset(table, branch, alias, judgement.store, facets, inputFacets=verdict))
    return OperatorLineage(inputs=inputs)


def of_change(committed: Committed, previous: TableSchema | None, store_url: str, *, alias: str = "") -> "OperatorLineage[Any, Any]":
    """The table that a task looks after; and that it was created or altered, if it was."""
    from airflow.providers.openlineage.extractors import OperatorLineage

    folder = committed.place.rpartition("/")[0]
    facets = _about(committed.version, committed.table, folder, store_url) | (_lifecycle(previous) if committed.created else {})
    return OperatorLineage(outputs=[_dataset(committed.table, committed.branch, alias, store_url, facets)])


def _dataset(table: str, branch: str, alias: str, store_url: str, facets: Mapping[str, Any], **more: Any) -> Any:
    from openlineage.client.event_v2 import InputDataset, OutputDataset

    namespace, name = assets.dataset_of(alias, table, branch) if alias else (without_credentials(store_url), table)
    kind = InputDataset if more else OutputDataset
    return kind(namespace=namespace, name=name, facets=dict(facets), **more)


# ---------------------------------------------------------------- what is said of a version


def _about(version: Version, table: str, folder: str, store_url: str) -> dict[str, Any]:
    from openlineage.client import facet_v2

    about = {
        "schema": _schema(version.schema),
        "version": facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet(datasetVersion=str(version.number)),
        "symlinks": _symlinks(version.schema, table, folder, store_url),
        "ownership": _ownership(version.schema),
    }
    return {key: facet for key, facet in about.items() if facet is not None}


def _schema(schema: TableSchema) -> Any:
    """The columns; none at all where they are too many for one message."""
    from openlineage.client.facet_v2 import schema_dataset

    inside = parts(schema.fields)
    if len(schema.fields) + len(inside.fields) + sum(inside.containers.values()) > MOST_FIELDS:
        return None
    return schema_dataset.SchemaDatasetFacet(fields=_fields((one, one.name, one.type) for one in schema.fields))


def _fields(there: Iterable[tuple[Field | None, str, DataType]]) -> list[Any]:
    from openlineage.client.facet_v2 import schema_dataset

    made = _maker(schema_dataset.SchemaDatasetFacetFields)
    return [
        made(name=name, type=_type(kind), description=_comment(one), ordinal_position=number, fields=_fields(_inside(kind)))
        for number, (one, name, kind) in enumerate(there, 1)
    ]


def _inside(kind: DataType) -> Iterator[tuple[Field | None, str, DataType]]:
    """What a type holds, by the names that OpenLineage has for it."""
    if isinstance(kind, RowType):
        yield from ((one, one.name, one.type) for one in kind.fields)
    else:
        yield from ((None, "_element" if word == "element" else word, part) for word, part in children(kind))


def _type(kind: DataType) -> str:
    """The type; of one that holds others, only which it is: the others are told below it."""
    return str(kind) if not children(kind) else f"{kind.root.value}{'' if kind.nullable else ' NOT NULL'}"


def _comment(one: Field | None) -> str | None:
    return _short(one.description) if one is not None and one.description else None


def _short(said: str) -> str:
    """What people wrote, without secrets and as far as an event has room for it."""
    return without_credentials(said)[:_LONGEST]


def _ownership(schema: TableSchema) -> Any:
    from openlineage.client.facet_v2 import ownership_dataset

    owner = _attribute(schema, "owner")
    return ownership_dataset.OwnershipDatasetFacet(owners=[ownership_dataset.Owner(name=_short(owner))]) if owner else None


def _attribute(schema: TableSchema, name: str) -> str:
    """What the table says of itself; empty if it says nothing that anybody understands."""
    try:
        said = schema.table_attributes.get(name)
    except SchemaError:
        return ""
    return said if isinstance(said, str) else ""


def _lifecycle(previous: TableSchema | None) -> dict[str, Any]:
    from openlineage.client.facet_v2 import lifecycle_state_change_dataset as lifecycle

    what = lifecycle.LifecycleStateChange.CREATE if previous is None else lifecycle.LifecycleStateChange.ALTER
    return {"lifecycleStateChange": lifecycle.LifecycleStateChangeDatasetFacet(lifecycleStateChange=what)}


# ---------------------------------------------------------------- where the data lie


def _symlinks(schema: TableSchema, table: str, folder: str, store_url: str) -> Any:
    from openlineage.client.facet_v2 import symlinks_dataset

    data = _attribute(schema, "location") or _beside(table, folder, store_url)
    try:
        namespace, name = physical(data)
    except ValueError:  # an outside writer wrote what is no address
        return None
    found = [symlinks_dataset.Identifier(namespace=namespace, name=name, type="LOCATION")]
    return symlinks_dataset.SymlinksDatasetFacet(identifiers=found) if data else None


def _beside(table: str, folder: str, store_url: str) -> str:
    """The folder of the table, if its schema files lie beside the data; empty if those lie in a registry."""
    database, _, name = table.partition(".")
    known = (f"{store_url.rstrip('/')}/{database}.db/{name}", f"{store_url.rstrip('/')}/{database}/{name}")
    return next((one for one in known if f"{folder}/".startswith(f"{one}/")), "")


def physical(address: str) -> tuple[str, str]:
    """The namespace and the name that OpenLineage has for files: the storage, and the path in it."""
    where = urlsplit(address)
    scheme = _SAME_SCHEMES.get(where.scheme, where.scheme)
    authority = where.netloc if scheme.startswith("abfs") else where.netloc.rpartition("@")[2]
    namespace = f"{scheme}://{authority}" if authority else scheme
    path = where.path.rstrip("/") or "/"
    return namespace, path if scheme in _PATHS else path.lstrip("/") or "/"


# ---------------------------------------------------------------- the verdict


def _assertions(answers: Iterable[TableAnswer]) -> Any:
    """That the table fits, and each finding, as tests that passed or did not."""
    from openlineage.client.facet_v2 import data_quality_assertions_dataset as quality

    answers = list(answers)
    made = _maker(quality.Assertion)
    findings = dict.fromkeys(finding for one in answers for finding in map(masked_finding, one.report.findings))
    worst = sorted(findings, key=lambda one: -SEVERITY[one.verdict])
    said = [made(assertion="SCHEMA_FITS", success=all(one.fits for one in answers), severity="error")]
    said += [made(**_told(one)) for one in worst[:_MOST_ASSERTIONS]]
    return quality.DataQualityAssertionsDatasetFacet(assertions=said)


def _told(one: Finding) -> dict[str, Any]:
    severity = _SEVERITIES.get(one.verdict)
    about = {"assertion": one.rule, "success": severity is None, "severity": severity, "description": _short(one.message)}
    return about | {"column": _column(one), "expected": _short(one.old) or None, "actual": _short(one.new) or None}


def _column(one: Finding) -> str | None:
    rule = RULES.get(one.rule)
    whole = rule is None or rule.code.startswith(_NO_COLUMN) or rule.judges is Judges.STORE or one.path in ("", "table")
    return None if whole else one.path


def _maker(kind: Any) -> Callable[..., Any]:
    """A constructor that leaves out what an older client does not know."""
    known = {one.name for one in kind.__attrs_attrs__}
    return lambda **about: kind(**{key: value for key, value in about.items() if key in known})
