"""Delete versions that nobody needs. Who needs them is asked twice: somebody may have come in between."""

from datetime import timedelta

import msgspec

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.retention import expiry
from airflow_provider_schemas.store.retention.expiry import Expiry
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.table_state import Subject


def expire(subject: Subject, older_than: timedelta, *, dry_run: bool) -> Expiry:
    """Return which versions may go, and delete them unless it is a dry run."""
    subject.check_there()
    registry_in_use.check_table(subject, deletes=not dry_run)
    if dry_run:
        return _expire(subject, subject.references(), older_than, dry_run=True)
    subject.check_writable()
    first = _expire(subject, subject.references(), older_than, dry_run=True)
    if not first.deleted:
        return msgspec.structs.replace(first, dry_run=False)
    # Somebody may have bound a folder or registered a job while all this was read; or the registry may have gone.
    references = subject.references()
    registry_in_use.check_table(subject, deletes=True)
    return _expire(subject, references, older_than, dry_run=False)


def _expire(subject: Subject, references: References, older_than: timedelta, *, dry_run: bool) -> Expiry:
    """Hand the versions of a table to `expiry`, which judges and deletes them."""
    place = subject.place
    versions = subject.versions
    try:
        versions.all()
    except SchemaError as error:  # what stands in it may be needed to understand the others
        references = msgspec.structs.replace(references, unreadable=(*references.unreadable, str(error)))
    return expiry.expire(
        place.files,
        place.folder,
        references,
        layout=place.layout,
        now=clock.now_millis() / 1000,
        older_than=older_than,
        own_time=lambda number: versions.read(number).schema.time_millis / 1000,
        dry_run=dry_run,
    )
