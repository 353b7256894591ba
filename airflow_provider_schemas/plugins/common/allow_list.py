"""The connections whose tables whoever may read assets sees: `[schemas] ui_connections`."""

SECTION = "schemas"
OPTION = "ui_connections"
SETTING = f"[{SECTION}] {OPTION}"
VARIABLE = f"AIRFLOW__{SECTION.upper()}__{OPTION.upper()}"


def allow_listed() -> tuple[str, ...]:
    """Return the ids of the connections that are allowed, each once, in the order in which they are set."""
    from airflow.sdk import conf

    text = conf.get(SECTION, OPTION, fallback="") or ""
    return tuple(dict.fromkeys(name for name in (part.strip() for part in text.split(",")) if name))
