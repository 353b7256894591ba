"""What `check` and `plan` compare with what, that they say so, and that nothing is said to fit that was compared with nothing."""

import json
import shlex
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

import pytest

from airflow_provider_schemas.cli import fix_hints
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import Done, fine, typed

COLUMNS = "columns:\n  - {name: order_id, type: BIGINT NOT NULL}\n"
OLD = f"table: shop.orders\n{COLUMNS}  - {{name: cust_id, type: BIGINT}}\n"
RENAMED = f"table: shop.orders\n{COLUMNS}  - {{name: customer_id, type: BIGINT, was: cust_id}}\n"
NARROWED = OLD.replace("cust_id, type: BIGINT", "cust_id, type: INT")
USERS = OLD.replace("shop.orders", "shop.users")
FILES = {"old.yaml": OLD, "new.yaml": RENAMED, "narrow.yaml": NARROWED, "users.yaml": USERS, "typo.yaml": OLD.replace("orders", "order")}
JOB = "job: daily\nreads:\n  shop.orders: order_id BIGINT, cust_id BIGINT\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)
    write(FILES)
    return tmp_path


@pytest.fixture
def lake(folder: Path) -> str:
    """A store with shop.orders and shop.payments."""
    fine("create", "old.yaml", "--store", "lake")
    fine("create", "shop.payments", "id BIGINT", "--store", "lake")
    write({"daily.yaml": JOB})
    fine("contract", "register", "daily.yaml", "--store", "lake")
    return str(folder / "lake")


def write(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")


def refused(*words: str) -> str:
    """Type a line that cannot be judged, and that calls nothing fine."""
    done = typed(*words)
    assert done.code == 2, done
    assert "fits" not in done.out
    assert "no approval needed" not in done.out
    return done.err


def first_line(done: Done) -> str:
    return done.out.splitlines()[0]


# ---------------------------------------------------------------- OLD and NEW


@pytest.mark.parametrize(("new", "rule"), [("new.yaml", "FIELD_RENAMED"), ("narrow.yaml", "TYPE_NARROWED")])
def test_two_files_of_a_table_are_the_old_and_the_new_one(new: str, rule: str) -> None:
    done = typed("check", "old.yaml", new)
    assert (done.code, first_line(done)) == (1, f"compared {new} with old.yaml")
    assert rule in done.out
    assert typed("check", "old.yaml", new, "--format=json").json["compared"] == [f"{new} with old.yaml"]
    assert f"compared {new} with old.yaml" in typed("check", "old.yaml", new, "--format=markdown").out


def test_two_files_of_a_table_are_compared_with_each_other_beside_a_store_as_well(lake: str) -> None:
    assert first_line(typed("check", "old.yaml", "new.yaml", "--store", lake)) == "compared new.yaml with old.yaml"


def test_of_two_files_in_one_folder_or_among_others_none_is_the_old_one(lake: str) -> None:
    write({"schemas/orders.yaml": RENAMED, "schemas/orders_copy.yaml": RENAMED})
    assert "2 files are about it" in refused("check", "schemas", "--store", lake)
    assert "2 files are about it" in typed("check", "old.yaml", "new.yaml", "users.yaml", "--store", lake).err


def test_the_new_file_of_a_pair_is_compared_with_the_store_that_is_named_as_well(lake: str) -> None:
    write({"copy.yaml": RENAMED})
    done = typed("check", "new.yaml", "copy.yaml", "--store", lake)
    assert done.code == 1
    assert "daily" in done.out


def test_the_old_file_may_come_from_standard_input() -> None:
    done = typed("check", "-", "new.yaml", stdin=OLD.encode())
    assert (done.code, first_line(done)) == (1, "compared new.yaml with standard input")
    assert "named twice" in refused("check", "-", "-")


def test_what_the_files_say_of_a_policy_counts() -> None:
    write(
        {
            "lenient.yaml": RENAMED + "policy: NONE\n",
            "accepted.yaml": RENAMED.replace("was:", 'accepts: {FIELD_RENAMED: "INC-1", until: 2999-01-01}, was:'),
        }
    )
    assert typed("check", "old.yaml", "lenient.yaml").code == 0
    assert typed("check", "old.yaml", "accepted.yaml").code == 0


def test_a_column_that_the_new_file_leaves_out_is_named() -> None:
    write({"less.yaml": f"table: shop.orders\n{COLUMNS}"})
    assert "cust_id: not in the file, and left alone" in fine("check", "old.yaml", "less.yaml")


def test_folders_of_old_and_new_files_are_compared_table_by_table() -> None:
    write({"was/orders.yaml": OLD, "is/orders.yaml": RENAMED, "was/users.yaml": USERS})
    done = typed("check", "was", "is")
    assert (done.code, first_line(done)) == (2, "compared is/orders.yaml with was/orders.yaml"), "shop.users has no new file"
    assert "was/users.yaml: no store is named" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("old.yaml old.yaml", "named twice"),
        ("old.yaml ./old.yaml", "named twice"),
        ("old.yaml new.yaml narrow.yaml", "3 files are about it"),
        ("old.yaml new.yaml --new", "both about shop.orders"),
        ("old.yaml typo.yaml", "nothing to compare shop.orders with"),
        ("old.yaml no-such.yaml", "no-such.yaml"),
        ("empty", "no table file in this folder"),
        ("old.yaml --alone --new", "exclude each other"),
        ("old.yaml --new --contract x", "Keep one of them"),
        ("", "nothing to check"),
        ("old.yaml --policy=", "it is empty"),
    ],
)
def test_what_compares_nothing_with_nothing_is_refused(words: str, says: str) -> None:
    Path("empty").mkdir()
    assert says in refused("check", *words.split())


