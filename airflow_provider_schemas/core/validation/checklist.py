"""What a check is, and which checks a table needs: those of the options that it sets, and those of every table.

Most checks are about options or types that few tables have. A checklist finds the checks by the options and types of a table, so that
a table pays for what it uses.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_options import COLUMN_PREFIX
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.validation.facts import Facts
from airflow_provider_schemas.errors import SchemaError

Check = Callable[[Facts], Iterable[Finding]]

# Any option that begins with the word; the rest names columns or indexes.
OPTIONS_OF_COLUMNS: Final = COLUMN_PREFIX
FILE_INDEXES: Final = "file-index."
ATTRIBUTES: Final = "schemas."
_PREFIXES = (OPTIONS_OF_COLUMNS, FILE_INDEXES, ATTRIBUTES)


class Requirement(Struct, frozen=True):
    """A check of a single condition: what must not be, where, and what to do."""

    code: str
    path: str
    broken: Callable[[Facts], bool]
    message: str
    fix: str

    def __call__(self, facts: Facts) -> Iterable[Finding]:
        if self.broken(facts):
            yield Finding(self.code, self.path, self.message, self.fix)


class Conditional(NamedTuple):
    """A check that finds nothing in a table without any of these options and roots of types."""

    check: Check
    options: frozenset[str]
    roots: frozenset[Root]


Entry = Check | Conditional


def where(*conditions: str | Root) -> Callable[..., tuple[Conditional, ...]]:
    """Make checks conditional: they run where one of these options is set, or one of these roots occurs."""
    options = frozenset(condition for condition in conditions if not isinstance(condition, Root))
    roots = frozenset(condition for condition in conditions if isinstance(condition, Root))
    return lambda *checks: tuple(Conditional(check, options, roots) for check in checks)


class Checklist:
    """Checks in their order."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.checks: list[Check] = []
        self._always: list[int] = []
        self._by_condition: dict[str | Root, list[int]] = {}
        for number, entry in enumerate(entries):
            if isinstance(entry, Conditional):
                self.checks.append(entry.check)
                for condition in (*entry.options, *entry.roots):
                    self._by_condition.setdefault(condition, []).append(number)
            else:
                self.checks.append(entry)
                self._always.append(number)
        self._for_all = [self.checks[number] for number in self._always]
        self._roots = frozenset(condition for condition in self._by_condition if isinstance(condition, Root))

    def asked(self, facts: Facts) -> list[Check]:
        """Return the checks that this table needs."""
        conditions = self._conditions(facts)
        if not conditions:
            return self._for_all
        numbers = set(self._always)
        for condition in conditions:
            numbers.update(self._by_condition[condition])
        return [self.checks[number] for number in sorted(numbers)]

    def _conditions(self, facts: Facts) -> list[str | Root]:
        """Return the conditions of checks that the table meets."""
        options = [key for key in facts.options if key in self._by_condition or key.startswith(_PREFIXES)]
        prefixes = [prefix for prefix in _PREFIXES if any(key.startswith(prefix) for key in options)]
        roots = self._roots.intersection(_roots(facts))
        return [condition for condition in (*options, *prefixes, *roots) if condition in self._by_condition]

    def findings(self, facts: Facts) -> Iterator[Finding]:
        """Yield the findings of the checks, in their order."""
        for check in self.asked(facts):
            try:
                yield from check(facts)
            except SchemaError:
                continue  # an option or a type it needs cannot be read, which is a finding of its own


def _roots(facts: Facts) -> frozenset[Root]:
    try:
        return facts.roots
    except SchemaError:
        return frozenset()  # a type that cannot be read is a finding of its own, and no check that needs the roots finds anything
