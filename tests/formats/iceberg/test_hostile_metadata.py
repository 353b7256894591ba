"""Metadata files that are damaged, cut off or made to do harm: each is read, or refused with an error of ours, at a bounded cost."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata
from tests.formats.iceberg.support.metadata_files import (
    ORDERS,
    WIDER,
    array,
    ask_everything,
    column,
    mapping,
    metadata,
    schema,
    struct,
    text,
)

VALID = text(metadata())


def _with(old: bytes, new: bytes) -> bytes:
    assert old in VALID
    return VALID.replace(old, new, 1)


def _nested(levels: int) -> bytes:
    opening = b'{"type": "list", "element-id": 5, "element-required": false, "element": '
    return _with(b'"type": "long"', b'"type": ' + opening * levels + b'"long"' + b"}" * levels)


REFUSED: dict[str, Any] = {
    "nothing": b"",
    "no bytes": None,
    "a number": b"5",
    "a list": b"[]",
    "no UTF-8": b'{"location": "\xff\xfe"}',
    "half a file": VALID[: len(VALID) // 2],
    "lists without end": b"[" * 100_000,
    "objects without end": b'{"a":' * 100_000,
    "types nested without end": _nested(100_000),
    "types nested deeper than any table": _nested(101),
    "an unread member nested without end": _with(b'"owner": "shop"', b'"owner": ' + b"[" * 100_000),
    "no number": _with(b'"last-column-id": 9', b'"last-column-id": NaN'),
    "an endless number": _with(b'"last-column-id": 9', b'"last-column-id": Infinity'),
    "a number of a thousand digits": _with(b'"last-column-id": 9', b'"last-column-id": ' + b"9" * 1_000),
    "a field id beyond 32 bits": _with(b'"id": 1,', b'"id": 2147483648,'),
    "half a pair of surrogates": _with(b"order_id", b"order_\\ud800"),
    "gzip that breaks off": gzip.compress(VALID)[:-20],
    "gzip of gzip": gzip.compress(gzip.compress(VALID)),
    "gzip that is damaged": gzip.compress(VALID)[:30] + b"\x00" * 40,
    "a million empty parts of gzip": gzip.compress(b"") * 1_000_000,
    "zstd": b"\x28\xb5\x2f\xfd\x04\x00" + b"\x00" * 50,
    "a version that nobody knows": _with(b'"format-version": 2', b'"format-version": 27'),
    "two fields of one id": text(metadata(schema(0, column(1, "a"), column(1, "b")))),
    "two fields of one id, one of them nested": text(metadata(schema(0, column(1, "a"), column(2, "b", array(1, "long"))))),
    "two fields of one name": text(metadata(schema(0, column(1, "a"), column(2, "a")))),
    "a decimal of no digits": text(metadata(schema(0, column(1, "a", "decimal(0, 0)")))),
    "a decimal of too many digits": text(metadata(schema(0, column(1, "a", "decimal(9999999, 2)")))),
    "fixed bytes of no length": text(metadata(schema(0, column(1, "a", "fixed[0]")))),
    "a type that is blank": text(metadata(schema(0, column(1, "a", " ")))),
    "a type of a megabyte": text(metadata(schema(0, column(1, "a", "x" * 1_000_000)))),
    "a name of a megabyte": text(metadata(schema(0, column(1, "a" * 1_000_000)))),
    "a type without its parts": text(metadata(schema(0, column(1, "a", {"type": "list"})))),
    "a type of no known shape": text(metadata(schema(0, column(1, "a", {"type": "tree", "fields": []})))),
    "more columns than any table": text(metadata(schema(0, *[column(n, f"c{n}") for n in range(100_001)]))),
    "no schema": text(metadata(schemas=[])),
    "a current schema that is not there": text(metadata(current_schema_id=7)),
    "several schemas, none of them the current one": text(metadata(without=("current-schema-id",))),
}


@pytest.mark.parametrize("hostile", REFUSED)
def test_a_hostile_file_is_refused_with_a_short_error(hostile: str) -> None:
    with pytest.raises(FormatError) as caught:
        ask_everything(read_metadata(REFUSED[hostile]))
    assert len(str(caught.value)) < 30_000
    assert len(caught.value.faults) <= 1_001
    assert all(fault.fix for fault in caught.value.faults)


def test_what_no_schema_needs_may_be_odd() -> None:
    odd = metadata(snapshots="none", refs=5, metadata_log={}, properties=[], statistics=[None], sort_orders=[], unknown={"a": [[1]]})
    found = read_metadata(text(odd))
    assert found.schema_ids == (0, 1)
    for ask in (lambda: found.snapshots, lambda: found.refs, lambda: found.metadata_log):
        with pytest.raises(FormatError):
            ask()


def test_the_last_of_two_keys_counts_in_the_schema_and_in_its_digest() -> None:
    twice = read_metadata(_with(b'"name": "amount"', b'"name": "price", "name": "amount"'))
    assert twice.schema(1) == read_metadata(VALID).schema(1)
    assert twice.digest(1) == read_metadata(VALID).digest(1)


# ---------------------------------------------------------------- damage at any place

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    10**30,
    0.5,
    1e308,
    "",
    "x",
    "long",
    "\x00",
    [],
    [[]],
    [None],
    {},
    {"type": "struct"},
    {"": {}},
)
FILE = metadata(
    schema(0, *ORDERS["fields"], column(4, "tags", array(5, struct(column(6, "key", "uuid"))))),
    schema(1, *WIDER["fields"], column(7, "extra", mapping(8, "string", 9, "fixed[4]")), **{"identifier-field-ids": [1]}),
    partition_specs=[{"spec-id": 0, "fields": [{"name": "a", "transform": "identity", "source-id": 1, "field-id": 1000}]}],
)


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [place] if place else []
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, member in members:
        found += _places(member, (*place, key))
    return found


PLACES = _places(FILE)


def _replaced(place: tuple[Any, ...], value: Any) -> bytes:
    """Return the file with another value at a place; without the member where the value is ..."""
    file = json.loads(text(FILE))
    holder = file
    for key in place[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return json.dumps(file).encode()


def _outcome(data: bytes) -> IcebergMetadata | SchemaError:
    """Return what a file says, once everything was asked; or the error of ours."""
    try:
        found = read_metadata(data)
        ask_everything(found)
    except SchemaError as error:
        return error
    return found


@pytest.mark.parametrize("value", [..., *ODD], ids=repr)
def test_any_value_at_any_place_is_read_or_refused(value: Any) -> None:
    for place in PLACES:
        outcome = _outcome(_replaced(place, value))
        assert isinstance(outcome, IcebergMetadata) or (isinstance(outcome, FormatError) and outcome.faults), place


@given(data=st.binary(max_size=60))
@example(data=b"\x1f\x8b")
@example(data=b"\xef\xbb\xbf{}")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert isinstance(_outcome(data), FormatError)


@given(start=st.integers(0, len(VALID)), length=st.integers(0, 40), new=st.binary(max_size=8), packed=st.booleans())
def test_any_damage_is_read_or_refused(start: int, length: int, new: bytes, packed: bool) -> None:
    damaged = VALID[:start] + new + VALID[start + length :]
    outcome = _outcome(gzip.compress(damaged, 1) if packed else damaged)
    assert isinstance(outcome, IcebergMetadata | FormatError)


@given(place=st.integers(10, 200), byte=st.integers(0, 255))
def test_damaged_gzip_is_refused(place: int, byte: int) -> None:
    packed = bytearray(gzip.compress(VALID, 1))
    packed[place] ^= byte or 1
    outcome = _outcome(bytes(packed))
    assert isinstance(outcome, FormatError)


# ---------------------------------------------------------------- large files

BIG = """
import resource, sys
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.iceberg import read_metadata

