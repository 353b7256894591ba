"""Renames and aliases as they are typed: what is printed can be pasted at that moment, and serves the job that it is printed for."""

import shlex
from pathlib import Path

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, check_contract
from airflow_provider_schemas.render import text
from tests.support.command_line import Done, fine, typed

JOB = "job: daily\nreads:\n  shop.orders: {columns: a BIGINT, read_with: read_table}\n"


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store with shop.orders, and a job that reads it with read_table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", "lake")
    fine("create", "shop.orders", "a BIGINT, c STRING, r ROW<x INT, y INT>")
    Path("daily.yaml").write_text(JOB, "utf-8")


def registered() -> None:
    fine("contract", "register", "daily.yaml")


def pasted(shown: str, label: str) -> Done:
    """Type the command that stands below a label."""
    lines = shown.splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip().startswith(label))
    line = lines[place].strip().removeprefix(label).strip() or lines[place + 1].strip()
    return typed(*shlex.split(line)[1:])


def served() -> Done:
    return typed("check", "shop.orders", "--for", "daily")


def test_a_rename_back_leaves_a_table_file_that_can_be_planned() -> None:
    fine("evolve", "shop.orders", "--alias", "a:b", "--until", "2999-12-31")
    fine("evolve", "shop.orders", "--rename", "b:a")
    assert "alias" not in fine("show", "shop.orders")
    fine("convert", "shop.orders", "--to", "table-file", "-o", "orders.yaml")
    file = Path("orders.yaml").read_text("utf-8").replace("database.table", "shop.orders")
    Path("orders.yaml").write_text(file, "utf-8")
    assert "nothing to do" in fine("plan", "orders.yaml")


def test_a_name_that_is_an_alias_is_refused_with_the_change_that_ends_it() -> None:
    fine("evolve", "shop.orders", "--alias", "a:b", "--until", "2999-12-31")
    for words in (["--rename", "c:a"], ["--add", "a INT"], ["--alias", "c:A", "--until", "3d"]):
        done = typed("evolve", "shop.orders", *words)
        assert (done.code, "is an alias of b" in done.err) == (2, True), done
    assert "with UNSET OPTION schemas.field.0" in done.err
    fine("evolve", "shop.orders", "UNSET OPTION schemas.field.0")
    fine("evolve", "shop.orders", "--rename", "c:a")


@pytest.mark.parametrize("command", [["plan"], ["evolve"]], ids=str)
def test_the_alias_that_a_refused_rename_proposes_serves_the_reader(command: list[str]) -> None:
    registered()
    done = typed(*command, "shop.orders", "--rename", "a:b")
    assert (done.code, "or undo it" in done.out) == (1, False)
    assert pasted(done.out, "keep the name").code == 0
    assert served().code == 0


def test_the_alias_that_is_proposed_after_the_rename_serves_the_reader() -> None:
    registered()
    fine("evolve", "shop.orders", "--rename", "a:b", "--override", "a test")
    assert served().code == 1
    assert pasted(typed("check", "shop.orders:0", "shop.orders:1").out, "keep the name").code == 0
    assert served().code == 0
    assert "alias a until" in fine("show", "shop.orders")


def test_an_alias_of_a_name_that_no_version_had_is_refused() -> None:
    fine("evolve", "shop.orders", "--rename", "a:b")
    assert "there is no column 'x'" in typed("evolve", "shop.orders", "--alias", "x:b", "--until", "3d").err


def test_an_alias_of_a_field_inside_is_refused_with_the_changes_that_do_it() -> None:
    done = typed("evolve", "shop.orders", "--alias", "r.x:z", "--until", "2999-12-31")
    changes = shlex.split(done.err.partition("instead: ")[2])
    fine("evolve", "shop.orders", *changes)
    assert '\\"alias\\": {\\"x\\": \\"2999-12-31\\"}' in fine("show", "shop.orders", "--format", "json")


def test_a_table_file_is_told_the_line_of_its_column() -> None:
    registered()
    file = "table: shop.orders\ncolumns:\n  - {name: b, type: BIGINT, was: a}\n  - {name: c, type: STRING}\n"
    Path("orders.yaml").write_text(file, "utf-8")
    line = next(one for one in typed("check", "orders.yaml").out.splitlines() if one.strip().startswith("keep the name"))
    alias = line.strip().removeprefix("keep the name").partition(" at ")[0].strip()
    Path("orders.yaml").write_text(file.replace("was: a", f"was: a, {alias}"), "utf-8")
    fine("evolve", "orders.yaml")
    assert served().code == 0


