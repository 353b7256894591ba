"""Table files against git and a store together: main is not what is in the store, so that both are compared, and both are said."""

from pathlib import Path

import pytest

from tests.support.command_line import Done, fine, typed
from tests.support.git_repositories import DAILY, ORDERS, RENAMED, WIDER, GitRepository, about

FILE = "schemas/shop/orders.yaml"


@pytest.fixture
def lake(repo: GitRepository, tmp_path: Path) -> str:
    """A store with shop.orders as main has it."""
    place = str(tmp_path / "lake")
    fine("create", FILE, "--store", place)
    return place


def check(lake: str, *words: str) -> Done:
    return typed("check", "schemas", "--git=main", "--store", lake, "--format=json", *words)


def rules(done: Done) -> list[tuple[str, str]]:
    return [(finding["rule"], finding["verdict"]) for report in done.json["reports"] for finding in report["findings"]]


def test_a_changed_file_is_compared_with_git_and_with_the_store(repo: GitRepository, lake: str) -> None:
    repo.commit({FILE: RENAMED})
    done = check(lake)
    base = repo.git("rev-parse", "main")[:7]
    assert done.json["compared"] == [
        f"{FILE} with shop.orders at {base}, the merge base of main and HEAD",
        f"{FILE} with shop.orders version 0 of {lake}",
    ]
    assert rules(done) == [("FIELD_RENAMED", "warn"), ("FIELD_RENAMED", "warn")], "nobody reads it, as the policy of the table has it"


def test_registered_readers_break_both(repo: GitRepository, lake: str) -> None:
    (repo.top.parent / "daily.yaml").write_text(DAILY)
    fine("contract", "register", "../daily.yaml", "--store", lake)
    repo.commit({FILE: RENAMED})
    assert rules(check(lake)) == [("FIELD_RENAMED", "break"), ("FIELD_RENAMED", "break")]
    repo.commit({FILE: None})
    done = check(lake)
    assert (done.code, rules(done)) == (1, [("TABLE_FILE_DELETED", "break")])
    assert f"shop.orders version 0 of {lake} stays as it is." in done.json["reports"][0]["findings"][0]["message"]


def test_a_store_that_has_moved_away_from_main_is_named(repo: GitRepository, lake: str) -> None:
    fine("evolve", "shop.orders", "ALTER COLUMN cust_id COMMENT 'who'", "--store", lake)
    fine("evolve", "shop.orders", "ADD COLUMN utm INT", "--store", lake)
    repo.commit({FILE: WIDER})
    stored = check(lake).json["reports"][1]
    base = repo.git("rev-parse", "main")[:7]
    assert any(
        f"is not what the file said at {base}" in note or f"has what the file did not say at {base}: utm" in note
        for note in stored["notes"]
    )


def test_a_table_that_is_new_in_git_and_there_already_is_compared_with_it(repo: GitRepository, lake: str) -> None:
    fine("create", "shop.users", "order_id BIGINT NOT NULL, cust_id STRING", "--store", lake)
    repo.commit({"schemas/users.yaml": about("shop.users")})
    (report,) = check(lake).json["reports"]
    assert f"shop.users is new in git, and was in {lake} already: compared with it" in report["notes"]
    assert [finding["path"] for finding in report["findings"]] == ["cust_id"]


def test_a_new_table_that_is_nowhere_fits_and_one_with_nearly_the_name_of_another_warns(repo: GitRepository, lake: str) -> None:
    repo.commit({"schemas/invoices.yaml": about("shop.invoices")})
    done = check(lake)
    assert (done.code, rules(done)) == (0, [])
    fine("create", "shop.payments", "id BIGINT", "--store", lake)
    repo.commit({"schemas/payment.yaml": about("shop.payment")})
    assert ("TABLE_MISSING", "warn") in rules(check(lake))


