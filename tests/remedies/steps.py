"""What somebody does who follows the sentence of a finding: one step after the other."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from airflow_provider_schemas.core import Evidence, TableSchema
from airflow_provider_schemas.core.report import Verdict
from tests.cases.reading import schema_of
from tests.remedies.lake import Lake


class Step(Protocol):
    """Something that is done to a table or around it."""

    def do(self, lake: Lake) -> None:
        """Do it; nothing may refuse it."""


class Evolve(NamedTuple):
    """Changes that are typed into `airflow-schemas evolve`, as one batch."""

    changes: Sequence[str]

    def do(self, lake: Lake) -> None:
        lake.evolve(self.changes)


class Prove(NamedTuple):
    """Changes with what `prove` found out about all live files."""

    changes: Sequence[str]
    evidence: Mapping[str, Any]

    def do(self, lake: Lake) -> None:
        done = lake.table.evolve(list(self.changes), evidence=[Evidence.read(dict(self.evidence))])
        assert done.report.verdict is Verdict.WARN, done.report
        lake.proven.add(lake.newest)


class Register(NamedTuple):
    """What a reader or writer needs from now on."""

    contract: Mapping[str, Any]

    def do(self, lake: Lake) -> None:
        lake.register(self.contract)


class Edit(NamedTuple):
    """Another file than the one that the finding is about, as the sentence says: its columns, keys and options."""

    after: Mapping[str, Any]

    def do(self, lake: Lake) -> None:
        past: list[TableSchema] = [version.schema for version in lake.table.versions()]
        lake.written_by_another_tool(schema_of(self.after, past))


class Create(NamedTuple):
    """A new table with the schema that the old one cannot have."""

    columns: str
    words: Sequence[str] = ()

    def do(self, lake: Lake) -> None:
        done = lake.type("create", "shop.orders_2", self.columns, *self.words)
        assert done.code == 0, done.out
        assert lake.type("check", "shop.orders_2").code == 0


class Policy(NamedTuple):
    """What is protected, and which engines read the table, from now on."""

    policy: Mapping[str, Any]

    def do(self, lake: Lake) -> None:
        lake.store.save_policy(dict(self.policy), override="the sentence of the finding")


def option(number: int, **attributes: Any) -> str:
    """Write what is said about a field as a change of an option."""
    return f"SET OPTION schemas.field.{number} = '{json.dumps(attributes)}'"
