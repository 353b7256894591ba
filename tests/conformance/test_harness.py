"""The harness can fail: a test that cannot is no evidence."""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from tests.conformance import deviations, rows
from tests.conformance.harness import Accepted, Deviation, Group, Refused, Verdict, agree, judge
from tests.conformance.paimon import groups as paimon

TOP = Path(__file__).parents[2]


def double(content: rows.Content) -> int:
    """A subject to judge: it doubles, and refuses what is negative."""
    if content["input"] < 0:
        raise SchemaError("it is negative.", code="number.negative", path="input")
    return int(content["input"]) * 2


GROUPS = {"double": Group(double)}


def row(value: int, **content: Any) -> rows.Row:
    return rows.Row("numbers-n-1", "n-1", "double", {"id": "n-1", "group": "double", "input": value, **content})


def deviation(*ids: str, answer: Accepted | Refused, above: int = 0) -> Deviation:
    return Deviation("odd", frozenset({"double"}), lambda content: content["input"] > above, lambda content: answer, frozenset(ids), "")


def said(row: rows.Row, *known: Deviation, **how: bool) -> Verdict:
    return judge(row, GROUPS, known, **how)


class TestVectors:
    """Every value that a vector of ours states is looked at: one that is another fails."""

    @pytest.mark.parametrize("group", paimon.GROUPS)
    def test_a_wrong_vector_fails(self, group: str) -> None:
        excused = {number for one in deviations.load() for number in one.ids}
        right = [one for one in rows.read("paimon", rows.OWN) if one.group == group and one.id not in excused]
        for vector in right[:20]:
            for wrong in wrong_vectors(vector.content):
                assert judge(vector._replace(content=wrong), paimon.GROUPS, []).message, wrong


def wrong_vectors(content: rows.Content) -> Iterator[rows.Content]:
    """The vector with one expected value after the other changed."""
    key = next(one for one in ("expect", "expectRows", "error") if one in content)
    for path in leaves(content[key], (key,)):
        wrong: Any = copy.deepcopy(content)
        holder = wrong
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = other(holder[path[-1]])
        yield wrong


def leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else ()
    if not inside:
        yield path
    for step, one in inside:
        yield from leaves(one, (*path, step))


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else f"{value}x" if isinstance(value, str) else ["x"]


class TestVerdicts:
    def test_the_expected_answer_passes(self) -> None:
        assert said(row(2, expect=4)) == Verdict()
        assert said(row(-1, error={"code": "number.negative"})) == Verdict()
        assert said(row(-1, error={"code": "number.negative", "column": "input"})) == Verdict()

    @pytest.mark.parametrize("content", [{"expect": 5}, {"expect": 4.0}, {"expect": True}, {"error": {"code": "number.negative"}}])
    def test_another_answer_fails(self, content: dict[str, Any]) -> None:
        assert "answered: 4" in said(row(2, **content)).message

    @pytest.mark.parametrize("error", [{"code": "number.odd"}, {"code": "number.negative", "column": "output"}])
    def test_another_error_fails(self, error: dict[str, str]) -> None:
        assert "answered: error number.negative at 'input'" in said(row(-1, error=error)).message

    def test_an_error_of_another_tree_is_let_through(self) -> None:
        with pytest.raises(TypeError):
            said(rows.Row("", "", "double", {"input": "text", "error": {"code": "number.negative"}}))

    def test_an_unknown_group_fails(self) -> None:
        assert "no test knows the group 'triple'" in said(row(2, expect=6)._replace(group="triple")).message

    def test_a_row_without_an_answer_fails(self) -> None:
        assert "states no answer" in said(row(2)).message

    def test_extra_keys_are_no_failure(self) -> None:
        assert said(row(2, expect=4, seen="yesterday")) == Verdict()


class TestDeviations:
    def test_a_row_that_is_described_may_deviate(self) -> None:
        assert said(row(2, expect=5), deviation(answer=Accepted(4))) == Verdict(deviation="odd")

    def test_only_by_the_answer_that_is_stated(self) -> None:
        message = said(row(2, expect=5), deviation(answer=Accepted(6))).message
        assert "by odd: 6" in message
        assert "answered: 4" in message

    def test_only_where_the_input_is_as_described(self) -> None:
        assert said(row(2, expect=5), deviation("n-1", answer=Accepted(4), above=10)).message

    def test_only_in_its_groups(self) -> None:
        assert said(row(2, expect=5), deviation(answer=Accepted(4))._replace(groups=frozenset({"other"}))).message

    def test_a_listed_row_that_no_longer_deviates_fails(self) -> None:
        assert said(row(2, expect=4), deviation(answer=Accepted(4))) == Verdict()
        assert "take it off the list of odd" in said(row(2, expect=4), deviation("n-1", answer=Accepted(4))).message

    def test_in_our_own_files_a_row_has_to_be_listed(self) -> None:
        assert "does not list it" in said(row(2, expect=5), deviation(answer=Accepted(4)), all_listed=True).message
        assert said(row(2, expect=5), deviation("n-1", answer=Accepted(4)), all_listed=True).message == ""

    def test_an_entry_may_name_rows_only(self, tmp_path: Path) -> None:
        file = tmp_path / "deviations.toml"
        entry = '[[deviation]]\nname = "one"\ngroups = ["double"]\nrefused = "x"\nids = ["n-1"]\nreason = ""\n'
        file.write_text(entry, "utf-8")
        [one] = deviations.load(file)
        assert one.applies({"id": "n-1"})
        assert not one.applies({"id": "n-2"})
        file.write_text(entry + 'because = "y"\n', "utf-8")
        with pytest.raises(ValueError, match="because"):
            deviations.load(file)

    def test_an_error_may_leave_its_column_open(self) -> None:
        assert agree(Refused("a", "x"), Refused("a"))
        assert not agree(Refused("a", "x"), Refused("a", "y"))
        assert not agree(Refused("a"), Accepted("a"))

    def test_an_error_may_leave_its_code_open(self) -> None:
        assert agree(Refused("a", "x"), Refused(rows.ANY))
        assert not agree(Refused(rows.ANY), Refused("a"))
        assert not agree(Accepted("a"), Refused(rows.ANY))


