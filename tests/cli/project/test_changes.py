"""What a branch changed in its project file, said without secrets."""

from airflow_provider_schemas.cli.project.changes import changed_settings


def test_each_setting_that_differs_has_a_sentence() -> None:
    old = b'store = "s3://prod"\nstrict = true\npolicy = "p.yaml"\n'
    new = b'store = "s3://dev"\nstrict = true\nbase = "main"\n'
    assert changed_settings(old, new) == (
        "store was 's3://prod', and is 's3://dev' now.",
        "policy is gone: it was 'p.yaml'.",
        "base is new: 'main'.",
    )


def test_a_file_that_is_new_or_gone_tells_all_of_its_settings() -> None:
    text = b'strict = true\nfolder = ["a", "b"]\n'
    assert changed_settings(None, text) == ("strict is new: true.", "folder is new: ['a', 'b'].")
    assert changed_settings(text, None) == ("strict is gone: it was true.", "folder is gone: it was ['a', 'b'].")
    assert changed_settings(None, None) == ()


def test_comments_and_order_are_no_change() -> None:
    assert changed_settings(b'strict = true\nbase = "x"\n', b'# why\nbase = "x"\nstrict = true\n') == ()


def test_of_a_pyproject_our_section_alone_is_compared() -> None:
    old = b'[project]\nname = "x"\n[tool.airflow-schemas]\nstrict = true\n'
    new = b'[project]\nname = "y"\n[tool.ruff]\nline-length = 3\n'
    assert changed_settings(old, new) == ("strict is gone: it was true.",)
    assert changed_settings(new, new) == ()


def test_a_text_that_cannot_be_read_is_said_and_never_no_change() -> None:
    (sentence,) = changed_settings(b"strict = true", b"strict = ")
    assert sentence.startswith("the project file of now cannot be read: this is no TOML")
    assert len(changed_settings(b"\xff", b"[")) == 2


def test_secrets_are_not_told() -> None:
    old = b'store = "s3://me:hunter1@lake"\n[storage_options]\nsecret = "hunter2"\nnested = {token = "hunter3"}\n'
    new = old.replace(b"hunter", b"tiger")
    sentences = changed_settings(old, new)
    assert len(sentences) == 2
    assert not [word for word in ("hunter", "tiger") if word in " ".join(sentences)]
    assert "hunter" not in " ".join(changed_settings(old, None))


def test_a_long_list_of_changes_is_cut_and_counted() -> None:
    text = "".join(f"k{number} = 1\n" for number in range(60)).encode()
    sentences = changed_settings(None, text)
    assert (len(sentences), sentences[-1]) == (51, "10 more settings differ.")
