"""The file of a job is read into contracts and written from them, and whatever is wrong with it is told with file and line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.contracts.contract import Accepts, Contract, Need, Role, Shape, needs_of
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.formats.contract_file import read, write
from tests.support import damaged
from tests.support.tables import NAMES, tables

DAILY = """\
job: daily_report
owner: team-bi
contact: '#bi-oncall'
reads:
  shop.orders: order_id BIGINT NOT NULL, amount DECIMAL(12, 2)
  shop.users: [user_id, country]
  clicks.web:
    columns:
      url: STRING
      at:
      session: {type: BIGINT, accepts: exact, role: join}
    shape: closed
    primary_key: [url]
writes:
  mart.daily_report: {columns: "day DATE, revenue DECIMAL(18, 2)", shape: positional}
"""


def faults(text: str | bytes) -> list[tuple[str, str]]:
    with pytest.raises(ContractError) as caught:
        read(text, "c.yaml")
    assert all(one.fix for one in caught.value.faults)
    return [(one.path, one.message) for one in caught.value.faults]


def test_every_table_of_a_job_becomes_a_contract() -> None:
    orders, users, web, report = read(DAILY)
    assert {(one.name, one.owner, one.contact) for one in (orders, users, web, report)} == {("daily_report", "team-bi", "#bi-oncall")}
    assert [one.table for one in (orders, users, web, report)] == ["shop.orders", "shop.users", "clicks.web", "mart.daily_report"]
    assert orders.columns[0] == Need(name="order_id", type="BIGINT NOT NULL", nullable=False)
    assert users.columns == (Need(name="user_id"), Need(name="country"))
    assert web.columns == (
        Need(name="url", type="STRING"),
        Need(name="at"),
        Need(name="session", type="BIGINT", accepts=Accepts.EXACT, role=(Role.JOIN,)),
    )
    assert (web.shape, web.primary_key) == (Shape.CLOSED, ("url",))
    assert [one.writes for one in (orders, users, web, report)] == [False, False, False, True]
    assert [one.role for one in report.columns] == [(Role.WRITE,), (Role.WRITE,)]


def test_a_job_may_read_and_write_one_table() -> None:
    first, second = read("job: j\nreads: {a.b: [x]}\nwrites: {a.b: {columns: {x: {role: key}}}}\n")
    assert (first.writes, second.writes) == (False, True)
    assert second.columns[0].role == (Role.KEY, Role.WRITE)


def test_every_fault_is_told_at_once_with_its_line() -> None:
    text = """\
jb: daily
owner: 5
reads:
  shop.orders: order_id BIGNT NOT NULL, x INT, y
  shop.users: [user_id, 7]
  clicks.web:
    columns:
      a: INTT
      b: 5
      c: {type: INT, accepts: exakt}
    shpe: closed
  x.none:
  x.empty: {shape: closed}
  x.text: ""
  x.list:
    - a
    - {name: b, type: INT, rle: key}
  x.writes: {columns: {a: {role: write}}}
writes: []
"""
    assert [path for path, _ in faults(text)] == [
        "c.yaml:1 job",
        "c.yaml:1 jb",
        "c.yaml:2 owner",
        "c.yaml:4 reads.shop.orders.order_id",
        "c.yaml:4 reads.shop.orders.y",
        "c.yaml:5 reads.shop.users[1]",
        "c.yaml:8 reads.clicks.web.columns.a.type",
        "c.yaml:9 reads.clicks.web.columns.b",
        "c.yaml:10 reads.clicks.web.columns.c.accepts",
        "c.yaml:11 reads.clicks.web.shpe",
        "c.yaml:12 reads.x.none",
        "c.yaml:13 reads.x.empty",
        "c.yaml:14 reads.x.text",
        "c.yaml:17 reads.x.list[1].rle",
        "c.yaml:18 reads.x.writes",
        "c.yaml:19 writes",
    ]


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("", "c.yaml:1", "the file is empty."),
        ("job: j", "c.yaml:1", "the job neither reads nor writes a table."),
        ("job: j\nreads: {}", "c.yaml:1", "the job neither reads nor writes a table."),
        ("job: ''\nreads: {a.b: [x]}", "c.yaml:1 job", "'' does not fit here."),
        ("job: j\nreads: {a.b: []}", "c.yaml:2 reads.a.b", "nothing is needed of this table."),
        ("job: j\nreads: {a.b: {}}", "c.yaml:2 reads.a.b", "nothing is needed of this table."),
        ("job: j\nreads: {a.b: 5}", "c.yaml:2 reads.a.b", "5 is no contract."),
        ("job: j\nreads:\n  a.b: [x, x]", "c.yaml:3 reads.a.b.x", "'x' stands there twice."),
        ("job: j\nreads:\n  a.b: {owner: me, columns: [x]}", "c.yaml:3 reads.a.b.owner", "nobody knows the key 'owner'."),
        ("job: j\nreads:\n  a.b: [x]\n  a.b: [y]", "c.yaml:4 reads.a.b", "the key stands on line 3 already."),
        ("job: j\n\treads: 5", "c.yaml:2", "this is no YAML: "),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, path: str, message: str) -> None:
    found = faults(text)
    assert [one for one, _ in found] == [path]
    assert found[0][1].startswith(message)


@pytest.mark.parametrize("source", [None, 5, b"\xff", "\ud800", "[" * 5_000, "reads: 5", "5: 6", "reads: {a: {columns: 5}}", "- a"])
def test_nothing_else_escapes(source: Any) -> None:
    with pytest.raises(ContractError):
        read(source)


# ---------------------------------------------------------------- writing


def test_contracts_are_written_as_people_write_them() -> None:
    assert (
        write(read(DAILY))
        == """\
