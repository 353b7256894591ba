"""What a job needs can be said in many forms; what cannot be read is told, all of it, each table by its name."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, StorageError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.tasks.gate.requirements import read_needs

DDL = "order_id BIGINT NOT NULL, amount DECIMAL(12, 2)"
JOB = """
job: daily_report
owner: team-bi
reads:
  shop.orders: order_id BIGINT NOT NULL
  shop.users: [user_id, country]
writes:
  mart.daily: {columns: "day DATE", shape: positional}
"""


def reads(value: Any, folder: Path | None = None) -> dict[str, Any]:
    return read_needs(value, "reads", folder=folder)


def columns(value: Any, folder: Path | None = None, table: str = "shop.orders") -> list[str]:
    need = reads(value, folder)[table]
    assert isinstance(need, Contract)
    return [one.name for one in need.columns]


def refusal(value: Any, folder: Path | None = None) -> str:
    with pytest.raises(ContractError) as told:
        reads(value, folder)
    return str(told.value)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and all that it was made from, shown in a traceback or not."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    "tables",
    [
        ["shop.orders", "shop.users"],
        ("shop.orders", "shop.users"),
        {"shop.orders": None, "shop.users": None},
        iter([TableName("shop", "orders"), "shop.users"]),
        '["shop.orders", "shop.users"]',
        "['shop.orders', 'shop.users']",
        "{'shop.orders': None, 'shop.users': None}",
        '{"shop.orders": null, "shop.users": null}',
    ],
)
def test_tables_are_named_in_a_list_or_a_mapping_also_in_the_text_that_jinja_makes_of_one(tables: Any) -> None:
    assert reads(tables) == {"shop.orders": None, "shop.users": None}


@pytest.mark.parametrize("name", ["shop.orders", " shop.orders ", TableName("shop", "orders"), ["shop.orders", "shop.orders"]])
def test_one_table_needs_no_list(name: Any) -> None:
    assert reads(name) == {"shop.orders": None}


@pytest.mark.parametrize("nothing", [None, "", "None", "null", " ", [], {}, (), "[]", "{}"], ids=repr)
def test_naming_nothing_is_a_mistake(nothing: Any) -> None:
    assert "no table is named" in refusal(nothing)


# ---------------------------------------------------------------- contracts


@pytest.mark.parametrize(
    "need",
    [
        DDL,
        ["order_id", "amount"],
        {"columns": DDL},
        {"columns": {"order_id": "BIGINT", "amount": None}},
        Contract.of(DDL),
        json.dumps(["order_id", "amount"]),
        json.dumps({"columns": ["order_id", "amount"]}),
    ],
)
def test_a_contract_is_sql_names_a_mapping_or_the_text_of_one(need: Any) -> None:
    assert columns({"shop.orders": need}) == ["order_id", "amount"]


def test_what_is_registered_is_asked_by_one_word() -> None:
    assert reads({"shop.orders": "@registered", "shop.users": None}) == {"shop.orders": "@registered", "shop.users": None}


@pytest.mark.parametrize("empty", ["", [], {}, {"columns": []}, "[]"], ids=repr)
def test_a_contract_that_needs_nothing_is_a_mistake(empty: Any) -> None:
    assert "reads.shop.orders" in refusal({"shop.orders": empty})


# ---------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a DAG file, which is not the working directory."""
    (elsewhere := tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(elsewhere)
    (dags := tmp_path / "dags").mkdir()
    (dags / "contracts").mkdir()
    (dags / "contracts/job.yaml").write_text(JOB)
    (dags / "contracts/orders.yml").write_text("columns: [order_id]\nshape: closed\n")
    (dags / "names.json").write_text('["order_id", "amount"]')
    return dags


def test_a_file_of_a_job_says_what_all_its_tables_need(folder: Path) -> None:
    assert list(reads("contracts/job.yaml", folder)) == ["shop.orders", "shop.users"]
    assert list(read_needs("contracts/job.yaml", "writes", folder=folder)) == ["mart.daily"]


@pytest.mark.parametrize("path", ["contracts/job.yaml", "contracts/orders.yml", "./contracts/../contracts/orders.yml"])
def test_a_path_is_read_from_the_folder_of_the_dag_file(folder: Path, path: str) -> None:
    assert columns({"shop.orders": path}, folder) == ["order_id"]
    assert columns({"shop.orders": Path(path)}, folder) == ["order_id"]


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The configuration allows the folders of these tests."""
    monkeypatch.setenv("AIRFLOW__SCHEMAS__CONTRACT_URLS", f"{tmp_path}, memory://needs, http://127.0.0.1:9")


@pytest.mark.usefixtures("allowed")
def test_a_whole_path_and_a_url_need_no_folder(folder: Path) -> None:
    whole = folder / "names.json"
    for path in (str(whole), whole, whole.as_uri()):
        assert columns({"shop.orders": path}) == ["order_id", "amount"]


@pytest.mark.usefixtures("allowed")
def test_a_url_is_read_by_fsspec(folder: Path) -> None:
    import fsspec

    fsspec.filesystem("memory").pipe_file("/needs/job.yaml", JOB.encode())
    assert list(reads("memory://needs/job.yaml", folder)) == ["shop.orders", "shop.users"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("contracts/none.yaml", ["there is no file 'contracts/none.yaml'", "the folder of the DAG file"]),
        ({"shop.orders": "none.json"}, ["reads.shop.orders", "there is no file 'none.json'"]),
        ("names.json", ["which table it is about is not said"]),
        ({"shop.carts": "contracts/job.yaml"}, ["reads.shop.carts", "does not say that the job reads shop.carts", "shop.orders"]),
    ],
)
def test_a_file_that_does_not_say_it_is_named(folder: Path, said: Any, words: list[str]) -> None:
    told = refusal(said, folder)
    assert [word for word in words if word not in told] == []


def test_what_is_wrong_in_a_file_is_told_with_its_line(folder: Path) -> None:
    (folder / "bad.yaml").write_text("job: x\nreads:\n  shop.orders: order_id BIGHINT\n")
    assert "bad.yaml:3" in refusal({"shop.orders": "bad.yaml"}, folder)


def test_a_relative_path_without_a_folder_is_no_guess() -> None:
    assert "the folder of the DAG file, and that is not known" in refusal("contracts/job.yaml")


def test_a_file_is_read_once_however_many_tables_name_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def counted(name: str) -> Any:
        opened.append(name)
        return open_files(name)

    monkeypatch.setattr("airflow_provider_schemas.tasks.job_files.open_files", counted)
    assert len(reads({"shop.orders": "contracts/job.yaml", "shop.users": "contracts/job.yaml"}, folder)) == 2
    assert len(opened) == 1


def test_the_password_in_an_address_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("memory://ana:geheim@needs/none.yaml", {"shop.orders": "memory://ana:geheim@needs/none.yaml"}):
        assert "may not read" in refusal(said)
        assert "geheim" not in refusal(said)
    monkeypatch.setenv("AIRFLOW__SCHEMAS__CONTRACT_URLS", "memory://ana:geheim@needs")
    assert "there is no file" in refusal("memory://ana:geheim@needs/none.yaml")
    assert "geheim" not in refusal("memory://ana:geheim@needs/none.yaml") + refusal("memory://other/none.yaml")


@pytest.mark.usefixtures("allowed")
def test_a_network_that_fails_is_tried_again() -> None:
    with pytest.raises(StorageError):
        reads({"shop.orders": "http://127.0.0.1:9/orders.yaml"})


# ---------------------------------------------------------------- mistakes and worse


def test_every_fault_is_told_at_once_each_with_its_table() -> None:
    told = refusal({"shop.orders": "order_id BIGHINT, x FOO", "shop.users": 7, "nodots": None, "shop.fine": ["a"], "../x.y": None})
    for words in ("reads.shop.orders", "BIGHINT", "FOO", "reads.shop.users", "reads.nodots", "reads.../x.y"):
        assert words in told
    assert "shop.fine" not in told


def test_after_so_many_faults_no_further_table_is_read() -> None:
    read = []

    class Tables(dict[str, Any]):
        def items(self) -> Any:
            for name, need in super().items():
                read.append(name)
                yield name, need

    with pytest.raises(ContractError) as told:
        reads(Tables({f"db.t{number}": "x BIGHINT" for number in range(MAX_FAULTS + 50)}))
    assert len(told.value.faults) == MAX_FAULTS
    assert len(read) == MAX_FAULTS + 1


@pytest.mark.parametrize(
    "form", [lambda one: one, lambda one: [one], lambda one: ["shop.users", one]], ids=["alone", "list", "among others"]
)
def test_a_contract_outside_a_mapping_names_its_table(form: Any) -> None:
    nameless = Contract.of({"columns": "a INT"})
    assert "a Contract is no name of a table" in refusal(form(nameless))
    assert columns(form(nameless.model_copy(update={"table": "shop.orders"}))) == ["a"]


@pytest.mark.parametrize("value", [5, 1.5, b"shop.orders", object(), True])
def test_what_names_no_tables_is_refused(value: Any) -> None:
    assert "names no tables" in refusal(value)


@pytest.mark.parametrize(
    "value",
    [
        "[" * 100_000,
        "{'shop.orders': " * 5_000,
        "__import__('os').system('true')",
        "[__import__('os')]",
        {"shop.orders": "x" * 200_000},
        {"shop.orders": {"columns": [[[["x"]]]]}},
        {"a" * 5_000: None},
        {"shop.o\x1b[31m": None},
        {1: None, None: 2},
        {"shop.orders": {"k" * 3_000_000: 1}},
        {"shop.orders": {"columns": {"k" * 3_000_000: {"k" * 3_000_000: "INT"}}}},
        '{"shop.orders": {"' + "k" * 3_000_000 + '": 1}}',
        ["shop.orders", None],
        ["shop.orders", ["shop.users"]],
    ],
)
def test_hostile_values_end_in_our_own_error_of_a_readable_size(value: Any) -> None:
    told = refusal(value)
    assert len(told) < 5_000
    assert "\x1b" not in told


@pytest.mark.parametrize("file", [f"job: x\nreads:\n  shop.orders:\n    ? {'k' * 3_000_000}\n    : 1\n", f"? {'k' * 3_000_000}\n: 1\n"])
def test_a_key_of_megabytes_in_a_file_makes_no_error_of_megabytes(tmp_path: Path, file: str) -> None:
    (tmp_path / "job.yaml").write_text(file)
    with pytest.raises(ContractError) as told:
        reads({"shop.orders": "job.yaml"}, tmp_path)
    assert [len(str(link)) for link in chain(told.value) if len(str(link)) > 5_000] == []


def test_five_thousand_tables_are_read() -> None:
    found = reads({f"db.t{number}": DDL for number in range(5_000)})
    assert (len(found), len(found["db.t4999"].columns)) == (5_000, 2)


def test_five_thousand_faults_are_told_in_a_readable_size() -> None:
    assert len(refusal({f"db.t{number}": "x BIGHINT" for number in range(5_000)})) < 20_000


@pytest.mark.parametrize(
    "value",
    [
        [Contract(table="shop.orders", columns=[{"name": "a", "type": "INT"}]), "shop.orders"],  # type: ignore[arg-type]  # read as columns
        {"shop.orders": "a INT", " shop.orders": "b INT"},
        {"shop.orders": "a INT", TableName("shop", "orders"): None},
    ],
)
def test_a_table_that_stands_twice_with_different_needs_is_a_contradiction(value: Any) -> None:
    assert "shop.orders stands there twice" in refusal(value)


@pytest.mark.parametrize("text", ['{"shop.orders": "a INT", "shop.orders": "b INT"}', "{'shop.orders': 'a INT', 'shop.orders': None}"])
def test_a_table_that_stands_twice_in_a_text_is_a_contradiction(text: str) -> None:
    assert "the key stands twice" in refusal(text)


def test_a_table_that_stands_twice_with_the_same_need_is_one_table() -> None:
    assert columns({"shop.orders": "a INT", "shop.orders ": "a INT"}) == ["a"]
