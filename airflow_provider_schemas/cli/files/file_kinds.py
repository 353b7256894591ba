"""What a file of a folder is, by its content, and which table it is about: without parsing it."""

import re
from enum import StrEnum

from airflow_provider_schemas.cli.files.schema_files import kind_of, may_be_table_file

# The table of a file whose first key says it in plain letters.
_TABLE = re.compile(rb"^table[ \t]*:[ \t]+([A-Za-z0-9_$-]+\.[A-Za-z0-9_$-]+)[ \t]*(?:[ \t]#[^\n]*)?\r?$", re.MULTILINE)
_JOB_KEY = re.compile(rb"^(?:\xef\xbb\xbf)?(?:\{\s*)?[\"']?(?:job|reads|writes)[\"']?\s*:", re.MULTILINE)
_POLICY_KEY = re.compile(rb"^(?:protect|mode|against|rules|exceptions|enforce_from|registry_complete|descriptions)\s*:", re.MULTILINE)
# What stands in git in place of a file that is kept elsewhere, or that is encrypted.
_STAND_INS = (b"version https://git-lfs.github.com/", b"\x00GITCRYPT")


class FileKind(StrEnum):
    """What a file is, by its content."""

    TABLE = "table file"
    CONTRACT = "file of a job"
    POLICY = "policy"
    STAND_IN = "file that git does not hold"
    OTHER = "file of another kind"


def kind_of_text(data: bytes, path: str) -> FileKind:
    """Return what a text is."""
    if data.startswith(_STAND_INS):
        return FileKind.STAND_IN
    if kind_of(data, path) == "table-file" and may_be_table_file(data):
        return FileKind.TABLE
    if _JOB_KEY.search(data):
        return FileKind.CONTRACT
    if _POLICY_KEY.search(data):
        return FileKind.POLICY
    return FileKind.OTHER


def table_in(data: bytes) -> str:
    """Return the table that a table file is about; empty where only parsing the file tells."""
    names = _TABLE.findall(data)
    if len(names) != 1:
        return ""
    return str(names[0], "ascii")
