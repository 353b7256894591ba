"""Files of jobs against git: a contract that is new or changed is judged against its table, one that is gone is not forgotten."""

from pathlib import Path

import pytest

from tests.support.command_line import Done, fine, typed
from tests.support.git_repositories import DAILY, RENAMED, GitRepository, about

FILE = "schemas/shop/orders.yaml"
JOB = "contracts/daily.yaml"
COUNTRY = DAILY.replace("cust_id BIGINT", "country STRING")


@pytest.fixture
def jobs(repo: GitRepository) -> GitRepository:
    """The repository with the file of a job on main."""
    repo.branch("main")
    repo.commit({JOB: DAILY})
    repo.branch("change")
    return repo


def check(*words: str) -> Done:
    return typed("check", *(words or ("schemas", "contracts")), "--git=main", "--format=json")


def rules(done: Done) -> list[tuple[str, str]]:
    return [(finding["rule"], finding["verdict"]) for report in done.json["reports"] for finding in report["findings"]]


def test_the_jobs_of_the_tree_are_readers_and_their_files_are_named(jobs: GitRepository) -> None:
    jobs.commit({FILE: RENAMED})
    (report,) = check().json["reports"]
    assert report["findings"][0]["consumers"][0]["name"] == "daily"
    assert f"asked as readers and writers: daily ({JOB})" in report["notes"]


