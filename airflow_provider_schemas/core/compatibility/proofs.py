"""Which evidence proves that a change is safe, which does not help an engine, and which was of no use."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.compatibility.old_data import stops
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.types.atomic import DataType

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.evidence import Evidence


class Proofs:
    """The evidence about one step, by path; remembers which of it was used."""

    def __init__(self, evidence: "Sequence[Evidence]", readers: Sequence[Reader]) -> None:
        self._evidence = evidence
        self._readers = readers
        self._by_path: dict[str, list[Evidence]] = {}
        for proof in evidence:
            self._by_path.setdefault(proof.path, []).append(proof)
        self._used: set[Evidence] = set()
        self._useless: dict[str, None] = {}

    def of_not_null(self, observation: Observation) -> "Evidence | None":
        """Return the evidence that no live file holds NULL."""
        return self._first(observation, lambda proof: proof.not_null)

    def of_type(self, observation: Observation, old_type: DataType, earlier_types: Iterable[DataType] = ()) -> "Evidence | None":
        """Return the evidence that all values fit the new type; none where an engine stops at an old type whatever the values are."""
        new_type = observation.after
        if not isinstance(new_type, DataType):
            return None
        proof = self._first(observation, lambda proof: proof.covers(new_type))
        if proof is None:
            return None
        helps = True
        for kind in (old_type, *earlier_types):
            for reader in self._readers:
                if stops(reader, kind, new_type):
                    reason = f"does not help {reader.name}, which reads no file of {kind} as {observation.new}, whatever the values are"
                    self._useless[f"the evidence for {proof.path} {reason}: write the files anew first"] = None
                    helps = False
        if helps:
            return proof
        return None

    def _first(self, observation: Observation, proves: "Callable[[Evidence], bool]") -> "Evidence | None":
        if not self._by_path:
            return None
        for path in observation.paths:
            for proof in self._by_path.get(path, ()):
                if proof.is_about(observation.id) and proves(proof):
                    self._used.add(proof)
                    return proof
        return None

    def notes(self, observations: Sequence[Observation]) -> Iterator[str]:
        """Yield what has to be said of evidence that did not help, or that nothing asked for."""
        if not self._evidence:
            return
        yield from self._useless
        known: set[str] = set()
        for observation in observations:
            known.update(observation.paths)
        for proof in self._evidence:
            if proof.path not in known:
                yield f"the evidence for {proof.path} speaks of nothing that changes"
            elif proof not in self._used:
                clauses = " and ".join(clause for clause in (proof.null_proof, proof.type_proof) if clause)
                yield f"the evidence for {proof.path} proves nothing that is asked here: {clauses}"
