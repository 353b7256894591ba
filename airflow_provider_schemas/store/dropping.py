"""Taking a table away, and giving it another name. Data are touched only by whoever says so."""

from airflow_provider_schemas.core.report import Consumer
from airflow_provider_schemas.errors import AlreadyThereError, IncompatibleSchemaError
from airflow_provider_schemas.store import contracts, judgement
from airflow_provider_schemas.store.files import Files
from airflow_provider_schemas.store.guarantees import Means, guarantee
from airflow_provider_schemas.store.layout import Layout, bindings_folder, contracts_folder, manifests_folder, plans_folder, waivers_folder
from airflow_provider_schemas.store.names import TableName
from airflow_provider_schemas.store.subject import Subject

# What lies in the folder of a table without data.
_NO_DATA = frozenset({"schema", "metadata", "branch", "snapshot", "tag", "consumer"})
_HANGING = (contracts_folder, waivers_folder, plans_folder, bindings_folder)


def drop(subject: Subject, *, purge: bool, override: str, if_exists: bool) -> None:
    """Take the schema files of a table away; with purge, all of its folder."""
    subject.check_writable()
    if not subject.exists():
        if if_exists:
            return
        raise subject.missing()
    _check_jobs(subject, override)
    place = subject.place
    data = _data(subject)
    if data and not purge:
        message = f"{subject.name} has data beside its schemas: {', '.join(data[:3])}{' ...' if len(data) > 3 else ''}."
        raise AlreadyThereError(message, code="table.has-data", path=str(subject.name), fix="Pass purge=True to delete them as well.")
    place.files.delete_folder(place.folder)
    _forget(subject.registry, subject.name)


def _data(subject: Subject) -> list[str]:
    """What lies beside the schemas; a registry holds no data."""
    if subject.place.layout is Layout.REGISTRY:
        return []
    entries = subject.place.files.list(subject.place.folder)
    return sorted(one.name for one in entries if one.name not in _NO_DATA and not one.name.startswith("."))


def _check_jobs(subject: Subject, override: str) -> None:
    listed = contracts.listed(subject.registry, subject.name)
    if override.strip() or not (listed.registered or listed.unreadable):
        return
    jobs = [Consumer(one.consumer, one.contract.owner, one.contract.contact) for one in listed]
    names = ", ".join(map(judgement.called, jobs[:10])) or f"{len(listed.unreadable)} contracts that cannot be read"
    message = f"{subject.name} is used by {names}."
    fix = "Have them remove their contracts, or pass override with the reason."
    raise IncompatibleSchemaError(message, code="table.in-use", path=str(subject.name), fix=fix)


def _forget(registry: Files, name: TableName) -> None:
    """What hung on the table goes with it, so that a new table of its name does not inherit it."""
    for folder in _HANGING:
        registry.delete_folder(folder(name))
    registry.delete_folder(manifests_folder(name))


# ---------------------------------------------------------------- renaming


def rename(old: Subject, new: Subject) -> None:
    """Move the folder of a table, and what hangs on it."""
    old.check_writable()
    if not old.exists():
        raise old.missing()
    if new.exists():
        message = f"there is a table {new.name} already."
        raise AlreadyThereError(message, code="table.exists", path=str(new.name), fix="Choose another name.")
    place, target = old.place, _place_like(old, new)
    remote = guarantee(place.files.protocol).means is Means.CONDITION
    if remote and _data(old):
        message = f"{old.name} has data beside its schemas, and {place.files.protocol} cannot rename a folder at once."
        raise AlreadyThereError(message, code="table.has-data", path=str(old.name), fix="Rename it through the engine.")
    if place.files.exists(target):
        message = f"there is a folder {place.files.url}/{target} already."
        raise AlreadyThereError(message, code="table.exists", path=str(new.name), fix="Choose another name.")
    place.files.move_folder(place.folder, target)
    for folder in _HANGING:
        _move(old.registry, folder(old.name), folder(new.name))
    old.registry.delete_folder(manifests_folder(old.name))  # it is found out again
    head = new.latest()
    if head is not None:
        new.after_commit(head)


def _place_like(old: Subject, new: Subject) -> str:
    found = old.roots.registered(new.name) if old.place.layout is Layout.REGISTRY else old.roots.beside(new.name)
    return found.folder


def _move(files: Files, source: str, target: str) -> None:
    if any(True for _ in files.walk(source)):
        files.move_folder(source, target)
