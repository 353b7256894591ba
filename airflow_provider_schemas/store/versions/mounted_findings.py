"""Weigh what is wrong with the metadata of a mounted table by what a job needs, and by what live files were written with."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from airflow_provider_schemas.core.compatibility.id_audit import metadata_finding
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.store.mounts.source import TableLook

_NOT_PROMOTED = "COLUMN_TYPE_NOT_PROMOTED"
_NEEDED = "needed"


def findings_for(look: TableLook, contract: Contract | None) -> tuple[Finding, ...]:
    """Return what is wrong with the metadata, as it counts for a job; for everybody, if there is no contract.

    The manifests are asked only where the type of a column was changed as its format does not allow.
    """
    found = look.findings()
    if all(finding.rule != _NOT_PROMOTED for finding in found):
        return found
    return tuple(_weighed(found, look, contract))


def _weighed(found: Iterable[Finding], look: TableLook, contract: Contract | None) -> Iterator[Finding]:
    live = look.live().numbers
    for finding in found:
        if finding.rule != _NOT_PROMOTED:
            yield finding
        elif live is None or _may_hold(live, finding, look):
            yield _needed(finding) if contract is not None and _names(contract, finding) else finding


def _may_hold(live: frozenset[int], finding: Finding, look: TableLook) -> bool:
    """Return whether live files may hold the earlier type: those of a schema that the metadata hold no more may, too."""
    return not live.isdisjoint(finding.versions) or not live.issubset(look.numbers)


def _names(contract: Contract, finding: Finding) -> bool:
    """Return whether a contract names the column that a finding is about, or a part of it."""
    column = finding.path.partition(".")[0].lower()
    if finding.id is not None and any(need.id == finding.id for need in contract.columns):
        return True
    return any(need.name.partition(".")[0].lower() == column for need in contract.columns)


def _needed(finding: Finding) -> Finding:
    """Return the finding as it counts for a job that reads the column: files that it cannot read stop it."""
    fault = Fault(finding.fault, finding.path, finding.message, finding.fix)
    stopping = metadata_finding(fault, _NEEDED, finding.versions)
    return replace(stopping, old=finding.old, new=finding.new, id=finding.id)