def test_a_job_whose_file_lies_beside_a_single_file_is_a_reader_as_well(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/shop/daily.yaml": DAILY})
    repo.branch("change")
    repo.commit({FILE: RENAMED})
    (report,) = check(FILE).json["reports"]
    assert report["findings"][0]["consumers"][0]["name"] == "daily"


def test_the_file_of_a_job_that_moved_along_with_the_table_is_what_counts(jobs: GitRepository) -> None:
    jobs.commit({FILE: RENAMED, JOB: DAILY.replace("cust_id", "customer_id")})
    done = check()
    reports = done.json["reports"]
    assert [finding.get("consumers", []) for report in reports for finding in report["findings"]] == [[]]
    assert reports[1]["verdict"] == "ok"


def test_a_changed_contract_is_judged_against_the_table_file_of_the_line(jobs: GitRepository) -> None:
    jobs.commit({JOB: COUNTRY})
    done = check()
    assert (done.code, rules(done)) == (1, [("EXPECT_FIELD_MISSING", "break")])
    assert done.json["compared"] == [f"{JOB} with shop.orders of {FILE}"]
    assert done.json["reports"][0]["file"] == JOB


def test_a_new_contract_is_judged_too_and_one_that_only_moved_is_not(jobs: GitRepository) -> None:
    jobs.commit({"contracts/new.yaml": COUNTRY.replace("daily", "weekly")})
    assert rules(check()) == [("EXPECT_FIELD_MISSING", "break")]
    jobs.commit({"contracts/new.yaml": None, JOB: None, "contracts/team/daily.yaml": DAILY})
    done = check()
    assert done.json["reports"] == []
    assert "the contract of daily about shop.orders was moved" in "".join(done.json["notes"])


def test_a_contract_without_a_table_to_compare_with_is_no_green(jobs: GitRepository) -> None:
    jobs.commit({JOB: DAILY.replace("shop.orders", "shop.sales")})
    done = check()
    assert done.code == 2
    assert "there is nothing to compare what daily needs of shop.sales with" in done.json["errors"][0]["message"]
    assert "fits" not in "".join(map(str, done.json["notes"]))


def test_a_contract_that_cannot_be_read_hides_no_verdict(jobs: GitRepository) -> None:
    jobs.commit({JOB: "job: daily\nreads: 3\n", FILE: RENAMED})
    done = check()
    assert done.code == 2
    assert [report["table"] for report in done.json["reports"]] == ["shop.orders"]
    assert done.json["errors"][0]["path"].startswith(JOB)
    assert len(done.json["errors"]) == 1


def test_a_file_of_a_job_that_nobody_knows_any_more_is_no_green(jobs: GitRepository) -> None:
    jobs.commit({JOB: DAILY.replace("job:", "jbo:").replace("reads:", "raeds:")})
    done = check()
    assert (done.code, done.json["reports"], done.json["errors"][0]["code"]) == (2, [], "cli.git-lost")


def test_a_deleted_contract_warns(jobs: GitRepository) -> None:
    jobs.commit({JOB: None})
    done = check()
    assert (done.code, rules(done)) == (0, [("CONTRACT_FILE_DELETED", "warn")])
    assert "No store is named, so that was not looked at." in done.json["reports"][0]["findings"][0]["message"]


def test_another_job_in_the_file_is_a_contract_that_is_gone_and_a_new_one(jobs: GitRepository) -> None:
    jobs.commit({JOB: DAILY.replace("job: daily", "job: weekly")})
    assert rules(check()) == [("CONTRACT_FILE_DELETED", "warn")]


def test_a_table_that_a_job_no_longer_reads_is_named(jobs: GitRepository) -> None:
    jobs.commit({JOB: "job: daily\nreads:\n  shop.users: [order_id]\n", "schemas/users.yaml": about("shop.users")})
    notes = check().json["notes"]
    assert any(note.startswith("daily no longer says what it needs of shop.orders") for note in notes)


# ---------------------------------------------------------------- with a store


@pytest.fixture
def lake(jobs: GitRepository, tmp_path: Path) -> str:
    """A store with shop.orders, which daily reads."""
    place = str(tmp_path / "lake")
    fine("create", FILE, "--store", place)
    fine("contract", "register", JOB, "--store", place)
    return place


def test_a_contract_about_a_table_without_a_file_is_judged_against_the_store(jobs: GitRepository, lake: str) -> None:
    jobs.commit({JOB: COUNTRY})
    done = check("contracts", "--store", lake)
    assert (done.code, rules(done)) == (1, [("EXPECT_FIELD_MISSING", "break")])
    assert check("contracts").code == 2
    assert f"of {lake} with {JOB}" in done.json["compared"][0]


def test_a_deleted_contract_that_is_registered_says_how_to_take_it_away(jobs: GitRepository, lake: str) -> None:
    jobs.commit({JOB: None})
    (finding,) = check("schemas", "contracts", "--store", lake).json["reports"][0]["findings"]
    assert "what daily has registered about shop.orders stays registered." in finding["message"]
    assert f"airflow-schemas contract remove --store {lake} shop.orders daily" in finding["fix"]["text"]


def test_a_job_that_is_registered_and_has_a_file_counts_once_and_as_its_file_says(jobs: GitRepository, lake: str) -> None:
    jobs.commit({FILE: RENAMED, JOB: DAILY.replace("cust_id", "customer_id")})
    reports = check("schemas", "contracts", "--store", lake).json["reports"]
    assert [[finding.get("consumers", []) for finding in report["findings"]] for report in reports] == [[[]], [[]], []]
    jobs.commit({JOB: DAILY})
    reports = check("schemas", "contracts", "--store", lake).json["reports"]
    assert [[[one["name"] for one in finding["consumers"]] for finding in report["findings"]] for report in reports] == [
        [["daily"]],
        [["daily"]],
    ]


def test_a_job_of_another_team_is_asked_besides(jobs: GitRepository, lake: str) -> None:
    fine("contract", "register", JOB, "--store", lake, "--team", "other")
    jobs.commit({FILE: RENAMED, JOB: DAILY.replace("cust_id", "customer_id")})
    reports = check("schemas", "contracts", "--store", lake).json["reports"]
    broken = [[reader["name"] for reader in report["findings"][0]["consumers"]] for report in reports[:2]]
    assert broken == [["daily (other)"], ["daily (other)"]]


def test_two_files_about_the_same_table_for_one_job_are_both_judged(jobs: GitRepository) -> None:
    jobs.commit({"contracts/a.yaml": DAILY.replace("cust_id BIGINT", "nobody STRING"), "contracts/z.yaml": DAILY})
    done = check()
    assert done.code == 1
    assert ("EXPECT_FIELD_MISSING", "break") in rules(done)


def test_a_reader_that_gives_in_along_with_the_change_is_told(jobs: GitRepository) -> None:
    jobs.commit({FILE: RENAMED, JOB: DAILY.replace(", cust_id BIGINT", "")})
    note = f"daily needed cust_id of shop.orders, and {JOB} no longer says so: judged by what it says now"
    assert note in check().json["notes"]
