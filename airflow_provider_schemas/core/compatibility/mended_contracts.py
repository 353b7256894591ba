"""Whom a change mends: the contracts that the old schema does not fulfil and the new one does, and the difference that mends each."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.compatibility.broken_contracts import EXPLAINED_BY, plain, top
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.report import Consumer, Finding, Verdict
from airflow_provider_schemas.core.schema.field_lookup import Lookup

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class Mended:
    """The contracts that one step mends, by the number of the observation that mends them."""

    def __init__(
        self,
        old: Lookup,
        new: Lookup,
        contracts: "Sequence[Contract]",
        seen: Sequence[Observation],
        *,
        now: datetime,
        engines: Sequence[Reader] = (),
    ) -> None:
        self.old, self.new, self.seen = old, new, seen
        self.now, self.engines = now, engines
        self.of: dict[int, list[Consumer]] = {}
        touched = frozenset(_touched(seen)) if contracts else frozenset()
        for contract in contracts:
            cured = self._cured(contract, touched)
            for number in dict.fromkeys(map(self._cure, cured)):
                self.of.setdefault(number, []).append(Consumer(contract.name or "this job", contract.owner, contract.contact))

    def _cured(self, contract: "Contract", touched: frozenset[str | int]) -> list[Finding]:
        """What the old schema did not give; nothing, if the new one does not give all that the contract needs."""
        from airflow_provider_schemas.core.contracts.check_contract import unfit

        found = unfit(self.old, contract, names=touched, now=self.now, engines=self.engines)
        lacks = [one for one in found if one.verdict is Verdict.BREAK]
        return lacks if lacks and not _lacks(self.old, self.new, contract, self.now, self.engines) else []

    def _cure(self, lack: Finding) -> int:
        """The difference that mends it: at its place, of its field, in its column; else one that speaks of such matters."""
        path = plain(lack.path)
        tests = (
            lambda one: path in (plain(one.where.new), plain(one.path)),
            lambda one: lack.id is not None and one.id == lack.id,
            lambda one: top(lack.path) in (top(one.where.new), top(one.path)),
            lambda one: one.rule in EXPLAINED_BY[lack.rule],
        )
        for fits in tests:
            for number, one in enumerate(self.seen):
                if fits(one):
                    return number
        return 0


def mends(old: Lookup, new: Lookup, contract: "Contract", now: datetime, engines: Sequence[Reader] = ()) -> bool:
    """Whether the old schema does not give a contract what it needs, and the new one does."""
    return _lacks(None, old, contract, now, engines) and not _lacks(old, new, contract, now, engines)


def _lacks(seen: Lookup | None, there: Lookup, contract: "Contract", now: datetime, engines: Sequence[Reader]) -> bool:
    """Whether anything that the contract needs is missing there; a name means what it meant in the schema that was seen."""
    from airflow_provider_schemas.core.contracts.check_contract import unfit

    return any(one.verdict is Verdict.BREAK for one in unfit(there, contract, seen=seen, now=now, engines=engines))


def _touched(seen: Sequence[Observation]) -> Iterator[str | int]:
    """How contracts may call the columns that differ."""
    for one in seen:
        yield from (top(path) for path in (*one.paths, one.where.new) if path)
        yield from (number for number in (one.where.column, one.id) if number is not None)
