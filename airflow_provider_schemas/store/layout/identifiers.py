"""Names that become parts of paths, of databases, tables, branches, teams, jobs and policies: tricks are refused before they touch one."""

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
# What nearly all names are: nothing of what is refused is among them but the devices.
_PLAIN = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{MAX_LENGTH - 1}}}")
_FIX = "Use letters, digits, '_' and '-'."


class TableName(NamedTuple):
    """The name of a table, in two parts."""

    database: str
    table: str

    def __str__(self) -> str:
        return f"{self.database}.{self.table}"


def checked(name: object, what: str) -> str:
    """The name, if it can be one folder or file and nothing else."""
    if not isinstance(name, str):
        raise RefusedNameError(f"a {type(name).__name__} is no name of a {what}.", code="name.no-text", fix="Pass text.")
    reason = _reason(name) or ("it holds '.', which parts a database from a table" if what == "database" and "." in name else "")
    if reason:
        raise RefusedNameError(f"{shown(name)} cannot be the name of a {what}: {reason}.", path=name[:MAX_LENGTH], fix=_FIX)
    return name


def _reason(name: str) -> str:
    """Why this can be no name; empty if it can."""
    if _PLAIN.fullmatch(name) and name.lower() not in _DEVICES:
        return ""
    return next((reason for wrong, reason in _WRONG if wrong(name)), "")


def _unseen(name: str) -> list[str]:
    """The characters that cannot be seen."""
    return [] if name.isascii() else [one for one in name if unicodedata.category(one) in _UNSEEN]


_WRONG: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda name: not name or name.isspace(), "it is empty"),
    (lambda name: len(name.encode("utf-8", "surrogatepass")) > MAX_LENGTH, f"it is longer than {MAX_LENGTH} bytes"),
    (_FORBIDDEN.search, "it holds a character that paths, addresses or patterns read otherwise"),
    (_unseen, "it holds a character that cannot be seen"),
    (
        lambda name: not name.isascii() and unicodedata.normalize("NFC", name) != name,
        "another spelling of it looks the same, with its letters composed (NFC)",
    ),
    (lambda name: name.startswith((".", "_")), "it begins with a dot or an underscore, as what is no table does"),
    (lambda name: name != name.strip() or name.endswith("."), "it ends or begins with a blank, or ends with a dot"),
    (lambda name: name.split(".", 1)[0].lower() in _DEVICES, "it is the name of a device"),
)


def table_name(name: object) -> TableName:
    """The database and the table in `db.t`."""
    if isinstance(name, TableName):
        name = ".".join(map(str, name))  # whoever made it may not have looked at it
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
    """The branch; none, and a blank one, are the main branch."""
    return MAIN if name is None or not str(name).strip() else checked(name, "branch")


def new_branch_name(name: str) -> str:
    """A name that a branch can be given."""
    found = branch_name(name)
    if found == MAIN or found.isdecimal():
        reason = "is the main branch" if found == MAIN else "is a number"
        raise RefusedNameError(f"{shown(str(name))} {reason}, and no name for a new branch.", path=str(name)[:MAX_LENGTH], fix=_FIX)
    return found


_REGISTRY_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


def is_registry_id(value: object) -> bool:
    """Whether this can be the id of a registry."""
    return isinstance(value, str) and bool(_REGISTRY_ID.fullmatch(value))


def on_branch(table: str, branch: str) -> str:
    """A table as it is typed: with its branch, unless that is the main one."""
    return table if branch == MAIN else f"{table}@{branch}"
