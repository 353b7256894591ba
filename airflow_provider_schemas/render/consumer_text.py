"""The readers and writers of a report as text: their names, and whom to call."""

from datetime import datetime

from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer
from airflow_provider_schemas.render.sanitize import JOINED, clean

NAMELESS = "a reader or writer without a name"
ANY_JOB = "this job"
"""What a finding calls a job that has no name."""

_DAYS = {0: "today", 1: "yesterday"}


def clean_consumer(consumer: Consumer) -> Consumer:
    """Return the reader with texts that can be shown."""
    shown = Consumer(*(clean(getattr(consumer, name)) for name in Consumer.__struct_fields__))
    if shown.name:
        return shown
    return replace(shown, name=NAMELESS)


def is_nameless(job: Consumer) -> bool:
    """Return whether a job has neither a name, an owner nor a contact."""
    return job.name == ANY_JOB and not job.owner and not job.contact


def without_default_name(job: Consumer) -> Consumer:
    """Return the job with a name that can follow the word job."""
    if job.name == ANY_JOB:
        return replace(job, name="without a name")
    return job


def who(consumer: Consumer, now: datetime | None = None) -> str:
    """Return a reader and whom to call: daily_report (team-bi, #bi-oncall, last seen today)."""
    details = [part for part in (consumer.owner, consumer.contact) if part]
    if consumer.last_seen:
        details.append(f"last{JOINED}seen{JOINED}{_days_ago(consumer.last_seen, now)}")
    if details:
        return f"{consumer.name} ({', '.join(details)})"
    return consumer.name


def _days_ago(moment: str, now: datetime | None) -> str:
    """Return how many days ago a day or time was; the day if it lies ahead, or there is no `now`; the text itself if it is no time."""
    try:
        day = datetime.fromisoformat(moment).date()
    except ValueError:
        return moment
    if now is None or day > now.date():
        return day.isoformat()
    days = (now.date() - day).days
    return _DAYS.get(days, f"{days} days ago")
