"""The arguments of a judgement, checked, as one question a table; and what they will ask of the storage."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract, writing
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.store.prefetch import PrefetchRequest
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM
from airflow_provider_schemas.store.registry.json_records import first
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.table_changes import PolicyLike
from airflow_provider_schemas.store.versions.changes_since import Seen, number_of

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

REGISTERED = "@registered"
_MEANINGS: tuple[str, ...] = ("fail", "warn", "ok")

Needs = Iterable[str] | Mapping[str, Any] | str
"""Tables; or for each what is needed of it: a contract in any form, '@registered', or None."""
Numbers = int | Mapping[str, int] | None
"""The version that is read, for one table or by table; None for the newest."""


class JobTerms(NamedTuple):
    """What holds for all tables of one judgement."""

    policy: PolicyLike
    consumer: str
    on_missing: str
    now: datetime | None


class Question(NamedTuple):
    """One table, and what is asked of it."""

    table: Table
    need: Any
    writes: bool
    since: Seen | None
    home: str
    """The team that asks."""
    number: int | None = None
    """The version that is read, if it is not the newest."""
    look: bool | None = None
    """Whether its data are looked at; None is what the store says."""

    @property
    def asks_for_registered(self) -> bool:
        """Whether the need is the contract that the consumer has registered."""
        return isinstance(self.need, str) and self.need == REGISTERED

    @property
    def may_be_pinned(self) -> bool:
        """Whether the fields count that the job meant when it registered: nobody judges what others do to the table that they keep."""
        return self.need is not None and self.table.subject.is_mounted


def check_arguments(consumer: str, on_missing: str, since: Mapping[str, Seen] | None) -> None:
    """Raise if the arguments that hold for all tables are none."""
    arguments.text(consumer, "consumer")
    if on_missing not in _MEANINGS:
        fix = f"There are {', '.join(_MEANINGS)}."
        raise ContractError(f"{shown(on_missing)} is no meaning of a missing table.", code="judge.on-missing", path="on_missing", fix=fix)
    if since is not None and not isinstance(since, Mapping):
        message = f"since is a {type(since).__name__}, and no mapping."
        raise ContractError(message, code="judge.since", path="since", fix="Pass what was seen of each table, by its name.")


def read_questions(
    store: "SchemaStore",
    reads: Needs,
    writes: Needs,
    *,
    since: Mapping[str, Seen],
    branch: str | None,
    version: Numbers,
    look: bool | None,
) -> list[Question]:
    """Return one question for each table that is read or written; raise ContractError for names that fit no table."""
    questions = [
        *_questions(store, reads, writes=False, since=since, branch=branch),
        *_questions(store, writes, writes=True, since=since, branch=branch),
    ]
    if not questions:
        raise ContractError("no table is asked about.", code="contract.empty", path="reads", fix="Name at least one table.")
    names = {question.table.name for question in questions}
    _check_names(since, names, "since")
    numbers = _numbers(version, names)
    return [question._replace(look=look, number=numbers.get(question.table.name)) for question in questions]


def _questions(store: "SchemaStore", needs: Needs, *, writes: bool, since: Mapping[str, Seen], branch: str | None) -> Iterator[Question]:
    tables = [needs] if isinstance(needs, str | TableName) else needs
    if not isinstance(tables, Iterable):
        message = f"a {type(tables).__name__} names no tables."
        fix = "Pass names, or a mapping of names to what is needed."
        raise ContractError(message, code="judge.no-tables", path="writes" if writes else "reads", fix=fix)
    pairs = tables.items() if isinstance(tables, Mapping) else ((name, None) for name in tables)
    for name, need in pairs:
        seen = since.get(str(name))
        if seen is not None:
            number_of(seen)  # an error if it is none
        yield Question(store.table(table_name(name), branch), need, writes, seen, store.team or NO_TEAM)


def _check_names(named: Iterable[str], names: set[str], argument: str) -> None:
    """Raise ContractError if an argument names a table that is not asked about: a misspelled name would count for nothing."""
    strange = [name for name in named if name not in names]
    if strange:
        message = f"{argument} speaks of {first(map(shown, strange))}, which is not asked about."
        raise ContractError(message, code=f"judge.{argument}", path=argument, fix="Name the tables as in reads and writes.")


def _numbers(version: Numbers, names: set[str]) -> dict[str, int]:
    """Return the versions that are named, by table."""
    if version is None:
        return {}
    if not isinstance(version, Mapping) and len(names) > 1:
        message = f"{len(names)} tables are asked about, and one version is named."
        fix = "Pass {table: number}, as every table counts its own."
        raise ContractError(message, code="judge.version", path="version", fix=fix)
    numbers = version if isinstance(version, Mapping) else dict.fromkeys(names, version)
    _check_names(numbers, names, "version")
    return {table: arguments.number(number) for table, number in numbers.items()}


def prefetch_request(questions: Iterable[Question], consumer: str) -> PrefetchRequest:
    """Return what the questions will ask of the storage."""
    tables: dict[tuple[TableName, str], None] = {}
    pinned: dict[TableName, None] = {}
    for question in questions:
        tables[question.table.id, question.table.branch_name] = None
        if consumer and (question.asks_for_registered or question.may_be_pinned):
            pinned[question.table.id] = None
    return PrefetchRequest(tuple(tables), contracts=tuple((name, consumer) for name in pinned))


def read_contract(question: Question, consumer: str) -> Contract:
    """Return the contract in a question; ContractError if it needs nothing."""
    contract = checked_contract(question.need)
    if not (contract.columns or contract.primary_key or contract.partitioned_by):
        fix = "Name a column, or pass None to be told of what breaks readers."
        path = "writes" if question.writes else "reads"
        raise ContractError("nothing is needed of this table.", code="contract.empty", path=path, fix=fix)
    if consumer and not contract.name:
        contract = contract.model_copy(update={"name": consumer})
    if question.writes and not contract.writes:
        return writing(contract)
    return contract
