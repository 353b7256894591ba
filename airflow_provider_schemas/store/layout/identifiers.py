"""Check names that become parts of paths: of databases, tables, branches, teams, jobs and policies."""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, RefusedNameError

MAX_LENGTH = 200
MAIN = "main"

# Separators of any system, wildcards, what a URL or a shell reads otherwise, and whatever cannot be seen.
_FORBIDDEN = re.compile(r"[/\\:*?\"<>|#%\x00-\x1f\x7f\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
# Control and format characters, separators of lines, halves of characters, and what only a private font shows.
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co"})
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{number}" for number in range(1, 10)), *(f"lpt{number}" for number in range(1, 10))]
)
# What nearly all names are: of all that is refused, only names of devices match this.
_PLAIN = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MAX_LENGTH - 1}}}")
_FIX = "Use letters, digits, '_' and '-'."


class TableName(NamedTuple):
    """The name of a table, in two parts."""

    database: str
    table: str

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"


def checked(name: object, what: str) -> str:
    """Return the name, if it can be one folder or file and nothing else."""
    if not isinstance(name, str):
        raise RefusedNameError(f"a {type(name).__name__} is no name of a {what}.", code="name.no-text", fix="Pass text.")
    reason = _find_fault(name)
    if not reason and what == "database" and "." in name:
        reason = "it holds '.', which parts a database from a table"
    if reason:
        raise RefusedNameError(f"{shown(name)} cannot be the name of a {what}: {reason}.", path=name[:MAX_LENGTH], fix=_FIX)
    return name


def _find_fault(name: str) -> str:
    """Return why a text cannot be a name; empty if it can."""
    if _PLAIN.fullmatch(name) and name.lower() not in _DEVICES:
        return ""
    return next((reason for is_wrong, reason in _FAULTS if is_wrong(name)), "")


def _has_unseen(name: str) -> bool:
    """Return whether a name holds a character that cannot be seen."""
    return not name.isascii() and any(unicodedata.category(letter) in _UNSEEN for letter in name)


_FAULTS: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda name: not name or name.isspace(), "it is empty"),
    (lambda name: len(name.encode("utf-8", "surrogatepass")) > MAX_LENGTH, f"it is longer than {MAX_LENGTH} bytes"),
    (_FORBIDDEN.search, "it holds a character that paths, addresses or patterns read otherwise"),
    (_has_unseen, "it holds a character that cannot be seen"),
    (
        lambda name: not name.isascii() and unicodedata.normalize("NFC", name) != name,
        "another spelling of it looks the same, with its letters composed (NFC)",
    ),
    (lambda name: name.startswith((".", "_")), "it begins with a dot or an underscore, as what is no table does"),
    (lambda name: name != name.strip() or name.endswith("."), "it ends or begins with a blank, or ends with a dot"),
    (lambda name: name.split(".", 1)[0].lower() in _DEVICES, "it is the name of a device"),
)


def table_name(name: object) -> TableName:
    """Return the database and the table in `db.t`."""
    if isinstance(name, TableName):
        name = ".".join(map(str, name))  # a TableName can be made without a check
    if not isinstance(name, str):
        raise RefusedNameError(f"a {type(name).__name__} is no name of a table.", code="name.no-text", fix="Write it as 'db.table'.")
    database, dot, table = name.partition(".")
    if not dot or "." in table:
        fix = "Write it as 'db.table'."
        raise RefusedNameError(f"{shown(name)} is no name of a table.", code="name.no-table", path=name[:MAX_LENGTH], fix=fix)
    faults: list[Fault] = []
    for part, what in ((database, "database"), (table, "table")):
        try:
            checked(part, what)
        except RefusedNameError as error:
            faults += error.faults
    if "$" in table:
        faults.append(Fault("name.system-table", name[:MAX_LENGTH], f"{shown(table)} names a system table of Paimon.", _FIX))
    if faults:
        raise RefusedNameError.of(faults)
    return TableName(database, table)


def branch_name(name: str | None) -> str:
    """Return the name of a branch; None and a blank name are the main branch."""
    return MAIN if name is None or not str(name).strip() else checked(name, "branch")


def new_branch_name(name: str) -> str:
    """Return the name, if a new branch can have it."""
    branch = branch_name(name)
    if branch == MAIN or branch.isdecimal():
        reason = "is the main branch" if branch == MAIN else "is a number"
        raise RefusedNameError(f"{shown(str(name))} {reason}, and no name for a new branch.", path=str(name)[:MAX_LENGTH], fix=_FIX)
    return branch


_REGISTRY_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


def is_registry_id(value: object) -> bool:
    """Return whether a value can be the id of a registry."""
    return isinstance(value, str) and bool(_REGISTRY_ID.fullmatch(value))


def on_branch(table: str, branch: str) -> str:
    """Return a table as people type it: with its branch, unless that is the main one."""
    if branch == MAIN:
        return table
    return f"{table}@{branch}"
