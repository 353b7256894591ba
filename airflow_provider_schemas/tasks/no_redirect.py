"""An answer of a web server that leads elsewhere is an error: where it leads, nobody has allowed tasks to read."""

from typing import Any, Final

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import ContractError

_REDIRECTS: Final = range(300, 400)
_FIX: Final = "Name the address at which the file itself lies."


async def _refuse(response: Any) -> None:
    """Refuse an answer that leads elsewhere; what else went wrong is told by the library."""
    if response.status in _REDIRECTS:
        label = without_credentials(str(response.url))
        message = f"the server answers with {response.status}, which leads elsewhere, and tasks do not follow."
        raise ContractError(message, code="file.redirected", path=label, fix=_FIX)


OPTIONS: Final[dict[str, Any]] = {"allow_redirects": False, "raise_for_status": _refuse}
"""What fsspec hands on to each request."""
