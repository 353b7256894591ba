"""What a task tells OpenLineage: the datasets of a gate with its verdict, the dataset of a change, in stock facets only.

A dataset is called as the asset of its table is, `schemas://lake` and `shop.orders`, so that assets, hooks and
operators meet in one graph; where its data lie is a symlink, by which Spark's own events find it. Airflow calls
this in the task when it has ended, and nothing is read for it. OpenLineage is imported where it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from airflow_provider_schemas import assets
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children
from airflow_provider_schemas.core.types.parts import parts
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.commit.commit import Committed

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage

# An event travels in one message, and half a schema would tell that the other half was dropped.
MOST_FIELDS = 5_000
_MAX_ASSERTIONS = 100
_MAX_CHARACTERS = 1_000
_SEVERITIES = {Verdict.WARN: "warn", Verdict.BREAK: "error", Verdict.INVALID: "error"}
# Findings of these rules are about an option, a key or the file, and name no column.
_NO_COLUMN = ("O", "I06", "I07", "I11", "K01", "K03", "V", "E08", "E09")
_SAME_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "local": "file", "": "file"}
_PATHS = ("file", "hdfs", "viewfs")


def gate_lineage(judgement: Judgement, *, alias: str = "") -> "OperatorLineage[Any, Any]":
    """Return the tables that a gate looked at, each with the verdict on it."""
    from airflow.providers.openlineage.extractors import OperatorLineage

    inputs = []
    for table in dict.fromkeys(answer.table for answer in judgement.tables):
        answers = [answer for answer in judgement.tables if answer.table == table]
        version = answers[0].version
        facets: dict[str, Any] = {}
        branch = "main"
        if version is not None:
            facets = _version_facets(version, table, answers[0].place, judgement.store)
            branch = version.branch
        verdict = {"dataQualityAssertions": _assertions(answers)}
        inputs.append(_dataset(table, branch, alias, judgement.store, facets, inputFacets=verdict))
    return OperatorLineage(inputs=inputs)


def change_lineage(committed: Committed, previous: TableSchema | None, store_url: str, *, alias: str = "") -> "OperatorLineage[Any, Any]":
    """Return the table that a task looks after; and that it was created or altered, if it was."""
    from airflow.providers.openlineage.extractors import OperatorLineage

    folder = committed.place.rpartition("/")[0]
    facets = _version_facets(committed.version, committed.table, folder, store_url)
    if committed.created:
        facets |= _lifecycle(previous)
    return OperatorLineage(outputs=[_dataset(committed.table, committed.branch, alias, store_url, facets)])


def _dataset(table: str, branch: str, alias: str, store_url: str, facets: Mapping[str, Any], **input_facets: Any) -> Any:
    from openlineage.client.event_v2 import InputDataset, OutputDataset

    namespace = without_credentials(store_url)
    name = table
    if alias:
        namespace, name = assets.dataset_of(alias, table, branch)
    dataset_class = InputDataset if input_facets else OutputDataset
    return dataset_class(namespace=namespace, name=name, facets=dict(facets), **input_facets)


# ---------------------------------------------------------------- facets of a version


def _version_facets(version: Version, table: str, folder: str, store_url: str) -> dict[str, Any]:
    from openlineage.client import facet_v2

    facets = {
        "schema": _schema(version.schema),
        "version": facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet(datasetVersion=str(version.number)),
        "symlinks": _symlinks(version.schema, table, folder, store_url),
        "ownership": _ownership(version.schema),
    }
    return {key: facet for key, facet in facets.items() if facet is not None}


def _schema(schema: TableSchema) -> Any:
    """Return the columns; None where they are too many for one message."""
    from openlineage.client.facet_v2 import schema_dataset

    inside = parts(schema.fields)
    if len(schema.fields) + len(inside.fields) + sum(inside.containers.values()) > MOST_FIELDS:
        return None
    return schema_dataset.SchemaDatasetFacet(fields=_fields((field, field.name, field.type) for field in schema.fields))


def _fields(columns: Iterable[tuple[Field | None, str, DataType]]) -> list[Any]:
    from openlineage.client.facet_v2 import schema_dataset

    make_fields = _tolerant_constructor(schema_dataset.SchemaDatasetFacetFields)
    return [
        make_fields(
            name=name,
            type=_type_text(data_type),
            description=_comment(field),
            ordinal_position=position,
            fields=_fields(_parts(data_type)),
        )
        for position, (field, name, data_type) in enumerate(columns, 1)
    ]


def _parts(data_type: DataType) -> Iterator[tuple[Field | None, str, DataType]]:
    """Yield the types inside a type, by the names that OpenLineage has for them."""
    if isinstance(data_type, RowType):
        yield from ((field, field.name, field.type) for field in data_type.fields)
    else:
        yield from ((None, "_element" if name == "element" else name, part) for name, part in children(data_type))


def _type_text(data_type: DataType) -> str:
    """Return the text of a type; of one that holds others only its kind, because the others stand below it."""
    if not children(data_type):
        return str(data_type)
    if data_type.nullable:
        return data_type.root.value
    return f"{data_type.root.value} NOT NULL"


def _comment(field: Field | None) -> str | None:
    if field is not None and field.description:
        return _short(field.description)
    return None


def _short(text: str) -> str:
    """Return a text of people without secrets, as far as an event has room for it."""
    return without_credentials(text)[:_MAX_CHARACTERS]


def _ownership(schema: TableSchema) -> Any:
    from openlineage.client.facet_v2 import ownership_dataset

    owner = _attribute(schema, "owner")
    if not owner:
        return None
    return ownership_dataset.OwnershipDatasetFacet(owners=[ownership_dataset.Owner(name=_short(owner))])


def _attribute(schema: TableSchema, name: str) -> str:
    """Return an attribute of the table; empty if it has none that can be read."""
    try:
        attribute = schema.table_attributes.get(name)
    except SchemaError:
        return ""
    if isinstance(attribute, str):
        return attribute
    return ""


def _lifecycle(previous: TableSchema | None) -> dict[str, Any]:
    from openlineage.client.facet_v2 import lifecycle_state_change_dataset as lifecycle

    change = lifecycle.LifecycleStateChange.CREATE if previous is None else lifecycle.LifecycleStateChange.ALTER
    return {"lifecycleStateChange": lifecycle.LifecycleStateChangeDatasetFacet(lifecycleStateChange=change)}


# ---------------------------------------------------------------- where the data lie


def _symlinks(schema: TableSchema, table: str, folder: str, store_url: str) -> Any:
    from openlineage.client.facet_v2 import symlinks_dataset

    address = _attribute(schema, "location") or _table_folder(table, folder, store_url)
    if not address:
        return None
    try:
        namespace, name = split_address(address)
    except ValueError:  # an outside writer wrote a location that cannot be parsed
        return None
    identifier = symlinks_dataset.Identifier(namespace=namespace, name=name, type="LOCATION")
    return symlinks_dataset.SymlinksDatasetFacet(identifiers=[identifier])


def _table_folder(table: str, folder: str, store_url: str) -> str:
    """Return the folder of the table, if its schema files lie beside the data; empty if those lie in a registry."""
    database, _, name = table.partition(".")
    table_folders = (f"{store_url.rstrip('/')}/{database}.db/{name}", f"{store_url.rstrip('/')}/{database}/{name}")
    return next((table_folder for table_folder in table_folders if f"{folder}/".startswith(f"{table_folder}/")), "")


def split_address(address: str) -> tuple[str, str]:
    """Return the namespace and the name that OpenLineage has for files: the storage, and the path in it."""
    url = urlsplit(address)
    scheme = _SAME_SCHEMES.get(url.scheme, url.scheme)
    authority = url.netloc if scheme.startswith("abfs") else url.netloc.rpartition("@")[2]
    namespace = scheme
    if authority:
        namespace = f"{scheme}://{authority}"
    path = url.path.rstrip("/")
    if scheme not in _PATHS:
        path = path.lstrip("/")
    return namespace, path or "/"


# ---------------------------------------------------------------- the verdict


def _assertions(answers: Sequence[TableAnswer]) -> Any:
    """Return that the table fits, and each finding, as tests that passed or did not."""
    from openlineage.client.facet_v2 import data_quality_assertions_dataset as quality

    make_assertion = _tolerant_constructor(quality.Assertion)
    findings: dict[Finding, None] = {}
    for answer in answers:
        findings.update(dict.fromkeys(map(masked_finding, answer.report.findings)))
    worst_first = sorted(findings, key=lambda finding: -SEVERITY[finding.verdict])
    assertions = [make_assertion(assertion="SCHEMA_FITS", success=all(answer.fits for answer in answers), severity="error")]
    assertions += [make_assertion(**_assertion(finding)) for finding in worst_first[:_MAX_ASSERTIONS]]
    return quality.DataQualityAssertionsDatasetFacet(assertions=assertions)


def _assertion(finding: Finding) -> dict[str, Any]:
    severity = _SEVERITIES.get(finding.verdict)
    return {
        "assertion": finding.rule,
        "success": severity is None,
        "severity": severity,
        "description": _short(finding.message),
        "column": _column(finding),
        "expected": _short(finding.old) or None,
        "actual": _short(finding.new) or None,
    }


def _column(finding: Finding) -> str | None:
    """Return the column that a finding is about; None where it is about the table, an option or a file."""
    rule = RULES.get(finding.rule)
    if rule is None or rule.judges in (Judges.STORE, Judges.METADATA, Judges.REPOSITORY) or rule.code.startswith(_NO_COLUMN):
        return None
    if finding.path in ("", "table"):
        return None
    return finding.path


def _tolerant_constructor(facet: type[Any]) -> Callable[..., Any]:
    """Return a constructor that leaves out the attributes that an older client does not have."""
    known = {attribute.name for attribute in facet.__attrs_attrs__}
    return lambda **values: facet(**{key: value for key, value in values.items() if key in known})
