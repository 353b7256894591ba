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
    """The names of the branches that have a schema folder, without the main one: one listing."""
    folder = joined(subject.place.folder, "branch")
    entries = subject.place.files.list(folder)
    return tuple(sorted(one.name.removeprefix(BRANCH) for one in entries if one.folder and one.name.startswith(BRANCH)))


def create_branch(subject: Subject, name: str, number: int | None) -> None:
    """Copy the versions up to this one, or all, into a new branch. The newest goes first, so that a branch has its head from the start."""
    name = new_branch_name(name)
    subject.check_writable()
    registry_in_use.check_table(subject)
    versions = subject.versions
    there = [one for one in versions.entries() if number is None or one <= number]
    if number is not None and number not in there:
        raise versions.missing(number, str(subject.name))
    if not there:
        raise subject.missing()
    made = Versions(versions.files, versions.folder, versions.layout, name, versions.cache, alone=versions.numbered.alone)
    if made.entries():
        message = f"{subject.name} has a branch {shown(name)} already."
        raise AlreadyThereError(message, code="branch.exists", path=str(subject.name), fix="Choose another name.")
    _copy(versions, made, there)


def _copy(source: Versions, target: Versions, numbers: list[int]) -> None:
    files: Mapping[int, bytes | SchemaError] = source.numbered.read_many(numbers)
    for number in sorted(numbers, reverse=True):
        data = files[number]
        if isinstance(data, NotThereError) and number != max(numbers):
            continue  # expired meanwhile
        if isinstance(data, SchemaError):
            raise data
        if source.mini:
            _copy_beside(source, target, data)
        try:
            _create(source, target, number, data, files)
        except PathTaken as taken:
            raise _made_by_others(target) from taken
        except Gone as error:
            raise lost_parent.not_written(target.numbered, number) from error
        if number == max(numbers) and target.numbered.numbers() != [number]:  # of another version than this
            target.files.delete(target.numbered.path(number))
            raise _made_by_others(target)


def _create(source: Versions, target: Versions, number: int, data: bytes, files: Mapping[int, bytes | SchemaError]) -> None:
    """Write one version of the branch: the newest while the table still has it, all others while the branch has that one."""
    newest = max(files)
    versions = source if number == newest else target
    parent = Parent(versions.numbered.path(newest), file_digest(bytes_of(files[newest])))
    target.numbered.create(number, data, None if number == newest else newest, parent=parent)


def _made_by_others(target: Versions) -> AlreadyThereError:
    message = f"the branch {shown(target.branch)} was made by somebody else at the same moment."
    return AlreadyThereError(message, code="branch.exists", path=target.branch, fix="Look at it, or choose another name.")


def _copy_beside(source: Versions, target: Versions, data: bytes) -> None:
    beside = source.read_sidecar(data)
    if beside is not None:
        path = sidecar_file(target.folder, file_digest(data), target.branch)
        target.files.put(path, beside)
