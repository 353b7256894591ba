"""What counts for a line: what is typed, then the environment, then the project file; and which commands take what from it."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.cli import fix_hints
from airflow_provider_schemas.cli.main import main, parse_line
from airflow_provider_schemas.cli.project.settle import settle
from tests.support.command_line import Done, commands, fine, typed
from tests.support.project_files import BROKEN, table_file, write

LAKE = 'store = "lake"\n'


def first_line(done: Done) -> str:
    return done.out.splitlines()[0]


def settled(*words: str, conn: str | None = None) -> dict[str, object]:
    args = parse_line([*words], conn=conn)
    settle(args, fix_hints.whole_fault)
    return vars(args)


# ---------------------------------------------------------------- the order


@given(line=st.booleans(), environment=st.booleans(), file=st.booleans(), default=st.booleans())
def test_a_store_on_the_line_goes_before_the_environment_and_that_before_the_file(
    line: bool, environment: bool, file: bool, default: bool
) -> None:
    names = {"--store": line, "AIRFLOW_SCHEMAS_STORE": environment, "file": file, "connection": default}
    words = ["--store", "/of/line"] if line else []
    Path("schemas.toml").write_text('store = "/of/file"\n' if file else "")
    with pytest.MonkeyPatch.context() as patch:
        if environment:
            patch.setenv("AIRFLOW_SCHEMAS_STORE", "/of/environment")
        values = settled("ls", *words, conn="of_airflow" if default else None)
    expected = {"--store": "/of/line", "AIRFLOW_SCHEMAS_STORE": "/of/environment", "file": "/of/file", "connection": "of_airflow"}
    first = next((name for name, is_there in names.items() if is_there), None)
    assert (values["store"] or values["conn"]) == expected.get(first or "")


def test_what_belongs_to_a_store_is_taken_with_that_of_the_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"schemas.toml": f'{LAKE}registry = "r"\nregistry_id = "i"\nlayout = "registry"\nteam = "t"\nmounts = ["a=./b"]\npolicy = "p"\n'})
    own = ("registry", "registry_id", "layout", "team", "mount", "project_policy")
    values = settled("check", "x.sql")
    here = Path.cwd()
    assert [values[name] for name in own[:4]] == [str(here / "r"), "i", "registry", "t"]
    assert [mount.typed for mount in values["mount"]] == [f"a={here / 'b'}"]  # type: ignore[attr-defined]  # a list
    for words, variable in ((["--store", "x"], None), (["--conn", "x"], None), ([], "AIRFLOW_SCHEMAS_CONN"), ([], "AIRFLOW_SCHEMAS_STORE")):
        if variable:
            monkeypatch.setenv(variable, "x")
        values = settled("check", "x.sql", *words)
        assert [values[name] for name in own] == [None, None, None, "", [], str(here / "p")], words
        if variable:
            monkeypatch.delenv(variable)


def test_an_option_and_the_environment_beat_single_settings_of_the_store_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"schemas.toml": f'{LAKE}registry = "r"\nlayout = "registry"\nteam = "t"\nmounts = ["a=./b"]\n'})
    monkeypatch.setenv("AIRFLOW_SCHEMAS_REGISTRY", "/env/registry")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_MOUNTS", "c=/env/c")
    values = settled("ls", "--team", "mine", "--layout", "paimon")
    assert (values["registry"], values["registry_known"], values["team"], values["layout"]) == ("/env/registry", True, "mine", "paimon")
    assert [mount.database for mount in values["mount"]] == ["c"]  # type: ignore[attr-defined]  # a list


def test_options_of_the_storage_are_joined_and_the_line_has_the_last_word() -> None:
    write({"schemas.toml": 'store = "s3://lake"\nstorage_options = {anon = true, endpoint_url = "http://a"}\n'})
    assert settled("ls", "--storage-option", "endpoint_url=http://b")["storage_option"] == [
        ("anon", "true"),
        ("endpoint_url", "http://a"),
        ("endpoint_url", "http://b"),
    ]


def test_a_connection_of_the_file_says_everything_about_its_store() -> None:
    write({"schemas.toml": 'conn = "lake"\n'})
    assert settled("ls")["conn"] == "lake"
    done = typed("ls", "--registry", "x")
    assert (done.code, "the connection 'lake' says that itself: leave --registry out." in done.err) == (2, True)


def test_the_connection_that_airflow_has_says_everything_about_its_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "--layout", "paimon"], conn="schema_store_default") == 2
    assert "the connection 'schema_store_default' says that itself: leave --layout out." in capsys.readouterr().err


def test_demands_of_the_file_and_of_the_environment_reach_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"schemas.toml": 'base = "origin/main"\nrequire = ["git"]\nstrict = true\ndocs = "https://a/"\n', "x.sql": "id INT"})
    values = settled("check", "x.sql")
    assert [values[name] for name in ("base", "require", "strict", "docs", "objects")] == [
        "origin/main",
        ["git"],
        True,
        "https://a/",
        ["x.sql"],
    ]
    monkeypatch.setenv("AIRFLOW_SCHEMAS_DOCS", "https://b/")
    assert settled("check", "x.sql")["docs"] == "https://b/"
    values = settled("check", "x.sql", "--no-project")
    assert [values[name] for name in ("base", "require", "strict", "docs")] == [None, [], False, "https://b/"]
    assert settled("ls")["strict"] is False


def test_the_base_of_a_plan_stays_a_file_of_the_line() -> None:
    write({"schemas.toml": 'base = "origin/main"\n', "x.yaml": table_file("a.b")})
    assert settled("plan", "x.yaml")["base"] is None
    assert settled("plan", "x.yaml", "--base", "old.yaml")["base"] == "old.yaml"


# ---------------------------------------------------------------- every command


def test_every_command_takes_its_store_from_there(tree: Path) -> None:
    write({"schemas.toml": LAKE, "sub/orders.yaml": table_file("shop.orders")})
    os.chdir("sub")
    fine("create", "orders.yaml")
    assert (tree / "lake/shop.db/orders/schema/schema-0").is_file()
    for words in (["ls", "shop"], ["show", "shop.orders"], ["log", "shop.orders"], ["plan", "shop.orders", "--add", "x INT"]):
        assert "shop" in fine(*words)
    assert "1 table looked at" in fine("audit")
    fine("evolve", "shop.orders", "--add", "x INT")
    assert fine("convert", "shop.orders", "--to", "paimon")
    assert fine("contract", "list") == "no contract is registered\n"


def test_printed_commands_name_the_store_so_that_they_can_be_pasted_anywhere(tree: Path) -> None:
    write({"schemas.toml": f'{LAKE}registry = "r"\nteam = "t"\n', "orders.yaml": table_file("shop.orders")})
    fine("create", "orders.yaml")
    ((verb, *words),) = commands(fine("plan", "shop.orders", "--add", "x INT", "--save"))
    assert (verb, words[:6]) == ("apply", ["--store", str(tree / "lake"), "--registry", str(tree / "r"), "--team", "t"])
    Path("elsewhere").mkdir()
    os.chdir("elsewhere")
    assert typed(verb, *words, "--no-project").code == 0


def test_the_policy_of_the_file_is_judged_by_and_only_makes_stricter() -> None:
    write(
        {
            "schemas.toml": f'{LAKE}policy = "rules/policy.yaml"\n',
            "rules/policy.yaml": "mode: NONE\n",
            "orders.yaml": table_file("shop.orders"),
        }
    )
    fine("create", "orders.yaml")
    narrowed = ["check", "narrow.yaml"]
    write({"narrow.yaml": table_file("shop.orders", BROKEN), "job.yaml": "job: daily\nreads:\n  shop.orders: amount BIGINT\n"})
    fine("contract", "register", "job.yaml")
    assert typed(*narrowed).code == 1  # the policy of the table stays
    drop = ["plan", "shop.orders", "--drop", "note"]
    fine("evolve", "shop.orders", "--add", "note STRING")
    assert typed(*drop).code == 0
    write({"rules/policy.yaml": "mode: FULL\n", "weak.yaml": "mode: NONE\n"})
    assert typed(*drop).code == 1
    assert typed(*drop, "--policy", "weak.yaml").code == 1
    assert typed(*drop, "--no-project", "--store", "lake").code == 0
    write({"rules/policy.yaml": "mode: NONE\n", "strong.yaml": "mode: FULL\n"})
    assert typed(*drop, "--policy", "strong.yaml").code == 1


def test_an_override_leaves_the_policy_of_the_file_out_and_says_so() -> None:
    write({"schemas.toml": f'{LAKE}policy = "p.yaml"\n', "p.yaml": "mode: FULL\n", "orders.yaml": table_file("shop.orders")})
    fine("create", "orders.yaml")
    done = typed("plan", "shop.orders", "--drop", "amount", "--override", "agreed", "--width", "300")
    assert (done.code, "its policy does not count: --override leaves it out" in first_line(done)) == (0, True)


def test_a_policy_that_is_not_there_is_no_green() -> None:
    write({"schemas.toml": f'{LAKE}policy = "gone.yaml"\n', "x.yaml": table_file("a.b")})
    done = typed("check", "x.yaml", "--new")
    assert (done.code, "there is no file" in done.err) == (2, True)


# ---------------------------------------------------------------- a check


def test_a_check_without_objects_takes_the_folders_and_names_the_project() -> None:
    write(
        {
            "schemas.toml": f'{LAKE}folder = ["one", "two"]\n',
            "one/a.yaml": table_file("shop.a"),
            "two/b.yaml": table_file("shop.b"),
            "c.yaml": "table: no",
        }
    )
    for name in ("one/a.yaml", "two/b.yaml"):
        fine("create", name)
    done = typed("check", "--width", "200")
    assert (done.code, done.out.count("\ncompared ")) == (0, 2)
    assert first_line(done) == f"project schemas.toml: store {Path.cwd()}/lake"
    done = typed("check", "--format", "json")
    assert done.json["projects"] == [{"file": "schemas.toml", "settings": {"store": f"{Path.cwd()}/lake"}, "notes": []}]
    os.chdir("one")
    assert typed("check", "--width", "200").out.splitlines()[0].startswith("project ../schemas.toml: store ")


def test_a_check_without_objects_and_without_folders_is_refused() -> None:
    write({"schemas.toml": LAKE})
    done = typed("check")
    assert (done.code, "there is nothing to check." in done.err) == (2, True)


def test_a_folder_of_the_file_that_is_not_there_is_no_green() -> None:
    write({"schemas.toml": f'{LAKE}folder = "schema"\n', "schemas/a.yaml": table_file("shop.a")})
    done = typed("check")
    assert (done.code, "fits" in done.out) == (2, False)


def test_a_contract_on_the_line_is_not_mixed_with_the_folders_of_the_file() -> None:
    write(
        {
            "schemas.toml": f'{LAKE}folder = "schemas"\n',
            "schemas/a.yaml": table_file("shop.a"),
            "job.yaml": "job: j\nreads:\n  shop.a: id BIGINT\n",
        }
    )
    fine("create", "schemas/a.yaml")
    assert "compared shop.a version 0" in fine("check", "--contract", "job.yaml", "--width", "200")


def test_a_store_of_another_that_is_asked_is_said() -> None:
    write({"schemas.toml": LAKE, "a.yaml": table_file("shop.a")})
    fine("create", "a.yaml", "--store", "other")
    assert first_line(typed("check", "a.yaml", "--store", "other")).endswith(
        "nothing of it is used here; its store is not asked: --store names one"
    )


def test_an_answer_without_a_project_has_neither_line_nor_key() -> None:
    write({"x.sql": "id BIGINT"})
    assert first_line(typed("check", "x.sql")).startswith("compared ")
    assert "projects" not in json.loads(typed("check", "x.sql", "--format", "json").out)


def test_strict_of_the_file_is_that_of_the_line() -> None:
    write({"schemas.toml": f"{LAKE}strict = true\n", "a.yaml": table_file("shop.a")})
    fine("create", "a.yaml")
    drop = ["plan", "shop.a", "--drop", "amount"]
    assert (typed(*drop).code, typed(*drop, "--no-project", "--store", "lake").code) == (1, 0)
