"""Where a task runs its Spark job: in a session of its own, over Spark Connect, or submitted to a cluster. Its connection decides."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, Protocol
from urllib.parse import quote

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.find_connection import find_connection
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change.target import read_options
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk import Connection
    from airflow.sdk.types import Logger

SparkPlaceKind = Literal["local", "connect", "submit"]

_CONNECT: Final = "spark_connect"
_REMOTE: Final = "sc://"
# The hook of the Spark provider makes a master of these; the last four stand there where a connection was written as an address.
_SUBMITTED: Final = frozenset({"spark", "yarn", "k8s", "local", "mesos"})
_TYPES: Final = "Name a connection of the type spark_connect or spark; without one, a session is started in the task itself."
# What the provider's connection of Spark Connect may say besides Spark's own configuration.
_SSL: Final = "use_ssl"
# Of a session in a task: nobody looks at its pages, and its log is no terminal.
_LOCAL: Final = {"spark.master": "local[*]", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_CLUSTER: Final = "cluster"
_NAMES: Final = {"local": "in the task", "connect": "over Spark Connect", "submit": "by spark-submit"}


class SparkTask(Protocol):
    """A task with a Spark job: where the job runs, what a bad answer means, and what ends the job while it runs."""

    conn_id: str
    spark_conn_id: str
    conf: Value
    submit: Value
    result_path: str
    on_incompatible: str
    spark_kill: Callable[[], None] | None

    @property
    def log(self) -> "Logger": ...


class SparkPlace(Struct, frozen=True, kw_only=True):
    """Where a job runs."""

    kind: SparkPlaceKind
    conn_id: str = ""
    url: str = ""
    """The address of Spark Connect, with its token, which is never shown."""
    deploys: str = ""
    """The deploy mode of what is submitted."""
    conf: Mapping[str, str] = {}
    alone: bool = False
    """Whether all of it runs on this machine."""

    def __repr__(self) -> str:
        return f"SparkPlace({self.kind!r}, conn_id={self.conn_id!r})"

    @property
    def name(self) -> str:
        """Return the place as people read it."""
        return _NAMES[self.kind]

    @property
    def is_far(self) -> bool:
        """Return whether the driver runs on another machine, so that it shares no disk with the task."""
        return self.deploys == _CLUSTER


def read_place(conn_id: Value, conf: Value, submit: Value) -> SparkPlace:
    """Return the place, as the arguments of a task say it."""
    name = template_values.read_text(conn_id, "spark_conn_id")
    options = read_options(conf, "conf")
    if not name:
        return SparkPlace(kind="local", conf={**_LOCAL, **options})
    try:
        return _place_of_connection(find_connection(name), name, options, submit)
    except BadConnectionError as error:
        raise _about_spark(error, name) from None


def _place_of_connection(conn: "Connection", conn_id: str, conf: Mapping[str, str], submit: Value) -> SparkPlace:
    host = conn.host or ""
    if conn.conn_type == _CONNECT or host.startswith(_REMOTE):
        return SparkPlace(kind="connect", conn_id=conn_id, url=_connect_url(conn), conf={**_extra_conf(conn), **conf})
    if conn.conn_type not in _SUBMITTED:
        raise BadConnectionError(f"its type is {shown(conn.conn_type)}, which starts no Spark.", path="", fix=_TYPES)
    deploys = read_options(submit, "submit").get("deploy_mode") or conn.extra_dejson.get("deploy-mode") or ""
    alone = conn.conn_type == "local" or host.startswith("local")
    return SparkPlace(kind="submit", conn_id=conn_id, deploys=str(deploys), conf=conf, alone=alone)


def _connect_url(conn: "Connection") -> str:
    """Return the address of a server of Spark Connect."""
    host = (conn.host or "").removeprefix(_REMOTE).rstrip("/")
    if not host or "/" in host or ";" in host:
        fix = "Write the name of the host alone, and its port beside it."
        raise BadConnectionError(f"{shown(host)} is no host of Spark Connect.", fix=fix)
    if conn.port:
        host += f":{conn.port}"
    parameters = {"user_id": conn.login, "token": conn.password}
    ssl = conn.extra_dejson.get(_SSL)
    if ssl is not None:
        parameters[_SSL] = str(ssl).lower()
    query = ";".join(f"{key}={quote(value)}" for key, value in parameters.items() if value)
    return f"{_REMOTE}{host}/;{query}".rstrip(";")


def _extra_conf(conn: "Connection") -> dict[str, str]:
    """Return the configuration of Spark in the extra of a connection."""
    return {key: str(value) for key, value in conn.extra_dejson.items() if key.startswith("spark.")}


def _about_spark(error: BadConnectionError, conn_id: str) -> SchemaError:
    """Return the error about a connection of Spark: the library's own advice is about that of a store."""
    faults = []
    for fault in error.faults:
        fix = _TYPES if "schema_store" in fault.fix else fault.fix
        faults.append(fault._replace(path=f"connection {conn_id}", fix=fix))
    return BadConnectionError.of(faults)
