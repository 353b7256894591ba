"""What a gate or a guard hands to a Spark job about each table: the version that was checked, and where its schema files lie."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError, IncompatibleSchemaError, NotThereError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import MAIN, table_name
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.spark.errors import spark_trouble
from airflow_provider_schemas.store.spark.files import session_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The key of the configuration of Spark.
KEY = "spark.schemas.tables"

_BY_HAND = f"""conf={{"{KEY}": "{{{{ ti.xcom_pull(task_ids='gate')['spark'] }}}}"}}"""
_HOW = f"Guard the task with schema_guard, which hands it over; or after a gate write {_BY_HAND}, or pass its verdict: (spark, verdict)."
# How a gate ends that stops what is behind it.
_STOPPED = ("fail", "skip")

Verdict = Any
"""A gate's verdict, or what it has for Spark, whole or as JSON: whatever a job passes on."""


class Checked(Struct, frozen=True):
    """One table as it was checked before the job."""

    version: Annotated[int, Meta(ge=0)]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    place: Annotated[str, Meta(min_length=1)]
    """The folder of its schema files, as Airflow knows it."""
    branch: str = MAIN
    layout: Layout = Layout.PAIMON
    pinned: bool = False
    """Whether the job reads this version, and not the newest."""

    @property
    def address(self) -> str:
        """Return the folder as Spark takes it: a path was one of a disk, whatever storage Spark takes for its own."""
        return f"file://{self.place}" if self.place.startswith("/") else self.place

    def __str__(self) -> str:
        return f"version {self.version} ({self.digest[:8]})"


def handed_over(spark: "SparkSession | None", verdict: Verdict = None) -> dict[str, Checked]:
    """Return what was checked, by table: in a verdict, whole or as JSON, or in the configuration of the session; raise if nothing was."""
    path = "verdict"
    if verdict is None:
        path = KEY
        verdict = _read_configuration(spark)
    tables = _read_tables(verdict, path)
    if not tables:
        raise NotThereError("no table was handed over that could be compared.", code="door.no-verdict", path=KEY, fix=_HOW)
    return tables


def _read_configuration(spark: "SparkSession | None") -> str:
    session = session_of(spark)
    try:
        text = session.conf.get(KEY, None)
    except Exception as error:
        raise spark_trouble(error, url="the session", path="", doing="read the configuration of") from error
    if not text:
        message = f"the configuration of this session says nothing of tables that were checked: it has no {KEY}."
        raise NotThereError(message, code="door.no-verdict", path=KEY, fix=_HOW)
    return text


def _read_tables(verdict: Verdict, path: str) -> dict[str, Checked]:
    """Read the tables; raise what is wrong with any of them at once. `path` is what errors are about."""
    tables: dict[str, Checked] = {}
    faults: list[Fault] = []
    for name, entry in _find_entries(_parse(verdict, path), path).items():
        if isinstance(entry, Mapping) and entry.get("digest") is None:
            continue  # it was not there, and the gate let that pass
        try:
            tables[str(table_name(name))] = msgspec.convert(entry, Checked)
        except SchemaError as error:
            faults += [fault.at(f"{path}.{name}") for fault in error.faults]
        except msgspec.ValidationError as error:
            faults.append(Fault("door.malformed", f"{path}.{shown(name)[1:-1]}", f"{shown(str(error))[1:-1]}.", _HOW))
    if faults:
        raise FormatError.of(faults)
    return tables


def _parse(verdict: Verdict, path: str) -> Verdict:
    """Return the value of a verdict that is JSON; any other as it is."""
    if not isinstance(verdict, str):
        return verdict
    read = read_json(verdict)
    if read.faults:
        raise FormatError.of(fault._replace(path=path, fix=_HOW) for fault in read.faults)
    return read.value


def _find_entries(verdict: Verdict, path: str) -> Mapping[str, Any]:
    """Return the entries of a verdict, or of what a verdict has for Spark, by table."""
    if isinstance(verdict, Mapping) and verdict.get("outcome") in _STOPPED:
        message = f"the gate did not let this job through: its verdict was {verdict['outcome']}."
        fix = "Mend what the gate names, and clear it; or give this task the trigger rule all_success."
        raise IncompatibleSchemaError(message, code="door.stopped", path=path, fix=fix)
    for layer in _layers(verdict, path):
        if isinstance(layer, Mapping) and not {"tables", "spark"} & set(layer):
            return layer
    raise FormatError(f"a {type(verdict).__name__} is no verdict.", code="door.malformed", path=path, fix=_HOW)


def _layers(verdict: Verdict, path: str) -> Iterator[Verdict]:
    """Yield the verdict, and the parts in which its tables may be."""
    yield verdict
    if isinstance(verdict, Mapping):
        yield _parse(verdict.get("spark") or None, f"{path}.spark")  # says besides which versions are pinned
        yield verdict.get("tables")