def lines(folder: Path, *texts: str) -> list[rows.Row]:
    (folder / "paimon.jsonl").write_text("\n".join(texts), "utf-8")
    return rows.read("paimon", folder)


class TestFiles:
    def test_a_missing_file_holds_no_rows(self, tmp_path: Path) -> None:
        assert rows.read("paimon", tmp_path) == []

    def test_every_test_id_has_the_stem_of_the_file(self, tmp_path: Path) -> None:
        found = lines(tmp_path, '{"id": "pm-1", "group": "merge"}', "", '{"group": "merge", "text": "a\u2028b"}')
        assert [one.name for one in found] == ["paimon-pm-1", "paimon-line-3"]

    def test_an_id_that_is_used_twice_is_tested_twice(self, tmp_path: Path) -> None:
        assert [one.name for one in lines(tmp_path, *['{"id": "pm-1", "group": "merge"}'] * 2)] == ["paimon-pm-1", "paimon-pm-1-again-1"]

    @pytest.mark.parametrize("line", ["{", "[]", '{"id": "pm-1"}', '{"group": 1}'])
    def test_a_line_that_is_no_row_fails(self, tmp_path: Path, line: str) -> None:
        [one] = lines(tmp_path, line)
        assert "line 1" in said(one).message

    def test_a_row_about_odf_is_a_row_like_the_others(self, tmp_path: Path) -> None:
        right, refused = '{"op": "compare", "expected": {"a": 1}}', '{"op": "compare", "expected": {"error": "panic"}}'
        found = lines(tmp_path, right, refused, '{"op": "compare"}')
        assert [one.group for one in found] == ["compare"] * 3
        answers = [{key: value for key, value in one.content.items() if key in ("expect", "error")} for one in found]
        assert answers == [{"expect": {"a": 1}}, {"error": {"code": rows.ANY}}, {}]

    def test_the_environment_names_the_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCHEMAS_VECTORS", str(tmp_path))
        lines(tmp_path, '{"id": "pm-1", "group": "merge"}')
        assert [one.id for one in rows.read("paimon")] == ["pm-1"]
        monkeypatch.delenv("SCHEMAS_VECTORS")
        assert len(rows.read("paimon")) > 1000


def run(vectors: Path, *contents: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """A run of the conformance tests on these rows, as a user starts it."""
    if contents:
        (vectors / "paimon.jsonl").write_text("\n".join(map(json.dumps, contents)), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance/test_paimon.py"]
    return subprocess.run(
        command, cwd=TOP, env={**os.environ, "SCHEMAS_VECTORS": str(vectors)}, capture_output=True, text=True, check=False, timeout=120
    )


class TestRuns:
    def test_a_run_counts_and_names_what_failed(self, tmp_path: Path) -> None:
        right = {"id": "x-1", "group": "type-parse", "input": "JSON", "error": {"code": "type.parse.unknown-name"}}
        null = {
            "version": 3,
            "id": 0,
            "fields": [],
            "highestFieldId": -1,
            "partitionKeys": [],
            "primaryKeys": [],
            "options": {},
            "timeMillis": 1,
        }
        excused = {"id": "x-3", "group": "schema-read", "input": {**null, "comment": None}, "expect": {**null, "comment": "null"}}
        done = run(tmp_path, right, {**right, "id": "x-2", "input": "INT"}, excused, {"id": "x-4", "group": "unheard"})
        assert done.returncode == 1
        for text in (
            "paimon type-parse   passed 1/2",
            "paimon schema-read  passed 0/1, 1 answered differently on purpose",
            "no test knows the group 'unheard'",
            "test_the_answer_is_that_of_java[paimon-x-2]",
            "2 failed, 2 passed",
        ):
            assert text in done.stdout

    def test_a_folder_without_files_is_no_failure(self, tmp_path: Path) -> None:
        done = run(tmp_path)
        assert done.returncode == 0, done.stdout
        assert "failed" not in done.stdout
