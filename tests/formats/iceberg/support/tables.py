"""Metadata files of Iceberg, as writers of each version write them."""

import json
from typing import Any

from hypothesis import strategies as st

from airflow_provider_schemas.formats.iceberg.leaf_types import FROM_ICEBERG
from tests.formats.support.strategies import names, texts


def column(number: int, name: str, kind: Any, *, required: bool = False, **more: Any) -> dict[str, Any]:
    """A field."""
    return {"id": number, "name": name, "required": required, "type": kind, **more}


def schema(*columns: Any, number: int | None = 0, **more: Any) -> dict[str, Any]:
    """A schema; without a number, one of the first version."""
    own = {} if number is None else {"schema-id": number}
    return {"type": "struct", **own, "fields": list(columns), **more}


def list_of(number: int, kind: Any, *, required: bool = False) -> dict[str, Any]:
    return {"type": "list", "element-id": number, "element": kind, "element-required": required}


def map_of(key: int, key_kind: Any, value: int, value_kind: Any, *, required: bool = False) -> dict[str, Any]:
    return {"type": "map", "key-id": key, "key": key_kind, "value-id": value, "value": value_kind, "value-required": required}


ORDERS = schema(column(1, "id", "long", required=True), column(2, "at", "timestamptz"))
WIDER = schema(*ORDERS["fields"], column(3, "coupon", "string", doc="as typed"), number=1)


def table(*schemas: Any, **more: Any) -> dict[str, Any]:
    """A metadata file of the second version, whose current schema is the last one."""
    sources = list(schemas or [ORDERS])
    members = {
        "format-version": 2,
        "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
        "location": "s3://lake/shop/orders",
        "last-updated-ms": 1_700_000_000_000,
        "last-column-id": 3,
        "schemas": sources,
        "current-schema-id": sources[-1].get("schema-id", 0),
    }
    return {**members, **more}


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


# ---------------------------------------------------------------- any schema

_DECIMALS = st.integers(1, 38).flatmap(lambda digits: st.integers(0, digits).map(lambda scale: f"decimal({digits}, {scale})"))
LEAVES = st.one_of(
    st.sampled_from(sorted(FROM_ICEBERG)),
    _DECIMALS,
    st.integers(1, 2**31 - 1).map(lambda length: f"fixed[{length}]"),
    st.sampled_from(["geometry(EPSG:3857)", "geography(EPSG:4326, karney)", "interval", "geography(OGC:CRS84, planar)", "it's (new)"]),
)


@st.composite
def _around(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    required = draw(st.booleans())
    kind = draw(st.sampled_from(["struct", "list", "map"]))
    if kind == "struct":
        fields = draw(st.lists(st.tuples(names, inner, st.booleans()), max_size=3, unique_by=lambda entry: entry[0]))
        return {"type": "struct", "fields": [column(0, name, part, required=needed) for name, part, needed in fields]}
    if kind == "list":
        return list_of(0, draw(inner), required=required)
    return map_of(0, draw(inner), 0, draw(inner), required=required)


TYPES: st.SearchStrategy[Any] = st.recursive(LEAVES, _around, max_leaves=6)
NAMES = names | st.sampled_from(["", " ", "a.b", "A", "a"])


# Values of defaults, of types that fit and of others: files hold both.
VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.just("2024-02-29T01:02:03"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["1", "keys"]), inner, max_size=2),
    max_leaves=3,
)


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Any schema, with ids as a table has them after some changes: each one once, in no order."""
    entries = draw(
        st.lists(st.tuples(NAMES, TYPES, st.booleans(), st.none() | texts), min_size=1, max_size=4, unique_by=lambda entry: entry[0])
    )
    columns = []
    for name, kind, required, doc in entries:
        more: dict[str, Any] = {} if doc is None else {"doc": doc}
        for key in draw(st.sets(st.sampled_from(["initial-default", "write-default"]))):
            more[key] = draw(VALUES)
        columns.append(column(0, name, kind, required=required, **more))
    whole = schema(*columns, number=draw(st.integers(0, 5)))
    places = list(_places_of_ids(whole))
    numbers = draw(st.lists(st.integers(1, 5_000), min_size=len(places), max_size=len(places), unique=True))
    for (owner, key), number in zip(places, numbers, strict=True):
        owner[key] = number
    if draw(st.booleans()):
        whole["identifier-field-ids"] = [columns[0]["id"]]
    return json.loads(json.dumps(whole))  # type: ignore[no-any-return]  # parts of a type that was drawn twice are two values


def _places_of_ids(value: Any) -> Any:
    """Yield the objects that have ids, each with the key."""
    if not isinstance(value, dict):
        return
    for key in ("id", "element-id", "key-id", "value-id"):
        if key in value:
            yield value, key
    for part in (*value.get("fields", ()), value.get("type"), value.get("element"), value.get("key"), value.get("value")):
        yield from _places_of_ids(part)
