"""The file of a job: the columns that it needs in the tables that it reads, and in those that it writes.

    job: daily_report
    owner: team-bi
    read_with: read_table
    reads:
      shop.orders: order_id BIGINT NOT NULL, amount DECIMAL(12, 2)
      shop.users: [user_id, country]
    writes:
      mart.daily_report: {columns: "day DATE, revenue DECIMAL(18, 2)", shape: positional}

Each table becomes a contract with the name of the job. `read_with` says how the job reads all its tables, or one of them, and
`write_with` which writer it hands its values to: deltalake or pyiceberg.
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
from airflow_provider_schemas.core.contracts.write_ways import checked_writer
from airflow_provider_schemas.errors import ContractError, Fault, SchemaError, collect
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.base import json_member
from airflow_provider_schemas.formats.user_file import WrittenFile, opened

_KEYS = ("columns", "shape", "primary_key", "partitioned_by", "read_with", "write_with")
_COLUMN_PATH = re.compile(r"columns(?:\[([0-9]+)\])?(.*)", re.DOTALL)


class JobFile(UserDocument):
    """The keys of the file. The value of each table is read by itself."""

    refusal: ClassVar[type[SchemaError]] = ContractError
    noun: ClassVar[str] = "file of a job"

    job: str = Field(min_length=1)
    owner: str = ""
    contact: str = ""
    read_with: Annotated[str, AfterValidator(checked_way)] = ""
    """How the job reads its tables, where the contract of a table does not say."""
    write_with: Annotated[str, AfterValidator(checked_writer)] = ""
    """The writer of the tables that the job writes, where the contract of a table does not say."""
    reads: Mapping[str, Any] = {}
    writes: Mapping[str, Any] = {}


# ---------------------------------------------------------------- reading


def read(source: str | bytes, file: str = "") -> tuple[Contract, ...]:
    """Read the contracts in a text, or raise a ContractError that names every fault with file and line."""
    return read_written(source, file)[0]


def read_written(source: str | bytes, file: str = "") -> tuple[tuple[Contract, ...], WrittenFile]:
    """Read the contracts in a text as `read` does; return the document as well, for the places in it."""
    written = opened(source, file, ContractError)
    return written.read(ContractError, _read_contracts), written


def _read_contracts(value: yaml.YamlValue) -> tuple[Contract, ...]:
    faults: list[Fault] = []
    job: JobFile | None = collect(faults, lambda: JobFile.read(value))
    contracts: list[Contract] = []
    for key in ("reads", "writes"):
        for table, written in _tables(value, key):
            contracts.append(collect(faults, partial(_read_contract, job, key, table, written), f"{key}.{table}"))
    if not contracts and not faults:
        faults.append(Fault("contract.missing", "", "the job neither reads nor writes a table.", "Add reads: or writes: with a table."))
    if faults:
        raise ContractError.of(faults)
    return tuple(contracts)


def _tables(value: yaml.YamlValue, key: str) -> Iterator[tuple[str, yaml.YamlValue]]:
    tables = json_member(value, key)
    if isinstance(tables, Mapping):
        yield from ((str(table), written) for table, written in tables.items())


def _read_contract(job: JobFile | None, key: str, table: str, written: yaml.YamlValue) -> Contract:
    faults = list(_shape_faults(written))
    about: dict[str, Any] = {}
    if job is not None:
        about = {"name": job.job, "owner": job.owner, "contact": job.contact}
    try:
        contract = Contract.of(_with_stand_ins(written), table=table, **about)
    except SchemaError as error:
        faults += [fault._replace(path=_path_as_written(fault.path, written)) for fault in error.faults]
    if faults:
        raise ContractError.of(faults)
    if not (contract.columns or contract.primary_key or contract.partitioned_by):
        raise ContractError("nothing is needed of this table.", code="contract.empty", fix="Name a column, or take the table out.")
    if key == "writes":
        return _with_writer(writing(contract), job)
    return _checked_roles(_with_read_way(contract, job))


def _with_read_way(contract: Contract, job: JobFile | None) -> Contract:
    """Return the contract with the job's way to read, if it has none of its own."""
    if contract.read_with or job is None:
        return contract
    return contract.model_copy(update={"read_with": job.read_with})


def _with_writer(contract: Contract, job: JobFile | None) -> Contract:
    """Return the contract with the job's writer, if it has none of its own."""
    if contract.write_with or job is None:
        return contract
    return contract.model_copy(update={"write_with": job.write_with})


def _checked_roles(contract: Contract) -> Contract:
    if contract.writes:
        fix = "Put the table under writes: as well, and take the role out here."
        raise ContractError("the job reads this table, and a column has the role write.", code="contract.role", fix=fix)
    return contract


def _shape_faults(written: yaml.YamlValue) -> Iterator[Fault]:
    """Yield the faults in the shape of a contract, whatever its columns are."""
    if not isinstance(written, str | list | Mapping):
        fix = "Write SQL text, a list of names, or a mapping with columns."
        yield Fault("contract.bad-value", "", f"{shown(written)} is no contract.", fix)
    if isinstance(written, Mapping):
        for key in written:
            if key not in _KEYS:
                yield Fault("contract.unknown-key", key, f"nobody knows the key {shown(key)}.", did_you_mean(key, _KEYS))
    for place, column in _columns(written):
        if not isinstance(column, str | Mapping | None):
            yield Fault("contract.bad-value", place, f"{shown(column)} is no column.", "Write a name, a type, or a mapping.")


