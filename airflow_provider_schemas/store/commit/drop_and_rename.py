"""Drop a table, or give it another name. Data are deleted only with purge.

`commit_steps.reached` does nothing: at these places tests stop, delay or kill a writer.
"""

from collections.abc import Mapping

from airflow_provider_schemas.core.report import Consumer
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, IncompatibleSchemaError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.commit import refusals, registry_in_use
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import (
    Layout,
    bindings_folder,
    checkpoints_folder,
    contracts_folder,
    manifests_folder,
    plans_folder,
    waivers_folder,
)
from airflow_provider_schemas.store.registry import contracts, removals
from airflow_provider_schemas.store.registry.json_records import bytes_of, first
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.table_state import Subject
from airflow_provider_schemas.store.versions.version_log import Versions

# What lies in the folder of a table without data.
_NO_DATA = frozenset({"schema", "metadata", "branch", "snapshot", "tag", "consumer"})
# How many readers an error names.
_SHOWN = 10
# And how many a record.
_RECORDED = 1_000
_HANGING = (contracts_folder, waivers_folder, plans_folder, bindings_folder)
_CACHES = (manifests_folder, checkpoints_folder)


def drop(subject: Subject, *, purge: bool, override: str, if_exists: bool) -> None:
    """Delete the schema files of a table; with purge, all of its folder."""
    subject.check_writable()
    if not subject.exists():
        if if_exists:
            registry_in_use.check_store(subject.roots, subject.name.database)  # its schemas may lie in a registry that is not there
            return
        raise subject.missing()
    registry_in_use.check_table(subject, deletes=True)
    _check_jobs(subject, override)
    place = subject.place
    data = _data(subject)
    if data and not purge:
        more = " ..." if len(data) > 3 else ""
        message = f"{subject.name} has data beside its schemas: {', '.join(data[:3])}{more}."
        raise AlreadyThereError(message, code="table.has-data", path=str(subject.name), fix="Pass purge=True to delete them as well.")
    begun = _record_reason(subject, override, purge=purge)
    if not place.files.delete_folder(place.folder):
        begun.take_back(subject.registry)  # somebody else was first, and has a record of their own
        if not if_exists:
            raise subject.missing()
        begun = removals.Begun()
    if guarantee(place.files.protocol).means is Means.CONDITION:
        _delete_late_versions(subject.versions)
    commit_steps.reached(commit_steps.DROPPED)
    _forget(subject.registry, subject.name)
    begun.note_end(subject.registry)


def _delete_late_versions(versions: Versions) -> None:
    """Delete versions that were made of one that was dropped just now: their writers see that as well, if they live."""
    while late := [number for number in _without_parent(versions) if _has_parent(versions, number)]:
        for number in late:
            versions.files.delete(versions.numbered.path(number))


def _without_parent(versions: Versions) -> list[int]:
    """Return the versions of which the one before is not there."""
    entries = versions.entries()
    return [number for number in entries if number and number - 1 not in entries]


def _has_parent(versions: Versions, number: int) -> bool:
    """Return whether a version says that it was made of the one before it; not, where it cannot be read, or is an outside writer's."""
    try:
        provenance = versions.read(number).provenance
    except SchemaError:
        return False
    return provenance is not None and provenance.parent_id == number - 1


def _data(subject: Subject) -> list[str]:
    """Return what lies beside the schemas; a registry holds no data."""
    if subject.place.layout is Layout.REGISTRY:
        return []
    entries = subject.place.files.list(subject.place.folder)
    return sorted(entry.name for entry in entries if entry.name not in _NO_DATA and not entry.name.startswith("."))


def _check_jobs(subject: Subject, override: str, *, rename: bool = False) -> None:
    """Refuse to take the name of a table away from its readers, unless there is a reason."""
    if arguments.short_text(override, "override").strip():
        return
    jobs = _readers(subject)
    if not jobs:
        return
    message = f"{subject.name} is used by {first(jobs, _SHOWN)}."
    fix = "Have them remove their contracts, or pass override with the reason."
    if rename:
        message += " They would not find it under another name."
        fix = "Agree on a day with them, and pass override with the reason: their contracts go along. Or have them remove their contracts."
    raise IncompatibleSchemaError(message, code="table.in-use", path=str(subject.name), fix=fix)


def _readers(subject: Subject) -> list[str]:
    """Return the jobs that use a table, and the contracts that cannot be read."""
    listed = contracts.listed(subject.registry, subject.name)
    blocking = contracts.active(listed).blocking
    jobs = [refusals.called(Consumer(contract.name, contract.owner, contract.contact)) for contract in blocking]
    return [*jobs, *(f"a reader or writer whose contract cannot be read ({contract.path})" for contract in listed.unreadable)]


