"""What a job needs, as people write it: tables, a contract for each, or the file of a job that names several."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault, SchemaError, StorageError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.check_tables import REGISTERED
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file
from airflow_provider_schemas.tasks.template_values import is_collection_text, is_empty, parse_value

_FORMS = 'Pass "db.table", a list of such names, {"db.table": contract}, or the path of a file of a job.'
_EMPTY = f"{_FORMS} Leave it out where nothing is meant."
_CONTRACTS = "Write columns as SQL text, a list of names, a mapping, a path, '@registered', or None."


def needs_of(value: Any, argument: str, *, folder: Path | FilePlaces | None) -> dict[str, Any]:
    """What is needed of each table: None, '@registered', or a Contract. Paths are read from the folder, which is that of the DAG file.

    Nothing at all is a mistake and raises, as does whatever cannot be read: every fault at once, each with its table.
    """
    files, writes = JobFiles(folder), argument == "writes"
    try:
        said = parse_value(value, argument)
        if is_file(said):
            found: dict[str, Any] = dict(files.read_tables(said, writes=writes))
        else:
            found = _gathered(_pairs(said, argument), _Reader(argument, files, writes))
    except StorageError:  # which may be there at the next try
        raise
    except SchemaError as error:
        raise ContractError.of(_from(argument, fault) for fault in error.faults) from None
    if not found:
        raise ContractError("no table is named.", code="contract.empty", path=argument, fix=_EMPTY)
    return found


def _from(argument: str, fault: Fault) -> Fault:
    """The fault, so that it says which argument it is about."""
    return fault if fault.path.startswith(argument) else fault._replace(path=f"{argument}: {fault.path}" if fault.path else argument)


def _pairs(said: Any, argument: str) -> Iterable[tuple[Any, Any]]:
    """Each table, and what is said of it."""
    if isinstance(said, Mapping):
        return said.items()
    if is_empty(said):
        raise ContractError("no table is named.", code="contract.empty", path=argument, fix=_EMPTY)
    if isinstance(said, str | TableName):
        return [(said, None)]
    if isinstance(said, Contract):
        return [_pair(said)]
    if isinstance(said, Iterable) and not isinstance(said, bytes):
        return map(_pair, said)
    raise ContractError(f"a {type(said).__name__} names no tables.", code="contract.no-tables", path=argument, fix=_FORMS)


def _pair(item: Any) -> tuple[Any, Any]:
    """Return a table and what is needed of it. A contract that names no table is no name of a table either."""
    if isinstance(item, Contract) and item.table:
        return item.table, item
    return item, None


# ---------------------------------------------------------------- table by table


class _Reader(NamedTuple):
    """How one table is read."""

    argument: str
    files: JobFiles
    writes: bool

    def need(self, table: str, said: Any) -> Any:
        """None, '@registered', or a contract that needs something."""
        if said is None or said == REGISTERED:
            return said
        contract = self._contract(table, said)
        if contract.table not in ("", table):
            raise ContractError(f"the contract is about {contract.table}.", code="contract.other-table", fix=f"Write it for {table}.")
        if not (contract.columns or contract.primary_key or contract.partitioned_by):
            fix = "Name a column, or pass None to be told of what breaks readers."
            raise ContractError("nothing is needed of this table.", code="contract.empty", fix=fix)
        return contract

    def _contract(self, table: str, said: Any) -> Contract:
        if is_file(said):
            return self.files.read_table(said, table, writes=self.writes)
        if isinstance(said, str) and not said.strip():
            said = []
        return checked_contract(parse_value(said, "") if is_collection_text(said) else said)


def named(key: Any) -> str:
    """The name of a table, without blanks around it."""
    return str(table_name(key.strip() if isinstance(key, str) else key))


def _gathered(pairs: Iterable[tuple[Any, Any]], reader: _Reader) -> dict[str, Any]:
    found: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, said in pairs:
        try:
            name = named(key)
            need = reader.need(name, said)
            if name in found and found[name] != need:
                fix = "Keep the one that is meant, or write one contract of both."
                raise ContractError(f"{name} stands there twice, with different needs.", code="contract.table-twice", fix=fix)
            found[name] = need
        except StorageError:
            raise
        except SchemaError as error:
            faults += _of_table(error, reader.argument, key, in_file=is_file(said))
        if len(faults) > MAX_FAULTS:
            break
    if faults:
        raise ContractError.of(faults[:MAX_FAULTS])
    return found


def _of_table(error: SchemaError, argument: str, key: Any, *, in_file: bool) -> Iterator[Fault]:
    """The faults of one table, by its name."""
    name, step = key if isinstance(key, str) and len(key) <= 200 and key.isprintable() else shown(key), ": " if in_file else "."
    for fault in error.faults:
        inside = "" if fault.path in ("", key) else f"{step}{clean(fault.path)}"
        yield fault._replace(path=f"{argument}.{name}{inside}")
