"""What a caller hands to a check besides the two schemas: history, contracts, evidence and live versions, each checked."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, PolicyError, SchemaError, SchemaFileError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence

T = TypeVar("T")


def schema_of(value: object) -> TableSchema:
    """Return the schema, or that of a version."""
    return value.schema if isinstance(value, Version) else checked_schema(value)


def number_of(value: TableSchema | Version) -> int:
    """Return the number of a version, or the id of a schema."""
    return value.number if isinstance(value, Version) else value.id


def earlier(history: History | Iterable[TableSchema | Version], old: TableSchema) -> History:
    """Return the schemas before the old one, each once."""
    if isinstance(history, History):
        return history.before(old.id)
    return History.of(map(schema_of, history), old.id)


def checked_history(history: History | Iterable[TableSchema | Version], old: TableSchema) -> History:
    """Return the schemas before the old one; refuse a history that is a single value."""
    if isinstance(history, History):
        return earlier(history, old)
    return earlier(_several(history, "history", SchemaFileError), old)


def contracts_about(contracts: "Iterable[Contract | Any]", table: str) -> "tuple[Contract, ...]":
    """Return the contracts about the table, and those that name no table."""
    given = _several(contracts, "contracts", ContractError)
    if not given:
        return ()
    from airflow_provider_schemas.core.contracts.check_contract import checked_contract

    return tuple(contract for contract in map(checked_contract, given) if not table or contract.table in ("", table))


def evidence_about(evidence: "Iterable[Evidence | Mapping[str, Any]]", table: str) -> "tuple[Evidence, ...]":
    """Return the evidence; refuse that of another table, because its author takes it for proof."""
    given = _several(evidence, "evidence", PolicyError)
    if not given:
        return ()
    from airflow_provider_schemas.core.policies.evidence import Evidence

    proofs = tuple(map(Evidence.read, given))
    for proof in proofs:
        if table and proof.table not in ("", table):
            message = f"the evidence for {proof.path} is about {shown(proof.table)}, and {shown(table)} is judged."
            raise PolicyError(message, code="policy.evidence", path="evidence", fix="Look at the files of this table.")
    return proofs


def live_versions(live: Collection[int] | None) -> frozenset[int] | None:
    """Return the numbers of the versions in use; None where they are unknown."""
    if live is None:
        return None
    numbers = list(_several(live, "live", PolicyError))
    if not all(isinstance(number, int) for number in numbers):
        message = "live holds what is no number of a schema."
        raise PolicyError(message, code="policy.bad-value", path="live", fix="Pass whole numbers, or None.")
    return frozenset(numbers)


def _several(values: Iterable[T], argument: str, refusal: type[SchemaError]) -> Iterable[T]:
    """Return the values of an argument, if they are several; refuse a single one, though it can be iterated."""
    if not values and isinstance(values, tuple | list):
        return ()
    if _is_single(values) or not isinstance(values, Iterable):
        message = f"{argument} is a {type(values).__name__}, and no list."
        raise refusal(message, code=f"{refusal.default_code.split('.')[0]}.no-list", path=argument, fix="Put it into a list.")
    return values


def _is_single(values: object) -> bool:
    # Where nobody hands in what people write, nothing that reads it is loaded.
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence

    return isinstance(values, str | bytes | Mapping | Contract | Evidence)
