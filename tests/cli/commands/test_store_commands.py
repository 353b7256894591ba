"""Commands on a store: a table is made, changed, broken, waived, restored; each line as somebody would type it."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.core import Plan
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


# ---------------------------------------------------------------- create, ls, show, log


def test_a_table_is_made_once() -> None:
    made = fine("create", "shop.users", "user_id BIGINT NOT NULL, country STRING", "--primary-key", "user_id", "--option", "bucket=2")
    assert made.splitlines()[0] == "shop.users  created, version 0, 2 columns"
    assert "exclusive create" in made
    assert "nothing to do" in fine("create", "orders.yaml")
    assert fine("ls") == "shop\n"
    assert fine("ls", "shop") == "shop.orders\nshop.users\n"
    shown = fine("show", "shop.users")
    assert "primary key user_id" in shown
    assert "bucket  2" in shown


def test_a_table_whose_data_lie_elsewhere_lies_in_the_registry(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    fine("create", "raw.clicks", "user_id BIGINT", "--location", str(data), "--data-format", "orc")
    assert f"location {data}" in fine("show", "raw.clicks").replace("\n      ", "")
    assert not list(data.iterdir())


def test_ls_tells_version_columns_and_writer_at_length() -> None:
    assert fine("ls", "shop", "--long").splitlines()[1].split()[:3] == ["shop.orders", "v0", "3"]
    assert fine("ls", "--long") == "shop  1 table\n"
    assert typed("ls", "shop", "--long", "--format=json").json["tables"][0]["actor"] == "ana"


def test_ls_tells_which_table_cannot_be_read_and_ends_with_2(warehouse: Path) -> None:
    broken = warehouse / "shop.db/broken/schema"
    broken.mkdir(parents=True)
    (broken / "schema-0").write_text("{", "utf-8")
    done = typed("ls", "shop", "--long")
    assert done.code == 2
    assert "shop.orders" in done.out
    assert "cannot be read" in done.out


def test_show_tells_owner_policy_and_version() -> None:
    shown = fine("show", "shop.orders")
    assert shown.startswith("shop.orders v0  3 columns")
    assert "by ana" in shown
    assert "owner team-orders, #orders-oncall" in shown
    assert "policy default: data block" in shown


def test_log_and_diff_tell_what_changed() -> None:
    fine("evolve", "shop.orders", "ADD COLUMN coupon STRING")
    fine("evolve", "shop.orders", "--add", "note STRING", "--run", "manual__1")
    log = fine("log", "shop.orders")
    assert [line.split()[0] for line in log.splitlines() if line.startswith("v")] == ["v2", "v1", "v0"]
    assert "by ana (run manual__1)" in log
    assert fine("log", "shop.orders", "-n", "1").splitlines()[2:] == ["      ADD COLUMN note STRING"]
    assert fine("log", "shop.orders", "--since", "1h").count("\nv") == 3
    assert fine("diff", "shop.orders").splitlines()[-2:] == ["", "  ADD COLUMN note STRING"]
    assert fine("diff", "shop.orders:1").splitlines()[-2:] == ["", "  ADD COLUMN coupon STRING"]
    assert len(fine("diff", "shop.orders:0", "shop.orders").partition("\n\n")[2].splitlines()) == 2
    assert "DROP COLUMN note" in fine("diff", "shop.orders:2", "shop.orders:1")


# ---------------------------------------------------------------- evolve


def test_a_change_is_made_once_and_told_with_its_verdicts() -> None:
    first = fine("evolve", "shop.orders", "ADD COLUMN coupon STRING")
    assert first.splitlines()[0] == "shop.orders  version 0 -> 1"
    assert "+ coupon  STRING  FIELD_ADDED_NULLABLE  data ok · readers ok · writers ok" in first
    assert fine("evolve", "shop.orders", "ADD COLUMN coupon STRING").startswith("shop.orders  unchanged: these changes are version 1")
    again = typed("evolve", "shop.orders", "ADD COLUMN coupon STRING", "--format=json").json
    assert (again["outcome"], again["created"], again["version"]["number"]) == ("unchanged", False, 1)


def test_a_key_names_an_attempt() -> None:
    fine("evolve", "shop.orders", "--add", "coupon STRING", "--key", "k1")
    fine("evolve", "shop.orders", "--drop", "coupon", "--override", "a mistake")
    assert "already applied" in fine("evolve", "shop.orders", "--add", "coupon STRING", "--key", "k1")


def test_a_table_file_adds_and_leaves_alone() -> None:
    fine("evolve", "shop.orders", "--add", "by_flink DOUBLE")
    Path("orders.yaml").write_text(TABLE_FILE.replace("primary_key", "  - {name: coupon, type: STRING}\nprimary_key"), "utf-8")
    done = fine("evolve", "orders.yaml")
    assert "version 1 -> 2" in done
    assert "left alone: by_flink" in done


def test_an_alias_is_made_in_the_store() -> None:
    fine("evolve", "shop.orders", "--alias", "cust_id:customer_id", "--until", "2999-12-31")
    assert "alias cust_id until 2999-12-31" in fine("show", "shop.orders")


@pytest.mark.parametrize("line", [[RENAME], ["--alias", "cust_id:customer_id", "--until", "90d"], ["RENAME COLUMN cust_id TO customer_id"]])
def test_a_rename_that_is_run_again_is_done_already_and_never_the_way_back(line: list[str]) -> None:
    fine("evolve", "shop.orders", *line)
    before = fine("show", "shop.orders")
    for verb, said in (("evolve", "unchanged: these changes are version 1"), ("plan", "nothing to do"), ("evolve", "unchanged")):
        assert said in fine(verb, "shop.orders", *line)
    assert fine("show", "shop.orders") == before


def test_an_alias_that_is_there_gets_another_end_where_a_day_is_said() -> None:
    alias = ["evolve", "shop.orders", "--alias", "cust_id:customer_id", "--until"]
    fine(*alias, "2999-01-01")
    for until, end in (("2999-12-31", "2999-12-31"), ("90d", "2999-12-31"), ("tomorrow", "2999-12-31"), ("2999-12-31", "2999-12-31")):
        fine(*alias, until)
        assert f"alias cust_id until {end}" in fine("show", "shop.orders")
    assert "shop.orders v2" in fine("show", "shop.orders")


@pytest.mark.parametrize("option", ["--rename", "--alias"])
@pytest.mark.parametrize("verb", ["evolve", "plan"])
def test_a_rename_with_an_equals_sign_is_refused_with_both_readings(verb: str, option: str) -> None:
    done = typed(verb, "shop.orders", option, "customer_id=cust_id", *(["--until", "90d"] if option == "--alias" else []))
    assert (done.code, done.out) == (2, "")
    said = " ".join(done.err.split())
    assert f"{option} customer_id:cust_id to make customer_id into cust_id" in said
    assert f"{option} cust_id:customer_id to make cust_id into customer_id" in said


@pytest.mark.parametrize(
    "line",
    [
        ["DATA", "user_id BIGINT", "--data-format", "orc"],
        ["user_id BIGINT", "--location", "DATA", "--data-format", "orc"],
    ],
)
def test_adopt_does_what_create_with_a_location_does(tmp_path: Path, line: list[str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    words = [str(data) if word == "DATA" else word for word in line]
    assert "created, version 0, 1 column" in fine("adopt", "raw.clicks", *words)
    assert "nothing to do" in fine("create", "raw.clicks", "user_id BIGINT", "--location", str(data), "--data-format", "orc")
    assert f"location {data}" in fine("show", "raw.clicks").replace("\n      ", "")
    assert not list(data.iterdir())
    Path("clicks.yaml").write_text(f"table: raw.more\nlocation: {data}\nformat: orc\ncolumns: [{{name: a, type: INT}}]\n")
    assert "created" in fine("adopt", "clicks.yaml")


def test_the_expected_version_counts() -> None:
    fine("evolve", "shop.orders", "--add", "a INT", "--expect", "0")
    done = typed("evolve", "shop.orders", "--add", "b INT", "--expect", "0")
    assert done.code == 2
    assert "shop.orders" in done.err


def test_a_break_is_refused_with_the_names_and_ends_with_1(warehouse: Path) -> None:
    fine("contract", "register", "job.yaml")
    before = files(warehouse)
    done = typed("evolve", "shop.orders", RENAME)
    assert done.code == 1
    assert "1 of 1 registered reader: daily_report (team-bi, #bi-oncall" in done.out
    assert done.err.startswith("airflow-schemas: shop.orders v1 breaks daily_report")
    found = typed("evolve", "shop.orders", RENAME, "--format=json")
    assert (found.code, found.json["error"]["code"], found.json["report"]["verdict"]) == (1, "schema.incompatible", "break")
    assert files(warehouse) == before


def test_a_reason_goes_below_the_policy_and_is_kept() -> None:
    fine("contract", "register", "job.yaml")
    assert "version 0 -> 1" in fine("evolve", "shop.orders", RENAME, "--override", "INC-4711")
    assert typed("evolve", "shop.orders", "--drop", "amount", "--override", " ").code == 2


# ---------------------------------------------------------------- plan, apply


def test_a_plan_is_approved_and_applied_from_a_file() -> None:
    fine("contract", "register", "job.yaml")
    assert typed("plan", "shop.orders", RENAME, "-o", "plan.json").code == 1
    assert typed("apply", "plan.json").code == 1
    done = fine("apply", "plan.json", "--approved-by", "raj")
    assert "version 0 -> 1" in done
    assert "approved by raj" in fine("log", "shop.orders")
    assert "already applied as version 1" in fine("apply", "plan.json", "--approved-by", "raj")


def test_a_plan_is_kept_in_the_registry_and_applied_by_its_digest() -> None:
    out = fine("plan", "shop.orders", "--add", "coupon STRING", "--save")
    assert "kept in the registry" in out
    digest = typed("plan", "shop.orders", "--add", "coupon STRING", "--format=json").json["reports"][0]["plan"]["digest"]
    assert "version 0 -> 1" in fine("apply", digest[:10])
    assert "already applied" in fine("apply", "shop.orders", digest[:10])
    assert typed("apply", "0123456789").code == 2
    assert typed("apply", "not-a-digest").code == 2


def test_a_plan_is_refused_when_the_table_has_moved_or_it_was_changed() -> None:
    fine("plan", "shop.orders", "--add", "coupon STRING", "-o", "plan.json")
    fine("evolve", "shop.orders", "--add", "other STRING")
    done = typed("apply", "plan.json")
    assert done.code == 2
    assert "newest" in done.err
    text = Path("plan.json").read_text("utf-8").replace("coupon", "voucher")
    Path("changed.json").write_text(text, "utf-8")
    assert "was changed after it was made" in typed("apply", "changed.json").err


def test_the_plan_that_is_printed_is_the_one_that_is_written() -> None:
    printed = typed("plan", "shop.orders", "--add", "coupon STRING", "-o", "plan.json", "--format=json")
    assert Plan.from_json(Path("plan.json").read_text("utf-8")).digest == printed.json["reports"][0]["plan"]["digest"]
    Path("printed.json").write_text(printed.out, "utf-8")
    assert "version 0 -> 1" in fine("apply", "printed.json")


def test_an_engine_gets_its_statements() -> None:
    out = fine("plan", "shop.orders", "--add", "coupon STRING", "--sql", "spark")
    assert out.splitlines()[-1] == "ALTER TABLE `shop`.`orders` ADD COLUMN `coupon` STRING;"


# ---------------------------------------------------------------- check, contract, waive


def test_a_table_is_checked_against_a_registered_job() -> None:
    fine("contract", "register", "job.yaml")
    assert typed("check", "shop.orders", "--for", "daily_report").code == 0
    fine("evolve", "shop.orders", RENAME, "--override", "INC-4711")
    done = typed("check", "shop.orders", "--for", "daily_report")
    assert done.code == 1
    assert "EXPECT_FIELD_RENAMED" in done.out
    assert "airflow-schemas evolve shop.orders 'RENAME COLUMN customer_id TO cust_id'" in done.out
    assert typed("check", "shop.orders:0", "--for", "daily_report").code == 0
    assert typed("check", "shop.orders", "--for", "nobody").code == 2


def test_a_table_is_checked_against_all_jobs_and_its_own_history() -> None:
    fine("contract", "register", "job.yaml")
    assert typed("check", "shop.orders").code == 0
    fine("evolve", "shop.orders", RENAME, "--override", "INC-4711")
    assert typed("check", "shop.orders").code == 1
    assert typed("check", "shop.orders:0", "shop.orders:1").code == 1


def test_table_files_and_files_of_jobs_are_checked_against_the_store() -> None:
    assert typed("check", "orders.yaml").code == 0
    assert typed("check", "--contract", "job.yaml").code == 0
    Path("new.yaml").write_text(TABLE_FILE.replace("shop.orders", "shop.later"), "utf-8")
    assert "there is no table shop.later in" in typed("check", "orders.yaml", "new.yaml").err
    assert "--new" in fine("check", "new.yaml", "--new")
    fine("contract", "register", "job.yaml")
    Path("orders.yaml").write_text(TABLE_FILE.replace("name: cust_id,", "name: customer_id, was: cust_id,"), "utf-8")
    done = typed("check", "orders.yaml")
    assert done.code == 1
    assert "orders.yaml:6" in done.out


def test_contracts_are_registered_listed_and_removed() -> None:
    assert fine("contract", "list") == "no contract is registered\n"
    assert "daily_report" in fine("contract", "register", "job.yaml", "--team", "team-bi")
    assert "daily_report  team-bi" in fine("contract", "list", "shop.orders")
    assert typed("contract", "list", "--format=json").json["contracts"][0]["job"] == "daily_report"
    assert "removed" in fine("contract", "remove", "shop.orders", "daily_report", "--team", "team-bi")
    assert fine("contract", "list") == "no contract is registered\n"


def test_a_contract_that_does_not_fit_is_refused_unless_it_waits() -> None:
    Path("job.yaml").write_text(JOB.replace("cust_id", "client_id"), "utf-8")
    done = typed("contract", "register", "job.yaml")
    assert done.code == 1
    assert "EXPECT_FIELD_MISSING" in done.out
    assert "waiting for the table" in fine("contract", "register", "job.yaml", "--pending")


def test_a_finding_is_let_through_for_one_job_and_until_a_time() -> None:
    fine("contract", "register", "job.yaml")
    fine("evolve", "shop.orders", RENAME, "--override", "INC-4711")
    line = ["waive", "shop.orders", "EXPECT_FIELD_RENAMED", "cust_id", "--for", "daily_report", "--until", "3d", "--reason"]
    assert typed(*line, "WHY").code == 2
    assert "daily_report only" in fine(*line, "INC-4711")
    assert "waived" in fine("check", "shop.orders", "--for", "daily_report")
    assert "INC-4711" in fine("waive", "shop.orders", "--list")
    assert "let through EXPECT_FIELD_RENAMED cust_id" in fine("show", "shop.orders")
    assert typed("waive", "shop.orders", "NO_SUCH_RULE", "--until", "3d", "--reason", "why not").code == 2
    assert "--reason must be said" in typed("waive", "shop.orders", "FIELD_RENAMED", "--until", "3d").err


# ---------------------------------------------------------------- restore, expire


def test_going_back_is_a_new_version_that_is_shown_first(warehouse: Path) -> None:
    fine("evolve", "shop.orders", RENAME)
    before = files(warehouse)
    assert fine("restore", "shop.orders", "0", "--dry-run").splitlines()[-1] == "Nothing was written."
    assert files(warehouse) == before
    assert "version 1 -> 2" in fine("restore", "shop.orders", "0")
    assert "cust_id" in fine("show", "shop.orders")
    assert typed("restore", "shop.orders", "9").code == 2


def test_expire_deletes_nothing_unless_it_is_told_to(warehouse: Path) -> None:
    for name in "abc":
        fine("evolve", "shop.orders", "--add", f"{name} INT")
    before = files(warehouse)
    shown = fine("expire", "shop.orders", "--older-than", "0d")
    assert "3 versions would be deleted; nothing was" in shown
    assert "v3  newest version" in shown
    assert files(warehouse) == before
    assert typed("expire", "shop.orders", "--delete", "--format=json").json["deleted"] == []
    done = typed("expire", "shop.orders", "--older-than", "0d", "--delete", "--format=json").json
    assert done["deleted"] == [0, 1, 2]
    assert [one["number"] for one in done["kept"]] == [3]
    assert typed("expire", "shop.orders", "--older-than", "old").code == 2


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "line",
    [
        ["create", "shop.orders", "other INT"],
        ["create", "shop.x"],
        ["create", "shop.x", "a NOPE"],
        ["create", "shop.x", "a INT", "--location", "x", "--primary-key", "nope"],
        ["create", "../x.y", "a INT"],
        ["adopt", "shop.x"],
        ["adopt", "shop.x", "data"],
        ["adopt", "shop.x", "data", "a INT", "--location", "other"],
        ["adopt", "orders.yaml"],
        ["adopt", "nope.yaml"],
        ["create", "orders.yaml", "a INT"],
        ["evolve", "shop.nope", "ADD COLUMN a INT"],
        ["evolve", "shop.orders", "ADD COLUMN cust_id INT"],
        ["evolve", "shop.orders", "WHATEVER"],
        ["evolve", "shop.orders:0", "ADD COLUMN a INT"],
        ["evolve", "shop.orders"],
        ["evolve", "job.yaml"],
        ["show", "shop.nope"],
        ["show", "shop.orders:7"],
        ["show", "shop.orders:x"],
        ["show", "shop.orders@nope"],
        ["show", "shop.orders", "--layout", "mini-paimon"],
        ["log", "shop.nope"],
        ["diff", "shop.orders"],
        ["ls", "nope"],
        ["ls", "../etc"],
        ["plan", "shop.orders:0:1", "ADD COLUMN a INT"],
        ["contract", "register", "orders.yaml"],
        ["contract"],
        ["waive", "shop.orders"],
        ["restore", "orders.yaml", "0"],
        ["--read-only", "evolve", "shop.orders", "ADD COLUMN a INT"],
        ["--store", "nonsense://x", "ls"],
        ["--store", "s3a://", "ls", "x"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_ends_with_2_and_changes_nothing(line: list[str], warehouse: Path) -> None:
    before = files(warehouse)
    done = typed(*line)
    assert done.code == 2, done
    assert "airflow-schemas" in done.err
    assert files(warehouse) == before


def test_options_stand_before_or_behind_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = str(tmp_path / "lake")
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE")
    for line in (
        ["--store", lake, "--format=json", "ls"],
        ["ls", "--store", lake, "--format=json"],
        ["--store", lake, "ls", "--format=json"],
    ):
        assert json.loads(fine(*line)) == {"databases": ["shop"]}


def test_a_branch_is_named_behind_the_table_or_by_an_option() -> None:
    assert typed("show", "shop.orders@b1").code == 2
    assert typed("show", "shop.orders", "--branch", "b1").code == 2
    assert typed("show", "shop.orders@main").code == 0


def test_quiet_says_nothing_but_errors() -> None:
    assert fine("evolve", "shop.orders", "--add", "a INT", "--quiet") == ""
    assert typed("show", "shop.nope", "--quiet").err != ""
