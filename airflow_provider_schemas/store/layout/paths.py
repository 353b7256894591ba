"""Make the paths of everything that a store keeps: pure strings, relative to the root of a warehouse or of a registry.

    paimon       {db}.db/{table}/schema/schema-N                beside the data of a Paimon table
    mini-paimon  {db}/{table}/schema/schema-N, {table}/metadata  beside the data, without `.db`
    registry     {db}.db/{table}/schema/schema-N                in a root of our own
    mounted      {db}.db/{table}/schema/schema-N                in no root: what another catalog keeps, seen as files

A branch has a schema folder of its own below `branch/branch-{name}`. A registry also holds contracts, policies, waivers, plans, bindings,
reasons why tables were dropped, and caches of facts about manifests and versions.
"""

from enum import StrEnum

from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName


class Layout(StrEnum):
    """How a warehouse keeps the schemas of its tables."""

    PAIMON = "paimon"
    MINI_PAIMON = "mini-paimon"
    REGISTRY = "registry"
    MOUNTED = "mounted"


OF_WAREHOUSES = (Layout.PAIMON, Layout.MINI_PAIMON, Layout.REGISTRY)
"""The layouts in which a warehouse can be opened. A table is mounted because its database is."""
KEPT_ELSEWHERE = frozenset({Layout.REGISTRY, Layout.MOUNTED})
"""The layouts of tables whose data are of another format than Paimon's, at a location of their own."""


DATABASE_END = ".db"
SCHEMA_FILE = "schema-"
BRANCH = "branch-"
DEFAULT_REGISTRY = "_schemas"
REGISTRY_ID = "registry-id.json"
"""The file that tells a registry from every other, and from an empty folder in which no disk is mounted."""


def joined(*parts: str) -> str:
    """Return the parts as one path; empty parts are left out."""
    return "/".join([stripped for part in parts if (stripped := part.strip("/"))])


def database_folder(database: str, layout: Layout) -> str:
    """Return the folder of a database."""
    if layout is Layout.MINI_PAIMON:
        return database
    return f"{database}{DATABASE_END}"


def database_of(folder: str, layout: Layout) -> str | None:
    """Return the database whose folder this is, if it is the folder of a database."""
    if folder.startswith((".", "_")):
        return None
    if layout is Layout.MINI_PAIMON:
        return None if folder.endswith(DATABASE_END) else folder
    database = folder.removesuffix(DATABASE_END)
    return None if database == folder else database


def table_folder(name: TableName, layout: Layout) -> str:
    """Return the folder of a table."""
    return joined(database_folder(name.database, layout), name.table)


def branch_folder(table: str, branch: str = MAIN) -> str:
    """Return the folder of a branch, in which `schema`, `snapshot` and `tag` lie; that of the table for the main branch."""
    if branch == MAIN:
        return table
    return joined(table, "branch", f"{BRANCH}{branch}")


def schema_folder(table: str, branch: str = MAIN) -> str:
    """Return the folder of the schema files of a branch."""
    return joined(branch_folder(table, branch), "schema")


def snapshot_folder(table: str, branch: str = MAIN) -> str:
    """Return the folder in which Paimon says which data a branch has."""
    return joined(branch_folder(table, branch), "snapshot")


def metadata_file(table: str) -> str:
    """Return Mini Paimon's file about a table."""
    return joined(table, "metadata")


def sidecar_file(table: str, digest: str, branch: str = MAIN) -> str:
    """Return the file with what a schema file of Mini Paimon cannot hold. Its name has the digest of the schema file."""
    return joined(schema_folder(table, branch), f".more-{digest}")


# ---------------------------------------------------------------- under the registry


def contracts_folder(name: TableName) -> str:
    """Return the folder of the contracts of a table: below it are teams, then jobs."""
    return joined("contracts", name.database, name.table)


def contract_folder(name: TableName, team: str, consumer: str) -> str:
    """Return the folder of the versions of one contract."""
    return joined(contracts_folder(name), team, consumer)


def waivers_folder(name: TableName) -> str:
    """Return the folder of the waivers about a table."""
    return joined("waivers", name.database, name.table)


def handed_over_folder(name: TableName) -> str:
    """Return the folder of what a registry described of a table that is mounted now: below it are the times that it was handed over."""
    return joined("handed-over", name.database, name.table)


def removals_folder(name: TableName) -> str:
    """Return the folder of the reasons why a table was dropped or renamed although jobs read it. It stays when the table goes."""
    return joined("removals", name.database, name.table)


def plans_folder(name: TableName) -> str:
    """Return the folder of the plans for a table, by their digests."""
    return joined("plans", name.database, name.table)


def bindings_folder(name: TableName) -> str:
    """Return the folder that says which folders of data were written with which version."""
    return joined("bindings", name.database, name.table)


def baselines_folder(name: TableName) -> str:
    """Return the folder of what tasks saw of a table when they last succeeded: below it are teams, then tasks."""
    return joined("baselines", name.database, name.table)


def manifests_folder(name: TableName) -> str:
    """Return the folder of the facts about the manifests of a table: a cache."""
    return joined("references", name.database, name.table)


def manifests_file(name: TableName, branch: str = MAIN) -> str:
    """Return the file of the facts about the manifests of a branch."""
    return joined(manifests_folder(name), f"{branch}.json")


def checkpoints_folder(name: TableName, branch: str | None = None) -> str:
    """Return the folder of the facts about the versions of a table, or of one branch of it: a cache."""
    return joined("checkpoints", name.database, name.table, branch or "")


POLICIES = "policies"
