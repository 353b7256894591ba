"""The connections that whoever may read assets may see: the setting that names them, and how to name one."""

from typing import Final

from airflow.sdk import conf

SECTION: Final = "schemas"
OPTION: Final = "ui_connections"
SETTING: Final = f"[{SECTION}] {OPTION}"
VARIABLE: Final = f"AIRFLOW__{SECTION.upper()}__{OPTION.upper()}"


def allowed_connections() -> tuple[str, ...]:
    """Return the ids that the setting names, in their order and each once."""
    text = conf.get(SECTION, OPTION, fallback="") or ""
    ids = (part.strip() for part in text.split(","))
    return tuple(dict.fromkeys(conn_id for conn_id in ids if conn_id))
