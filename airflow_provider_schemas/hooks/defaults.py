"""The type and the default id of a connection to a schema store, and the command that makes one."""

import json
from typing import Final

CONN_TYPE: Final = "schema_store"
DEFAULT: Final = "schema_store_default"


def add_command(conn_id: str) -> str:
    """Return the command that makes a connection."""
    connection = json.dumps({"conn_type": CONN_TYPE, "host": "s3://bucket/warehouse", "extra": {"storage_conn_id": "aws_default"}})
    return f"airflow connections add {conn_id or DEFAULT} --conn-json '{connection}'"
