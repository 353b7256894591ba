"""A check against git tells which settings and which policy a branch changes, so that nobody weakens them unseen."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.pull_requests.support.repositories import ORDERS, WIDER, Repository
from tests.support.command_line import typed

SETTINGS = 'folder = "schemas"\n'
POLICY = "protect: {data: block}\n"
Told = Callable[..., list[str]]


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / "lake")
    monkeypatch.chdir(made.folder)
    return made


@pytest.fixture
def told(lake: Repository) -> Told:
    """Commit one state, then another one, and return the notes about what differs from the base."""

    def run(before: dict[str, str | None], now: dict[str, str | None], *words: str) -> list[str]:
        lake.commit({"schemas/orders.yaml": ORDERS, **before})
        lake.commit({"schemas/orders.yaml": WIDER, **now})
        done = typed("check", *words, "--git=HEAD^1", "--format", "json")
        assert done.code == 0, done.err
        return [note for note in done.json.get("notes", ()) if " differs from " in note]

    return run


def test_settings_that_stay_are_not_told(told: Told) -> None:
    assert told({"schemas.toml": SETTINGS}, {}) == []


def test_a_setting_that_is_new_another_or_gone_is_told(told: Told) -> None:
    notes = told(
        {"schemas.toml": SETTINGS + 'strict = true\nbase = "main"\n'}, {"schemas.toml": SETTINGS + 'base = "stable"\ndocs = "https://x"\n'}
    )
    assert [note.partition(": ")[2] for note in notes] == [
        "strict is gone: it was true.",
        "base was 'main', and is 'stable' now.",
        "docs is new: 'https://x'.",
    ]


def test_a_project_file_that_comes_or_goes_is_told(told: Told) -> None:
    assert any("folder is new" in note for note in told({}, {"schemas.toml": SETTINGS}, "schemas"))
    assert any("folder is gone" in note for note in told({}, {"schemas.toml": None}, "schemas"))


def test_the_section_of_a_pyproject_counts_and_the_rest_of_it_does_not(told: Told) -> None:
    section = '[project]\nname = "{}"\n[tool.airflow-schemas]\nfolder = "schemas"\n'
    assert told({"pyproject.toml": section.format("a")}, {"pyproject.toml": section.format("b")}) == []
    (note,) = told({}, {"pyproject.toml": section.format("b") + "strict = true\n"})
    assert note.endswith("strict is new: true.")


def test_a_policy_with_another_text_is_told(told: Told) -> None:
    settings: dict[str, str | None] = {"schemas.toml": SETTINGS + 'policy = "rules/policy.yaml"\n', "rules/policy.yaml": POLICY}
    (note,) = told(settings, {"rules/policy.yaml": POLICY.replace("block", "warn")})
    assert note.startswith("the policy rules/policy.yaml differs from ")


def test_a_policy_that_the_line_names_is_looked_at_too(told: Told) -> None:
    (note,) = told({"policy.yaml": POLICY}, {"policy.yaml": "protect: {data: warn}\n"}, "schemas", "--policy", "policy.yaml")
    assert note.startswith("the policy policy.yaml differs from ")


def test_each_project_tells_its_own(told: Told) -> None:
    before: dict[str, str | None] = {f"{team}/schemas.toml": SETTINGS for team in ("web", "shop")}
    tables: dict[str, str | None] = {f"{team}/schemas/t.yaml": ORDERS.replace("shop.orders", f"{team}.t") for team in ("web", "shop")}
    wider: dict[str, str | None] = {name: text and text + "  - {name: more, type: INT}\n" for name, text in tables.items()}
    notes = told({**before, **tables}, {**wider, "web/schemas.toml": SETTINGS + "strict = true\n"}, "web/schemas", "shop/schemas")
    assert len(notes) == 1
    assert "web/schemas.toml differs from " in notes[0]


def test_from_a_folder_below_the_file_is_named_from_there(told: Told, lake: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    (lake.folder / "schemas").mkdir()
    monkeypatch.chdir(lake.folder / "schemas")
    (note,) = told({"schemas.toml": SETTINGS}, {"schemas.toml": SETTINGS + "strict = true\n"}, "orders.yaml")
    assert note.startswith("../schemas.toml differs from ")


def test_without_the_project_file_nothing_of_it_is_told(told: Told) -> None:
    assert told({}, {"schemas.toml": SETTINGS}, "schemas", "--no-project") == []
