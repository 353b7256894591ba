"""The file of a job: what it needs from the tables that it reads, and from those that it writes.

    job: daily_report
    owner: team-bi
    read_with: read_table
    reads:
      shop.orders: order_id BIGINT NOT NULL, amount DECIMAL(12, 2)
      shop.users: [user_id, country]
    writes:
      mart.daily_report: {columns: "day DATE, revenue DECIMAL(18, 2)", shape: positional}

Each table becomes a contract that bears the name of the job. How it reads (`read_with`) is said for all tables, or for one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import UserDocument
from airflow_provider_schemas.core.contracts.contract import Contract, Need, Role, writing
from airflow_provider_schemas.core.contracts.read_ways import checked_way
from airflow_provider_schemas.errors import ContractError, Fault, SchemaError, collect
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.user_file import opened

_KEYS = ("columns", "shape", "primary_key", "partitioned_by", "read_with")
_OF_COLUMN = re.compile(r"columns(?:\[([0-9]+)\])?(.*)", re.DOTALL)


class JobFile(UserDocument):
    """The keys of the file. What stands behind a table is read for each table by itself."""

    refusal: ClassVar[type[SchemaError]] = ContractError
    noun: ClassVar[str] = "file of a job"

    job: str = Field(min_length=1)
    owner: str = ""
    contact: str = ""
    read_with: Annotated[str, AfterValidator(checked_way)] = ""
    """How the job reads its tables, where the contract of a table does not say."""
    reads: Mapping[str, Any] = {}
    writes: Mapping[str, Any] = {}


# ---------------------------------------------------------------- reading


def read(source: str | bytes, file: str = "") -> tuple[Contract, ...]:
    """The contracts in a text, or a ContractError that names every fault with file and line."""
    return opened(source, file, ContractError).read(ContractError, _contracts)


def _contracts(value: Any) -> tuple[Contract, ...]:
    faults: list[Fault] = []
    job: JobFile | None = collect(faults, lambda: JobFile.read(value))
    tables = [(key, table, said) for key in ("reads", "writes") for table, said in _tables(value, key)]
    found = [collect(faults, partial(_contract, job, *one), f"{one[0]}.{one[1]}") for one in tables]
    if not tables and not faults:
        faults.append(Fault("contract.missing", "", "the job neither reads nor writes a table.", "Add reads: or writes: with a table."))
    if faults:
        raise ContractError.of(faults)
    return tuple(found)


def _tables(value: Any, key: str) -> list[tuple[str, Any]]:
    tables = value.get(key) if isinstance(value, Mapping) else None
    return [(str(table), said) for table, said in tables.items()] if isinstance(tables, Mapping) else []


def _contract(job: JobFile | None, key: str, table: str, said: Any) -> Contract:
    faults = list(_shape_faults(said))
    about: dict[str, Any] = {"name": job.job, "owner": job.owner, "contact": job.contact} if job else {}
    try:
        found = Contract.of(_readable(said), table=table, **about)
    except SchemaError as error:
        faults += [fault._replace(path=_as_written(fault.path, said)) for fault in error.faults]
    if faults:
        raise ContractError.of(faults)
    if not (found.columns or found.primary_key or found.partitioned_by):
        raise ContractError("nothing is needed of this table.", code="contract.empty", fix="Name a column, or take the table out.")
    return writing(found) if key == "writes" else _reading(_with_way(found, job))


def _with_way(contract: Contract, job: JobFile | None) -> Contract:
    """The contract; it reads as the whole job does, where it does not say how."""
    return contract if contract.read_with or job is None else contract.model_copy(update={"read_with": job.read_with})


def _shape_faults(said: Any) -> Iterator[Fault]:
    """What is wrong with the way a contract is written, whatever it says."""
    if not isinstance(said, str | list | Mapping):
        fix = "Write SQL text, a list of names, or a mapping with columns."
        yield Fault("contract.bad-value", "", f"{shown(said)} is no contract.", fix)
    for key in said if isinstance(said, Mapping) else ():
        if key not in _KEYS:
            yield Fault("contract.unknown-key", key, f"nobody knows the key {shown(key)}.", did_you_mean(key, _KEYS))
    for place, one in _entries(said):
        if not isinstance(one, str | Mapping | None):
            yield Fault("contract.bad-value", place, f"{shown(one)} is no column.", "Write a name, a type, or a mapping.")


def _entries(said: Any) -> Iterator[tuple[str, Any]]:
    """The columns one by one, where they are not all in one text."""
    prefix, columns = ("columns", said.get("columns")) if isinstance(said, Mapping) else ("", said)
    if isinstance(columns, list):
        yield from ((f"{prefix}[{number}]", one) for number, one in enumerate(columns))
    elif isinstance(columns, Mapping):
        yield from ((f"{prefix}.{name}", one) for name, one in columns.items())


def _readable(said: Any) -> Any:
    """A contract with a stand-in for what has no readable shape, so that all the rest is read as well."""
    if isinstance(said, list):
        return [one if isinstance(one, str | Mapping) else {"name": f"[{number}]"} for number, one in enumerate(said)]
    if not isinstance(said, Mapping):
        return said if isinstance(said, str) else []
    known = {key: one for key, one in said.items() if key in _KEYS}
    columns = known.get("columns")
    if isinstance(columns, list):
        known["columns"] = _readable(columns)
    elif isinstance(columns, Mapping):
        known["columns"] = {name: one if isinstance(one, str | Mapping | None) else None for name, one in columns.items()}
    return known


def _as_written(path: str, said: Any) -> str:
    """The path of a fault in the form in which the columns were written: as text, a list, or a mapping."""
    found = _OF_COLUMN.fullmatch(path)
    if found is None:
        return path
    number, rest = found.groups()
    columns = said.get("columns") if isinstance(said, Mapping) else said
    step = "" if number is None else f"[{number}]"
    if isinstance(columns, Mapping) and number is not None:
        step = f".{list(columns)[int(number)]}"
    return (f"columns{step}{rest}" if isinstance(said, Mapping) else f"{step}{rest}").removeprefix(".")


def _reading(contract: Contract) -> Contract:
    if contract.writes:
        fix = "Put the table under writes: as well, and take the role out here."
        raise ContractError("the job reads this table, and a column has the role write.", code="contract.role", fix=fix)
    return contract


# ---------------------------------------------------------------- writing


def write(contracts: Iterable[Contract]) -> str:
    """The contracts of one job as its file."""
    found = tuple(contracts)
    about = {(one.name, one.owner, one.contact) for one in found}
    jobs = {name for name, _, _ in about}
    if len(about) != 1 or "" in jobs:
        message = "the owners differ." if len(jobs) == 1 and "" not in jobs else "these are the contracts of no job, or of several."
        raise ContractError(message, code="contract.several-jobs", fix="Write a file for each job, with one owner and contact.")
    name, owner, contact = about.pop()
    head = {"job": name, **({"owner": owner} if owner else {}), **({"contact": contact} if contact else {})}
    parts = {"reads": [one for one in found if not one.writes], "writes": [one for one in found if one.writes]}
    return yaml.write(head | {key: _by_table(some) for key, some in parts.items() if some})


def _by_table(contracts: Iterable[Contract]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for one in contracts:
        if not one.table or one.table in tables:
            message = "a contract names no table." if not one.table else f"two contracts are about {shown(one.table)}."
            raise ContractError(message, code="contract.tables", fix="Give each table one contract.")
        tables[one.table] = _said(one)
    return tables


def _said(contract: Contract) -> Any:
    rest = contract.model_dump(mode="json", exclude_defaults=True, include={"shape", "primary_key", "partitioned_by", "read_with"})
    columns = {one.name: _need(one) for one in contract.columns}
    if not rest and all(one is None for one in columns.values()):
        return list(columns)
    return {**({"columns": columns} if columns else {}), **rest}


def _need(need: Need) -> Any:
    """A column as it is written: its type alone where that says it all; None for a name alone."""
    keys = need.model_dump(mode="json", exclude_defaults=True, include={"id", "type", "accepts"})
    if need.nullable is not Need(name=need.name, type=need.type).nullable:
        keys["nullable"] = need.nullable
    if need.role not in ((Role.SELECT,), (Role.WRITE,)):
        keys["role"] = [one.value for one in need.role]
    return keys.get("type") if keys.keys() <= {"type"} else keys
