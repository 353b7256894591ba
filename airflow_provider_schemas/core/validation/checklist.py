"""What a check is, and which checks a table is asked: those about options that it sets, and those about every table.

Most checks speak of options or types that few tables have. A checklist finds them by what is there, so that a table pays for what it uses.
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
    """A check that needs no more than a question: what must not be, where, and what to do."""

    code: str
    path: str
    broken: Callable[[Facts], bool]
    message: str
    fix: str

    def __call__(self, facts: Facts) -> Iterable[Finding]:
        return (Finding(self.code, self.path, self.message, self.fix),) if self.broken(facts) else ()


class Conditional(NamedTuple):
    """A check that has nothing to say of a table without any of these options and roots of types."""

    check: Check
    options: frozenset[str]
    roots: frozenset[Root]


Entry = Check | Conditional


def where(*conditions: str | Root) -> Callable[..., tuple[Conditional, ...]]:
    """Make checks conditional: they are asked where one of these options is set, or one of these roots occurs."""
    options = frozenset(one for one in conditions if not isinstance(one, Root))
    roots = frozenset(one for one in conditions if isinstance(one, Root))
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
        self._roots = frozenset(one for one in self._by_condition if isinstance(one, Root))

    def asked(self, facts: Facts) -> list[Check]:
        """Give the checks that this table is asked."""
        numbers = {number for condition in self._conditions(facts) for number in self._by_condition[condition]}
        return [self.checks[number] for number in sorted(numbers.union(self._always))] if numbers else self._for_all

    def _conditions(self, facts: Facts) -> list[str | Root]:
        """Give the conditions of checks that the table meets."""
        options = [key for key in facts.options if key in self._by_condition or key.startswith(_PREFIXES)]
        named = [key for key in (*options, *_prefixes(options)) if key in self._by_condition] if options else []
        return [*named, *self._roots.intersection(_roots(facts))]

    def findings(self, facts: Facts) -> Iterator[Finding]:
        """Give what the checks find, in their order."""
        for check in self.asked(facts):
            try:
                yield from check(facts)
            except SchemaError:
                continue  # an option or a type it needs cannot be read, which is a finding of its own


def _roots(facts: Facts) -> frozenset[Root]:
    try:
        return facts.roots
    except SchemaError:
        return frozenset()  # a type that cannot be read is a finding of its own, and no check that needs the roots says anything


def _prefixes(options: Iterable[str]) -> set[str]:
    return {prefix for key in options for prefix in _PREFIXES if key.startswith(prefix)}