# ---------------------------------------------------------------- a file and the store


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_table_file_needs_something_to_be_compared_with(command: str, folder: Path) -> None:
    (folder / "nothing").mkdir()
    for store in ([], ["--store", "not-there"], ["--store", "nothing"]):
        said = refused(command, "old.yaml", *store)
        assert "--store URL or --conn ID" in said
        assert "--alone" in said
        assert "--new" in said


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_file_is_compared_with_its_table(command: str, lake: str) -> None:
    done = typed(command, "new.yaml", "--store", lake, "--width", "200")
    assert (done.code, first_line(done)) == (1, f"compared new.yaml with shop.orders version 0 of {lake}")
    assert typed(command, "new.yaml", "--store", lake, "--format=json").json["compared"] == [
        f"new.yaml with shop.orders version 0 of {lake}"
    ]


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_misspelled_table_is_told_with_what_was_meant(command: str, lake: str) -> None:
    said = refused(command, "typo.yaml", "--store", lake)
    assert "Did you mean shop.orders?" in said
    assert "--new" in said


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_new_table_is_told_as_one_and_refused_where_it_is_there(command: str, lake: str) -> None:
    assert fine(command, "users.yaml", "--new", "--store", lake).startswith("compared users.yaml with nothing: it is --new")
    assert "is in" in refused(command, "old.yaml", "--new", "--store", lake)
    assert fine(command, "users.yaml", "--new", "--store", "first").startswith("compared users.yaml with nothing")


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_file_is_judged_by_itself_where_the_line_says_so(command: str, lake: str) -> None:
    for store in ([], ["--store", lake]):
        assert fine(command, "new.yaml", "--alone", *store).startswith("compared new.yaml with nothing: it was judged by itself\n")
    write({"bad.yaml": f"table: shop.bad\n{COLUMNS}primary_key: [nope]\n"})
    assert typed(command, "bad.yaml", "--alone").code in (1, 2)


def test_a_deleted_table_file_is_noticed_in_a_folder(lake: str) -> None:
    job = "job: j\nreads:\n  shop.orders:\n    columns: [order_id]\n"
    write({"schemas/orders.yaml": OLD, "schemas/job.yaml": job, "schemas/.hidden/bad.yaml": "table: ["})
    lines = fine("check", "schemas", "--store", lake, "--width", "200").splitlines()
    assert f"compared nothing in schemas with shop.payments of {lake}" in lines


def test_a_base_of_another_table_is_refused() -> None:
    assert "it is about shop.users" in refused("plan", "old.yaml", "--base", "users.yaml")


# ---------------------------------------------------------------- every other form


