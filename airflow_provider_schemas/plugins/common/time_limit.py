"""For how long a page may be computed: `[schemas] ui_seconds`."""

import logging

SECTION = "schemas"
OPTION = "ui_seconds"
SECONDS = 2.0
_LEAST, _MOST = 0.5, 60.0
_log = logging.getLogger(__name__)


def time_limit() -> float:
    """Return the seconds that may pass from the request for a page to its HTML; two where nothing else is set."""
    from airflow.sdk import conf

    text = conf.get(SECTION, OPTION, fallback="") or ""
    try:
        seconds = float(text or SECONDS)
    except ValueError:
        seconds = -1.0
    if _LEAST <= seconds <= _MOST:
        return seconds
    _log.warning(
        "[%s] %s is %r: set seconds from %s to %s. Pages take at most %s seconds now.", SECTION, OPTION, text, _LEAST, _MOST, SECONDS
    )
    return SECONDS