def test_a_changed_table_that_the_store_does_not_have_yet_is_compared_with_git_alone(
    repo: GitRepository, lake: str, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    fine("create", "shop.payments", "id BIGINT", "--store", other)
    repo.commit({FILE: WIDER})
    done = check(other)
    assert done.code == 0
    assert f"{other} has no shop.orders: compared with git alone" in done.json["reports"][1]["notes"]


def test_a_store_without_any_table_is_no_store_to_compare_with(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    repo.commit({FILE: WIDER})
    done = check(str(tmp_path / "empty"))
    assert done.code == 2
    assert "there are no tables in" in done.json["errors"][0]["message"]


def test_a_store_that_is_not_there_hides_no_verdict_of_others_and_is_no_green(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({FILE: WIDER})
    assert check(str(tmp_path / "nowhere")).code == 2


def test_what_did_not_change_is_not_judged_against_the_store_and_that_is_said(repo: GitRepository, lake: str) -> None:
    repo.commit({"schemas/users.yaml": about("shop.users")})
    done = check(lake)
    assert any("not judged again against git or the store" in note for note in done.json["notes"])


# ---------------------------------------------------------------- what a line requires


def test_a_line_that_requires_a_store_ends_with_2_without_one_that_answers(repo: GitRepository, lake: str, tmp_path: Path) -> None:
    repo.commit({FILE: WIDER})
    assert typed("check", "schemas", "--git=main", "--require=store").code == 2
    assert typed("check", "schemas", "--git=main", "--require=store", "--store", str(tmp_path / "nowhere")).code == 2
    assert typed("check", "schemas", "--git=main", "--require=store", "--store", lake).code == 0


def test_a_line_that_requires_git_compares_with_it_beside_a_store(repo: GitRepository, lake: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.commit({FILE: WIDER})
    done = typed("check", "schemas", "--require=git,store", "--store", lake, "--format=json")
    assert (done.code, len(done.json["reports"])) == (0, 2)
    assert "git" not in typed("check", "schemas", "--store", lake, "--format=json").json, "with a store and no --git all stays as it was"


@pytest.mark.parametrize("words", [("--alone",), ("--new",), ("--for=daily",), ("--contract=order_id BIGINT",), ("--since=3",)])
def test_what_names_another_thing_to_compare_with_is_refused_beside_git(repo: GitRepository, words: tuple[str, ...]) -> None:
    for option in ("--git=main", "--require=git"):
        done = typed("check", "schemas", option, *words)
        assert done.code == 2
        assert "exclude each other" in done.err


def test_what_else_may_be_required_is_said(repo: GitRepository) -> None:
    assert "write git or store" in typed("check", "schemas", "--require=gti").err


def test_a_policy_of_the_line_is_judged_by_as_well(repo: GitRepository, lake: str) -> None:
    repo.write({"strict.yaml": "rules: {FIELD_ADDED_NULLABLE: block}\n", FILE: WIDER})
    assert rules(check(lake, "--policy=strict.yaml")) == [("FIELD_ADDED_NULLABLE", "break")] * 2


def test_the_file_of_main_is_untouched(repo: GitRepository, lake: str) -> None:
    repo.write({FILE: RENAMED})
    check(lake)
    assert (repo.top / FILE).read_text() == RENAMED
    assert repo.git("show", f"main:{FILE}") == ORDERS.rstrip("\n")
    assert repo.git("status", "--porcelain") == f"M {FILE}"


def test_a_waiver_lets_a_deleted_file_through(repo: GitRepository, lake: str) -> None:
    (repo.top.parent / "daily.yaml").write_text(DAILY)
    fine("contract", "register", "../daily.yaml", "--store", lake)
    repo.commit({FILE: None})
    assert rules(check(lake)) == [("TABLE_FILE_DELETED", "break")]
    reason = ("--until=2999-01-01", "--reason=the table is retired", "--store", lake)
    fine("waive", "shop.orders", "TABLE_FILE_DELETED", "table", *reason)
    done = check(lake)
    assert (done.code, rules(done)) == (0, [("TABLE_FILE_DELETED", "warn")])
