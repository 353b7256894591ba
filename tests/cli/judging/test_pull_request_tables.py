"""Table files against git: what is new, changed, moved or deleted is judged, and nothing is said to fit that was not looked at."""

import pytest

from tests.support.command_line import Done, typed
from tests.support.git_repositories import DAILY, ORDERS, RENAMED, WIDER, GitRepository, about

FILE = "schemas/shop/orders.yaml"


def check(*words: str) -> Done:
    return typed("check", *words, "--git=main")


def rules(done: Done) -> list[tuple[str, str]]:
    """The rules of all findings, each with its verdict."""
    return [(finding["rule"], finding["verdict"]) for report in done.json["reports"] for finding in report["findings"]]


def refused(*words: str) -> str:
    """Type a line that ends with 2, and calls nothing fine."""
    done = check(*words)
    assert done.code == 2, done
    assert "fits" not in done.out
    return done.err


# ---------------------------------------------------------------- changed files


def test_a_renamed_column_breaks_and_the_line_says_what_was_compared(repo: GitRepository) -> None:
    base = repo.git("rev-parse", "main")
    repo.commit({FILE: RENAMED})
    done = check("schemas")
    assert done.code == 1
    assert done.out.startswith(f"compared {FILE} with shop.orders at {base[:7]}, the merge base of main and HEAD\n")
    assert "FIELD_RENAMED" in done.out


def test_json_names_the_commits_and_the_file_of_each_report(repo: GitRepository) -> None:
    repo.write({FILE: WIDER})
    answer = check("schemas", "--format=json").json
    assert answer["git"] == {"base": repo.git("rev-parse", "main"), "named": "main", "exact": False, "head": "working tree"}
    assert [report["file"] for report in answer["reports"]] == [FILE]
    assert rules(check("schemas", "--format=json")) == [("FIELD_ADDED_NULLABLE", "ok")]


def test_a_change_counts_whether_it_is_committed_or_staged_or_only_there(repo: GitRepository) -> None:
    repo.write({FILE: RENAMED})
    assert check("schemas").code == 1
    repo.git("add", "--all")
    assert check("schemas").code == 1
    repo.git("commit", "--quiet", "--message", "renamed")
    assert check("schemas").code == 1


def test_trees_alone_are_compared_where_the_line_names_both(repo: GitRepository) -> None:
    repo.commit({FILE: WIDER})
    repo.write({FILE: RENAMED})
    done = typed("check", "schemas", "--git=main..HEAD", "--format=json")
    assert (done.code, rules(done)) == (0, [("FIELD_ADDED_NULLABLE", "ok")])
    assert done.json["git"]["head"] == repo.git("rev-parse", "HEAD")


def test_any_revision_may_stand_on_the_right(repo: GitRepository) -> None:
    repo.commit({FILE: RENAMED})
    repo.git("tag", "release")
    repo.git("checkout", "--quiet", "main")
    assert typed("check", "schemas", "--git=main..release").code == 1


def test_other_line_ends_are_no_change(repo: GitRepository) -> None:
    repo.commit({FILE: ORDERS.replace("\n", "\r\n"), "other.txt": "x"})
    done = check("schemas", "--format=json")
    assert (done.code, done.json["reports"]) == (0, [])


def test_a_weaker_policy_in_the_file_does_not_let_its_own_change_through(repo: GitRepository) -> None:
    strict = f"{ORDERS}policy: {{protect: {{data: block, jobs: block, writers: warn}}}}\n"
    repo.branch("main")
    repo.commit({FILE: strict})
    repo.branch("weaker")
    repo.write({FILE: f"{RENAMED}policy: NONE\n"})
    assert check("schemas").code == 1


@pytest.mark.parametrize("policy", ["NONE", "default", "{protect: {data: warn, jobs: warn, writers: warn}, registry_complete: true}"])
def test_the_first_policy_of_a_file_does_not_let_its_own_change_through(repo: GitRepository, policy: str) -> None:
    repo.commit({FILE: f"{RENAMED}policy: {policy}\n"})
    done = check("schemas", "--width=200")
    assert done.code == 1
    assert "the policy is new: it can make this change break" in done.out
    assert typed("check", "schemas", "--git=HEAD").code == 1
    repo.commit({FILE: WIDER.replace("cust_id", "customer_id") + f"policy: {policy}\n"})
    assert typed("check", "schemas", "--git=HEAD~1").code == 0


def test_files_as_they_were_are_counted_and_not_said_to_fit(repo: GitRepository) -> None:
    base = repo.git("rev-parse", "main")
    repo.commit({"other.txt": "x"})
    done = check("schemas", "--width=200")
    assert done.code == 0
    assert f"no table file and no contract differs from {base[:7]}, the merge base of main and HEAD: nothing was judged" in done.out
    assert f"1 table file is as it was at {base[:7]}: not judged again" in done.out
    assert "fits" not in done.out


