"""A fault in a file that somebody wrote is told with the file and the line, or with the line alone."""

import pytest

from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import Fault, PolicyError
from airflow_provider_schemas.formats.user_file import opened, with_place

TEXT = """\
a: 1
list:
  - {b.c: 2}
  -
    d: 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a", 1),
        ("list", 2),
        ("list[0]", 3),
        ("list[0].b.c", 3),
        ("list[1]", 5),
        ("list[1].d", 5),
        ("list[1].d.e[7].f", 5),
        ("list[9].x", 2),
        ("nothing", 1),
        ("", 1),
    ],
)
def test_a_path_leads_to_its_line_or_to_that_of_the_nearest_entry(path: str, line: int) -> None:
    written = opened(TEXT, "x.yaml", PolicyError)
    assert written.line(path) == line
    assert written.place(path) == Place("x.yaml", line)


def test_a_place_is_found_by_steps_too() -> None:
    assert opened(TEXT, "x.yaml", PolicyError).place(("list", 0, "b.c")) == Place("x.yaml", 3)


def test_faults_come_in_the_order_of_their_lines() -> None:
    faults = [Fault("c", path, "m.", "f.") for path in ("list[1].d", "a", "list")]
    assert [one.path for one in opened(TEXT, "", PolicyError).placed(faults)] == ["line 1 a", "line 2 list", "line 5 list[1].d"]


def test_a_place_stands_before_the_path() -> None:
    assert with_place("x.yaml", 3, "a.b") == "x.yaml:3 a.b"
    assert with_place("x.yaml", 3, "") == "x.yaml:3"
    assert with_place("", 3, "") == "line 3"


@pytest.mark.parametrize(("source", "path"), [("a: 1\na: 2", "x.yaml:2 a"), ("a: b: c", "x.yaml:1"), (b"\xff", "x.yaml")])
def test_what_is_no_yaml_raises_the_error_of_the_file(source: str | bytes, path: str) -> None:
    with pytest.raises(PolicyError) as caught:
        opened(source, "x.yaml", PolicyError)
    assert caught.value.path == path
    assert not caught.value.message.startswith("line")
