"""What ODF's documents cost beside the plain libraries on the same bytes: `python -m tests.benchmarks.odf_documents [fields]`.

PyYAML in C and json make plain values; we make a checked schema, and text that is byte for byte the reference's.
"""

import json
import sys
import time
from collections.abc import Callable

import yaml

from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField
from airflow_provider_schemas.formats.odf.serialization import yaml_text
from airflow_provider_schemas.formats.odf.serialization.json_text import dump, load

ROUNDS = 5
_KINDS: tuple[types.DataType, ...] = (
    PLAIN[Kind.STRING],
    types.Option(PLAIN[Kind.INT64]),
    types.Timestamp(TimeUnit.MILLISECOND, "UTC"),
    types.Decimal(10, 2),
    types.List(PLAIN[Kind.STRING]),
    types.Struct((DataField("x", PLAIN[Kind.INT32]),)),
)


def schema(count: int) -> DataSchema:
    """A schema of so many fields, every third with a description."""
    return DataSchema(tuple(_field(number) for number in range(count)))


def _field(number: int) -> DataField:
    extra = None if number % 3 else Attributes({"opendatafabric.org/description": f"what the field {number} holds"})
    return DataField(f"column_{number}", _KINDS[number % len(_KINDS)], extra)


def best(call: Callable[[], object]) -> float:
    """Milliseconds of the fastest round."""
    found = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        call()
        found.append(time.perf_counter() - begin)
    return 1000 * min(found)


def main() -> None:
    whole = schema(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    as_yaml, as_json = yaml_text.dump(whole).text, dump(whole).text
    value = json.loads(as_json)
    pairs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "YAML in": (lambda: yaml_text.load(as_yaml), lambda: yaml.load(as_yaml, Loader=yaml.CSafeLoader)),
        "YAML out": (lambda: yaml_text.dump(whole), lambda: yaml.dump(value, Dumper=yaml.CSafeDumper)),
        "JSON in": (lambda: load(as_json), lambda: json.loads(as_json)),
        "JSON out": (lambda: dump(whole), lambda: json.dumps(value)),
    }
    print(f"{len(whole.fields):,} fields, {len(as_yaml):,} bytes of YAML, {len(as_json):,} of JSON")
    for name, (ours, theirs) in pairs.items():
        mine, plain = best(ours), best(theirs)
        print(f"{name:9} {mine:8.1f} ms, the plain library {plain:8.1f} ms: {mine / plain:.2f} times")


if __name__ == "__main__":
    main()
