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
from airflow_provider_schemas.tasks import no_redirect
from airflow_provider_schemas.tasks.address_prefixes import Place, is_web
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import CONTRACT, opened_as

_SUFFIXES = (".yaml", ".yml", ".json")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s]+")
_OF_A_JOB = frozenset({"job", "reads", "writes"})
# A name that is longer is the text of a contract.
_LONGEST = 2_000
# More than a file of a job for tens of thousands of tables.
_MAX_BYTES = 64 * 1024 * 1024


def is_file(value: Any) -> bool:
    """Whether this names a file, and is no text of a contract and no name of a table."""
    if isinstance(value, Path):
        return True
    if not isinstance(value, str) or len(value) > _LONGEST or "\n" in value.strip():
        return False
    said = value.strip()
    return said.lower().endswith(_SUFFIXES) or _URL.fullmatch(said) is not None


class JobFiles:
    """Files as paths from the folder of the DAG file, or URLs; only such as tasks may read."""

    def __init__(self, folder: Path | FilePlaces | None, argument: str = "") -> None:
        """A folder alone allows what lies in it. Argument is the one that names the files, for messages."""
        self._places = folder if isinstance(folder, FilePlaces) else FilePlaces(folder)
        self._argument = argument
        self._read: dict[str, WrittenFile | tuple[Contract, ...]] = {}

    def of_tables(self, said: Any, *, writes: bool) -> dict[str, Contract]:
        """What a file of a job says of all tables that it reads, or writes."""
        name, found = self._opened(said)
        if isinstance(found, WrittenFile):
            fix = "Write the file of a job, with job: and reads:, or name the table: {'db.table': <this file>}."
            raise ContractError(
                "this is a contract, and which table it is about is not said.", code="contract.no-table", path=name, fix=fix
            )
        tables = {one.table: one for one in found if one.writes == writes}
        if tables:
            return tables
        word, other = ("writes", "reads") if writes else ("reads", "writes")
        fix = f"Pass it as {other}=, or add {word}: to it."
        raise ContractError(f"the file names no table that the job {word}.", code="contract.empty", path=name, fix=fix)

    def of_table(self, said: Any, table: str, *, writes: bool) -> Contract:
        """What a file says of one table: a contract, or the file of a job that names the table among others."""
        name, found = self._opened(said)
        if isinstance(found, WrittenFile):
            return found.read(ContractError, checked_contract)
        fitting = [one for one in found if one.table == table and one.writes == writes]
        if fitting:
            return fitting[0]
        word = "writes" if writes else "reads"
        tables = ", ".join(one.table for one in found[:10]) + (", ..." if len(found) > 10 else "")
        message, fix = f"the file does not say that the job {word} {table}.", f"It names {tables}."
        raise ContractError(message, code="contract.no-table", path=name, fix=fix)

    def _opened(self, said: Any) -> tuple[str, WrittenFile | tuple[Contract, ...]]:
        name = str(said).strip()
        label = without_credentials(name)
        if name not in self._read:
            data = self.data(name)
            found = opened_as(CONTRACT, data, label)
            of_job = isinstance(found.value, Mapping) and bool(_OF_A_JOB & found.value.keys())
            self._read[name] = contract_file.read(data, label) if of_job else found
        return label, self._read[name]

    def data(self, name: str) -> bytes:
        """The bytes of a file."""
        label = without_credentials(name)
        address = self._address(name, label)
        try:
            place = self._places.allowed(address, label)
            return self._read_at(place, address)
        except NotThereError:
            folder = self._places.folder
            where = f" in {folder}" if folder and _is_relative(name) else ""
            fix = "Paths are read from the folder of the DAG file." if _is_relative(name) else "Check the path."
            message = f"there is no file {shown(label)}{where}."
            raise ContractError(message, code="contract.no-file", path=self._at(label), fix=fix) from None
        except ContractError as error:
            raise ContractError.of(fault._replace(path=self._at(fault.path)) for fault in error.faults) from None

    def _read_at(self, place: Place, address: str) -> bytes:
        """Read the file at its place: what was allowed is what is read."""
        if place.is_local:
            folder, _, file = place.path.rpartition("/")
            return open_files(folder or "/").read(file, _MAX_BYTES)
        # A query may hold slashes, and what stands behind the last slash of the path is the file.
        path, mark, query = _parted(_with_small_scheme(address))
        folder, _, file = path.rpartition("/")
        options = no_redirect.OPTIONS if place.is_web else None
        return open_files(folder, storage_options=options).read(f"{file}{mark}{query}", _MAX_BYTES)

    def _at(self, label: str) -> str:
        return f"{self._argument}: {label}" if self._argument else label

    def _address(self, name: str, label: str) -> str:
        if not _is_relative(name):
            return name
        if self._places.folder is None:
            message = f"{shown(label)} is read from the folder of the DAG file, and that is not known."
            raise ContractError(message, code="contract.no-folder", path=self._at(label), fix="Write the whole path, or a URL.")
        return str(self._places.folder / name)


def _with_small_scheme(address: str) -> str:
    scheme, mark, rest = address.partition("://")
    return f"{scheme.lower()}{mark}{rest}"


def _parted(address: str) -> tuple[str, str, str]:
    """The place of a file, and the query of a URL: file names on disks and in buckets may hold question marks."""
    return address.partition("?") if is_web(address) else (address, "", "")


def _is_relative(name: str) -> bool:
    return _URL.fullmatch(name) is None and not Path(name).is_absolute()
