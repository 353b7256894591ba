"""Where a task runs its Spark job: in a session of its own, over Spark Connect, or submitted to a cluster. Its connection decides."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.find_connection import connection
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import target
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk.types import Logger

Kind = Literal["local", "connect", "submit"]

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


class Place(Struct, frozen=True, kw_only=True):
    """Where a job runs."""

    kind: Kind
    conn_id: str = ""
    url: str = ""
    """The address of Spark Connect, with the token that it wants: for nobody's eyes."""
    deploys: str = ""
    """The deploy mode of what is submitted."""
    conf: Mapping[str, str] = {}
    alone: bool = False
    """Whether all of it runs on this machine."""

    def __repr__(self) -> str:
        return f"Place({self.kind!r}, conn_id={self.conn_id!r})"

    @property
    def name(self) -> str:
        """The place as people read it."""
        return {"local": "in the task", "connect": "over Spark Connect", "submit": "by spark-submit"}[self.kind]

    @property
    def is_far(self) -> bool:
        """Whether the driver runs on another machine, so that it shares no disk with the task."""
        return self.deploys == _CLUSTER


def place_of(conn_id: Any, conf: Any, submit: Any) -> Place:
    """The place, as the arguments of a task say it."""
    named, said = template_values.text(conn_id, "spark_conn_id"), target.options_of(conf, "conf")
    if not named:
        return Place(kind="local", conf={**_LOCAL, **said})
    try:
        found = connection(named)
        return _connected(found, named, said, submit)
    except BadConnectionError as error:
        raise _of_spark(error, named) from None


def _connected(found: Any, conn_id: str, conf: Mapping[str, str], submit: Any) -> Place:
    host = found.host or ""
    if found.conn_type == _CONNECT or host.startswith(_REMOTE):
        return Place(kind="connect", conn_id=conn_id, url=_remote(found), conf={**_extra_conf(found), **conf})
    if found.conn_type not in _SUBMITTED:
        raise BadConnectionError(f"its type is {shown(found.conn_type)}, which starts no Spark.", path="", fix=_TYPES)
    deploys = target.options_of(submit, "submit").get("deploy_mode") or found.extra_dejson.get("deploy-mode") or ""
    alone = found.conn_type == "local" or host.startswith("local")
    return Place(kind="submit", conn_id=conn_id, deploys=str(deploys), conf=conf, alone=alone)


def _remote(found: Any) -> str:
    """The address of a server of Spark Connect."""
    host = (found.host or "").removeprefix(_REMOTE).rstrip("/")
    if not host or "/" in host or ";" in host:
        raise BadConnectionError(
            f"{shown(host)} is no host of Spark Connect.", fix="Write the name of the host alone, and its port beside it."
        )
    server = f"{host}:{found.port}" if found.port else host
    ssl = found.extra_dejson.get(_SSL)
    said = {"user_id": found.login, "token": found.password, _SSL: None if ssl is None else str(ssl).lower()}
    return f"{_REMOTE}{server}/;{';'.join(f'{key}={quote(value)}' for key, value in said.items() if value)}".rstrip(";")


def _extra_conf(found: Any) -> dict[str, str]:
    """The configuration of Spark in the extra of a connection."""
    return {key: str(value) for key, value in found.extra_dejson.items() if key.startswith("spark.")}


def _of_spark(error: BadConnectionError, conn_id: str) -> SchemaError:
    """The error, about a connection of Spark: the library's own advice is about that of a store."""
    faults = [one._replace(path=f"connection {conn_id}", fix=_TYPES if "schema_store" in one.fix else one.fix) for one in error.faults]
    return BadConnectionError.of(faults)
