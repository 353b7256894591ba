"""Which contracts a change mends: those that the old schema does not fulfil and the new one does; and which difference mends each."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.compatibility.broken_contracts import EXPLAINED_BY, plain, top
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.report import Consumer, Finding, Verdict
from airflow_provider_schemas.core.schema.field_lookup import Lookup

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class MendedContracts:
    """The contracts that one step mends, by the index of the observation that mends them."""

    def __init__(
        self,
        old: Lookup,
        new: Lookup,
        contracts: "Sequence[Contract]",
        observations: Sequence[Observation],
        *,
        now: datetime,
        readers: Sequence[Reader] = (),
    ) -> None:
        self._old = old
        self._new = new
        self._observations = observations
        self._now = now
        self._readers = readers
        self._consumers_by_index: dict[int, list[Consumer]] = {}
        if contracts:
            self._find(contracts)

    def consumers_mended_by(self, index: int) -> tuple[Consumer, ...]:
        """Return the consumers whose contracts the observation at this index mends."""
        return tuple(self._consumers_by_index.get(index, ()))

    def _find(self, contracts: "Sequence[Contract]") -> None:
        touched = frozenset(_touched(self._observations))
        for contract in contracts:
            indexes = dict.fromkeys(map(self._find_mending, self._mended_lacks(contract, touched)))
            for index in indexes:
                consumer = Consumer(contract.name or "this job", contract.owner, contract.contact)
                self._consumers_by_index.setdefault(index, []).append(consumer)

    def _mended_lacks(self, contract: "Contract", touched: frozenset[str | int]) -> list[Finding]:
        """Return what the old schema did not give; nothing, if the new one does not give all that the contract needs."""
        from airflow_provider_schemas.core.contracts.check_contract import unfit

        found = unfit(self._old, contract, names=touched, now=self._now, engines=self._readers)
        lacks = [lack for lack in found if lack.verdict is Verdict.BREAK]
        if not lacks or _lacks_anything(self._old, self._new, contract, self._now, self._readers):
            return []
        return lacks

    def _find_mending(self, lack: Finding) -> int:
        """Return the index of the observation that mends a lack: at its path, of its field, in its column; else by its rule."""
        path = plain(lack.path)
        column = top(lack.path)
        tests: tuple[Callable[[Observation], bool], ...] = (
            lambda observation: path in (plain(observation.where.new), plain(observation.path)),
            lambda observation: lack.id is not None and observation.id == lack.id,
            lambda observation: column in (top(observation.where.new), top(observation.path)),
            lambda observation: observation.rule in EXPLAINED_BY[lack.rule],
        )
        for fits in tests:
            for index, observation in enumerate(self._observations):
                if fits(observation):
                    return index
        return 0


def mends(old: Lookup, new: Lookup, contract: "Contract", now: datetime, engines: Sequence[Reader] = ()) -> bool:
    """Return whether the old schema does not give a contract what it needs, and the new one does."""
    return _lacks_anything(None, old, contract, now, engines) and not _lacks_anything(old, new, contract, now, engines)


def _lacks_anything(seen: Lookup | None, schema: Lookup, contract: "Contract", now: datetime, readers: Sequence[Reader]) -> bool:
    """Return whether the schema lacks anything that the contract needs; a name means what it meant in the schema that the job knew."""
    from airflow_provider_schemas.core.contracts.check_contract import unfit

    return any(lack.verdict is Verdict.BREAK for lack in unfit(schema, contract, seen=seen, now=now, engines=readers))


def _touched(observations: Sequence[Observation]) -> Iterator[str | int]:
    """Yield how contracts may call the columns that differ."""
    for observation in observations:
        yield from (top(path) for path in (*observation.paths, observation.where.new) if path)
        yield from (field_id for field_id in (observation.where.column, observation.id) if field_id is not None)
