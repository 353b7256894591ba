"""A fault in a file that somebody wrote is told with the file and the line, or with the line alone."""

import pytest

from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import Fault, PolicyError
from airflow_provider_schemas.formats.user_file import opened, place_of, with_place

TEXT = """\
a: 1
list:
  - {b.c: 2}
  -
    d: 3
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ("a", 1, 1),
        ("list", 2, 1),
        ("list[0]", 3, 5),
        ("list[0].b.c", 3, 6),
        ("list[1]", 5, 5),
        ("list[1].d", 5, 5),
        ("list[1].d.e[7].f", 5, 5),
        ("list[9].x", 2, 1),
        ("nothing", 1, 1),
        ("", 1, 1),
    ],
)
def test_a_path_leads_to_its_place_or_to_that_of_the_nearest_entry(path: str, line: int, column: int) -> None:
    written = opened(TEXT, "x.yaml", PolicyError)
    assert written.line(path) == line
    assert written.place(path) == Place("x.yaml", line, column)


def test_a_place_is_found_by_steps_too() -> None:
    assert opened(TEXT, "x.yaml", PolicyError).place(("list", 0, "b.c")) == Place("x.yaml", 3, 6)


def test_faults_come_in_the_order_of_their_lines() -> None:
    faults = [Fault("c", path, "m.", "f.") for path in ("list[1].d", "a", "list")]
    assert [one.path for one in opened(TEXT, "", PolicyError).placed(faults)] == ["line 1 a", "line 2 list", "line 5 list[1].d"]


@pytest.mark.parametrize(
    ("source", "path", "place"),
    [
        ("a:\n  k: 1", "a.k", (2, 3)),
        ("a: {first: 1, k: 2}", "a.k", (1, 15)),
        ('"größe 🙂": 1\n日本: {k: 2}', "日本.k", (2, 6)),
        ("{größe: 1, 🙂🙂: x, k: 2}", "k", (1, 19)),
        ("\ufeffk: 1".encode(), "k", (1, 1)),
        ("a: 1\r\nb:\r\n  k: 2\r\n", "b.k", (3, 3)),
        ("a:\t{k: 1}", "a.k", (1, 5)),
        ("a: |\n  two\n  lines\nk: 2", "k", (4, 1)),
        ("a: 'two\n  lines'\nk:\n  'far away'", "k", (3, 1)),
        ("? k\n: 1", "k", (1, 3)),
        ("# a comment\n\n---\nk: 1", "k", (4, 1)),
    ],
    ids=["block", "flow", "wide", "emoji", "mark", "crlf", "tab", "literal", "quoted", "question", "comment"],
)
def test_a_column_counts_characters_as_an_editor_does(source: str | bytes, path: str, place: tuple[int, int]) -> None:
    assert opened(source, "x.yaml", PolicyError).place(path) == Place("x.yaml", *place)


def test_faults_know_the_column_of_their_entry() -> None:
    (fault,) = opened(TEXT, "x.yaml", PolicyError).placed([Fault("c", "list[0].b.c", "m.", "f.")])
    assert (fault.path, fault.column) == ("x.yaml:3 list[0].b.c", 6)
    assert place_of(fault) == Place("x.yaml", 3, 6)
    assert place_of(PolicyError.of([fault]).faults[0]) == Place("x.yaml", 3, 6)


@pytest.mark.parametrize("source", ["a: 1\nb: *x", "a: 1\nb: &x 1", "a: 1\nb: !t 1", "a: 1\nb: ]"])
def test_what_yaml_refuses_stands_at_its_line_and_column(source: str) -> None:
    with pytest.raises(PolicyError) as caught:
        opened(source, "x.yaml", PolicyError)
    assert place_of(caught.value.faults[0]) == Place("x.yaml", 2, 4)


@pytest.mark.parametrize("path", ["", "columns[2].type", "x.yaml", "shop.orders", "line 3 a", "x.yaml:many a"])
def test_a_fault_without_a_line_of_a_file_has_no_place(path: str) -> None:
    assert place_of(Fault("c", path, "m.")) is None


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


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize(("text", "place"), [("a: 1\n# fine{}b: 2\n", (2, 7)), ("a: 1\nb: 'x{}y'\n", (2, 6))])
def test_a_key_does_not_hide_behind_a_line_break_that_no_editor_shows(char: str, text: str, place: tuple[int, int]) -> None:
    with pytest.raises(PolicyError) as caught:
        opened(text.format(char), "x.yaml", PolicyError)
    (fault,) = caught.value.faults
    assert (fault.code, place_of(fault)) == ("yaml.line-break", Place("x.yaml", *place))
    assert opened(f'a: "x{ascii(char)[1:-1]}y"', "x.yaml", PolicyError).value == {"a": f"x{char}y"}
