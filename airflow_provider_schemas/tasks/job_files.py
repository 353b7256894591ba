"""Files that arguments of a task name: beside the DAG, or where a URL points and tasks may read. Each is read once."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.check_contract import checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import ContractError, NotThereError
from airflow_provider_schemas.formats import contract_file
from airflow_provider_schemas.formats.user_file import WrittenFile
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.tasks.address_prefixes import FileLocation, is_web
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import CONTRACT, open_as
from airflow_provider_schemas.tasks.template_values import Value

_SUFFIXES = (".yaml", ".yml", ".json")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s]+")
_JOB_KEYS = frozenset({"job", "reads", "writes"})
# A name that is longer is the text of a contract.
_MAX_NAME = 2_000
# More than a file of a job for tens of thousands of tables.
_MAX_BYTES = 64 * 1024 * 1024
_MAX_TABLES = 10
_REDIRECTS = range(300, 400)
_WORDS = {False: "reads", True: "writes"}


async def _refuse_redirect(response: Any) -> None:
    """Raise for a redirect: nobody has allowed tasks to read where it leads. Other errors are the library's."""
    if response.status in _REDIRECTS:
        label = without_credentials(str(response.url))
        message = f"the server answers with {response.status}, which leads elsewhere, and tasks do not follow."
        raise ContractError(message, code="file.redirected", path=label, fix="Name the address at which the file itself lies.")


# What fsspec hands on to each request.
_WEB_OPTIONS: dict[str, Any] = {"allow_redirects": False, "raise_for_status": _refuse_redirect}


def is_file(value: Value) -> bool:
    """Return whether this names a file, and not a table, and does not hold the text of a contract."""
    if isinstance(value, Path):
        return True
    if not isinstance(value, str) or len(value) > _MAX_NAME or "\n" in value.strip():
        return False
    name = value.strip()
    return name.lower().endswith(_SUFFIXES) or _URL.fullmatch(name) is not None


class JobFiles:
    """Files as paths from the folder of the DAG file, or URLs; only such as tasks may read."""

    def __init__(self, folder: Path | FilePlaces | None, argument: str = "") -> None:
        """Allow the files of these places, or of one folder. Argument is the one that names the files, for messages."""
        self._places = folder if isinstance(folder, FilePlaces) else FilePlaces(folder)
        self._argument = argument
        self._read: dict[str, WrittenFile | tuple[Contract, ...]] = {}

    def read_tables(self, file: Value, *, writes: bool) -> dict[str, Contract]:
        """Return what a file of a job says of all tables that it reads, or writes."""
        name, content = self._open(file)
        if isinstance(content, WrittenFile):
            message = "this is a contract, and which table it is about is not said."
            fix = "Write the file of a job, with job: and reads:, or name the table: {'db.table': <this file>}."
            raise ContractError(message, code="contract.no-table", path=name, fix=fix)
        tables = {contract.table: contract for contract in content if contract.writes == writes}
        if tables:
            return tables
        fix = f"Pass it as {_WORDS[not writes]}=, or add {_WORDS[writes]}: to it."
        raise ContractError(f"the file names no table that the job {_WORDS[writes]}.", code="contract.empty", path=name, fix=fix)

    def read_table(self, file: Value, table: str, *, writes: bool) -> Contract:
        """Return what a file says of one table: a contract, or the file of a job that names the table among others."""
        name, content = self._open(file)
        if isinstance(content, WrittenFile):
            return content.read(ContractError, checked_contract)
        for contract in content:
            if contract.table == table and contract.writes == writes:
                return contract
        tables = [contract.table for contract in content[:_MAX_TABLES]]
        if len(content) > _MAX_TABLES:
            tables.append("...")
        message = f"the file does not say that the job {_WORDS[writes]} {table}."
        raise ContractError(message, code="contract.no-table", path=name, fix=f"It names {', '.join(tables)}.")

    def _open(self, file: Value) -> tuple[str, WrittenFile | tuple[Contract, ...]]:
        """Return the name of a file as messages show it, and what it holds: one contract, or those of a job."""
        name = str(file).strip()
        label = without_credentials(name)
        if name not in self._read:
            data = self.read_bytes(name)
            document = open_as(CONTRACT, data, label)
            is_of_job = isinstance(document.value, Mapping) and bool(_JOB_KEYS & document.value.keys())
            self._read[name] = contract_file.read(data, label) if is_of_job else document
        return label, self._read[name]

    def read_bytes(self, name: str) -> bytes:
        """Read a file, if it lies where tasks may read."""
        label = without_credentials(name)
        address = self._address(name, label)
        try:
            location = self._places.allowed(address, label)
            return _read_location(location, address)
        except NotThereError:
            raise self._missing_file_error(name, label) from None
        except ContractError as error:
            raise ContractError.of(fault._replace(path=self._at(fault.path)) for fault in error.faults) from None

    def _missing_file_error(self, name: str, label: str) -> ContractError:
        where = ""
        fix = "Check the path."
        if _is_relative(name):
            where = f" in {self._places.folder}"  # without one, a relative path is refused before
            fix = "Paths are read from the folder of the DAG file."
        return ContractError(f"there is no file {shown(label)}{where}.", code="contract.no-file", path=self._at(label), fix=fix)

    def _at(self, label: str) -> str:
        return f"{self._argument}: {label}" if self._argument else label

    def _address(self, name: str, label: str) -> str:
        if not _is_relative(name):
            return name
        if self._places.folder is None:
            message = f"{shown(label)} is read from the folder of the DAG file, and that is not known."
            raise ContractError(message, code="contract.no-folder", path=self._at(label), fix="Write the whole path, or a URL.")
        return str(self._places.folder / name)


def _read_location(location: FileLocation, address: str) -> bytes:
    """Read the file at its location: what was allowed is what is read."""
    if location.is_local:
        folder, _, file = location.path.rpartition("/")
        return open_files(folder or "/").read(file, _MAX_BYTES)
    # A query may hold slashes, and what stands behind the last slash of the path is the file.
    path, mark, query = _split_query(_with_lower_scheme(address))
    folder, _, file = path.rpartition("/")
    options = _WEB_OPTIONS if location.is_web else None
    return open_files(folder, storage_options=options).read(f"{file}{mark}{query}", _MAX_BYTES)


def _with_lower_scheme(address: str) -> str:
    scheme, mark, rest = address.partition("://")
    return f"{scheme.lower()}{mark}{rest}"


def _split_query(address: str) -> tuple[str, str, str]:
    """Return the path of a file, and the query of a URL: file names on disks and in buckets may hold question marks."""
    if not is_web(address):
        return address, "", ""
    return address.partition("?")


def _is_relative(name: str) -> bool:
    return _URL.fullmatch(name) is None and not Path(name).is_absolute()