def test_files_as_they_were_are_not_parsed(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/shop/broken.yaml": "table: shop.broken\ncolumns: {\n", FILE: ORDERS})
    repo.branch("wider")
    repo.write({FILE: WIDER})
    assert check("schemas").code == 0


# ---------------------------------------------------------------- new files


def test_a_new_table_is_judged_as_a_new_one_untracked_or_not(repo: GitRepository) -> None:
    repo.write({"schemas/shop/users.yaml": about("shop.users")})
    done = check("schemas", "--format=json")
    assert done.code == 0
    assert done.json["reports"][0]["notes"][0] == "judged as a new table: nothing was compared"
    repo.write({"schemas/shop/users.yaml": about("shop.users", ORDERS.replace("BIGINT", "BIGINTT"))})
    assert "schemas/shop/users.yaml:3" in refused("schemas")


def test_an_ignored_file_counts_only_where_the_line_names_it(repo: GitRepository) -> None:
    repo.commit({".gitignore": "drafts/\n"})
    repo.write({"drafts/users.yaml": about("shop.users")})
    assert "shop.users" not in check(".").out
    assert "shop.users is new" in check("drafts/users.yaml").out


def test_a_new_table_that_a_contract_of_the_tree_does_not_fit_breaks(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/users_job.yaml": "job: crm\nreads:\n  shop.users: [country]\n"})
    repo.branch("users")
    repo.write({"schemas/shop/users.yaml": about("shop.users")})
    done = check("schemas", "--format=json")
    assert (done.code, rules(done)) == (1, [("EXPECT_FIELD_MISSING", "break")])


def test_a_table_is_not_new_where_its_file_of_the_base_cannot_be_read(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({FILE: "table: shop.orders\ncolumns: {\n"})
    repo.branch("mended")
    repo.write({FILE: ORDERS})
    assert f"{FILE}: its text at {repo.git('rev-parse', 'main')[:7]} cannot be read" in refused("schemas")


def test_nor_where_nobody_knows_which_table_a_file_of_the_base_was_about(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({FILE: "table: {shop\ncolumns: ["})
    repo.branch("mended")
    repo.write({FILE: ORDERS})
    assert "cannot be read" in refused("schemas")


@pytest.mark.parametrize(
    "text", ["version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", b"\x00GITCRYPT\x00abc", "just a text\n"]
)
def test_nor_where_the_base_has_something_else_in_its_place(repo: GitRepository, text: str | bytes) -> None:
    repo.branch("main")
    repo.commit({FILE: text})
    repo.branch("plain")
    repo.write({FILE: ORDERS})
    assert "it was no table file that can be read" in refused("schemas")


# ---------------------------------------------------------------- moved files, and files of other tables


def test_a_table_is_known_by_its_name_so_that_a_moved_file_is_no_finding(repo: GitRepository) -> None:
    repo.commit({FILE: None, "tables/orders.yaml": ORDERS})
    done = check(".")
    assert done.code == 0
    assert f"the file of shop.orders was moved: {FILE} is tables/orders.yaml now" in done.out


def test_a_moved_file_is_compared_with_what_it_was(repo: GitRepository) -> None:
    repo.commit({FILE: None, "tables/orders.yaml": RENAMED})
    done = check("schemas", "tables", "--format=json")
    assert (done.code, rules(done)) == (1, [("FIELD_RENAMED", "break")])


def test_another_name_at_the_same_path_asks(repo: GitRepository) -> None:
    repo.commit({FILE: about("shop.sales")})
    done = check("schemas", "--format=json")
    assert (done.code, rules(done)) == (0, [("TABLE_NAME_CHANGED", "warn")])
    assert "was about shop.orders and is about shop.sales now" in done.json["reports"][1]["findings"][0]["message"]
    assert check("schemas", "--strict").code == 1


def test_two_files_of_one_table_are_refused_and_hide_no_other(repo: GitRepository) -> None:
    repo.write({"schemas/copy.yaml": ORDERS, "schemas/users.yaml": about("shop.users")})
    done = check("schemas", "--format=json")
    assert done.code == 2
    assert [report["table"] for report in done.json["reports"]] == ["shop.users"]
    assert "2 files are about it: schemas/copy.yaml, schemas/shop/orders.yaml" in done.json["errors"][0]["message"]


def test_of_two_files_at_the_base_each_is_compared(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/copy.yaml": WIDER})
    repo.branch("once")
    repo.commit({"schemas/copy.yaml": None})
    done = check("schemas", "--format=json")
    assert [report["file"] for report in done.json["reports"]] == [FILE, FILE]


# ---------------------------------------------------------------- deleted files


def test_a_deleted_file_drops_nothing_and_warns(repo: GitRepository) -> None:
    repo.commit({FILE: None})
    done = check("schemas", "--format=json")
    assert (done.code, rules(done)) == (0, [("TABLE_FILE_DELETED", "warn")])
    assert done.json["reports"][0]["file"] == FILE
    assert "no store is named: whether readers are registered was not looked at" in done.json["reports"][0]["notes"]
    assert check("schemas", "--strict").code == 1


def test_a_file_that_is_gone_from_the_disk_is_deleted_as_well_and_so_is_one_that_the_line_names(repo: GitRepository) -> None:
    repo.write({FILE: None})
    assert rules(check("schemas", "--format=json")) == [("TABLE_FILE_DELETED", "warn")]
    assert rules(check(FILE, "--format=json")) == [("TABLE_FILE_DELETED", "warn")]


def test_a_folder_that_is_gone_with_all_its_files_is_looked_at_as_well(repo: GitRepository) -> None:
    repo.git("rm", "-r", "--quiet", "schemas")
    assert not (repo.top / "schemas").exists()
    assert rules(check("schemas", "--format=json")) == [("TABLE_FILE_DELETED", "warn")]


def test_a_deleted_file_breaks_the_readers_in_the_tree(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"contracts/daily.yaml": DAILY})
    repo.branch("gone")
    repo.commit({FILE: None})
    done = check("schemas", "contracts", "--format=json")
    assert (done.code, rules(done)) == (1, [("TABLE_FILE_DELETED", "break")])
    assert done.json["reports"][0]["findings"][0]["consumers"][0]["name"] == "daily"


def test_a_file_that_cannot_be_read_is_not_said_to_be_deleted(repo: GitRepository) -> None:
    repo.write({FILE: "table: {shop\ncolumns: ["})
    done = check("schemas", "--format=json")
    assert done.code == 2
    assert done.json["reports"] == []


@pytest.mark.parametrize(
    "text", [ORDERS.replace("table:", "tabel:").replace("columns:", "colums:"), "", "version https://git-lfs.github.com/spec/v1\n"]
)
def test_a_file_that_nobody_knows_any_more_is_no_deleted_one_and_no_green(repo: GitRepository, text: str) -> None:
    repo.write({FILE: text})
    done = check("schemas", "--format=json")
    assert (done.code, done.json["reports"]) == (2, [])
    assert done.json["errors"][0]["path"].startswith(FILE)


def test_a_table_file_that_became_something_else_is_gone(repo: GitRepository) -> None:
    repo.write({FILE: "protect: {data: warn}\n"})
    done = check("schemas", "--format=json")
    assert rules(done) == [("TABLE_FILE_DELETED", "warn")]
    assert "is not a table file any more" in done.json["reports"][0]["findings"][0]["message"]


# ---------------------------------------------------------------- several faults, other files


def test_one_bad_file_hides_no_other_verdict(repo: GitRepository) -> None:
    repo.write({FILE: RENAMED, "schemas/a.yaml": "table: shop.a\ncolumns: 1\n", "schemas/b.yaml": "table: shop.b\ncolumns: 2\n"})
    done = check("schemas")
    assert done.code == 2
    assert "FIELD_RENAMED" in done.out
    assert "schemas/a.yaml" in done.err
    assert "schemas/b.yaml" in done.err


def test_policies_that_changed_and_files_that_were_left_out_are_named(repo: GitRepository) -> None:
    repo.write({"schemas/policy.yaml": "protect: {data: warn}\n", "schemas/notes.yaml": "a: 1\n", FILE: WIDER})
    out = check("schemas", "--width=200").out
    assert "policies changed: schemas/policy.yaml" in out
    assert "left out, as neither table files nor files of jobs: schemas/notes.yaml" in out


def test_a_schema_file_of_another_kind_that_the_line_names_is_compared_with_what_it_was(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"orders.sql": "order_id BIGINT, cust_id BIGINT"})
    repo.branch("sql")
    repo.write({"orders.sql": "order_id BIGINT, cust_id INT"})
    done = check("orders.sql", "--format=json")
    assert done.code == 1
    assert ("TYPE_NARROWED", "break") in rules(done)


def test_an_empty_folder_and_a_misspelled_name_are_refused(repo: GitRepository) -> None:
    (repo.top / "empty").mkdir()
    assert "neither now nor at the base" in refused("empty")
    assert "neither now nor at the base" in refused("schemas/shop/order.yaml")
    assert "neither now nor at the base" in refused("schemes/*.yaml")


# ---------------------------------------------------------------- greens that were not earned

NARROWER = ORDERS.replace("{name: cust_id, type: BIGINT}", "{name: cust_id, type: INT}")


@pytest.mark.parametrize("names", [("moved/orders.yaml",), ("moved",), ("moved/*.yaml",)])
@pytest.mark.parametrize("base", ["--git=main", "--git=main..HEAD"])
def test_a_table_that_moved_to_what_the_line_names_is_not_new(repo: GitRepository, names: tuple[str, ...], base: str) -> None:
    repo.commit({FILE: None, "moved/orders.yaml": NARROWER})
    done = typed("check", *names, base)
    assert done.code == 1
    assert "TYPE_NARROWED" in done.out
    assert f"the file of shop.orders was moved: {FILE} is moved/orders.yaml now" in done.out


def test_a_folder_that_became_a_link_is_compared_with_what_it_was(repo: GitRepository) -> None:
    repo.git("mv", "schemas", "real")
    (repo.top / "schemas").symlink_to("real")
    repo.commit({"real/shop/orders.yaml": NARROWER})
    assert check("schemas").code == 1


def test_a_table_whose_file_stays_elsewhere_is_another_one(repo: GitRepository) -> None:
    repo.commit({"other/orders.yaml": NARROWER})
    assert "shop.orders is new since" in check("other").out


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_gone(repo: GitRepository) -> None:
    repo.commit({"other/orders.yaml": NARROWER})
    repo.git("sparse-checkout", "set", "other")
    assert not (repo.top / FILE).exists()
    assert "shop.orders is new since" in check("other").out


def test_a_line_inside_of_a_text_is_not_the_name_of_the_table(repo: GitRepository) -> None:
    hidden = 'owner: "x\ntable: shop.other\n"\n"table": shop.orders\n' + NARROWER.split("\n", 1)[1]
    repo.commit({FILE: hidden})
    assert "reads as if it were about shop.other, and it is about shop.orders" in refused("schemas")


def test_a_file_that_changed_and_cannot_be_read_is_not_said_to_be_as_it_was(repo: GitRepository) -> None:
    repo.commit({FILE: ""})
    done = check("schemas")
    assert done.code == 2
    assert "differs from" not in done.out


def test_a_new_file_that_is_no_yaml_is_no_green(repo: GitRepository) -> None:
    repo.commit({"schemas/a.yaml": "table: shop.a\ncolumns:\n  - {name: a, type: INT}\n"})
    repo.commit({"schemas/b.yaml": "stray: [\n"})
    done = typed("check", "schemas", "--git=HEAD^1")
    assert done.code == 2
    assert "schemas/b.yaml: nobody knows whether it is a table file: line 2, column 1: this is no YAML" in done.err


def test_a_file_that_was_no_yaml_before_is_left_out_and_named(repo: GitRepository) -> None:
    repo.commit({"schemas/a.yaml": "table: shop.a\ncolumns:\n  - {name: a, type: INT}\n", "schemas/b.yaml": "stray: [\n"})
    repo.commit({"schemas/a.yaml": "table: shop.a\ncolumns:\n  - {name: a, type: INT}\n  - {name: b, type: INT}\n"})
    done = typed("check", "schemas", "--git=HEAD^1", "--width=400")
    assert done.code == 0
    assert "left out, as neither table files nor files of jobs: schemas/b.yaml" in done.out


@pytest.mark.parametrize("text", ["Resources: !Ref x\n---\nb: 1\n", "name: build\non: push\njobs: {}\n"])
def test_a_file_of_another_program_is_left_out_and_named(repo: GitRepository, text: str) -> None:
    repo.commit({"schemas/a.yaml": "table: shop.a\ncolumns:\n  - {name: a, type: INT}\n"})
    repo.commit({"schemas/stack.yaml": text})
    done = typed("check", "schemas", "--git=HEAD^1", "--width=400")
    assert done.code == 0
    assert "left out, as neither table files nor files of jobs: schemas/stack.yaml" in done.out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tabel: shop.b\ncolums: []\n", "'tabel' is not a key of one. Did you mean 'table'?"),
        ("  table: shop.b\n  columns: []\n", "'table' does not stand at the beginning of a line."),
        ("jobs: daily\nread: {shop.a: [a]}\n", "'jobs' is not a key of one. Did you mean 'job'?"),
    ],
)
def test_a_new_file_with_misspelled_keys_is_no_green(repo: GitRepository, text: str, reason: str) -> None:
    repo.commit({"schemas/a.yaml": "table: shop.a\ncolumns:\n  - {name: a, type: INT}\n"})
    repo.commit({"schemas/b.yaml": text})
    done = typed("check", "schemas", "--git=HEAD^1")
    assert done.code == 2
    assert f"schemas/b.yaml: nobody knows whether it is a table file: {reason}" in done.err
