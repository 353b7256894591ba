"""The builder of the documentation: what it refuses, what it runs, and what comes out."""

from pathlib import Path

import pytest

from tools.build_docs import build
from tools.docs.page import Problem

CASES = {
    "a link to a page that is not there": "[x](other.md)",
    "a link out of the repository": "[x](../../elsewhere.md)",
    "a link to a folder": "[x](./)",
    "a link to a heading that is not there": "[x](#nowhere)",
    "an image that is not there": "![a picture](picture.png)",
    "an image from elsewhere": "![a picture](https://example.com/picture.png)",
    "a second title": "# Two",
}


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


def built(root: Path, body: str, **more: str) -> list[Problem]:
    """What is wrong with a site whose front page has this body, beside `docs/<name>.md` for each further page."""
    (root / "docs").mkdir(exist_ok=True)
    for name, text in {"index": f"# Front\n\n{body}", **more}.items():
        (root / "docs" / f"{name}.md").write_text(text, "utf-8")
    return build(root, root / "out")


def page(root: Path, name: str = "index") -> str:
    return (root / "out" / f"{name}.html").read_text("utf-8")


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
def test_the_builder_refuses(tmp_path: Path, body: str) -> None:
    assert len(built(tmp_path, body)) == 1
    assert not (tmp_path / "out").exists()


def test_a_page_that_no_link_reaches_is_refused(tmp_path: Path) -> None:
    found = built(tmp_path, "Nothing here.", lonely="# Lonely\n\n[back](index.md)")
    assert [str(problem) for problem in found] == ["docs/lonely.md:1: no link leads here from docs/index.md."]


def test_an_image_without_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "picture.png").write_bytes(b"png")
    assert "no text" in built(tmp_path, "![](picture.png)")[0].message
    assert built(tmp_path, "![a picture](picture.png)") == []
    assert (tmp_path / "out/files/docs/picture.png").read_bytes() == b"png"


def test_a_problem_names_its_page_and_line(tmp_path: Path) -> None:
    assert str(built(tmp_path, "one\n\n[x](other.md)")[0]) == "docs/index.md:5: the link other.md leads to no file."


def test_links_lead_to_pages_headings_and_files(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "README.md").write_text("# Read me\n\n[docs](docs/index.md)\n", "utf-8")
    body = "[a](more.md#what-it-does-1) [b](../code.py) [c](../README.md) [d](https://example.com/x)"
    assert built(tmp_path, body, more="# More\n\n## What `it` does\n\n## What it does\n") == []
    for target in ("more.html#what-it-does-1", "files/code.py", "project/README.html", "https://example.com/x"):
        assert f'href="{target}"' in page(tmp_path)
    assert 'id="what-it-does-1"' in page(tmp_path, "more")
    assert 'href="../index.html"' in page(tmp_path, "project/README")


def test_what_a_page_says_is_escaped(tmp_path: Path) -> None:
    assert built(tmp_path, "<script>alert(1)</script>\n\n" + fenced("text", "<b>")) == []
    assert "<script" not in page(tmp_path)
    assert "&lt;b&gt;" in page(tmp_path)


def test_python_blocks_share_their_names_and_show_what_they_print(tmp_path: Path) -> None:
    body = fenced("python", "x = 20") + "\nprose\n\n" + fenced("python", "print(x + 1)", "print('done')") + fenced("output", "21", "done")
    assert built(tmp_path, body) == []


def test_pages_do_not_share_names(tmp_path: Path) -> None:
    found = built(tmp_path, "[more](more.md)\n\n" + fenced("python", "x = 1"), more="# More\n\n" + fenced("python", "print(x)"))
    assert "NameError" in found[0].message


def test_three_dots_stand_for_anything(tmp_path: Path) -> None:
    assert built(tmp_path, fenced("python", "print('took', 12, 'ms')") + fenced("output", "took ... ms")) == []


@pytest.mark.parametrize("language", ["output", "text"])
def test_an_output_that_is_not_what_is_printed_is_refused(tmp_path: Path, language: str) -> None:
    found = built(tmp_path, fenced("python", "print(1)") + fenced(language, "2"))
    assert "-2\n+1" in found[0].message


def test_text_after_prose_is_only_shown(tmp_path: Path) -> None:
    assert built(tmp_path, fenced("python", "print(1)") + "\nprose\n\n" + fenced("text", "2")) == []


