"""Paimon's own schema file, as a format among others.

Nothing of a schema is lost, because the file is our model. Unknown keys are kept at the top level only: those
inside fields and types are lost.
"""

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import of_wire
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss, refuse_opaque

# No type is lost.
LOSSY: tuple[tuple[str, str, str], ...] = ()


def load(source: str | bytes) -> Loaded:
    """Read a schema file, accepting what Java accepts."""
    return Loaded(TableSchema.from_json(source))


def dump(schema: TableSchema) -> Dumped:
    """Write a schema file in Java's key order and layout; refuse types that Paimon does not have."""
    for text in schema.parts.texts:
        kind = of_wire(text)
        if kind.root is Root.OPAQUE:
            refuse_opaque(kind, "Paimon")
    places = [".".join(map(str, place)) for place, _ in schema.unknown if len(place) > 1]
    message = "a key inside a field or type that neither Paimon nor we know is not written."
    return Dumped(schema.to_json(), tuple(Loss(place, "unknown key", message) for place in places))