def test_every_form_says_what_was_compared(lake: str) -> None:
    write({"job.yaml": JOB, "one.sql": "a INT, b STRING", "two.sql": "a INT"})
    field = {"name": "a", "type": "integer", "nullable": True, "metadata": {}}
    write({"struct.json": json.dumps({"type": "struct", "fields": [field]})})
    fine("evolve", "shop.orders", "--add", "x INT", "--store", lake)
    table = f"shop.orders version 1 of {lake}"
    for words, compared in (
        ("shop.orders", f"{table} with 1 registered contract and its other versions"),
        ("shop.payments", f"shop.payments version 0 of {lake} with no contract, as none is registered, and its other versions"),
        ("shop.orders --for daily", f"{table} with what daily has registered"),
        ("shop.orders:0 --for daily", f"shop.orders version 0 of {lake} with what daily has registered"),
        ("shop.orders --since 0", f"{table} with version 0, which was seen"),
        ("shop.orders --contract job.yaml", f"{table} with job.yaml"),
        ("--contract job.yaml", f"{table} with job.yaml"),
        ("two.sql --contract=a\tINT", "two.sql with the columns of --contract"),
        ("shop.orders:0 shop.orders", f"{table} with shop.orders version 0 of {lake}"),
        ("shop.orders:0 old.yaml", f"old.yaml with shop.orders version 0 of {lake}"),
        ("two.sql one.sql", "one.sql with two.sql"),
        ("two.sql struct.json", "struct.json with two.sql"),
        ("two.sql", "two.sql with nothing: it was judged by itself"),
        ("two.sql --alone", "two.sql with nothing: it was judged by itself"),
    ):
        found = typed("check", *words.split(" "), "--store", lake, "--format=json")
        assert (found.code, found.json["compared"]) == (0, [compared]), found
    planned = typed("plan", "shop.orders", "--add", "y INT", "--store", lake, "--format=json").json
    assert planned["compared"] == [f"1 change with {table}"]
    restored = typed("restore", "shop.orders", "0", "--dry-run", "--store", lake, "--format=json").json
    assert restored["compared"] == [f"version 0 with {table}"]


@pytest.mark.parametrize(
    "words",
    [
        "shop.order",
        "shop.order --for daily",
        "shop.order --since 0",
        "shop.order --contract=order_id\tINT",
        "--contract job.yaml",
        "sop.orders",
        "shop.order:1",
    ],
)
def test_a_table_that_is_not_there_is_named_with_those_that_are_like_it(words: str, lake: str) -> None:
    write({"job.yaml": JOB.replace("orders", "order")})
    said = refused("check", *words.split(" "), "--store", lake)
    assert "Did you mean shop.orders?" in said
    assert "EXPECT_FIELD_MISSING" not in said


# ---------------------------------------------------------------- some of it cannot be judged


def test_a_file_that_cannot_be_read_does_not_hide_the_others(lake: str) -> None:
    write({"bad.yaml": "table: a.b\ncolumns:\n  - {name: a, type: [}\n", "worse.yaml": "table: a.c\ncolumns: []\n"})
    done = typed("check", "bad.yaml", "new.yaml", "worse.yaml", "gone.yaml", "--store", lake)
    assert done.code == 2
    assert "FIELD_RENAMED" in done.out
    assert "not judged: bad.yaml:3" in done.out
    assert "bad.yaml:3: this is no YAML" in done.err
    assert "gone.yaml" in done.err
    assert "bad.yaml:3" in typed("check", "bad.yaml", "new.yaml", "--store", lake, "--format=markdown").out


def test_a_file_of_a_job_with_a_missing_table_is_judged_for_the_others(lake: str) -> None:
    write({"job.yaml": JOB + "  shop.nothing: a INT\n"})
    done = typed("check", "--contract", "job.yaml", "--store", lake)
    assert done.code == 2
    assert "✔ fits   shop.orders" in done.out
    assert "shop.nothing" in done.err


def test_json_has_one_shape_whatever_comes_of_it(lake: str) -> None:
    write({"bad.yaml": "table: a.b\ncolumns:\n  - {name: a, type: [}\n"})
    for words, reports, errors in (
        ("check old.yaml", 1, 0),
        ("check old.yaml bad.yaml", 1, 1),
        ("check bad.yaml", 0, 1),
        ("check typo.yaml bad.yaml", 0, 2),
        ("check shop.orders shop.orders", 1, 0),
        ("check", 0, 1),
        ("plan new.yaml", 1, 0),
        ("plan bad.yaml", 0, 1),
        ("plan shop.orders", 0, 1),
        ("restore shop.orders 0 --dry-run", 1, 0),
        ("restore shop.nothing 0 --dry-run", 0, 1),
    ):
        done = typed(*words.split(" "), "--store", lake, "--format=json")
        assert (set(done.json), done.err) == ({"format", "compared", "reports", "errors"}, ""), words
        assert (done.json["format"], len(done.json["reports"]), len(done.json["errors"])) == (1, reports, errors), words
        assert len(done.json["compared"]) == reports
    (wrong,) = typed("check", "bad.yaml", "--store", lake, "--format=json").json["errors"]
    assert wrong["place"] == {"file": "bad.yaml", "line": 3, "column": 22}
    assert typed("plan", "new.yaml", "--store", lake, "--format=json").json["reports"][0]["plan"]["verdict"] == "break"
    assert typed("check", "--bogus", "--format=json").json["errors"][0]["code"] == "cli.usage"


# ---------------------------------------------------------------- a folder without a schema


