"""What was checked, in the Spark configuration of the task that starts the job: `assert_schema` finds it there."""

import json
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.spark.gate_handover import KEY

# Which attribute of an operator holds the configuration, by the name of its class or of one that it is derived from.
# Looked up in the provider apache-airflow-providers-apache-spark 6.3; other operators have a `conf` that is no Spark's.
_ATTRIBUTES: Final = {
    "SparkSubmitOperator": "conf",
    "SparkPipelinesOperator": "conf",
    "PySparkOperator": "config_kwargs",
    "SparkSqlOperator": "_conf",
}


def hand_over(task: Any, text: str) -> bool:
    """Put what was checked into the task's own configuration, and return whether the task has one."""
    attribute = next((_ATTRIBUTES[base.__name__] for base in type(task).__mro__ if base.__name__ in _ATTRIBUTES), None)
    if attribute is None:
        return False
    conf = getattr(task, attribute, None)
    if conf is None:
        conf = {}
    if not isinstance(conf, Mapping):  # a text of many settings stays as its author wrote it
        return False
    setattr(task, attribute, {**conf, KEY: joined_tables(conf.get(KEY), text)})
    return True


def joined_tables(earlier: Any, text: str) -> str:
    """Return what was checked, with what others checked before: a gate, or another guard."""
    return json.dumps({**_read_tables(earlier), **_read_tables(text)}, ensure_ascii=False, separators=(",", ":"))


def _read_tables(text: Any) -> dict[str, Any]:
    """Return the mapping that a text holds; an empty one where it holds none."""
    if not isinstance(text, str):
        return {}
    try:
        tables = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(tables, dict):
        return {}
    return tables