def _record_reason(subject: Subject, override: str, *, to: TableName | None = None, purge: bool = False) -> removals.Begun:
    """Record the reason for a drop or a rename before it is done: afterwards nobody may be left to record it."""
    if not override.strip():
        return removals.Begun()
    roots = subject.roots
    roots.check_writable(roots.registry, f"the reason about {subject.name}")
    registry_in_use.check_for_records(subject)
    jobs = _readers(subject)[:_RECORDED]
    record = removals.record_of(subject.name, _head(subject), override, jobs, to=to, purge=purge, actor=roots.actor)
    names = [subject.name] if to is None else [subject.name, to]
    return removals.begin(roots.registry, record, names, alone=roots.single_writer)


def _head(subject: Subject) -> Version | None:
    """Return the newest version; None where its file cannot be understood, which keeps nobody from dropping the table."""
    try:
        return subject.latest()
    except StorageError:
        raise
    except SchemaError:
        return None


def _forget(registry: Files, name: TableName) -> None:
    """Delete the records about a table, so that a new table of its name does not inherit them."""
    for folder in (*_HANGING, *_CACHES):
        registry.delete_folder(folder(name))


# ---------------------------------------------------------------- renaming


def rename(old: Subject, new: Subject, *, override: str) -> None:
    """Move the folder of a table, and the records about it. The jobs that read it under its old name count, as for a drop."""
    old.check_writable()
    target = _folder_like(old, new)
    _check_movable(old, new, target)
    registry_in_use.check_table(old, deletes=True)
    _check_jobs(old, override, rename=True)
    copied = _copy_records(old.registry, old.name, new.name)
    commit_steps.reached(commit_steps.COPIED)
    begun = _move(old, new, target, copied, override)
    commit_steps.reached(commit_steps.MOVED)
    try:
        _check_jobs(old, override, rename=True)  # a job may have come after that look, and before the move
    except SchemaError:
        old.place.files.move_folder(target, old.place.folder)
        _delete_copies(old.registry, copied)
        raise
    for path, new_path in _records(old.registry, old.name, new.name).items():
        if path not in copied:  # it came meanwhile
            old.registry.put(new_path, old.registry.read(path))
    _forget(old.registry, old.name)
    begun.note_end(old.registry)
    head = new.latest()
    if head is not None:
        new.after_commit(head)


def _move(old: Subject, new: Subject, target: str, copied: Mapping[str, str], override: str) -> removals.Begun:
    """Move the folder of the table, once the reason is recorded; where it can't be moved, no record stays under the new name."""
    begun = removals.Begun()
    try:
        _check_jobs(old, override, rename=True)  # a job may have come while the rest was copied
        begun = _record_reason(old, override, to=new.name)
        old.place.files.move_folder(old.place.folder, target)
    except SchemaError:
        _delete_copies(old.registry, copied)
        if old.exists():
            begun.take_back(old.registry)
        _check_movable(old, new, target)  # somebody came meanwhile: that has an error of its own
        raise
    return begun


def _delete_copies(registry: Files, copied: Mapping[str, str]) -> None:
    """Delete the copies of records under a name that the table does not get."""
    for path in copied.values():
        registry.delete(path)


def _check_movable(old: Subject, new: Subject, target: str) -> None:
    """Raise if the table is not there, if its new name is taken, or if its data would have to be copied."""
    if not old.exists():
        raise old.missing()
    files = old.place.files
    taken = ""
    if new.exists():
        taken = f"a table {new.name}"
    elif files.exists(target):
        taken = f"a folder {files.url}/{target}"
    if taken:
        raise AlreadyThereError(f"there is {taken} already.", code="table.exists", path=str(new.name), fix="Choose another name.")
    if guarantee(files.protocol).means is Means.CONDITION and _data(old):
        message = f"{old.name} has data beside its schemas, and {files.protocol} cannot rename a folder at once."
        raise AlreadyThereError(message, code="table.has-data", path=str(old.name), fix="Rename it through the engine.")


def _folder_like(old: Subject, new: Subject) -> str:
    """Return the folder of the table under its new name, in the layout that it has."""
    if old.place.layout is Layout.REGISTRY:
        return old.roots.registered(new.name).folder
    return old.roots.beside(new.name).folder


def _records(registry: Files, old: TableName, new: TableName) -> dict[str, str]:
    """Return the files of the records about a table, and where they would lie under its new name."""
    paths: dict[str, str] = {}
    for folder in _HANGING:
        old_folder = folder(old)
        new_folder = folder(new)
        paths |= {path: new_folder + path.removeprefix(old_folder) for path, _ in registry.walk(old_folder)}
    return paths


def _copy_records(registry: Files, old: TableName, new: TableName) -> dict[str, str]:
    """Copy the records about a table under its new name, before it moves: without its contracts anybody could change it."""
    paths = _records(registry, old, new)
    data = registry.read_many([*paths, *paths.values()])
    taken = [target for path, target in paths.items() if not isinstance(data[target], NotThereError) and data[target] != data[path]]
    if taken:
        message = f"something hangs on the name {new} already: {first(taken)}."
        raise AlreadyThereError(message, code="table.name-in-use", path=str(new), fix="Take it away, or choose another name.")
    for path, target in paths.items():
        registry.put(target, bytes_of(data[path]))
    return paths