job: daily_report
owner: team-bi
contact: '#bi-oncall'
reads:
  shop.orders:
    columns:
      order_id: BIGINT NOT NULL
      amount: DECIMAL(12, 2)
  shop.users:
    - user_id
    - country
  clicks.web:
    columns:
      url: STRING
      at: null
      session:
        type: BIGINT
        accepts: exact
        role:
          - join
    shape: closed
    primary_key:
      - url
writes:
  mart.daily_report:
    columns:
      day: DATE
      revenue: DECIMAL(18, 2)
    shape: positional
"""
    )


@st.composite
def needs(draw: st.DrawFn) -> list[Need]:
    """What a job needs of some table, pinned or not, in more ways than SQL text can say."""
    found = list(needs_of(draw(tables()), pin=draw(st.booleans())))
    kinds: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
        [{}, {"accepts": "exact"}, {"nullable": False}, {"type": None}, {"role": ["join", "key"]}]
    )
    return [Need(**{**one.model_dump(), **draw(kinds)}) for one in found] + [
        Need(name=f"in.{name}") for name in draw(st.sets(st.sampled_from(NAMES)))
    ]


@given(st.dictionaries(st.sampled_from(["a.b", "c.d", "e.f"]), needs(), min_size=1), st.sampled_from(list(Shape)), st.booleans())
def test_what_is_written_is_read_again(by_table: dict[str, list[Need]], shape: Shape, writes: bool) -> None:
    contracts = [Contract(name="j", table=table, columns=tuple(some), shape=shape, owner="me") for table, some in by_table.items()]
    if writes:
        last = contracts[-1]
        role = {"role": ("write",)}
        contracts[-1] = last.model_copy(update={"columns": tuple(one.model_copy(update=role) for one in last.columns)})
    assert read(write(contracts)) == tuple(contracts)


@pytest.mark.parametrize(
    ("contracts", "message"),
    [
        ([], "these are the contracts of no job, or of several."),
        ([Contract(table="a.b")], "these are the contracts of no job"),
        ([Contract(name="a", table="a.b"), Contract(name="b", table="a.c")], "these are the contracts of no job, or of several."),
        ([Contract(name="a", table="a.b"), Contract(name="a", table="a.c", owner="me")], "the owners differ."),
        ([Contract(name="a")], "a contract names no table."),
        ([Contract(name="a", table="a.b"), Contract(name="a", table="a.b")], "two contracts are about 'a.b'."),
    ],
)
def test_contracts_that_make_no_file_are_refused(contracts: list[Contract], message: str) -> None:
    with pytest.raises(ContractError, match="^" + message.replace(".", r"\.")):
        write(contracts)


KEYS = ["job", "owner", "reads", "writes", "columns", "shape", "primary_key", "name", "type", "role", "a.b", "x"]
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*KEYS, "INT", "x INT, y STRING", "closed", "write", ""])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=10,
)


ROLES = st.sampled_from([[], "select", ["filter", "join"], "write"])
TYPES = st.sampled_from(["INT", "BIGINT NOT NULL", "STRING"])
NEEDS = st.fixed_dictionaries({}, optional={"type": TYPES, "nullable": st.booleans(), "role": ROLES})
LISTED = st.sampled_from(["x INT, y STRING", "x DECIMAL(10, 2)", ["x", "y.z"]])
COLUMNS = LISTED | st.dictionaries(st.sampled_from(["x", "y", "y.z"]), st.none() | TYPES | NEEDS, min_size=1)
TABLES = LISTED | st.fixed_dictionaries({"columns": COLUMNS}, optional={"shape": st.sampled_from([*Shape]), "primary_key": st.just(["x"])})
FILES = st.fixed_dictionaries(
    {"job": st.just("j"), "reads": st.dictionaries(st.sampled_from(["a.b", "c.d"]), TABLES, min_size=1)}, optional={"owner": st.just("me")}
)


@given(damaged.mostly(FILES | damaged.values(FILES, VALUES), VALUES))
def test_a_value_of_any_shape_is_a_file_or_raises_its_error(value: Any) -> None:
    try:
        contracts = read(json.dumps(value))
    except ContractError:
        return
    assert read(write(contracts)) == contracts


def test_the_writer_of_a_job_is_that_of_each_table_that_it_writes_and_names_none_itself() -> None:
    text = "job: j\nwrite_with: deltalake\nreads:\n  a.b: x INT\nwrites:\n  a.c: y INT\n  a.d: {columns: y INT, write_with: pyiceberg}\n"
    contracts = read(text)
    assert [contract.write_with for contract in contracts] == ["", "deltalake", "pyiceberg"]
    assert read(write(contracts)) == contracts
