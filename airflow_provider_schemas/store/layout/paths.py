"""Where everything lies: paths as pure strings, relative to the root of a warehouse or of a registry.

    paimon       {db}.db/{table}/schema/schema-N                beside the data of a Paimon table
    mini-paimon  {db}/{table}/schema/schema-N, {table}/metadata  beside the data, without `.db`
    registry     {db}.db/{table}/schema/schema-N                in a root of our own

A branch has a schema folder of its own below `branch/branch-{name}`. Under the registry also lie contracts,
policies, waivers, plans, bindings, why tables were taken away, and what was found out about manifests and
about versions.
"""

from enum import StrEnum

from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName


class Layout(StrEnum):
    """How a warehouse keeps the schemas of its tables."""

    PAIMON = "paimon"
    MINI_PAIMON = "mini-paimon"
    REGISTRY = "registry"


DATABASE_END = ".db"
SCHEMA_FILE = "schema-"
BRANCH = "branch-"
DEFAULT_REGISTRY = "_schemas"
REGISTRY_ID = "registry-id.json"
"""What tells a registry from every other, and from a folder in which none is mounted."""


def joined(*parts: str) -> str:
    """The parts as one path; empty ones are left out."""
    return "/".join([part for one in parts if (part := one.strip("/"))])


def database_folder(database: str, layout: Layout) -> str:
    """The folder of a database."""
    return database if layout is Layout.MINI_PAIMON else f"{database}{DATABASE_END}"


def database_of(folder: str, layout: Layout) -> str | None:
    """The database whose folder this is, if it is one."""
    if folder.startswith((".", "_")):
        return None
    if layout is Layout.MINI_PAIMON:
        return None if folder.endswith(DATABASE_END) else folder
    return folder.removesuffix(DATABASE_END) if folder.endswith(DATABASE_END) and folder != DATABASE_END else None


def table_folder(name: TableName, layout: Layout) -> str:
    """The folder of a table."""
    return joined(database_folder(name.database, layout), name.table)


def branch_folder(table: str, branch: str = MAIN) -> str:
    """The folder of a branch, in which `schema`, `snapshot` and `tag` lie; that of the table for the main branch."""
    return table if branch == MAIN else joined(table, "branch", f"{BRANCH}{branch}")


def schema_folder(table: str, branch: str = MAIN) -> str:
    """The folder of the schema files of a branch."""
    return joined(branch_folder(table, branch), "schema")


def snapshot_folder(table: str, branch: str = MAIN) -> str:
    """The folder in which Paimon says which data a branch has."""
    return joined(branch_folder(table, branch), "snapshot")


def metadata_file(table: str) -> str:
    """Mini Paimon's file about a table."""
    return joined(table, "metadata")


def sidecar_file(table: str, digest: str, branch: str = MAIN) -> str:
    """What a file of Mini Paimon cannot hold, by the digest of that file."""
    return joined(schema_folder(table, branch), f".more-{digest}")


# ---------------------------------------------------------------- under the registry


def contracts_folder(name: TableName) -> str:
    """The contracts of the jobs that use a table; below it teams, then jobs."""
    return joined("contracts", name.database, name.table)


def contract_folder(name: TableName, team: str, consumer: str) -> str:
    """The versions of one contract."""
    return joined(contracts_folder(name), team, consumer)


def waivers_folder(name: TableName) -> str:
    """The waivers about a table."""
    return joined("waivers", name.database, name.table)


def removals_folder(name: TableName) -> str:
    """Why a table of this name was dropped or renamed although jobs read it. It stays when the table goes."""
    return joined("removals", name.database, name.table)


def plans_folder(name: TableName) -> str:
    """The plans for a table, by their digests."""
    return joined("plans", name.database, name.table)


def bindings_folder(name: TableName) -> str:
    """Which folders of data were written with which version."""
    return joined("bindings", name.database, name.table)


def baselines_folder(name: TableName) -> str:
    """What tasks saw of a table when they were last green; below it teams, then tasks."""
    return joined("baselines", name.database, name.table)


def manifests_folder(name: TableName) -> str:
    """What was found out about the manifests of a table."""
    return joined("references", name.database, name.table)


def manifests_file(name: TableName, branch: str = MAIN) -> str:
    """What the manifests of a table say about schemas, so that each is read once."""
    return joined(manifests_folder(name), f"{branch}.json")


def checkpoints_folder(name: TableName, branch: str | None = None) -> str:
    """Facts about the versions of a table, or of one branch of it: a cache."""
    return joined("checkpoints", name.database, name.table, branch or "")


POLICIES = "policies"
