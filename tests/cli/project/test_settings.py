"""What may stand in a project file, and what is told about one that is wrong, hostile or no file at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.cli.project import document
from airflow_provider_schemas.cli.project.settings import KEYS, ProjectSettings, read_settings
from airflow_provider_schemas.errors import SchemaError
from tests.support.command_line import fine, typed
from tests.support.project_files import write

FOLDER = "/top/project"


def settings_of(text: str | bytes, name: str = "schemas.toml") -> ProjectSettings:
    path = f"{FOLDER}/{name}"
    data = text.encode() if isinstance(text, str) else text
    return read_settings(document.read_document(data, path), path)


def faults_of(text: str | bytes, name: str = "schemas.toml") -> list[tuple[str, str]]:
    """The line and the sentence of each fault."""
    with pytest.raises(SchemaError) as caught:
        settings_of(text, name)
    return [(fault.path.rpartition("toml")[2].lstrip(":"), f"{fault.message} {fault.fix}") for fault in caught.value.faults]


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ('store = "s3://lake/warehouse"', "store", "s3://lake/warehouse"),
        ('store = "../lake"', "store", "/top/lake"),
        ('store = "abfs://box@account.dfs.core.windows.net/lake"', "store", "abfs://box@account.dfs.core.windows.net/lake"),
        ('conn = "lake"', "conn", "lake"),
        ('store = "lake"\nregistry = "registry"', "registry", f"{FOLDER}/registry"),
        ('store = "lake"\nlayout = "registry"', "layout", "registry"),
        ('store = "lake"\nteam = "shop"', "team", "shop"),
        ('folder = "schemas"', "folder", (f"{FOLDER}/schemas",)),
        ('folder = ["schemas", "jobs", "schemas"]', "folder", (f"{FOLDER}/schemas", f"{FOLDER}/jobs")),
        ('policy = "policy.yaml"', "policy", f"{FOLDER}/policy.yaml"),
        ('base = "origin/main"', "base", "origin/main"),
        ('docs = "https://host/repository/blob/main/"', "docs", "https://host/repository/blob/main/"),
        ('docs = "https://host/repository"', "docs", "https://host/repository/"),
        ("strict = true", "strict", True),
        ('require = ["git", "store"]', "require", ("git", "store")),
        ('require = "git"', "require", ("git",)),
        (
            'store = "lake"\nmounts = ["shop=delta:./shop", "web=s3://lake/web"]',
            "mounts",
            (f"shop=delta:{FOLDER}/shop", "web=s3://lake/web"),
        ),
        ('store = "lake"\n[mounts]\nshop = "iceberg:CONN/prod.shop"', "mounts", ("shop=iceberg:CONN/prod.shop",)),
        ('store = "lake"\n[mounts]\nshop = "../shop"', "mounts", ("shop=/top/shop",)),
        (
            'store = "s3://lake"\n[storage_options]\nanon = false\nclient_kwargs = {endpoint_url = "http://host:9000"}',
            "storage_options",
            (("anon", "false"), ("client_kwargs", '{"endpoint_url": "http://host:9000"}')),
        ),
    ],
)
def test_a_value_is_read_and_paths_begin_at_the_file(line: str, key: str, value: Any) -> None:
    assert getattr(settings_of(line), key) == value
    inside = line.replace("[", "[tool.airflow-schemas.") if "\n[" in line else line
    assert getattr(settings_of(f"[tool.airflow-schemas]\n{inside}", "pyproject.toml"), key) == value


def test_the_page_and_the_reader_have_the_same_keys() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/project-file.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    named = [word for row in rows for word in row.split("|")[1].replace("`", "").replace(",", " ").split()]
    assert sorted(named) == sorted(KEYS)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("store = 7", "store: 7 is not a text. Put it into quotes."),
        ('store = " "', "store: the text is empty. Give it a value, or leave the key out."),
        ('strict = "true"', "strict: 'true' is neither true nor false. Write true or false, without quotes."),
        ('layout = "papaimon"\nstore = "x"', "layout: 'papaimon' is no layout. Did you mean 'paimon'?"),
        ('require = ["gti"]', "require: 'gti' cannot be required. Did you mean 'git'?"),
        ("folder = []", "folder: the list is empty. Name a folder, or leave the key out."),
        ('folder = "s3://lake"', "folder: 's3://lake' is no file of this machine. Write its path from the folder of the project file."),
        ('base = "--output=x"', "base: '--output=x' begins as an option does. Name a branch, a tag or a commit: origin/main."),
        ('docs = "javascript:alert(1)"', "docs: 'javascript:alert(1)' is not the address of a site. Write it as https://..., without"),
        ('docs = "https://host/a b"', "docs: 'https://host/a b' is not the address of a site."),
        ('mounts = ["shop"]\nstore = "x"', "mounts: 'shop=' is no mount. Write it as DB="),
        ('mounts = "shop=./x"\nstore = "x"', "mounts: 'shop=./x' is not a table of mounts."),
        ('polcy = "x"', "there is no key 'polcy'. Did you mean 'policy'?"),
        ('schemas = "x"', "there is no key 'schemas'. Did you mean 'folder'?"),
        ('zzz = "x"', "there is no key 'zzz'. There are base, conn, docs, folder, "),
        ('zzz = "x"', " more."),
        ('team = "x"', "team: it belongs to a store, and the file names none. Name the store, or leave it out."),
        ('conn = "x"\nstore = "y"', "conn: store and conn both name a store. Keep one of them."),
        ('conn = "x"\nregistry = "y"', "registry: the connection says that itself. Leave it out."),
        ('store = "a\\u001bb"', "is too long, or has characters that cannot be printed."),
        ('policy = "p\\u0000"', "is too long, or has characters that cannot be printed."),
    ],
)
def test_a_value_that_is_wrong_is_told_in_a_sentence(line: str, sentence: str) -> None:
    ((_, text),) = faults_of(line)
    assert sentence in text


def test_every_fault_is_told_at_once_with_its_line() -> None:
    text = '# ours\nstor = "s3://x"\n\nstrict = 1\n\n[mounts]\nshop = 3\n'
    assert [line for line, _ in faults_of(text)] == ["6", "2", "4", "6"]
    section = '[project]\nname = "x"\nstrict = 9\n[tool.airflow-schemas]\nstrict = 1\n[tool.airflow-schemas.mounts]\nshop = 3\n'
    assert [line for line, _ in faults_of(section, "pyproject.toml")] == ["6", "5", "6"]


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    "line",
    [
        'store = "s3://me:hunter2@lake"',
        'store = "https://host/x?sig=hunter2"',
        'store = "s3://lake"\nregistry = "s3://me:hunter2@lake"',
        'store = "s3://lake"\nmounts = {shop = "s3://me:hunter2@lake"}',
        'docs = "https://me:hunter2@host/"',
        'store = "s3://lake"\nstorage_options = {secret = "hunter2"}',
        'store = "s3://lake"\nstorage_options = {client_kwargs = {aws_secret_access_key = "hunter2"}}',
        'store = "s3://lake"\nstorage_options = {endpoint_url = "http://me:hunter2@host"}',
    ],
)
def test_secrets_are_refused_and_not_printed(line: str) -> None:
    write({"schemas.toml": line})
    done = typed("ls")
    assert (done.code, "hunter2" in done.out + done.err) == (2, False)
    assert "credentials come from the environment, or from a connection of Airflow." in done.err
    assert "--storage-option" not in done.err  # the file has a key, and no option


# ---------------------------------------------------------------- hostile files


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"store = \n", "schemas.toml:1: this is no TOML"),
        (b"x = 1\nstore = '\xff'\n", "schemas.toml:2: this is no TOML: it is not UTF-8."),
        (b"x = " + b"[" * 100_000, "it is nested too deeply."),
        (b"a" * (document.MAX_BYTES + 1), "has more than 1,048,576 bytes."),
        (b"x = 1" + b"0" * 10_000, "this is no TOML"),
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(data: bytes, sentence: str) -> None:
    Path("schemas.toml").write_bytes(data)
    done = typed("ls")
    assert (done.code, sentence in done.err, "--no-project" in done.err, "Traceback" in done.err) == (2, True, True, False), done.err


@pytest.mark.parametrize(
    "make",
    [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nothing"), lambda path: path.symlink_to(path)],
    ids=["folder", "pipe", "dangling", "loop"],
)
def test_what_is_no_plain_file_is_no_project_file(make: Callable[[Path], None]) -> None:
    make(Path("schemas.toml"))
    done = typed("ls")
    assert (done.code, "the project file schemas.toml" in done.err, "Traceback" in done.err) == (2, True, False), done.err


def test_a_link_to_a_file_is_read_and_its_paths_begin_at_the_link(tree: Path) -> None:
    (tree.parent / "shared.toml").write_text('store = "lake"\n')
    Path("schemas.toml").symlink_to("../shared.toml")
    fine("create", "a.b", "x INT")
    assert (tree / "lake").is_dir()


def test_a_broken_file_is_in_the_way_of_no_help_and_of_no_plain_file() -> None:
    write({"schemas.toml": "store = ", "x.sql": "id BIGINT"})
    for words in (["--help"], ["check", "--help"], ["convert", "x.sql", "--to", "paimon"], ["show", "x.sql"], ["diff", "x.sql", "x.sql"]):
        assert typed(*words).code == 0, words
    for words in (["ls"], ["check", "x.sql"], ["show", "a.b"], ["log", "a.b"]):
        assert typed(*words).code == 2, words
    done = typed("check", "x.sql", "--format", "json")
    assert (done.code, done.json["reports"], done.json["errors"][0]["place"]) == (2, [], {"file": "schemas.toml", "line": 1})


def test_no_project_reads_no_file() -> None:
    write({"schemas.toml": "store = ", "x.sql": "id BIGINT"})
    assert fine("check", "x.sql", "--no-project")


def fixes_of(read: Callable[[], ProjectSettings]) -> list[str]:
    """What is advised about each fault; the kinds of the values where there is none."""
    try:
        settings = read()
    except SchemaError as error:
        return [fault.fix for fault in error.faults if fault.code.startswith("project.")]
    return [type(getattr(settings, key)).__name__ for key in KEYS]


@given(st.binary(max_size=60) | st.text(alphabet='abs=[]{}".,#\n 1\\u\x00é', max_size=60).map(str.encode))
def test_no_text_raises_anything_but_our_own_errors(data: bytes) -> None:
    fixes = [*fixes_of(lambda: settings_of(data)), *fixes_of(lambda: settings_of(data, "pyproject.toml"))]
    assert len(fixes) >= 2
    assert all(fixes)


_PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_NESTED = st.recursive(_PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3))


@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=6), _NESTED, max_size=5))
def test_no_value_of_a_key_raises_anything_but_our_own_errors(values: dict[str, Any]) -> None:
    fixes = fixes_of(lambda: read_settings(document.ProjectDocument(values, {}), f"{FOLDER}/schemas.toml"))
    assert fixes
    assert all(fixes)