def _columns(written: yaml.YamlValue) -> Iterator[tuple[str, yaml.YamlValue]]:
    """Yield the columns one by one with their paths, unless they are one text."""
    prefix = ""
    columns = written
    if isinstance(written, Mapping):
        prefix = "columns"
        columns = written.get("columns")
    if isinstance(columns, list):
        yield from ((f"{prefix}[{number}]", column) for number, column in enumerate(columns))
    elif isinstance(columns, Mapping):
        yield from ((f"{prefix}.{name}", column) for name, column in columns.items())


def _with_stand_ins(written: yaml.YamlValue) -> str | list[Any] | dict[str, Any]:
    """Return a contract with stand-ins for values of a wrong shape, so that everything else is checked as well."""
    if isinstance(written, list):
        return [_column_or_stand_in(column, number) for number, column in enumerate(written)]
    if isinstance(written, str):
        return written
    if not isinstance(written, Mapping):
        return []
    known = {key: value for key, value in written.items() if key in _KEYS}
    columns = known.get("columns")
    if isinstance(columns, list):
        known["columns"] = _with_stand_ins(columns)
    elif isinstance(columns, Mapping):
        known["columns"] = {name: column if isinstance(column, str | Mapping) else None for name, column in columns.items()}
    return known


def _column_or_stand_in(column: yaml.YamlValue, number: int) -> str | Mapping[str, Any]:
    return column if isinstance(column, str | Mapping) else {"name": f"[{number}]"}


def _path_as_written(path: str, written: yaml.YamlValue) -> str:
    """Return the path of a fault in the form in which the columns were written: as text, a list, or a mapping."""
    match = _COLUMN_PATH.fullmatch(path)
    if match is None:
        return path
    number, rest = match.groups()
    if not isinstance(written, Mapping):
        step = "" if number is None else f"[{number}]"
        return f"{step}{rest}".removeprefix(".")
    if number is None:
        return f"columns{rest}"
    columns = written.get("columns")
    step = f".{list(columns)[int(number)]}" if isinstance(columns, Mapping) else f"[{number}]"
    return f"columns{step}{rest}"


# ---------------------------------------------------------------- writing


def write(contracts: Iterable[Contract]) -> str:
    """Return the contracts of one job as its file."""
    all_contracts = tuple(contracts)
    name, owner, contact = _job_of(all_contracts)
    file: dict[str, Any] = {"job": name}
    if owner:
        file["owner"] = owner
    if contact:
        file["contact"] = contact
    reads = [contract for contract in all_contracts if not contract.writes]
    writes = [contract for contract in all_contracts if contract.writes]
    if reads:
        file["reads"] = _by_table(reads)
    if writes:
        file["writes"] = _by_table(writes)
    return yaml.write(file)


def _job_of(contracts: Iterable[Contract]) -> tuple[str, str, str]:
    """Return the name, the owner and the contact of the one job that has these contracts."""
    about = {(contract.name, contract.owner, contract.contact) for contract in contracts}
    jobs = {name for name, _, _ in about}
    if len(about) == 1 and "" not in jobs:
        return about.pop()
    message = "these are the contracts of no job, or of several."
    if len(jobs) == 1 and "" not in jobs:
        message = "the owners differ."
    raise ContractError(message, code="contract.several-jobs", fix="Write a file for each job, with one owner and contact.")


def _by_table(contracts: Iterable[Contract]) -> dict[str, yaml.YamlValue]:
    tables: dict[str, yaml.YamlValue] = {}
    for contract in contracts:
        if not contract.table or contract.table in tables:
            message = "a contract names no table."
            if contract.table:
                message = f"two contracts are about {shown(contract.table)}."
            raise ContractError(message, code="contract.tables", fix="Give each table one contract.")
        tables[contract.table] = _contract_value(contract)
    return tables


def _contract_value(contract: Contract) -> list[str] | dict[str, Any]:
    """Return a contract as it is written: a list where the names of columns are all of it."""
    rest = contract.model_dump(mode="json", exclude_defaults=True, include=set(_KEYS) - {"columns"})
    columns = {need.name: _column_value(need) for need in contract.columns}
    if not rest and all(value is None for value in columns.values()):
        return list(columns)
    if not columns:
        return rest
    return {"columns": columns, **rest}


def _column_value(need: Need) -> str | dict[str, Any] | None:
    """Return a column as it is written: its type alone where that is all of it; None for a name alone."""
    keys = need.model_dump(mode="json", exclude_defaults=True, include={"id", "type", "accepts"})
    if need.nullable is not Need(name=need.name, type=need.type).nullable:
        keys["nullable"] = need.nullable
    if need.role not in ((Role.SELECT,), (Role.WRITE,)):
        keys["role"] = [role.value for role in need.role]
    if keys.keys() <= {"type"}:
        return keys.get("type")
    return keys
