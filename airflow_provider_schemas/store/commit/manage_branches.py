"""Branches of a table: schema folders of their own, made by copying the versions of another."""

from collections.abc import Mapping

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import AlreadyThereError, NotThereError, SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.layout.identifiers import new_branch_name
from airflow_provider_schemas.store.layout.paths import BRANCH, joined, sidecar_file
from airflow_provider_schemas.store.registry.json_records import bytes_of
from airflow_provider_schemas.store.storage.files import Gone, Parent, PathTaken
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions import lost_parent
from airflow_provider_schemas.store.versions.version_log import Versions


def branches(subject: Subject) -> tuple[str, ...]:
    """Return the names of the branches that have a schema folder, without the main one: one listing."""
    folder = joined(subject.place.folder, "branch")
    entries = subject.place.files.list(folder)
    return tuple(sorted(entry.name.removeprefix(BRANCH) for entry in entries if entry.folder and entry.name.startswith(BRANCH)))


def create_branch(subject: Subject, name: str, number: int | None) -> None:
    """Copy the versions up to this one, or all, into a new branch. The newest goes first, so that a branch has its head from the start."""
    name = new_branch_name(name)
    subject.check_writable()
    registry_in_use.check_table(subject)
    versions = subject.versions
    numbers = [existing for existing in versions.entries() if number is None or existing <= number]
    if number is not None and number not in numbers:
        raise versions.missing(number, str(subject.name))
    if not numbers:
        raise subject.missing()
    branch = Versions(versions.files, versions.folder, versions.layout, name, versions.cache, alone=versions.numbered.alone)
    if branch.entries():
        message = f"{subject.name} has a branch {shown(name)} already."
        raise AlreadyThereError(message, code="branch.exists", path=str(subject.name), fix="Choose another name.")
    _copy(versions, branch, numbers)


def _copy(source: Versions, target: Versions, numbers: list[int]) -> None:
    """Copy the files of versions into a branch, the newest first."""
    files: Mapping[int, bytes | SchemaError] = source.numbered.read_many(numbers)
    newest = max(numbers)
    for number in sorted(numbers, reverse=True):
        data = files[number]
        if isinstance(data, NotThereError) and number != newest:
            continue  # expired meanwhile
        if isinstance(data, SchemaError):
            raise data
        if source.mini:
            _copy_sidecar(source, target, data)
        try:
            _create(source, target, number, data, files)
        except PathTaken as taken:
            raise _made_by_others(target) from taken
        except Gone as error:
            raise lost_parent.not_written(target.numbered, number) from error
        if number == newest and target.numbered.numbers() != [number]:  # another writer made the branch of another version
            target.files.delete(target.numbered.path(number))
            raise _made_by_others(target)


def _create(source: Versions, target: Versions, number: int, data: bytes, files: Mapping[int, bytes | SchemaError]) -> None:
    """Write one version of the branch: the newest while the table still has it, all others while the branch has that one."""
    newest = max(files)
    digest = file_digest(bytes_of(files[newest]))
    if number == newest:
        target.numbered.create(number, data, None, parent=Parent(source.numbered.path(newest), digest))
    else:
        target.numbered.create(number, data, newest, parent=Parent(target.numbered.path(newest), digest))


def _made_by_others(target: Versions) -> AlreadyThereError:
    """Return the error that another writer made the same branch at the same moment."""
    message = f"the branch {shown(target.branch)} was made by somebody else at the same moment."
    return AlreadyThereError(message, code="branch.exists", path=target.branch, fix="Look at it, or choose another name.")


def _copy_sidecar(source: Versions, target: Versions, data: bytes) -> None:
    """Copy what Mini Paimon's file of a version cannot hold, and what lies beside it."""
    sidecar = source.read_sidecar(data)
    if sidecar is not None:
        path = sidecar_file(target.folder, file_digest(data), target.branch)
        target.files.put(path, sidecar)