def test_a_reader_with_a_working_alias_is_told_of_itself_and_of_nothing_to_undo() -> None:
    registered()
    fine("evolve", "shop.orders", "--alias", "a:b", "--until", "2999-12-31")
    out = " ".join(served().out.split())
    assert "and stays as an alias until 2999-12-31" in out
    assert "read_table finds the column by the old name until the alias ends" in out
    assert "before the alias ends." in out
    assert "plain Spark" not in out
    assert "RENAME COLUMN" not in out


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("read_table", "read_table finds no column of the old name"),
        ("spark-4-parquet", "finds the old name in files from before the rename alone"),
        ("", "A query of the old name stops"),
    ],
)
def test_what_a_rename_does_is_said_for_the_way_in_which_the_job_reads(way: str, says: str) -> None:
    Path("daily.yaml").write_text(JOB.replace("read_with: read_table", f"read_with: '{way}'"), "utf-8")
    registered()
    fine("evolve", "shop.orders", "--rename", "a:b", "--override", "a test")
    assert says in " ".join(served().out.split())


KINDS = {
    "paimon": ("a.json", "b.json"),
    "table-file": ("a.yaml", "b.yaml"),
    "paimon and a table file": ("a.json", "b.yaml"),
    "spark": ("a.spark", "b.spark"),
}


def kept(option: str = "") -> None:
    """The two versions around a rename, in several languages."""
    for name, version in (("a", 0), ("b", 1)):
        for ending, language in (("json", "paimon"), ("spark", "spark-json")):
            fine("convert", f"shop.orders:{version}", "--to", language, "-o", f"{name}.{ending}")
        was = "was: a, " if version else ""
        policy = f"policy: {option}\n" if option and version else ""
        file = f"table: shop.orders\n{policy}columns:\n  - {{name: {name}, {was}type: BIGINT}}\n  - {{name: c, type: STRING}}\n"
        Path(f"{name}.yaml").write_text(file, "utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_a_rename_breaks_between_files_of_every_kind(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fine("evolve", "shop.orders", "--rename", "a:b")
    kept()
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE")
    old, new = KINDS[kind]
    assert typed("check", f"./{old}", f"./{new}").code == 1
    Path("lenient.yaml").write_text("protect: {jobs: warn}\n", "utf-8")
    assert kind == "spark" or typed("check", f"./{old}", f"./{new}", "--policy", "lenient.yaml").code == 0


def test_plan_on_a_file_says_what_check_says_of_two_and_a_policy_in_the_files_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    lenient = """SET OPTION schemas.policy = '{"protect": {"jobs": "warn"}}'"""
    fine("evolve", "shop.orders", "--rename", "a:b")
    kept()
    fine("evolve", "shop.orders", lenient, "--override", "a test")
    fine("convert", "shop.orders", "--to", "paimon", "-o", "c.json")
    fine("evolve", "shop.orders", "--rename", "b:z")
    fine("convert", "shop.orders", "--to", "paimon", "-o", "d.json")
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE")
    assert typed("plan", "b.yaml", "--base", "./a.json").code == typed("plan", "./a.json", "--rename", "a:b").code == 1
    assert typed("check", "./c.json", "./d.json").code == typed("plan", "./c.json", "--rename", "b:z").code == 0


def test_where_nothing_changes_no_version_is_said_to_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    fine("convert", "shop.orders", "--to", "table-file", "-o", "orders.yaml")
    file = Path("orders.yaml").read_text("utf-8").replace("database.table", "shop.orders")
    for name in ("orders.yaml", "again.yaml"):
        Path(name).write_text(file, "utf-8")
    assert "✔ fits   shop.orders v0\n" in fine("check", "orders.yaml")
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE")
    assert "✔ fits   shop.orders v0\n" in fine("check", "orders.yaml", "again.yaml")


def test_a_job_without_a_name_is_not_called_by_a_placeholder() -> None:
    for form in ("text", "markdown"):
        out = typed("check", "shop.orders", "--contract", "zz INT", "--format", form).out
        assert "job this job" not in out
        assert "job:** this job" not in out


def test_a_job_without_a_name_whose_owner_is_known_is_called_by_the_owner() -> None:
    report = check_contract(TableSchema.create("a INT"), Contract.of({"columns": "zz INT"}, owner="team-bi"))
    assert "job without a name (team-bi)" in text(report)
