"""Words about what was compared with what, for the first line of an answer and the key `compared`."""

from argparse import Namespace

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.common.secrets import without_credentials


def name_of(operand: Operand, args: Namespace) -> str:
    """Write orders.yaml, or shop.orders version 3 of s3://bucket/lake."""
    if operand.table is None or operand.version is None:
        return operand.label
    return table_version(operand.table.name, operand.version.number, args, operand.version.branch)


def table_version(table: str, number: int | None, args: Namespace, branch: str | None = None) -> str:
    """Write a version of a table of the store, and where the store lies."""
    words = table
    if branch and branch != "main":
        words += f"@{branch}"
    if number is not None:
        words += f" version {number}"
    return f"{words} of {store_url(args)}"


def store_url(args: Namespace) -> str:
    """Return the address of the store without secrets."""
    return without_credentials(open_store.store(args).url)


def by_itself(subject: str) -> str:
    """Write that a subject was compared with nothing."""
    return f"{subject} with nothing: it was judged by itself"
