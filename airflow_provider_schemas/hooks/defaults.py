"""How a connection to a schema store is called, and the command that makes one."""

import json
from typing import Final

CONN_TYPE: Final = "schema_store"
DEFAULT: Final = "schema_store_default"


def to_type(conn_id: str) -> str:
    """The command that makes such a connection."""
    said = json.dumps({"conn_type": CONN_TYPE, "host": "s3://bucket/warehouse", "extra": {"storage_conn_id": "aws_default"}})
    return f"airflow connections add {conn_id or DEFAULT} --conn-json '{said}'"
