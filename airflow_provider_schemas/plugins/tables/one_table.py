"""One table: its versions, its columns and since when they are so, whom to call, its policy, waivers and branches."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.addresses import address
from airflow_provider_schemas.plugins.tables.columns import blame_of
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.plugins.tables.table_rows import attributes
from airflow_provider_schemas.plugins.tables.version_list import VersionList, newest_versions
from airflow_provider_schemas.render.version_entries import when
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.roots import location_of

_MOST_COLUMNS: Final = 200


class WaiverRow(Struct, frozen=True):
    """A finding that is let through, until when, and why."""

    rule: str
    path: str
    until: str
    reason: str
    by: str = ""
    consumer: str = ""


class TableSummary(Struct, frozen=True):
    """What is known of a table besides its columns."""

    version: str
    written: str
    comment: str = ""
    owner: str = ""
    contact: str = ""
    columns: int = 0
    primary_keys: tuple[str, ...] = ()
    partition_keys: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    """What the policy protects, in words; a sentence where it cannot be read."""
    waivers: tuple[WaiverRow, ...] = ()
    branches: tuple[tuple[str, str], ...] = ()
    """The branches, each with its address, the one that is shown without."""
    location: str = ""
    source: str = ""
    """The table format, where others keep the table."""
    notes: tuple[str, ...] = ()


def content(asked: Asked) -> Mapping[str, object]:
    """Return the versions, the columns and what else is known."""
    with open_table(asked, rules=True) as opened:
        versions = newest_versions(opened)
        head = _head(opened, versions)
        columns = _columns(opened, versions)
        return {
            **opened.frame("table"),
            "facts": _facts(opened, head),
            "versions": versions,
            "blame": columns,
            "more_columns": max(0, len(head.schema.fields) - _MOST_COLUMNS),
            "differences_address": opened.address("diff"),
            "columns_address": opened.address("columns"),
        }


def _head(opened: OpenTable, versions: VersionList) -> Version:
    """Return the newest version, as it may be shown; an error if that is the one that cannot be read."""
    head = opened.table.latest()
    known = {version.number: version for version in versions.versions}
    return known.get(head.number, head)


def _columns(opened: OpenTable, versions: VersionList) -> TableBlame:
    """Return the columns of the newest version, since when each is so; those at the top of a wide table alone."""
    blame = blame_of(opened, versions)
    if len(blame.columns) <= _MOST_COLUMNS:
        return blame
    return replace(blame, columns=blame.columns[:_MOST_COLUMNS])


def _facts(opened: OpenTable, head: Version) -> TableSummary:
    schema = head.schema
    about = attributes(head)
    policy, waivers, notes = _policy(opened)
    return TableSummary(
        f"v{head.number}",
        when(head),
        schema.comment or "",
        about.get("owner", ""),
        about.get("contact", ""),
        len(schema.fields),
        tuple(schema.primary_keys),
        tuple(schema.partition_keys),
        policy,
        waivers,
        _branches(opened),
        _location(opened),
        opened.table.subject.roots.mounts[opened.table.database].kind if opened.is_mounted else "",
        notes,
    )


# ---------------------------------------------------------------- policy and waivers


def _policy(opened: OpenTable) -> tuple[tuple[str, ...], tuple[WaiverRow, ...], tuple[str, ...]]:
    """Return what the policy protects, the waivers that count, and what could not be read of them."""
    try:
        policy = opened.table.policy()
        waivers = opened.table.waivers()
        unreadable = len(opened.table.unreadable_waivers())
    except StorageError:
        raise
    except SchemaError as error:
        return (f"It cannot be read ({error.code}): changes of the table are refused until it is mended.",), (), ()
    rows = tuple(
        WaiverRow(waiver.rule, waiver.path, waiver.until, waiver.reason, waiver.by, waiver.consumer)
        for waiver in (*waivers, *(exception for exception in policy.exceptions if exception not in waivers))
    )
    notes = (f"{unreadable} of the waivers cannot be read: they lift nothing.",) if unreadable else ()
    return tuple(_policy_words(policy)), rows, notes


def _policy_words(policy: Policy) -> list[str]:
    protect = policy.protect
    words = [policy.name] if policy.name else []
    if protect.word:
        words.append(protect.word)
    words.append(f"data {protect.data}, jobs {protect.jobs}, writers {protect.writers}, against {policy.against} versions")
    if policy.enforce_from:
        words.append(f"enforced from {policy.enforce_from}")
    return words


# ---------------------------------------------------------------- branches and location


def _branches(opened: OpenTable) -> tuple[tuple[str, str], ...]:
    names = opened.table.branches()
    if not names and opened.branch == MAIN:
        return ()
    return tuple((name, _branch_address(opened, name)) for name in (MAIN, *names))


def _branch_address(opened: OpenTable, name: str) -> str:
    if name == opened.branch:
        return ""
    return address("table", conn=opened.conn_id, t=opened.name, branch=name)


def _location(opened: OpenTable) -> str:
    """Return where the table lies, for who may read the connection."""
    if not opened.may_see_addresses:
        return ""
    if opened.is_mounted:
        return without_credentials(opened.table.subject.roots.mounts[opened.table.database].url)
    place = opened.table.place
    known = location_of(opened.table.latest().schema)
    return without_credentials(known or f"{place.files.url}/{place.folder}")
