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

# Where it stands in the configuration of Spark.
KEY = "spark.schemas.tables"

_BY_HAND = f"""conf={{"{KEY}": "{{{{ ti.xcom_pull(task_ids='gate')['spark'] }}}}"}}"""
_HOW = f"Guard the task with schema_guard, which hands it over; or after a gate write {_BY_HAND}, or pass its verdict: (spark, verdict)."
# How a gate ends that stops what is behind it.
_STOPPED = ("fail", "skip")


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
        """The folder as Spark takes it: a path was one of a disk, whatever storage Spark takes for its own."""
        return f"file://{self.place}" if self.place.startswith("/") else self.place

    def __str__(self) -> str:
        return f"version {self.version} ({self.digest[:8]})"


def handed_over(spark: "SparkSession | None", verdict: Any = None) -> dict[str, Checked]:
    """What was checked, by table: in a verdict, whole or as JSON, or in the configuration of the session. Nothing is an error."""
    said = _of_session(spark) if verdict is None else verdict
    tables = _tables(said, "verdict" if verdict is not None else KEY)
    if not tables:
        raise NotThereError("no table was handed over that could be compared.", code="door.no-verdict", path=KEY, fix=_HOW)
    return tables


def _of_session(spark: "SparkSession | None") -> Any:
    session = session_of(spark)
    try:
        said = session.conf.get(KEY, None)
    except Exception as error:
        raise spark_trouble(error, url="the session", path="", doing="read the configuration of") from error
    if not said:
        message = f"the configuration of this session says nothing of tables that were checked: it has no {KEY}."
        raise NotThereError(message, code="door.no-verdict", path=KEY, fix=_HOW)
    return said


def _tables(said: Any, where: str) -> dict[str, Checked]:
    found, faults = {}, []
    for name, about in _named(_read(said, where), where).items():
        if isinstance(about, Mapping) and about.get("digest") is None:
            continue  # it was not there, and the gate let that pass
        try:
            found[str(table_name(name))] = _checked(about)
        except SchemaError as error:
            faults += [fault.at(f"{where}.{name}") for fault in error.faults]
        except msgspec.ValidationError as error:
            faults.append(Fault("door.malformed", f"{where}.{shown(name)[1:-1]}", f"{shown(str(error))[1:-1]}.", _HOW))
    if faults:
        raise FormatError.of(faults)
    return found


def _checked(about: Any) -> Checked:
    return msgspec.convert(about, Checked)


def _read(said: Any, where: str) -> Any:
    if not isinstance(said, str):
        return said
    read = read_json(said)
    if read.faults:
        raise FormatError.of(fault._replace(path=where, fix=_HOW) for fault in read.faults)
    return read.value


def _named(said: Any, where: str) -> Mapping[str, Any]:
    """The tables of a verdict, or of what a verdict has for Spark."""
    if isinstance(said, Mapping) and said.get("outcome") in _STOPPED:
        message = f"the gate did not let this job through: its verdict was {said['outcome']}."
        fix = "Mend what the gate names, and clear it; or give this task the trigger rule all_success."
        raise IncompatibleSchemaError(message, code="door.stopped", path=where, fix=fix)
    for inner in _layers(said, where):
        if isinstance(inner, Mapping) and not {"tables", "spark"} & set(inner):
            return inner
    raise FormatError(f"a {type(said).__name__} is no verdict.", code="door.malformed", path=where, fix=_HOW)


def _layers(said: Any, where: str) -> Iterator[Any]:
    yield said
    if isinstance(said, Mapping):
        yield _read(said.get("spark") or None, f"{where}.spark")  # says besides which versions are pinned
        yield said.get("tables")