data = open(sys.argv[1], "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    found = read_metadata(data)
    answer = len(found.schema(found.current_schema_id).fields)
except SchemaError as error:
    answer = error.code
print(answer, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.fixture
def measured(tmp_path: Any) -> Callable[[bytes], tuple[str, int]]:
    """Return how a process of its own answers to a file, and how much memory that took beyond the file."""

    def measure(data: bytes) -> tuple[str, int]:
        path = tmp_path / "big.metadata.json"
        path.write_bytes(data)
        run = subprocess.run([sys.executable, "-c", BIG, str(path)], capture_output=True, text=True, check=True, env=dict(os.environ))
        answer, grown = run.stdout.split()
        return answer, int(grown)

    return measure


def test_a_file_of_a_thousand_schemas_costs_little_more_than_its_current_one(measured: Callable[[bytes], tuple[str, int]]) -> None:
    columns = [column(number, f"column_number_{number}", "string", doc="what it means") for number in range(1, 601)]
    schemas = [schema(number, *columns) for number in range(1_000)]
    data = text(metadata(*schemas))
    assert len(data) > 50_000_000
    answer, grown = measured(data)
    assert answer == "600"
    assert grown < 20_000_000


def test_a_bomb_of_gzip_is_given_up_at_the_limit(measured: Callable[[bytes], tuple[str, int]]) -> None:
    packed = gzip.compress(b" " * 100_000_000) * 6
    assert len(packed) < 1_000_000
    answer, grown = measured(packed)
    assert answer == "format.too-large"
    assert grown < 600_000_000


def test_the_head_of_a_file_is_read_without_its_snapshots() -> None:
    snapshot = metadata()["snapshots"][0]
    many = read_metadata(text(metadata(snapshots=[snapshot] * 5_000)))
    assert many.schema(1) == read_metadata(VALID).schema(1)
    assert "snapshots" not in vars(many)
    with suppress(FormatError):
        assert len(many.snapshots) == 5_000
