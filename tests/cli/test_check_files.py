"""`--output FORMAT=FILE`: every file that is asked for is written, whatever becomes of the line, and none of an earlier run remains."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from airflow_provider_schemas.cli import execute
from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.render.ci.comment import STEP_SUMMARY
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import typed

OLD = "table: shop.orders\ncolumns:\n- {name: order_id, type: BIGINT NOT NULL}\n- {name: cust_id, type: BIGINT}\n"
NEW = OLD.replace("cust_id", "customer_id, was: cust_id")
FORMATS = {
    "text": "a.txt",
    "markdown": "a.md",
    "json": "a.json",
    "sarif": "a.sarif",
    "junit": "a.xml",
    "github": "a.log",
    "gitlab": "gl.json",
    "html": "a.html",
}
OUTPUTS = [f"--output={name}={file}" for name, file in FORMATS.items()]
GREEN = "green, and of yesterday"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an old and a new table file."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS", "AIRFLOW_SCHEMAS_DOCS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "old.yaml").write_text(OLD, "utf-8")
    (tmp_path / "new.yaml").write_text(NEW, "utf-8")
    (tmp_path / "bad.yaml").write_text("table: [", "utf-8")
    return tmp_path


def leave_old_files(folder: Path) -> None:
    """Leave the files of an earlier run."""
    for file in FORMATS.values():
        (folder / file).write_text(GREEN, "utf-8")


def files(folder: Path) -> dict[str, str]:
    """What stands in the files."""
    return {name: (folder / file).read_text("utf-8") for name, file in FORMATS.items()}


def assert_not_judged(folder: Path) -> None:
    """Each file says that something was not judged."""
    written = files(folder)
    assert [name for name, text in written.items() if GREEN in text] == []
    assert json.loads(written["sarif"])["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert json.loads(written["json"])["errors"]
    assert "could not be judged" in written["html"] or "Not judged" in written["html"]
    assert {issue["severity"] for issue in json.loads(written["gitlab"])} == {"blocker"}
    assert int(ET.fromstring(written["junit"]).attrib["errors"]) > 0
    assert written["github"].startswith("::error ")
    assert "not judged" in written["markdown"].splitlines()[3]


def test_all_formats_are_written_at_once_and_the_text_is_printed_beside_them(folder: Path) -> None:
    alone = typed("check", "old.yaml", "new.yaml")
    done = typed("check", "old.yaml", "new.yaml", *OUTPUTS)
    assert (done.code, done.out, done.err) == (1, alone.out, alone.err)
    written = files(folder)
    assert written["text"].startswith("compared new.yaml with old.yaml")
    assert written["markdown"].startswith("<!-- airflow-schemas -->\n### ✖ shop.orders")
    assert json.loads(written["json"]) == typed("check", "old.yaml", "new.yaml", "--format=json").json
    (result,) = json.loads(written["sarif"])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "new.yaml"
    assert "<failure " in written["junit"]
    assert "::error file=new.yaml,line=4" in written["github"]
    assert json.loads(written["gitlab"])[0]["location"] == {"path": "new.yaml", "lines": {"begin": 4}}


def test_a_file_ends_with_one_line_end(folder: Path) -> None:
    typed("check", "old.yaml", "new.yaml", *OUTPUTS)
    assert [name for name, text in files(folder).items() if not text.endswith("\n") or text.endswith("\n\n\n")] == []


def test_what_github_does_not_show_is_in_the_file_that_is_named(folder: Path) -> None:
    columns = "".join(f"- {{name: c{number}, type: BIGINT}}\n" for number in range(15))
    (folder / "old.yaml").write_text(OLD + columns, "utf-8")
    (folder / "new.yaml").write_text(OLD + columns.replace("BIGINT", "INT"), "utf-8")
    done = typed("check", "old.yaml", "new.yaml", "--format=github", "--output=gitlab=gl.json", "--output=json=a.json")
    assert "more than GitHub shows of one step; all are in a.json." in done.out


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_printed_is_what_is_written(folder: Path, name: str) -> None:
    done = typed("check", "old.yaml", "new.yaml", f"--format={name}", f"--output={name}=out", "--width=100")
    assert done.out.rstrip("\n") == (folder / "out").read_text("utf-8").rstrip("\n")


@pytest.mark.parametrize(
    "line",
    [
        ["check", "nope.yaml"],
        ["check", "bad.yaml", "--alone"],
        ["check"],
        ["check", "old.yaml", "--bogus"],
        ["check", "old.yaml", "--format", "yaml"],
        ["chek", "old.yaml"],
        ["ls"],
        ["check", "shop.orders"],
        ["plan", "nope.yaml"],
        ["audit", "--store", "nowhere", "--branch", "b1"],
    ],
    ids=" ".join,
)
def test_a_refusal_and_a_line_that_cannot_be_read_leave_no_old_file(folder: Path, line: list[str]) -> None:
    leave_old_files(folder)
    done = typed(*line, *OUTPUTS)
    assert done.code == 2
    assert_not_judged(folder)


def test_an_unexpected_end_leaves_no_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: object) -> None:
        raise KeyboardInterrupt

    leave_old_files(folder)
    monkeypatch.setattr(execute, "_answer", end)
    assert main(["check", "old.yaml", "new.yaml", *OUTPUTS]) == 130
    assert_not_judged(folder)
    assert "did not end" in (folder / "a.txt").read_text("utf-8")


def test_a_file_that_cannot_be_written_is_2_after_all_others_were_written(folder: Path) -> None:
    leave_old_files(folder)
    done = typed("check", "old.yaml", "new.yaml", "--output=sarif=no/such.sarif", *OUTPUTS)
    assert done.code == 2
    assert "'no/such.sarif' cannot be written" in done.err
    assert "FIELD_RENAMED" in done.out
    assert GREEN not in "".join(files(folder).values())
    assert not (folder / "no").exists()


def test_one_file_for_two_formats_is_refused(folder: Path) -> None:
    (folder / "link").symlink_to("a.sarif")
    done = typed("check", "old.yaml", "new.yaml", "--output=sarif=a.sarif", "--output=json=link")
    assert done.code == 2
    assert "give each format a file of its own" in done.err
    assert json.loads((folder / "a.sarif").read_text("utf-8"))["runs"][0]["invocations"][0]["executionSuccessful"] is False


@pytest.mark.parametrize(
    "line", [["check", "old.yaml", "new.yaml"], ["check", "old.yaml", "--bogus"], ["plan", "old.yaml", "-o", "old.yaml"]]
)
def test_a_file_that_the_line_reads_is_never_overwritten(folder: Path, line: list[str]) -> None:
    done = typed(*line, "--output=json=./old.yaml")
    assert done.code == 2
    assert (folder / "old.yaml").read_text("utf-8") == OLD


@pytest.mark.parametrize("line", [["check", "."], ["check", ".", "--bogus"]])
def test_a_table_file_of_a_folder_that_is_checked_is_never_overwritten(folder: Path, line: list[str]) -> None:
    (folder / "link").symlink_to("old.yaml")
    for file in ("old.yaml", "link"):
        assert typed(*line, f"--output=json={file}").code == 2
    assert (folder / "old.yaml").read_text("utf-8") == OLD


@pytest.mark.parametrize("text", ["sarif", "yaml=a", "sarif=", "sarif=-", "sarif= ", ""])
def test_what_names_no_format_and_file_is_refused(text: str) -> None:
    done = typed("check", "old.yaml", "new.yaml", "--output", text)
    assert done.code == 2
    assert "--output" in done.err


@pytest.mark.parametrize("name", ["sarif", "junit", "github", "gitlab"])
def test_verbs_without_verdicts_refuse_formats_of_verdicts(name: str) -> None:
    done = typed("ls", f"--format={name}")
    assert done.code == 2
    assert f"--format {name} is for verdicts, and ls gives none here" in done.err


def test_a_line_that_cannot_be_read_is_printed_in_its_format() -> None:
    done = typed("check", "old.yaml", "--bogus", "--format", "github")
    assert done.out.startswith("::error title=NOT_JUDGED")


# ---------------------------------------------------------------- plans, restores, audits


def test_a_plan_has_an_output_of_its_own_beside_that_of_formats(folder: Path) -> None:
    line = ["plan", "new.yaml", "--base", "old.yaml", "--output", "plan.json", "--output", "sarif=a.sarif", "--output=markdown=a.md"]
    done = typed(*line)
    assert done.code == 1, done
    assert json.loads((folder / "plan.json").read_text("utf-8"))["changes"]
    assert json.loads((folder / "a.sarif").read_text("utf-8"))["runs"][0]["automationDetails"] == {"id": "airflow-schemas/plan/"}
    page = (folder / "a.md").read_text("utf-8")
    assert page.startswith("<!-- airflow-schemas -->\n")
    assert "RENAME COLUMN" in page


def test_a_plan_is_not_overwritten_by_a_verdict(folder: Path) -> None:
    done = typed("plan", "new.yaml", "--base", "old.yaml", "-o", "plan.json", "--output=json=./plan.json")
    assert (done.code, "which the line names besides" in done.err) == (2, True)
    assert not (folder / "plan.json").exists()


def test_what_could_not_be_done_in_full_is_no_success(folder: Path) -> None:
    SchemaStore(folder / "lake").create_table("shop.orders", "order_id BIGINT")
    line = ["plan", "shop.orders", "SET OPTION password = 'hunter2'", "--sql", "spark", "--store", "lake"]
    done = typed(*line, "--format=sarif")
    run = done.json["runs"][0]
    assert (done.code, run["invocations"][0]["executionSuccessful"], run["results"][0]["ruleId"]) == (2, False, "NOT_JUDGED")
    assert "hunter" not in done.out


def test_what_was_not_read_is_told_once(folder: Path) -> None:
    SchemaStore(folder / "lake").create_table("shop.orders", "order_id BIGINT")
    next((folder / "lake").rglob("schema-0")).write_text("{", "utf-8")
    done = typed("audit", "--store", "lake", "--format=sarif")
    assert (done.code, [result["ruleId"] for result in done.json["runs"][0]["results"]]) == (2, ["TABLE_UNREAD"])


def test_a_conversion_keeps_its_output(folder: Path) -> None:
    done = typed("convert", "old.yaml", "--to", "spark-ddl", "--output", "json=a.sql")
    assert done.code in (0, 1), done
    assert (folder / "json=a.sql").exists()


def test_restores_and_audits_give_verdicts_too(folder: Path) -> None:
    store = SchemaStore(folder / "lake")
    store.create_table("shop.orders", "order_id BIGINT")
    store.table("shop.orders").evolve(["ADD COLUMN note STRING"])
    lake = ["--store", "lake", "--format=sarif"]
    (restored,) = typed("restore", "shop.orders", "0", "--dry-run", *lake).json["runs"][0]["results"]
    assert restored["ruleId"] == "FIELD_DROPPED"
    audited = typed("audit", *lake).json["runs"][0]
    assert (audited["results"], [table["table"] for table in audited["properties"]["tables"]]) == ([], ["shop.orders"])
    assert typed("restore", "shop.orders", "0", *lake).code == 2


# ---------------------------------------------------------------- GitHub


def test_the_summary_of_a_step_is_appended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    (folder / "summary.md").write_text("of the step before\n", "utf-8")
    typed("check", "old.yaml", "new.yaml", "--format=github")
    typed("check", "nope.yaml", "--output=github=a.log")
    typed("check", "old.yaml", "--bogus", "--format=github")
    typed("check", "old.yaml", "new.yaml")
    parts = (folder / "summary.md").read_text("utf-8").split("<!-- airflow-schemas -->")
    assert (len(parts), parts[0]) == (4, "of the step before\n")
    assert all("not judged" in part for part in parts[2:])


def test_a_summary_that_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder))
    done = typed("check", "old.yaml", "new.yaml", "--format=github")
    assert (done.code, "cannot be written" in done.err) == (2, True)


def test_a_full_summary_is_left_as_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    (folder / "summary.md").write_bytes(b"x" * STEP_SUMMARY)
    assert typed("check", "old.yaml", "new.yaml", "--format=github").code == 1
    assert (folder / "summary.md").stat().st_size == STEP_SUMMARY


def test_no_text_of_users_is_a_command_in_a_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (folder / "new.yaml").write_text(OLD.replace("cust_id", "'::add-mask::x ##[error]y'"), "utf-8")
    for name in ("text", "markdown", "json"):
        done = typed("check", "old.yaml", "new.yaml", f"--format={name}", "--width=40")
        for line in (done.out + done.err).splitlines():
            assert not line.lstrip().startswith("::")
            assert "##[" not in line


# ---------------------------------------------------------------- links, and places


@pytest.mark.parametrize("address", ["https://docs.example/a", "https://docs.example/a/"])
def test_links_lead_to_the_address_of_the_option_or_of_the_environment(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["check", "old.yaml", "new.yaml", "--format=sarif"]
    by_option = typed(*line, "--docs", address).json
    assert by_option["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"] == "https://docs.example/a/docs/rules/FIELD_RENAMED.md"
    monkeypatch.setenv("AIRFLOW_SCHEMAS_DOCS", address)
    assert typed(*line).json == by_option


@pytest.mark.parametrize("address", ["docs.example", "javascript:alert(1)", "https://a b", "https://a)b", "https://a\nb"])
def test_what_is_no_address_of_a_site_is_refused(address: str) -> None:
    assert typed("check", "old.yaml", "new.yaml", "--docs", address).code == 2


def test_files_are_told_below_the_root_of_the_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".git").mkdir()
    (folder / "team").mkdir()
    (folder / "team" / "new.yaml").write_text(NEW, "utf-8")
    monkeypatch.chdir(folder / "team")
    (issue,) = typed("check", "../old.yaml", "new.yaml", "--format=gitlab").json
    assert issue["location"]["path"] == "team/new.yaml"
