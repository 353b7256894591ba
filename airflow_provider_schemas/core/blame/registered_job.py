"""A job that has registered what it needs of a table, as whoever keeps contracts hands it over."""

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class RegisteredJob(Struct, frozen=True):
    """A job, and what it needs: pinned to the fields that it means."""

    name: str
    contract: "Contract"
    team: str = ""
    last_seen: str = ""
    is_stale: bool = False
    """Whether the job was not seen for so long that it only warns."""
    is_pending: bool = False
    """Whether it waits for a version that is still to come."""
