"""What a newcomer stumbles over: lines that cannot be read, names that nobody knows, files changed by hand, answers that go nowhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import fine, typed

TABLE_FILE = """\
table: shop.orders
owner: team-orders
contact: "#orders-oncall"
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
primary_key: [order_id]
"""
JOB = """\
job: daily_report
owner: team-bi
contact: "#bi-oncall"
reads:
  shop.orders: order_id BIGINT NOT NULL, cust_id BIGINT
"""
RENAME = "--rename=cust_id:customer_id"


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse with one table, and the files from which it was made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", "ana")
    Path("orders.yaml").write_text(TABLE_FILE, "utf-8")
    Path("job.yaml").write_text(JOB, "utf-8")
    fine("create", "orders.yaml")
    return tmp_path / "lake"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_statements_that_are_printed_hold_no_secret() -> None:
    said = typed("plan", "shop.orders", "SET OPTION password = 'hunter2'", "ADD COLUMN b INT", "--sql", "spark")
    assert said.code == 2
    assert "hunter2" not in said.out + said.err
    assert "ALTER TABLE `shop`.`orders` ADD COLUMN `b` INT;" in said.out
    assert "run it by hand" in " ".join(said.out.split())


def test_a_line_that_cannot_be_read_is_json_too_where_json_was_asked_for() -> None:
    for line in (["show", "--format=json"], ["restore", "shop.orders", "v0", "--format", "json"], ["--format=json"]):
        done = typed(*line)
        assert (done.code, set(done.json), done.json["error"]["code"]) == (2, {"error"}, "cli.usage")
        assert done.json["error"]["message"]


@pytest.mark.parametrize(
    "line", ["plan shop.orders --bogus", "check --store", "--bogus check shop.orders", "restore shop.orders v0 --dry-run"]
)
def test_a_line_of_verdicts_that_cannot_be_read_has_the_shape_of_verdicts(line: str) -> None:
    done = typed(*line.split(), "--format=json")
    (wrong,) = done.json["errors"]
    assert (done.code, set(done.json), wrong["code"], wrong["place"]) == (2, {"format", "compared", "reports", "errors"}, "cli.usage", None)
    assert wrong["fix"].startswith(("Type airflow-schemas", "Write --store URL"))


def test_a_folder_that_is_no_table_makes_no_listing_fail(warehouse: Path) -> None:
    (warehouse / "shop.db/clicks/dt=1").mkdir(parents=True)
    assert "no schema: a folder, and no table" in fine("ls", "shop", "--long")


def test_no_contract_of_a_file_is_registered_where_a_table_of_it_is_missing() -> None:
    Path("job.yaml").write_text(JOB + "  shop.nothing: [a]\n", "utf-8")
    done = typed("contract", "register", "job.yaml")
    assert (done.code, "there is no table shop.nothing" in done.err) == (2, True)
    assert "no contract is registered" in fine("contract", "list")


def test_the_log_tells_that_somebody_changed_a_file_by_hand(warehouse: Path) -> None:
    fine("evolve", "shop.orders", "ADD COLUMN a INT")
    fine("evolve", "shop.orders", "ADD COLUMN b INT")
    path = warehouse / "shop.db/orders/schema/schema-1"
    path.write_text(path.read_text("utf-8").replace('"name" : "a"', '"name" : "z"'), "utf-8")
    assert "SCHEMA_FILE_MUTATED version 1" in fine("log", "shop.orders")


def test_a_registry_that_was_named_and_is_not_there_is_told(tmp_path: Path) -> None:
    before = fine("log", "shop.orders")
    done = typed("evolve", "shop.orders", "ADD COLUMN a INT", "--registry", str(tmp_path / "typo"))
    assert (done.code, "typo is not there" in done.err) == (2, True)
    assert fine("log", "shop.orders") == before


def test_an_answer_that_cannot_be_written_is_no_break() -> None:
    line = [sys.executable, "-m", "airflow_provider_schemas.cli", "show", "shop.orders"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr, "could not be written" in done.stderr) == (2, False, True)


def test_a_waiver_that_names_nothing_known_says_so_and_one_that_cannot_be_read_is_told(warehouse: Path) -> None:
    said = fine("waive", "shop.orders", "FIELD_DROPPED", "amnt", "--for", "nobody", "--until", "3d", "--reason", "INC-1")
    assert "has a column 'amnt'" in " ".join(said.split())
    assert "nobody called 'nobody' has registered" in " ".join(said.split())
    assert "note:" not in fine("waive", "shop.orders", "FIELD_DROPPED", "amount", "--until", "3d", "--reason", "INC-1")
    (warehouse / "_schemas/waivers/shop/orders/waiver-0").write_text("{", "utf-8")
    done = typed("waive", "shop.orders", "--list")
    assert (done.code, "cannot be read, and lifts nothing" in done.out) == (2, True)


@pytest.mark.parametrize(
    "line",
    [
        "ls",
        "ls shop",
        "ls shop --long",
        "show shop.orders",
        "log shop.orders",
        "diff shop.orders:0 shop.orders:0",
        "check orders.yaml --new",
        "convert shop.orders --to paimon",
        "check shop.orders",
        "plan orders.yaml",
        "contract list",
        "waive shop.orders --list",
        "expire shop.orders",
        "restore shop.orders 0 --dry-run",
    ],
)
def test_the_registry_that_a_line_names_is_looked_for_by_every_command(line: str) -> None:
    done = typed(*line.split(), "--registry-id", "another-registry")
    assert (done.code, done.out) == (2, "")
    assert "'another-registry'" in done.err
    assert "correct --registry-id" in done.err
    assert "the connection" not in done.err


@pytest.mark.parametrize(
    "line",
    [
        ["check", ""],
        ["check", "orders.yaml", ""],
        ["show", " "],
        ["ls", ""],
        ["plan", ""],
        ["apply", ""],
        ["evolve", "shop.orders", ""],
        ["create", "shop.users", ""],
        ["contract", "register", ""],
        ["contract", "list", ""],
        ["waive", "shop.orders", "", "--until=3d", "--reason=INC-1"],
        ["waive", "shop.orders", "FIELD_DROPPED", "", "--until=3d", "--reason=INC-1"],
    ],
)
def test_an_empty_argument_is_no_folder_and_no_default(line: list[str]) -> None:
    done = typed(*line)
    assert (done.code, done.out, "an argument is empty" in done.err) == (2, "", True)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("waive shop.ordres --list", "Did you mean shop.orders?"),
        ("log shop.orders:0", "a history is that of a whole table"),
        ("log shop.orders:99", "a history is that of a whole table"),
        ("create shop.users id --branch audit", "a table begins on its main branch"),
        ("adopt shop.users data id --branch audit", "a table begins on its main branch"),
        ("contract list shop.orders --branch audit", "no such branch of it"),
        ("contract remove shop.orders daily --branch audit", "no such branch of it"),
        ("ls shop --branch audit", "looks at no branch"),
        ("apply plan.json --branch audit", "was made on the branch main"),
    ],
)
def test_what_a_command_would_not_look_at_is_refused(line: str, says: str, warehouse: Path) -> None:
    fine("plan", "shop.orders", "--add", "a INT", "-o", "plan.json")
    before = files(warehouse)
    done = typed(*[word.replace("id", "id INT") if word == "id" else word for word in line.split()])
    assert (done.code, says in " ".join(done.err.split()), files(warehouse) == before) == (2, True, True), done


def test_a_new_registry_is_named_with_the_option_that_a_line_has(tmp_path: Path) -> None:
    (tmp_path / "registry").mkdir()
    line = ["--store", str(tmp_path / "other"), "--registry", str(tmp_path / "registry")]
    said = " ".join(fine("create", "shop.orders", "id BIGINT", *line).split())
    assert "connection" not in said
    assert fine("show", "shop.orders", *line, "--registry-id", said.partition("--registry-id ")[2].split()[0])


def test_an_empty_registry_that_was_named_is_told_with_the_option_too(tmp_path: Path) -> None:
    for name in ("registry", "other"):
        (tmp_path / name).mkdir()
    line = ["--store", str(tmp_path / "other"), "--registry", str(tmp_path / "registry")]
    for words in (["check", "--contract", "id BIGINT"], ["check"], ["show"], ["log"], ["plan", "--add", "a INT"], ["restore", "0"]):
        done = typed(words[0], "shop.orders", *words[1:], *line)
        said = " ".join(done.err.split())
        assert done.code == 2, words
        assert "is empty, and there is no table beside it" in said, words
        assert "--registry-id that is printed then" in said, words
        assert "connection" not in said, words


def test_a_listing_without_its_registry_says_what_may_be_missing(warehouse: Path) -> None:
    (warehouse / "_schemas/registry-id.json").unlink()
    for line in ("ls", "ls shop", "ls shop --long"):
        done = typed(*line.split())
        assert (done.code, "shop" in done.out) == (2, True)
        assert "tables that lie in the registry may be missing: " in " ".join(done.out.split())
    assert typed("ls", "--format=json").json["doubts"]
