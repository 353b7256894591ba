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
    """Put what was checked into the task's own configuration; whether it has one."""
    attribute = next((_ATTRIBUTES[one.__name__] for one in type(task).__mro__ if one.__name__ in _ATTRIBUTES), None)
    conf = None if attribute is None else getattr(task, attribute, None)
    if attribute is None or not (conf is None or isinstance(conf, Mapping)):  # a text of many settings stays as its author wrote it
        return False
    said = dict(conf or {})
    setattr(task, attribute, {**said, KEY: joined_tables(said.get(KEY), text)})
    return True


def joined_tables(there: Any, text: str) -> str:
    """What was checked, with what others checked before: a gate, or another guard."""
    return json.dumps({**_known(there), **_known(text)}, ensure_ascii=False, separators=(",", ":"))


def _known(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}
