"""What a job needs, as people write it: tables, a contract for each, or the file of a job that names several."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault, SchemaError, StorageError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.check_tables import REGISTERED
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file
from airflow_provider_schemas.tasks.template_values import Value, is_empty, parse_value

TableNeed = Contract | str | None
"""What is needed of one table: a contract, '@registered', or None where the author named the table alone."""
Needs = dict[str, TableNeed]

_FORMS = 'Pass "db.table", a list of such names, {"db.table": contract}, or the path of a file of a job.'
_EMPTY = f"{_FORMS} Leave it out where nothing is meant."
_MAX_KEY = 200


def read_needs(value: Value, argument: str, *, folder: Path | FilePlaces | None) -> Needs:
    """Read what is needed of each table. Paths are read from the folder, which is that of the DAG file.

    Nothing at all is a mistake and raises, as does whatever cannot be read: every fault at once, each with its table.
    """
    files = JobFiles(folder)
    writes = argument == "writes"
    needs: Needs = {}
    try:
        tables = parse_value(value, argument)
        if is_file(tables):
            needs.update(files.read_tables(tables, writes=writes))
        else:
            needs = _read_tables(_pairs(tables, argument), _TableReader(argument, files, writes))
    except StorageError:  # the storage may be there at the next try
        raise
    except SchemaError as error:
        raise ContractError.of(_with_argument(fault, argument) for fault in error.faults) from None
    if not needs:
        raise _no_table_error(argument)
    return needs


def _with_argument(fault: Fault, argument: str) -> Fault:
    """Return the fault with the name of its argument in front of its path."""
    if fault.path.startswith(argument):
        return fault
    if not fault.path:
        return fault._replace(path=argument)
    return fault._replace(path=f"{argument}: {fault.path}")


def _no_table_error(argument: str) -> ContractError:
    return ContractError("no table is named.", code="contract.empty", path=argument, fix=_EMPTY)


def _pairs(tables: Value, argument: str) -> Iterable[tuple[Value, Value]]:
    """Return each table with what is needed of it, both as they are written."""
    if isinstance(tables, Mapping):
        return tables.items()
    if is_empty(tables):
        raise _no_table_error(argument)
    if isinstance(tables, str | TableName):
        return [(tables, None)]
    if isinstance(tables, Contract):
        return [_pair(tables)]
    if isinstance(tables, Iterable) and not isinstance(tables, bytes):
        return map(_pair, tables)
    raise ContractError(f"a {type(tables).__name__} names no tables.", code="contract.no-tables", path=argument, fix=_FORMS)


def _pair(entry: Value) -> tuple[Value, Value]:
    """Return a table and what is needed of it. A contract without one does not name a table either."""
    if isinstance(entry, Contract) and entry.table:
        return entry.table, entry
    return entry, None


# ---------------------------------------------------------------- table by table


class _TableReader(NamedTuple):
    """Reads what is needed of one table."""

    argument: str
    files: JobFiles
    writes: bool

    def read(self, table: str, value: Value) -> TableNeed:
        """Read the need of a table; a contract has to need something."""
        if value is None or value == REGISTERED:
            return value  # type: ignore[no-any-return]  # None, or the text
        contract = self._read_contract(table, value)
        if contract.table not in ("", table):
            raise ContractError(f"the contract is about {contract.table}.", code="contract.other-table", fix=f"Write it for {table}.")
        if not (contract.columns or contract.primary_key or contract.partitioned_by):
            fix = "Name a column, or pass None to be told of what breaks readers."
            raise ContractError("nothing is needed of this table.", code="contract.empty", fix=fix)
        return contract

    def _read_contract(self, table: str, value: Value) -> Contract:
        if is_file(value):
            return self.files.read_table(value, table, writes=self.writes)
        if isinstance(value, str) and not value.strip():
            value = []
        return checked_contract(parse_value(value, ""))


def read_table_name(value: Value) -> str:
    """Read the name of a table, without blanks around it."""
    if isinstance(value, str):
        value = value.strip()
    return str(table_name(value))


def _read_tables(pairs: Iterable[tuple[Value, Value]], reader: _TableReader) -> Needs:
    """Read the need of each table; raise the faults of all tables at once."""
    needs: Needs = {}
    faults: list[Fault] = []
    for key, value in pairs:
        try:
            name = read_table_name(key)
            need = reader.read(name, value)
            if name in needs and needs[name] != need:
                fix = "Keep the one that is meant, or write one contract of both."
                raise ContractError(f"{name} stands there twice, with different needs.", code="contract.table-twice", fix=fix)
            needs[name] = need
        except StorageError:
            raise
        except SchemaError as error:
            faults += _table_faults(error, reader.argument, key, in_file=is_file(value))
        if len(faults) > MAX_FAULTS:
            break
    if faults:
        raise ContractError.of(faults[:MAX_FAULTS])
    return needs


def _table_faults(error: SchemaError, argument: str, key: Value, *, in_file: bool) -> Iterator[Fault]:
    """Yield the faults of one table, each under the name of the table."""
    is_plain = isinstance(key, str) and len(key) <= _MAX_KEY and key.isprintable()
    table_path = f"{argument}.{key if is_plain else shown(key)}"
    separator = ": " if in_file else "."
    for fault in error.faults:
        if fault.path in ("", key):
            yield fault._replace(path=table_path)
        else:
            yield fault._replace(path=f"{table_path}{separator}{clean(fault.path)}")
