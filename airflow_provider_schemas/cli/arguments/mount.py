"""A mount as people type it: the database, and where its tables are.

shop=iceberg:CONN/prod.shop            an Airflow connection of the type iceberg, and a namespace
shop=iceberg:catalog=NAME/prod.shop    a catalog of pyiceberg's own configuration, and a namespace
shop=s3://lake/shop                    a folder of Iceberg tables, a table, or a file of metadata
shop=delta:s3://lake/shop              a folder of Delta tables, or a table
"""

import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterable
from typing import Final, NamedTuple

DELTA: Final = "delta"
KINDS: Final = ("iceberg", DELTA)
_KIND: Final = re.compile(r"(?P<kind>[A-Za-z][A-Za-z0-9_-]*):(?!//)(?P<rest>.*)", re.DOTALL)
_CATALOG: Final = "catalog="
_SHAPE: Final = "write it as DB=iceberg:CONN/NAMESPACE, DB=iceberg:catalog=NAME/NAMESPACE, DB=URL or DB=delta:URL"


class MountOption(NamedTuple):
    """A database that others keep: one of `conn_id`, `catalog` and `url` says where its tables are."""

    typed: str
    database: str
    source: str = "iceberg"
    conn_id: str = ""
    catalog: str = ""
    url: str = ""
    namespace: str = ""
    """Empty for the name of the database."""


def mount(typed: str) -> MountOption:
    """Read a mount; the name of the database and the address are checked when the store is opened."""
    database, equals, place = (part.strip() for part in typed.partition("="))
    if not database or not equals or not place:
        raise ArgumentTypeError(_SHAPE)
    match = _KIND.fullmatch(place)
    if match is None:
        return MountOption(typed, database, url=_address(place))
    if match["kind"] not in KINDS:
        raise ArgumentTypeError(f"{match['kind'][:40]!r} cannot be mounted; there are: {', '.join(KINDS)}")
    return _of_kind(typed, database, match["kind"], match["rest"].strip())


def _of_kind(typed: str, database: str, kind: str, rest: str) -> MountOption:
    if _is_address(rest) or (kind == DELTA and rest):
        return MountOption(typed, database, kind, url=_address(rest))
    name, slash, namespace = rest.removeprefix(_CATALOG).partition("/")
    if not name or (slash and not namespace):
        raise ArgumentTypeError(_SHAPE)
    if rest.startswith(_CATALOG):
        return MountOption(typed, database, kind, catalog=name, namespace=namespace)
    return MountOption(typed, database, kind, conn_id=name, namespace=namespace)


def names_connection(options: Iterable[MountOption]) -> bool:
    """Return whether a mount is reached over a connection of Airflow."""
    return any(option.conn_id for option in options)


def _is_address(text: str) -> bool:
    return "://" in text or text.startswith(("/", "~", "."))


def _address(text: str) -> str:
    """Return an address; a path begins at the current folder, so it is made absolute."""
    if "://" in text:
        return text
    return os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111  # a Path would lose what is wrong with it


def mounts(text: str) -> list[MountOption]:
    """Read the mounts that a variable of the environment holds, with blanks between them."""
    return [mount(word) for word in text.split()]