def test_the_folder_of_a_table_of_another_catalog_is_told_as_that(lake: str) -> None:
    Path(lake, "shop.db/clicks").mkdir()
    Path(lake, "shop.db/clicks/part-0.parquet").write_bytes(b"PAR1")
    assert "shop.clicks" in fine("ls", "shop", "--store", lake)
    for words in ("show shop.clicks", "log shop.clicks", "check shop.clicks", "evolve shop.clicks --drop x"):
        said = refused(*words.split(), "--store", lake)
        assert "a folder of this name without a schema file" in said
        assert f"airflow-schemas create --store {lake} shop.clicks" in said
    assert "Did you mean shop.orders?" in refused("show", "shop.Order", "--store", lake)


def test_a_branch_that_is_not_there_is_no_folder_without_a_schema(lake: str) -> None:
    SchemaStore(lake).table("shop.orders").create_branch("audit")
    for words in ("show shop.orders@nope", "check shop.orders@nope --since 0", "check old.yaml --branch nope"):
        said = refused(*words.split(), "--store", lake)
        assert "no such branch of it" in said
        assert "audit" in said
        assert "A version stands behind a colon: shop.orders:0." in said
        assert "airflow-schemas create" not in said


# ---------------------------------------------------------------- commands that are printed


def commands(text: str) -> list[str]:
    """Return the commands in a text."""
    return [line[line.index("airflow-schemas ") :] for line in text.splitlines() if "airflow-schemas " in line]


def test_printed_commands_name_the_store_that_was_typed_and_run_as_they_stand(lake: str) -> None:
    fine("evolve", "shop.orders", "--drop", "cust_id", "--override", "INC-1", "--store", lake)
    done = typed("check", "shop.orders", "--for", "daily", "--store", lake)
    (waive,) = commands(done.out)
    assert waive.startswith(f"airflow-schemas waive --store {lake} shop.orders EXPECT_FIELD_MISSING cust_id")
    assert f"\n        {waive}\n" in done.out, "it is too wide to stand beside its label"
    fine(*shlex.split(waive.replace("=WHY", "=INC-1"))[1:])
    assert typed("check", "shop.orders", "--for", "daily", "--store", lake).code == 0
    kept = fine("plan", "shop.orders", "--add", "y INT", "--save", "--store", lake)
    fine(*shlex.split(commands(kept)[0])[1:])
    wrong = typed("check", "shop.orders:0", "--for", "nobody", "--store", lake, "--format=json").json["errors"][0]
    assert f"airflow-schemas contract list --store {lake}" in wrong["fix"]


def test_printed_commands_name_the_branch(lake: str) -> None:
    SchemaStore(lake).table("shop.orders").create_branch("b1")
    for words in ("shop.orders@b1", "shop.orders --branch b1"):
        (command,) = commands(fine("plan", *words.split(), "--add", "y INT", "--save", "--store", lake))
        assert command.startswith(f"airflow-schemas apply --store {lake} --branch b1 ")


def test_a_store_of_the_environment_is_not_repeated(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", lake)
    assert commands(fine("plan", "shop.orders", "--add", "y INT", "-o", "plan.json")) == ["airflow-schemas apply plan.json"]


def test_printed_commands_keep_the_team_and_the_registry_of_the_line(lake: str) -> None:
    there = json.loads((Path(lake) / "_schemas/registry-id.json").read_text())["id"]
    words = ["--store", lake, "--registry-id", there, "--team", "one two"]
    (command,) = commands(fine("plan", "shop.orders", "--add", "y INT", "--save", *words))
    assert command.startswith(f"airflow-schemas apply --store {lake} --registry-id {there} --team 'one two' ")


def test_printed_commands_hold_no_secrets() -> None:
    about = {"conn": None, "store_known": False, "registry_known": False, "layout": "registry", "branch": None}
    about |= {"registry_id": "", "team": ""}
    options = [("key", "AKIA"), ("secret", "hunter2"), ("endpoint_url", "http://me:hunter2@host:9000")]
    args = Namespace(
        store="s3://me:hunter2@lake", registry="s3://reg?token=hunter2", storage_option=options, mounts_known=False, mount=[], **about
    )
    assert fix_hints.with_store("airflow-schemas ls shop", args) == (
        "airflow-schemas ls --store 's3://****@lake' --registry 's3://reg?****' --layout registry "
        "--storage-option key=AKIA --storage-option 'endpoint_url=http://****@host:9000' shop"
    )


def test_a_folder_with_a_file_that_cannot_be_read_is_not_fine(lake: str) -> None:
    write({"schemas/orders.yaml": OLD, "schemas/empty.yaml": ""})
    done = typed("check", "schemas", "--store", lake)
    assert (done.code, "schemas/empty.yaml:1" in done.err, "✔ fits" in done.out) == (2, True, True)
