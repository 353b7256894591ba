"""A plan that comes through a pipe: what went wrong before it is not hidden by what is made of it."""

from pathlib import Path

import pytest

from tests.support.command_line import Done, fine, typed


@pytest.fixture
def lake(tmp_path: Path) -> str:
    fine("create", "shop.orders", "order_id BIGINT, amount INT", "--store", str(tmp_path / "lake"))
    return str(tmp_path / "lake")


def piped(planning: list[str], lake: str) -> Done:
    """Plan in JSON, and pipe whatever that prints into apply."""
    printed = typed(*planning, "--format=json").out
    return typed("apply", "-", "--store", lake, stdin=printed.encode())


def test_a_plan_that_is_piped_is_applied(lake: str) -> None:
    assert piped(["plan", "shop.orders", "--add", "note STRING", "--store", lake], lake).code == 0
    assert "note" in fine("show", "shop.orders", "--store", lake)


@pytest.mark.parametrize(
    ("planning", "code", "says"),
    [
        (["plan", "shop.orders", "--add", "a INT", "--store", "{lake}/nothing"], "storage.no-root", "/nothing is not there"),
        (["plan", "shop.order", "--add", "a INT", "--store", "{lake}"], "table.not-there", "Did you mean shop.orders?"),
        (
            ["plan", "shop.orders", "--add", "a INT", "--store", "{lake}", "--bogus"],
            "cli.usage",
            "there is no option --bogus. Type",
        ),
        (["plan", "./nothing.yaml", "--store", "{lake}"], "cli.no-file", "there is no file './nothing.yaml'"),
        (["show", "shop.order", "--store", "{lake}"], "table.not-there", "there is no schema of shop.order"),
        (["check", "shop.orders", "--store", "{lake}"], "cli.plan", "it holds 1 verdict without a plan"),
    ],
)
def test_what_went_wrong_before_the_pipe_is_told_with_its_own_code(planning: list[str], code: str, says: str, lake: str) -> None:
    words = [word.replace("{lake}", lake) for word in planning]
    done = piped(words, lake)
    assert (done.code, done.out, says in done.err) == (2, "", True)
    told = typed("apply", "-", "--store", lake, "--format=json", stdin=typed(*words, "--format=json").out.encode())
    assert (told.code, [fault["code"] for fault in told.json["error"]["faults"]]) == (2, [code])
    assert "v1" not in fine("log", "shop.orders", "--store", lake)


def test_a_text_that_is_no_plan_is_told_with_how_to_make_one(lake: str) -> None:
    for text in (b"what plan prints for people", b"{}x", b"[]", b'{"x": 1}', b"\xff\xfe"):
        done = typed("apply", "-", "--store", lake, stdin=text)
        assert (done.code, "standard input" in done.err, "to_json" in done.err) == (2, True, False)
    assert "TABLE CHANGES -o PLAN.json" in typed("apply", "-", "--store", lake, stdin=b"table: a.b").err
