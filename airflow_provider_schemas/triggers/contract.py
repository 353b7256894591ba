"""Waiting until tables fit what a job needs of them, in their schemas or in the files of a partition."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.triggers.polling_trigger import WaitingTrigger

if TYPE_CHECKING:
    from airflow_provider_schemas.triggers.contract_poller import ContractLook


class SchemaContractTrigger(WaitingTrigger):
    """Ends with `{"status": "ok", "tables": {...}}` or `{"status": "error", ...}`."""

    def __init__(
        self,
        *,
        conn_id: str,
        reads: dict[str, Any],
        branch: str | None,
        until: str,
        partition: dict[str, Any] | None,
        policy: Any,
        consumer: str,
        since: dict[str, Any],
        poll: float,
    ) -> None:
        """Reads are contracts as plain mappings, '@registered' or None; since is what was seen of tables without a contract."""
        super().__init__(poll=poll)
        self.conn_id = conn_id
        self.reads = reads
        self.branch = branch
        self.until = until
        self.partition = partition
        self.policy = policy
        self.consumer = consumer
        self.since = since

    @staticmethod
    def make_look(**about: Any) -> "ContractLook":
        from airflow_provider_schemas.triggers.contract_poller import ContractLook

        return ContractLook(**about)

    def about(self) -> Mapping[str, Any]:
        return {
            "conn_id": self.conn_id,
            "reads": self.reads,
            "branch": self.branch,
            "until": self.until,
            "partition": self.partition,
            "policy": self.policy,
            "consumer": self.consumer,
            "since": self.since,
        }
