"""What is said of a verdict and of its tables in a few words: the log and a page say it alike."""

from collections.abc import Iterable, Sequence

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.verdict.entries import FindingEntry, TableEntry, VerdictEntry
from airflow_provider_schemas.render.wording import counted

NamedTable = tuple[str, TableEntry]


def requests_text(verdict: VerdictEntry) -> str:
    """Count the requests to the storage, those for registering included."""
    counts = [counted(verdict.lists, "list"), counted(verdict.gets, "get")]
    if verdict.puts:
        counts.append(counted(verdict.puts, "put"))
    requests = f"asked {' + '.join(counts)}, {verdict.millis} ms"
    if verdict.conn_id:
        return f"{clean(verdict.conn_id)}: {requests}"
    return requests


def worst_first(tables: Iterable[NamedTable]) -> list[NamedTable]:
    """Return the tables, the worst first; equals in the order in which the task names them."""
    return sorted(tables, key=lambda item: (-SEVERITY[item[1].verdict], item[1].position))


def table_subject(name: str, table: TableEntry) -> str:
    """Return the table with both versions: shop.orders v41 -> v42."""
    if table.subject:
        return table.subject
    return clean(name) if table.version is None else f"{clean(name)} v{table.version}"


def quiet_table(name: str, table: TableEntry) -> str:
    """Return a table that fits, and what its verdict is based on."""
    subject = table_subject(name, table)
    return f"{subject} ({clean(table.basis)})" if table.basis else subject


# ---------------------------------------------------------------- numbers


def is_loud(finding: FindingEntry) -> bool:
    """Return whether a finding is told one by one: it is not fine, or is let through."""
    return finding.verdict is not Verdict.OK or bool(finding.waived)


def hidden_numbers(table: TableEntry, printed: Sequence[FindingEntry]) -> dict[Verdict, int]:
    """Return how many findings of each verdict are not printed, those that are fine apart."""
    numbers = verdict_numbers(table)
    numbers[Verdict.OK] -= table.fine.count
    for finding in printed:
        numbers[finding.verdict] -= 1
    return {verdict: max(0, number) for verdict, number in numbers.items()}


def verdict_numbers(table: TableEntry) -> dict[Verdict, int]:
    """Return how many findings there are of each verdict. Verdicts of earlier releases count those that they hold."""
    if table.counts:
        return {verdict: table.counts.get(verdict, 0) for verdict in Verdict}
    numbers = dict.fromkeys(Verdict, 0)
    for finding in table.findings:
        numbers[finding.verdict] += 1
    # Those without room were no worse than the last one that is there.
    numbers[table.findings[-1].verdict if table.findings else table.verdict] += table.more
    return numbers


def numbers_text(numbers: dict[Verdict, int]) -> str:
    """Return how many there are of each verdict, the worst first: 1 break, 2 ok."""
    return ", ".join(f"{numbers[verdict]:,} {verdict.value}" for verdict in reversed(Verdict) if numbers.get(verdict))
