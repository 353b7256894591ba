"""Schemas that chains held as bytes of Arrow: read, written, and refused when they are something else."""

import subprocess
import sys

import pyarrow as pa  # noqa: TID253  # these are schemas of pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.arrow.ipc_schema import read_raw_arrow
from airflow_provider_schemas.formats.odf.flatbuffer.layout import TableLayout
from airflow_provider_schemas.formats.odf.flatbuffer.writer import BlockWriter
from tests.formats.odf.support.raw_arrow import write_raw_arrow
from tests.support.odf_blocks import TWO_COLUMNS

_UNITS = ("s", "ms", "us", "ns")
_PLAIN = [pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.date32(), pa.date64(), pa.time32("s"), pa.time64("ns")]
_BYTES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(7)]
_LEAVES = st.one_of(
    st.sampled_from([*_PLAIN, *_BYTES, pa.dictionary(pa.int8(), pa.string())]),
    st.builds(pa.timestamp, st.sampled_from(_UNITS), st.sampled_from([None, "UTC", "+10:30", "Europe/Berlin"])),
    st.builds(pa.duration, st.sampled_from(_UNITS)),
    st.builds(pa.decimal256, st.integers(1, 76), st.integers(-10, 10)),
)
_NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
_METADATA = st.none() | st.dictionaries(st.sampled_from(["a", "ä", "k/v"]), st.text(st.characters(codec="utf-8"), max_size=5), min_size=1)


def _fields(types: st.SearchStrategy[pa.DataType]) -> st.SearchStrategy[list[pa.Field]]:
    return st.lists(st.builds(pa.field, _NAMES, types, nullable=st.booleans(), metadata=_METADATA), max_size=4)


def _nested(inner: st.SearchStrategy[pa.DataType]) -> st.SearchStrategy[pa.DataType]:
    lists = [st.builds(make, inner) for make in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view)]
    return st.one_of(*lists, st.builds(pa.list_, inner, st.integers(0, 9)), st.builds(pa.map_, inner, inner), _fields(inner).map(pa.struct))


SCHEMAS = st.builds(pa.schema, _fields(st.recursive(_LEAVES, _nested, max_leaves=6)), metadata=_METADATA)

# Reads what comes in, a length and bytes at a time, and says how each ended.
_READER = """
import sys
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.arrow.ipc_schema import read_raw_arrow
source = sys.stdin.buffer
while size := source.read(4):
    raw = source.read(int.from_bytes(size, "little"))
    try:
        read_raw_arrow(raw)
        print("read")
    except FormatError as error:
        print("refused")
"""


def test_the_bytes_of_an_old_chain_are_a_schema() -> None:
    wanted = pa.schema([pa.field("a", pa.int64(), nullable=False), pa.field("b", pa.bool_(), nullable=False)])
    assert read_raw_arrow(TWO_COLUMNS).equals(wanted, check_metadata=True)


@given(SCHEMAS)
def test_what_was_written_is_read_back(schema: pa.Schema) -> None:
    assert read_raw_arrow(write_raw_arrow(schema)).equals(schema, check_metadata=True)


@pytest.mark.parametrize("size", range(len(TWO_COLUMNS) - 8))
def test_a_schema_that_is_cut_off_is_refused(size: int) -> None:
    with pytest.raises(FormatError):
        read_raw_arrow(TWO_COLUMNS[:size])


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(FormatError, match="no schema of Arrow"):
        read_raw_arrow(TWO_COLUMNS.replace(b"\1\0\0\0b", b"\1\0\0\0\xff"))


def test_a_message_of_arrow_is_no_bare_schema() -> None:
    with pytest.raises(FormatError):
        read_raw_arrow(pa.schema([("a", pa.int64())]).serialize().to_pybytes())


@given(st.binary(max_size=300))
def test_bytes_of_anything_are_refused(raw: bytes) -> None:
    with pytest.raises(FormatError, match="no schema of Arrow"):
        read_raw_arrow(raw)


def _nested_fields(levels: int, children: int) -> bytes:
    """A schema of one field, which has several children at each level that are one and the same."""
    writer = BlockWriter()
    inside: int | None = None
    for _ in range(levels):
        name = writer.builder.CreateString("a")
        field = writer.table(TableLayout("@ B B @ @ @ @"), name, 1, 13, writer.empty(), None, inside, None)
        writer.builder.StartVector(4, children, 4)
        for _ in range(children):
            writer.builder.PrependUOffsetTRelative(field)
        inside = int(writer.builder.EndVector())
    return writer.finished(writer.table(TableLayout("h @ @ @"), None, inside, None, None))


def test_fields_that_share_their_children_are_not_followed_for_ever() -> None:
    assert read_raw_arrow(_nested_fields(1, 3)).names == ["a", "a", "a"]
    for levels, children in ((20, 10), (3, 1_000), (65, 1), (10_000, 1)):
        with pytest.raises(FormatError, match="no schema of Arrow"):
            read_raw_arrow(_nested_fields(levels, children))


def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.ipc", None)
    with pytest.raises(FormatError, match=r'pip install "airflow-provider-schemas\[arrow\]"'):
        read_raw_arrow(TWO_COLUMNS)


def test_no_byte_changed_to_anything_ends_the_process() -> None:
    one_changed = [TWO_COLUMNS[:at] + bytes([value]) + TWO_COLUMNS[at + 1 :] for at in range(len(TWO_COLUMNS)) for value in range(256)]
    given = b"".join(len(raw).to_bytes(4, "little") + raw for raw in one_changed)
    done = subprocess.run([sys.executable, "-c", _READER], input=given, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.split()
    assert len(answers) == len(one_changed)
    assert set(answers) == {b"read", b"refused"}
