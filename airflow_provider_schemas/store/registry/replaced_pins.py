"""Contracts that are pinned to the fields of a table that was dropped and made again: the ids mean other fields now.

The columns are found again by name, and a finding asks whether they are the same. Nothing is written before the contract is
registered again.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.contract import Contract, Need
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.registry.contract_record import Registered, pinned, pins_for
from airflow_provider_schemas.store.registry.contracts import Contracts
from airflow_provider_schemas.store.registry.json_records import first


def is_replaced(registered: Registered, head: Version) -> bool:
    """Return whether the table is another one than the contract was registered against."""
    return bool(registered.table_id and head.table_id) and registered.table_id != head.table_id


def matched_again(registered: Registered, head: Version) -> tuple[Registered, tuple[Finding, ...]]:
    """Return the contract with its columns found again by name, and the finding that asks, where the table was made again."""
    if not is_replaced(registered, head):
        return registered, ()
    plain = _without_ids(registered.contract)
    contract = pinned(plain, pins_for(plain, head.schema, {}))
    matched = replace(registered, contract=contract, seen=None)  # no version of this table was seen
    return matched, (_finding(registered, contract, head),)


def all_matched_again(contracts: Contracts, head: Version | None) -> Contracts:
    """Return the contracts, those of a table that was made again with their columns found by name."""
    if head is None or not head.table_id:
        return contracts
    return replace(contracts, registered=tuple(matched_again(registered, head)[0] for registered in contracts))


def _without_ids(contract: Contract) -> Contract:
    return contract.model_copy(update={"columns": tuple(_without_id(need) for need in contract.columns)})


def _without_id(need: Need) -> Need:
    """Return the need of the column with this name, whatever field it meant."""
    values = need.model_dump(exclude={"id"}, exclude_unset=True)
    return Need.model_validate(values)


def _finding(registered: Registered, matched: Contract, head: Version) -> Finding:
    """Ask whether the columns are the same that were found by name."""
    rule = RULES["TABLE_REPLACED"]
    answers = rule.answers("matched")
    old = "" if registered.seen is None else str(registered.seen[0])
    reason = f"the columns of {registered} were found again by name"
    columns = list(_columns(registered.contract, matched))
    if columns:
        reason = f"{reason} ({first(columns)})"
    return Finding(
        rule.id,
        "table",
        rule.says.format_map({"old": old, "new": str(head.number), "reason": reason}),
        "Make sure that these are the columns that the job means; then register its contract again, which asks no more.",
        Verdict.WARN,
        old=old,
        new=str(head.number),
        verdicts=answers,
        jobs=answers.jobs,
    )


def _columns(before: Contract, after: Contract) -> Iterator[str]:
    """Yield what became of each column that was pinned to a field."""
    for need, matched in zip(before.columns, after.columns, strict=True):
        if need.id is None:
            continue
        if matched.id is None:
            yield f"{need.name}: field {need.id} before, and no field of that name now"
        else:
            yield f"{need.name}: field {need.id} before, field {matched.id} now"