def test_an_error_in_an_example_is_shown_with_the_line_of_the_page(tmp_path: Path) -> None:
    message = built(tmp_path, fenced("python", "x = 1", "raise ValueError('broken')"))[0].message
    assert "docs/index.md" in message
    assert "line 5" in message
    assert "ValueError: broken" in message


@pytest.mark.parametrize("line", ["import warnings; warnings.warn('old')", "raise SystemExit(0)", "x ="])
def test_an_example_that_warns_leaves_or_cannot_be_read_is_refused(tmp_path: Path, line: str) -> None:
    assert len(built(tmp_path, fenced("python", line))) == 1


LOOP = ("for x in [1]:", "    print(x)")


@pytest.mark.parametrize(
    "lines",
    [
        (*LOOP, "print(2)"),
        (*LOOP, "# a comment", "print(2)"),
        ("for x in [1]: print(x)", "print(2)"),
        ("def f():", "    return 1", "@f", "def g(): ..."),
        ("match 1:", "    case 1:", "        pass", "x = 1"),
    ],
    ids=["a loop", "a comment between", "on one line", "a decorator", "a match"],
)
def test_a_statement_that_a_prompt_would_refuse_is_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    body = fenced("python", *lines)
    assert "prompt" in built(tmp_path, body)[0].message
    assert built(tmp_path, body.replace("python", "python file=job.py", 1)) == []  # a file is run as a whole


def test_the_refused_statement_is_named_by_its_line(tmp_path: Path) -> None:
    assert built(tmp_path, fenced("python", *LOOP, "print(2)"))[0].message.startswith("line 6:")


@pytest.mark.parametrize("lines", [(*LOOP, "", "print(2)"), ("x = [", "    1,", "]", "print(x)"), ("x = 1", *LOOP)])
def test_what_a_prompt_takes_is_taken(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert built(tmp_path, fenced("python", *lines)) == []


def test_a_page_finds_the_examples_of_the_repository_and_cannot_change_them(tmp_path: Path) -> None:
    folder = tmp_path / "docs/examples"
    folder.mkdir(parents=True)
    (folder / "one").write_text("1\n", "utf-8")
    read = fenced("console", "$ cat docs/examples/one", "1", "$ echo 2 > docs/examples/one")
    assert built(tmp_path, f"{read}\n[more](more.md)", more=f"# More\n\n{read}") == []
    assert (folder / "one").read_text("utf-8") == "1\n"


def test_console_blocks_run_with_our_own_python_first(tmp_path: Path) -> None:
    body = fenced("console", "$ python -c 'import markdown_it; print(1)'", "1", "$ echo two \\", "  three", "two three", "$ true")
    assert built(tmp_path, body) == []


@pytest.mark.parametrize("lines", [("$ false",), ("$ echo 1", "2"), ("echo 1",)])
def test_a_command_that_fails_or_prints_something_else_is_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert len(built(tmp_path, fenced("console", *lines))) == 1


def test_make_is_only_asked_whether_it_would_run(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("demo:\n\ttouch ran\n", "utf-8")
    assert built(tmp_path, fenced("console", "$ make demo")) == []
    assert not (tmp_path / "ran").exists()
    assert "No rule to make target" in built(tmp_path, fenced("console", "$ make nothing"))[0].message


def test_a_block_can_be_kept_as_a_file_that_later_blocks_read(tmp_path: Path) -> None:
    body = fenced("json file=a/b.json", '{"c": 1}') + fenced("python", "from pathlib import Path", "print(Path('a/b.json').read_text())")
    assert built(tmp_path, body + fenced("output", '{"c": 1}')) == []
    assert built(tmp_path, fenced("python file=dag.py", "import nothing_of_this_name")) == []


@pytest.mark.parametrize(
    "block",
    [fenced("json", "{"), fenced("yaml", "a: [", "b"), fenced("", "x"), fenced("ruby", "x"), fenced("output", "x"), "    indented"],
    ids=["json", "yaml", "no language", "unknown language", "output of nothing", "indented"],
)
def test_a_block_that_cannot_be_checked_is_refused(tmp_path: Path, block: str) -> None:
    assert len(built(tmp_path, block)) == 1


def test_json_and_yaml_that_can_be_read_are_taken(tmp_path: Path) -> None:
    assert built(tmp_path, fenced("json", '{"a": [1]}') + fenced("yaml", "a: 1", "---", "b: 2")) == []
